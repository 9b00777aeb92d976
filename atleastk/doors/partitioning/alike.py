"""Parts whose regions are alike: pair partition, connected by the borders of a map.

Columns of numbers are in standard deviations, in ten-thousandths of which all is exact.
A pair of regions of one part costs how far they differ in all columns (``pairs``), or a
part the sum of squares about its means (``squares``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.doors.clustering.points import numbers_of
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.pair_partition import PairPartition

MINIMISED: Final = ("heaviest", "pairs", "squares")
"""Objectives: the weight of the heaviest part, or how regions of one part differ."""

_FINE: Final = 10_000
"""Steps of a standard deviation."""

MOST_REGIONS: Final = 3_000
"""Regions whose pairs fit a matrix."""


def alike(
    map_: ConnectedPartition,
    columns: Mapping[str, Sequence[Any]],
    minimised: str,
    together: Sequence[Sequence[int]],
    parts: int | None = None,
) -> PairPartition:
    """Return the problem of parts of weight k or more that differ least in columns.

    There are as many of them as are asked for, or any number.
    """
    if map_.n > MOST_REGIONS:
        raise InvalidInstanceError(
            f"the map has {map_.n:,} regions; expected at most {MOST_REGIONS:,} that "
            "are to be alike"
        )
    places = np.array([_deviations(*item) for item in columns.items()]).T
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


def in_deviations(cost: int, instance: PairPartition) -> float:
    """Return a cost in standard deviations, or in squares of these."""
    return cost / (_FINE**2 if instance.objective == "squares" else _FINE)


def share_lost(cost: int, instance: PairPartition) -> float:
    """Return what parts cost as a share of what one part of everything costs."""
    return cost / max(1, instance.cost_of(range(instance.n)))


def _deviations(name: str, cells: Sequence[Any]) -> IntArray:
    numbers = numbers_of(cells)
    if numbers is None:
        wrong = next(cell for cell in cells if numbers_of([cell]) is None)
        raise InvalidInstanceError(
            f'alike: column "{name}" has to hold numbers, one region has "{wrong}"'
        )
    values = np.array([float(x) for x in numbers])
    spread = float(values.std()) if len(values) else 0.0
    if not spread:
        raise InvalidInstanceError(
            f'alike: all regions have the same in column "{name}"; leave it out'
        )
    places: IntArray = np.rint(_FINE * (values - values.mean()) / spread).astype(int)
    return places
