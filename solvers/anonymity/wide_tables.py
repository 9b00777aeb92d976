"""Tables whose patterns cannot all be listed: what nearness of rows gives.

A row in a group of k rows or more differs from every other one of them only in columns
that the group suppresses. So it pays at least its distance, the number of columns that
differ, to its (k-1)-th nearest other row. That bound is exact whatever the number of
columns, and takes time O(D^2 m) for D distinct records; rows that were not looked at
in time count 0.

Solutions come from the forest of near rows (approx-gr) and, of few records, from balls
(approx-ds).
"""

from __future__ import annotations

from math import comb, isinf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.solvers.approximations.k_anonymity import approx_ds, approx_gr
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled import compiled
from atleastk.solvers.search import Search

__all__ = ["forest_seconds", "least_distances", "offer_near_rows"]

IntArray = NDArray[np.int64]

_MOST_BALLS: Final = 300
_MOST_BALL_COLUMNS: Final = 255
_SHARE: Final = 0.2
"""Of the time left, for distances."""

_FOREST_SHARE: Final = 0.4
"""Likewise; the guess is generous, and nothing else may come in time."""

_SECONDS_A_CELL: Final = 4e-9
_SECONDS_A_COMPARISON: Final = 1e-9


def least_distances(records: Records, k: int, budget: Budget) -> IntArray:
    """Return a lower bound on what a row of each record pays; 0 if not looked at.

    The table has at least k rows, or none.
    """
    share = _SHARE * budget.remaining
    part = budget if isinf(share) else budget.slice(share)
    with part.flagging() as flag:
        return np.asarray(_least_distances(records.codes, records.copies, k, flag))


def offer_near_rows(search: Search[KAnonymity]) -> None:
    """Report solutions made of near rows, if there is time for them.

    The table has at least k rows.
    """
    instance, budget = search.instance, search.budget
    records = instance.records
    if forest_seconds(records) <= _FOREST_SHARE * budget.remaining:
        search.offer(approx_gr(instance), "approx-gr")
    if budget.spent or instance.m > _MOST_BALL_COLUMNS:
        return
    if records.distinct <= _MOST_BALLS:
        search.offer(approx_ds(instance), "approx-ds")


def forest_seconds(records: Records) -> float:
    """Return how long the forest of a table takes, generously guessed."""
    distinct, m = records.distinct, records.m
    choices = 0
    for stars in range(1, m + 1):
        if comb(m, stars) > distinct:
            break
        choices += comb(m, stars)
    cells, comparisons = choices * distinct * m, distinct * distinct * m
    return _SECONDS_A_CELL * cells + _SECONDS_A_COMPARISON * comparisons


@compiled
def _least_distances(
    codes: NDArray[np.int32], copies: IntArray, k: int, flag: NDArray[np.uint8]
) -> IntArray:
    """Return the distance of every record to its (k-1)-th nearest other row."""
    distinct, m = codes.shape
    least = np.zeros(distinct, dtype=np.int64)
    rows_at = np.zeros(m + 1, dtype=np.int64)
    for t in range(distinct):
        if flag[0] != 0:
            break
        if copies[t] >= k:
            continue
        rows_at[:] = 0
        for u in range(distinct):
            distance = 0
            for j in range(m):
                if codes[t, j] != codes[u, j]:
                    distance += 1
            rows_at[distance] += copies[u]
        lacking = k - rows_at[0]
        distance = 0
        while lacking > 0 and distance < m:
            distance += 1
            lacking -= rows_at[distance]
        least[t] = distance
    return least
