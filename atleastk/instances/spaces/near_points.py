"""Near points, found without computing all distances.

Of many points with few coordinates, in a k-d tree. It works with floating-point numbers
and a margin, as a filter only. Distances are those of the space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.instances.spaces.metric_spaces import (
    EARTH_RADIUS,
    Euclidean,
    GreatCircle,
    Manhattan,
    MetricSpace,
)
from atleastk.packages import spatial

Block = tuple[IntArray, IntArray]

_EXACT: Final = 2**50
"""Sums of whole numbers, and of halves of them, are exact below."""

_BLOCK: Final = 64
"""Points of a leaf of the tree, which are looked at together: not tuned."""


@dataclass(frozen=True, eq=False)
class Tree:
    """Points of few coordinates, those of a leaf near to each other.

    `power` is 2 for squared distances, `scale` what lengths were multiplied by, and
    `norm` is that of the distance. It is `exact` if floating-point numbers order the
    points around another as distances do. `kept` are the nearest points, by number and
    by the first of a part of the points.
    """

    tree: spatial.KDTree
    norm: int
    power: int
    scale: int
    exact: bool = False
    kept: dict[int, dict[int, Int32Array]] = field(default_factory=dict)

    def length(self, distance: int) -> float:
        """Return a length in units of the coordinates that is at least a distance."""
        length: float = (distance / self.scale) ** (1.0 / self.power)
        return length * (1 + 1e-9) + 1.0

    def reaches(self, r: int, rows: IntArray) -> FloatArray:
        """Return for some points a length within which at least r points are."""
        lengths, _ = self.tree.query(self.tree.data[rows], k=[r], p=self.norm)
        reaches = np.asarray(lengths, dtype=np.float64)[:, 0]
        return reaches * (1 + 1e-9) + 1.0

    def nearest(self, rows: IntArray, r: int, workers: int = 1) -> IntArray:
        """Return which r points are nearest to each of some, [point, place]."""
        places, around = [*range(1, r + 1)], self.tree.data[rows]
        _, near = self.tree.query(around, k=places, p=self.norm, workers=workers)
        return np.asarray(near, dtype=np.int64)

    def blocks(self, reaches: Callable[[IntArray], FloatArray]) -> Iterator[Block]:
        """Give blocks of near points with all points within their reaches."""
        order = np.asarray(self.tree.indices, dtype=np.int64)
        places = np.asarray(self.tree.data)
        for start in range(0, len(order), _BLOCK):
            rows = np.sort(order[start : start + _BLOCK])
            inside = places[rows]
            middle = (inside.min(axis=0) + inside.max(axis=0)) / 2
            away = np.linalg.norm(inside - middle, ord=self.norm, axis=1)
            reach = float((away + reaches(rows)).max()) * (1 + 1e-9) + 1.0
            near = self.tree.query_ball_point(middle, reach, p=self.norm)
            yield rows, np.sort(np.asarray(near, dtype=np.int64))


_BALANCED: Final = 300_000
"""Points up to which trees are balanced: others take half of the time. Not tuned."""

_TREES: Final[WeakKeyDictionary[MetricSpace, Tree]] = WeakKeyDictionary()
"""The trees of spaces in use."""


def tree_of(space: MetricSpace) -> Tree | None:
    """Return a k-d tree of the points if it pays.

    Places on the sphere are points in space: a chord is no longer than its arc, and
    orders as it does.
    """
    if not is_indexed(space) or space in _TREES:
        return _TREES.get(space)
    if isinstance(space, GreatCircle):
        places = _tree(EARTH_RADIUS * space.on_the_sphere)
        _TREES[space] = Tree(places, norm=2, power=1, scale=space.scale)
    elif isinstance(space, Euclidean | Manhattan):
        norm = 1 if isinstance(space, Manhattan) else 2
        power = 2 if space.scale is None else 1
        places = _tree(space.coordinates.astype(np.float64))
        furthest = sum(int(x) ** norm for x in space.coordinates.max(axis=0))
        exact = furthest < _EXACT
        _TREES[space] = Tree(places, norm, power, space.scale or 1, exact)
    return _TREES.get(space)


def _tree(places: FloatArray) -> spatial.KDTree:
    balanced = len(places) <= _BALANCED
    return spatial.KDTree(places, leafsize=_BLOCK, balanced_tree=balanced)


def ball_of(space: MetricSpace, point: int, radius: int) -> IntArray:
    """Return the points within a radius of one, ascending."""
    tree = tree_of(space)
    if tree is None:
        return np.flatnonzero(space.row(point) <= radius)
    reach = tree.length(radius)
    found = tree.tree.query_ball_point(tree.tree.data[point], reach, p=tree.norm)
    near = np.sort(np.array(found, dtype=np.int64))
    return near[space.apart(np.array(point), near) <= radius]


def is_indexed(space: MetricSpace) -> bool:
    """Return whether near points are found without computing all distances."""
    if space.n <= 2_000:  # needs no tree
        return False
    if isinstance(space, GreatCircle):
        return True
    if not isinstance(space, Euclidean | Manhattan):
        return False
    few: bool = space.coordinates.shape[1] <= 4  # with more, no tree is used
    return few
