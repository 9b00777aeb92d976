"""MDAV microaggregation: a start heuristic for points with coordinates.

Of the points that are left, the farthest from their mean and its nearest make a group,
then the farthest from that one and its nearest, all of the least size, until too few
are left for two groups. Distances are Euclidean, whatever the metric.

That takes O(n^2 / r) steps, in passes over arrays. Of many points it is done in parts,
those of :mod:`~atleastk.solvers.clustering.blocks`; when the time is spent the rest is
cut as there.

References
----------
[DomingoTorra05] J. Domingo-Ferrer, V. Torra, Ordinal, continuous and heterogeneous
k-anonymity through microaggregation. Data Mining and Knowledge Discovery 11 (2005)
195-212.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.blocks import Cut, halved

_PART: Final = 10_000
"""Points of a part at least, unless there are fewer in all, at most nearly twice as
many, which take some seconds. Smaller parts make clusters dearer: of Adult's 6 columns
of numbers, parts of 2,500 rows by a third."""


def far_groups(coordinates: FloatArray, least: int, budget: Budget) -> Cut:
    """Return groups of all points, [point, axis], of at least so many each."""
    n = len(coordinates)
    order, bounds = halved(coordinates, max(_PART, least))
    parts = np.split(order, bounds[1:-1])
    starts: list[IntArray] = []
    for part, first in zip(parts, bounds[:-1], strict=True):
        inside, cut = _far_groups_of(coordinates[part], least, budget)
        part[:] = part[inside]
        starts.append(first + cut[:-1])
    return np.concatenate(parts), np.append(np.concatenate(starts), n)


def _far_groups_of(coordinates: FloatArray, least: int, budget: Budget) -> Cut:
    """Return the groups of a part, those of what was left in the end first."""
    n = len(coordinates)
    order, places = np.arange(n, dtype=np.int64), coordinates.copy()
    total, around = places.sum(axis=0), None
    left, groups = n, 0
    while left >= 2 * least and not budget.spent:
        if around is None:
            around = total / left
        first = places[_squares(places[:left], around).argmax()].copy()
        near = np.argpartition(_squares(places[:left], first), least - 1)[:least]
        total -= places[near].sum(axis=0)
        _move_behind(left, near, order, places)
        left -= least
        groups += 1
        around = first if groups % 2 else None
    inside, starts = halved(places[:left], least)
    order[:left] = order[inside]
    made = left + least * np.arange(groups + 1, dtype=np.int64)
    return order, np.append(starts[:-1], made)


def _squares(places: FloatArray, around: FloatArray) -> FloatArray:
    """Return the squared lengths from some places to one."""
    away = places - around
    found: FloatArray = np.einsum("ij,ij->i", away, away)
    return found


def _move_behind(left: int, chosen: IntArray, *rows: FloatArray | IntArray) -> None:
    """Exchange chosen rows for the last of those that are left."""
    first = left - len(chosen)
    behind = np.arange(first, left, dtype=np.int64)
    stay, go = np.setdiff1d(behind, chosen), chosen[chosen < first]
    for each in rows:
        each[stay], each[go] = each[go], each[stay]
