"""Bounds without a list of patterns: by rare values, by sets of columns, by distances.

A row loses every value that fewer than k rows have, and loses a cell if fewer than k
rows equal it. That takes time O(D m) for D distinct records.

The rows of a group are equal on all columns but those that it suppresses. So a row pays
at least what the cheapest set of columns costs without which k rows equal it. For all
sets that takes time O(2^m D m); what is known after some of them, the cheapest first,
is a bound, too.

A row in a group of k rows or more differs from every other one of them only in columns
that the group suppresses. So it pays at least its distance, the price of the columns
that differ, to its (k-1)-th nearest other row. That bound is exact whatever the number
of columns, and takes time O(D^2 m); rows that were not looked at in time count 0.

A row pays that times its worth. All hold for every pattern of k rows or more that a
record matches. So they are weights that prove the bound, as those of the linear program
do.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.classes import Keys
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.nearness import CELLS_AT_ONCE, add
from atleastk.solvers.tables.truncated_patterns import sets_by_price
from atleastk.solvers.tables.valuation import greatest

_MANY: Final = 200_000
"""Distinct records from which on patterns of most tables are too many to be listed, or
take longer than sets of columns."""

_MOST_KEYS: Final = 500_000_000
"""Records times sets of columns that are counted: half a minute."""

_SHARE: Final = 0.2
"""The share of the time left for these bounds: not tuned."""


def least_at_once(records: Records, k: int, budget: Budget) -> IntArray:
    """Return a lower bound on the cost of a row of each record that takes little time.

    The table has at least k rows, or none.
    """
    if is_small(records):
        return least_known(records, k, Budget())
    if is_asked_at_once(records):
        return least_known(records, k, budget)
    return least_by_values(records, k)


def is_small(records: Records) -> bool:
    """Whether all pairs of records are compared at once."""
    return records.distinct * records.distinct * records.m <= CELLS_AT_ONCE


def is_asked_at_once(records: Records) -> bool:
    """Whether sets of columns are asked before all else: patterns are too many then."""
    return has_few_sets(records) and records.distinct >= _MANY


def has_few_sets(records: Records) -> bool:
    """Whether sets of columns are fewer than records: they say more than distances."""
    return 1 << records.m < records.distinct


def least_known(records: Records, k: int, budget: Budget) -> IntArray:
    """Return a lower bound on the cost of a row of each record."""
    few = has_few_sets(records)
    least = (least_by_sets if few else least_distances)(records, k, budget)
    least *= records.worth
    np.maximum(least_by_values(records, k), least, out=least)
    return least


def least_by_values(records: Records, k: int) -> IntArray:
    """Return what rare values cost each record; one cell at least of rare ones."""
    rare = np.zeros(records.distinct, dtype=np.int64)
    for values, price in zip(records.codes.T, records.price.tolist(), strict=True):
        few = np.bincount(values, records.copies) < k
        if few.any():
            rare += price * few[values]
    if records.weights is None and records.m:  # weights tell apart what is equal
        cheapest = int(records.price.min())
        rare = np.maximum(rare, cheapest * (records.copies < k))
    least: IntArray = rare * records.worth
    return least


def least_by_sets(records: Records, k: int, budget: Budget) -> IntArray:
    """Return a lower bound on what a row of each record pays once; by sets of columns.

    The table has at least k rows, or none.
    """
    part, room = budget.share(_SHARE), _MOST_KEYS
    columns = np.ascontiguousarray(records.codes.T)
    labels = [np.arange(1 + codes.max(initial=-1), dtype=np.int32) for codes in columns]
    least = np.zeros(records.distinct, dtype=np.int64)
    left, known = np.ones(records.distinct, dtype=np.bool_), 0
    for price, hidden in sets_by_price(records.price.tolist()):
        if price > known:
            least[left], known = price, price
        room -= records.distinct
        if part.spent or room < 0 or not left.any():
            break
        kept = ((columns[j], labels[j]) for j in range(records.m) if j not in hidden)
        left &= Keys.of(records.distinct, kept).below(records.copies, k)
    return least


def least_distances(records: Records, k: int, budget: Budget) -> IntArray:
    """Return a lower bound on what a row of each record pays once; 0 if not looked at.

    The table has at least k rows, or none.
    """
    columns, prices = np.ascontiguousarray(records.codes.T), records.price
    with budget.flagging() as flag:  # loads the loop before its share begins
        _least_distances(columns[:, :0], prices, records.copies[:0], k, flag)
    with budget.share(_SHARE).flagging() as flag:
        return np.asarray(_least_distances(columns, prices, records.copies, k, flag))


@compiled
def _least_distances(
    columns: Int32Array, prices: IntArray, copies: IntArray, k: int, flag: ByteArray
) -> IntArray:
    m, distinct = columns.shape
    least = np.zeros(distinct, dtype=np.int64)
    distance = np.zeros(distinct, dtype=np.int32)
    nearness = np.zeros(distinct, dtype=np.int64)
    rows = np.zeros(distinct, dtype=np.int64)
    for t in range(distinct):
        if flag[0] != 0:
            break
        if copies[t] >= k:
            continue
        distance[:] = 0
        for j in range(m):
            add(columns[j], columns[j, t], prices[j], distinct, distance)
        for u in range(distinct):
            nearness[u], rows[u] = -distance[u], copies[u]
        least[t] = -greatest(nearness, rows, distinct, k)[0]
    return least
