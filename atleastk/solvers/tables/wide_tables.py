"""Bounds without a list of patterns: by rare values, and by the distances of rows.

A row loses every value that fewer than k rows have, and loses a cell if fewer than k
rows equal it. That takes time O(D m) for D distinct records.

A row in a group of k rows or more differs from every other one of them only in columns
that the group suppresses. So it pays at least its distance, the number of columns that
differ, to its (k-1)-th nearest other row. That bound is exact whatever the number of
columns, and takes time O(D^2 m); rows that were not looked at in time count 0.

Both hold for every pattern of k rows or more that a record matches. So they are weights
that prove the bound, as those of the linear program do.
"""

from __future__ import annotations

from math import isinf
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.nearness import add

_SHARE: Final = 0.2
"""The share of the time left for distances."""

_MOST_CELLS: Final = 100_000_000
"""Cells of pairs of records that are compared at once: some 0.05 seconds."""


def least_at_once(records: Records, k: int) -> IntArray:
    """Return a lower bound on the cost of a row of each record that takes no time.

    The table has at least k rows, or none.
    """
    if records.distinct * records.distinct * records.m <= _MOST_CELLS:
        return least_known(records, k, Budget())
    return _least_by_values(records, k)


def least_known(records: Records, k: int, budget: Budget) -> IntArray:
    """Return a lower bound on the cost of a row of each record, by both arguments."""
    by_distances = least_distances(records, k, budget)
    return np.maximum(_least_by_values(records, k), by_distances)


def _least_by_values(records: Records, k: int) -> IntArray:
    """Return how many values of each record are rare; 1 at least of rare records."""
    least = (records.copies < k).astype(np.int64)
    rare = np.zeros_like(least)
    for values in records.codes.T:
        rare += np.bincount(values, records.copies)[values] < k
    return np.maximum(least, rare)


def least_distances(records: Records, k: int, budget: Budget) -> IntArray:
    """Return a lower bound on what a row of each record pays; 0 if not looked at.

    The table has at least k rows, or none.
    """
    columns = np.ascontiguousarray(records.codes.T)
    with budget.flagging() as flag:  # loads the loop before its share begins
        _least_distances(columns[:, :0], records.copies[:0], k, flag)
    share = _SHARE * budget.remaining
    part = budget if isinf(share) else budget.slice(share)
    with part.flagging() as flag:
        return np.asarray(_least_distances(columns, records.copies, k, flag))


@compiled
def _least_distances(
    columns: Int32Array, copies: IntArray, k: int, flag: ByteArray
) -> IntArray:
    m, distinct = columns.shape
    least = np.zeros(distinct, dtype=np.int64)
    rows_at = np.zeros(m + 1, dtype=np.int64)
    distance = np.zeros(distinct, dtype=np.int32)
    for t in range(distinct):
        if flag[0] != 0:
            break
        if copies[t] >= k:
            continue
        distance[:] = 0
        for j in range(m):
            add(columns[j], columns[j, t], 1, distinct, distance)
        rows_at[:] = 0
        for u in range(distinct):
            rows_at[distance[u]] += copies[u]
        lacking, reached = k - rows_at[0], 0
        while lacking > 0 and reached < m:
            reached += 1
            lacking -= rows_at[reached]
        least[t] = reached
    return least
