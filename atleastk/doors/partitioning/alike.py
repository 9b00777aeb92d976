"""Parts whose regions are alike: pair partition, connected by the borders of a map.

Columns of numbers are in standard deviations. A pair of regions of one part costs how
far they differ in all columns (``pairs``), or a part the sum of squares about its means
(``squares``). What is solved is rounded to ten-thousandths; what parts cost is of the
numbers as they are, and of what is proved that is left which holds for these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.doors.cells import number_of, numbers_of
from atleastk.doors.clustering.points import STEPS, deviations
from atleastk.doors.partitioning.page import name_of
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.pair_partition import PairPartition

MINIMISED: Final = ("heaviest", "pairs", "squares")
"""Objectives: the weight of the heaviest part, or how regions of one part differ."""

MOST_REGIONS: Final = 3_000
"""Regions whose pairs fit a matrix."""


def alike(
    map_: ConnectedPartition,
    deviations: FloatArray,
    minimised: str,
    together: Sequence[Sequence[int]],
    parts: int | None = None,
) -> PairPartition:
    """Return the problem of parts of weight k or more that differ least.

    There are as many of them as are asked for, or any number.
    """
    places: IntArray = np.rint(STEPS * deviations).astype(int)
    heavy = [{"of": map_.weights, "at_least": map_.k}]
    shared: dict[str, Any] = {
        "k": 1,
        "connected": True,
        "edges": map_.edges,
        "require": heavy,
        "groups": None if parts is None else (parts, parts),
        "together": [some for some in together if len(some) > 1] or None,
    }
    if all(weight == 1 for weight in map_.weights):
        shared |= {"k": map_.k, "require": None}
    if minimised == "squares":
        return PairPartition(points=places.tolist(), objective="squares", **shared)
    costs = np.abs(places[:, None] - places).sum(axis=2).tolist()
    pairs = [[i, j, costs[i][j]] for i, j in combinations(range(map_.n), 2)]
    return PairPartition(items=map_.n, costs=pairs, **shared)


def cost_in(
    deviations: FloatArray, groups: Iterable[Sequence[int]], minimised: str
) -> float:
    """Return what groups cost, in standard deviations or in squares of these."""
    return sum(_cost(deviations[[*group]], minimised) for group in groups)


def _cost(some: FloatArray, minimised: str) -> float:
    if minimised == "squares":
        return float(np.square(some - some.mean(axis=0)).sum())
    times = 2 * np.arange(len(some)) - len(some) + 1  # added less subtracted, by rank
    return float((times @ np.sort(some, axis=0)).sum())


def bound_in(deviations: FloatArray, bound: int, minimised: str) -> float:
    """Return what any groups cost, from a bound on what was rounded.

    The root of squares is a norm of the deviations, projected by every partition, so
    that rounding changes it by at most the norm of what was rounded off; the pairs of a
    partition change by at most what all pairs of that differ by.
    """
    off = deviations - np.rint(STEPS * deviations) / STEPS
    rounding = _cost(off, minimised)
    if minimised == "squares":
        return float(max(0.0, sqrt(bound) / STEPS - sqrt(rounding)) ** 2)
    return max(0.0, bound / STEPS - rounding)


def deviations_of(
    map_: ConnectedPartition, columns: Mapping[str, Sequence[Any]]
) -> FloatArray:
    """Return the cells of columns in standard deviations from the mean, a row a region.

    Raises InvalidInstanceError if they are no numbers or all the same, or too many
    regions to be alike.
    """
    if map_.n > MOST_REGIONS:
        raise InvalidInstanceError(
            f"the map has {map_.n:,} regions; expected at most {MOST_REGIONS:,} that "
            "are to be alike"
        )
    return np.array([_deviations(map_, *item) for item in columns.items()]).T


def _deviations(
    map_: ConnectedPartition, name: str, cells: Sequence[Any]
) -> FloatArray:
    numbers = numbers_of(cells)
    if numbers is None:
        wrong = [v for v, cell in enumerate(cells) if number_of(cell) is None]
        more = f"; {len(wrong):,} regions are like that" if wrong[1:] else ""
        raise InvalidInstanceError(
            f'alike: column "{name}" has to hold numbers, got "{cells[wrong[0]]}" for '
            f"{name_of(map_, wrong[0])}{more}"
        )
    found = deviations(numbers, f'alike: column "{name}"')
    if not found.any():
        raise InvalidInstanceError(
            f'alike: all regions have the same in column "{name}"; leave it out'
        )
    return found
