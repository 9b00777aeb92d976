"""What the plants of each problem are made of: items, one by one, and k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.r_gather import RGather
from atleastk.instances.rectangle_tiling import RectangleTiling

__all__ = ["GROUNDS", "Ground", "Item"]

Item = tuple[int, ...]
"""A size, a row, a point, or a point with its weight."""


@dataclass(frozen=True, slots=True)
class Ground:
    """How the instances of a problem are made of items.

    Attributes
    ----------
    instance
        Makes the instance of items and k.
    fresh
        Draws an item, given k.
    changed
        Draws a neighbour of an item, given k.
    items
        Returns the items and k of an instance, where it is made of such.
    shifted
        Takes an amount from one item of a group and gives it to another; None if that
        says nothing.
    """

    instance: Callable[[Sequence[Item], int], Any]
    fresh: Callable[[Random, int], Item]
    changed: Callable[[Random, Item, int], Item]
    items: Callable[[Any], tuple[list[Item], int]]
    shifted: Callable[[Random, Item, Item], tuple[Item, Item]] | None = None


def _size(rng: Random, k: int) -> Item:
    """Draw a size near those that the papers' worst cases are made of."""
    return (max(1, rng.choice([1, 2, k // 3, k // 2, k - 1, rng.randint(1, k)])),)


def _near_size(rng: Random, item: Item, k: int) -> Item:
    if rng.random() < 0.3:
        return _size(rng, k)
    return (max(1, item[0] + rng.choice([-2, -1, 1, 2, -k // 10, k // 10])),)


def _shifted(rng: Random, one: Item, other: Item) -> tuple[Item, Item]:
    moved = rng.randint(0, one[0] - 1)
    return (one[0] - moved,), (other[0] + moved,)


def _sizes(instance: Any) -> tuple[list[Item], int]:
    return [(size,) for size in instance.sizes], instance.k


_COLUMNS: Final = 6
"""Columns of the tables; those that are all equal cost nothing."""
_VALUES: Final = 4
"""Values in each of them."""


def _row(rng: Random, _k: int) -> Item:
    return tuple(rng.randrange(_VALUES) for _ in range(_COLUMNS))


def _near_row(rng: Random, item: Item, _k: int) -> Item:
    cells = list(item)
    cells[rng.randrange(len(cells))] = rng.randrange(_VALUES)
    return tuple(cells)


def _rows(instance: Any) -> tuple[list[Item], int]:
    values: dict[object, int] = {}
    rows = [
        tuple(values.setdefault(v, len(values)) for v in row) for row in instance.table
    ]
    return rows, instance.k


_SIDE: Final = 12
"""Points have coordinates below this."""


def _point(rng: Random, _k: int) -> Item:
    return rng.randrange(_SIDE), rng.randrange(3)


def _near_point(rng: Random, item: Item, _k: int) -> Item:
    place = list(item)
    place[rng.randrange(len(place))] += rng.choice([-3, -2, -1, 1, 2, 3])
    return tuple(place)


def _points(instance: Any) -> tuple[list[Item], int]:
    return [tuple(map(int, point)) for point in instance.points or ()], instance.r


def _weighted(rng: Random, k: int) -> Item:
    return rng.randrange(6), rng.randrange(6), _size(rng, k)[0]


def _near_weighted(rng: Random, item: Item, k: int) -> Item:
    x, y, weight = item
    if rng.random() < 0.5:
        return x, y, _near_size(rng, (weight,), k)[0]
    return x + rng.choice([-1, 0, 1]), y + rng.choice([-1, 0, 1]), weight


def _weighted_points(instance: Any) -> tuple[list[Item], int]:
    return [tuple(point) for point in instance.points], instance.k


def _tree(items: Sequence[Item], k: int) -> ConnectedPartition:
    """Join every node to one before it, as many places away as its item says."""
    weights = [weight for weight, _back in items]
    edges = [(max(0, i - back), i) for i, (_weight, back) in enumerate(items) if i]
    return ConnectedPartition(weights, edges, k)


def _node(rng: Random, k: int) -> Item:
    return _size(rng, k)[0], rng.randint(1, 4)


def _near_node(rng: Random, item: Item, k: int) -> Item:
    weight, back = item
    if rng.random() < 0.6:
        return _near_size(rng, (weight,), k)[0], back
    return weight, max(1, back + rng.choice([-1, 1]))


def _nodes(instance: Any) -> tuple[list[Item], int]:
    before = {v: u for u, v in map(sorted, instance.edges)}
    return [
        (weight, i - before.get(i, i - 1)) for i, weight in enumerate(instance.weights)
    ], instance.k


def _manhattan(kind: Callable[..., Any]) -> Callable[[Sequence[Item], int], Any]:
    return lambda items, k: kind(points=items, metric="manhattan", r=k)


GROUNDS: Final[Mapping[str, Ground]] = {
    "bin-covering": Ground(
        lambda items, k: BinCovering([size for (size,) in items], k),
        _size,
        _near_size,
        _sizes,
        _shifted,
    ),
    "interval-covering": Ground(
        lambda items, k: IntervalCovering([size for (size,) in items], k),
        _size,
        _near_size,
        _sizes,
        _shifted,
    ),
    "k-anonymity": Ground(KAnonymity, _row, _near_row, _rows),
    "r-gather": Ground(_manhattan(RGather), _point, _near_point, _points),
    "cellular-clustering": Ground(
        _manhattan(CellularClustering), _point, _near_point, _points
    ),
    "connected-partition": Ground(_tree, _node, _near_node, _nodes),
    "rectangle-tiling": Ground(
        lambda items, k: RectangleTiling([(x, y, w) for x, y, w in items], k),
        _weighted,
        _near_weighted,
        _weighted_points,
    ),
}
"""By the names of the problems."""
