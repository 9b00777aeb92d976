"""Rows in order of importance: few stars for the first of them, step by step.

No row may have more stars than one of a less important class. So a row that needs many
decides for all classes behind it: they have as many. It remains to choose where the
steps are: all rows before one have fewer stars, and are grouped by themselves.

It is necessary for a step that each of its rows has k - 1 others within its number of
stars, by their distances. Whether that suffices is tried: groups of near rows are
built, and rows of those that have too many stars move to others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.suppression import Suppression
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.suppression.row_reassignment import within_star_limit
from atleastk.solvers.tables.near_groups import near_groups

_MOST_ROWS: Final = 4_000
"""Rows of which all distances are compared, in a second."""


def stepped(instance: Suppression, budget: Budget) -> list[list[int]] | None:
    """Return groups of few stars for the first rows in order; None if none are found.

    They may break intact columns.
    """
    if not instance.k <= instance.n <= _MOST_ROWS:
        return None
    codes = instance.records.codes[instance.records.record_of]
    small = np.min_scalar_type(instance.m)
    distances = np.zeros((instance.n, instance.n), dtype=small)
    for column in codes.T:
        distances += column[:, None] != column
    nearest = np.partition(distances, instance.k - 1, axis=1)[:, instance.k - 1]
    rows = np.array(
        [
            i
            for c in instance.row_order or ()
            for i in sorted(c, key=nearest.__getitem__)
        ]
    )
    found: list[list[int]] = []
    for most in range(int(nearest.max()), instance.m + 1):
        whole = _grouped(instance, rows, most, budget)
        if whole is not None:
            break
    else:
        return None
    while most and len(rows) and not budget.spent:
        most -= 1
        for length in _lengths(distances[np.ix_(rows, rows)] <= most, instance.k):
            if budget.spent:
                break
            before = _grouped(instance, rows[:length], most, budget)
            behind = _grouped(instance, rows[length:], most + 1, budget)
            if before is not None and behind is not None:
                found += behind
                rows, whole = rows[:length], before
                break
    return found + whole


def _lengths(near: BoolArray, k: int) -> Iterator[int]:
    """Yield how many first rows may have k near ones among them; the most first."""
    n = len(near)
    enough = near.cumsum(axis=1) >= k
    ends = np.where(enough[:, -1], enough.argmax(axis=1) + 1, n + 1)
    short = np.zeros(n + 2, dtype=np.int64)
    np.add.at(short, np.arange(n) + 1, 1)
    np.add.at(short, np.maximum(ends, np.arange(n) + 1), -1)
    last = float("inf")
    for length in np.flatnonzero(short[: n + 1].cumsum() == 0)[::-1].tolist():
        if k <= length <= min(last, n - k):
            yield length
            last = 0.95 * length


def _grouped(
    instance: Suppression, rows: IntArray, most: int, budget: Budget
) -> list[list[int]] | None:
    """Return groups of some rows with at most `most` stars a row, or None."""
    part = Suppression([instance.table[i] for i in rows.tolist()], instance.k)
    for labels in near_groups(part.records, instance.k, budget.slice(0.1)):
        groups = within_star_limit(part, Solution.labelled(labels).groups, most)
        if groups is not None:
            return [rows[list(group)].tolist() for group in groups]
    return None
