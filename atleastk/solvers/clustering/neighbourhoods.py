"""The points around every point, nearest first.

Whether points can be gathered depends on balls only: those of a radius are prefixes of
the rows here. Rows are computed in blocks, never n x n numbers at once; among many
points of few coordinates a k-d tree finds the near ones
(:mod:`~atleastk.instances.spaces.near_points`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, Self

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, Int32Array, IntArray, distinct
from atleastk.instances.spaces.metric_spaces import (
    FAR,
    Euclidean,
    Manhattan,
    MetricSpace,
)
from atleastk.instances.spaces.near_points import Block, Tree, tree_of
from atleastk.packages import csgraph, sparse, spatial
from atleastk.solvers.budget import Budget
from atleastk.solvers.precision import SURE

MOST_NEIGHBOURS: Final = 40_000_000
"""Neighbours that fit into memory, about 0.5 GB."""

MOST_NEAR: Final = 120_000_000
"""Near points of all points that are kept, 0.5 GB."""

_SAMPLE: Final = 100
"""Points whose neighbours are counted before all are listed."""

_MOST_SAMPLED: Final = 50_000_000
"""Distances of that, at most: fewer points of more than half a million."""

_QUERIED: Final = 500
"""Points whose neighbours are looked up at a time: in tenths of a second."""

_LISTED: Final = 200_000
"""Near points that are listed at a time: in tenths of a second."""

_SOME: Final = 4_000_000
"""Near points that are listed in a second, at once: not tuned."""


@dataclass(frozen=True, eq=False)
class Balls:
    """Sets of points: those of ball i are ``points[starts[i]:starts[i + 1]]``."""

    starts: IntArray  # [ball + 1]
    points: Int32Array  # [entry]

    @classmethod
    def of_all(cls, inside: Sequence[IntArray | Int32Array]) -> Self:
        """Return the balls of these points."""
        sizes = np.array([len(points) for points in inside], dtype=np.int64)
        points = np.concatenate((np.empty(0, dtype=np.int32), *inside))
        return cls(_starts(sizes), points.astype(np.int32))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> IntArray:
        """The number of points of every ball."""
        return np.diff(self.starts)

    @property
    def owners(self) -> IntArray:
        """The ball to which each of ``points`` belongs."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.sizes)

    def of(self, ball: int) -> Int32Array:
        """Return the points of a ball."""
        return self.points[self.starts[ball] : self.starts[ball + 1]]

    def chosen(self, which: IntArray) -> Balls:
        """Return some of the balls."""
        firsts, sizes = self.starts[which], self.sizes[which]
        return Balls(_starts(sizes), self.points[spread(firsts, sizes)])

    def turned(self, n: int) -> Balls:
        """Return for each of n points the balls that hold it, ascending."""
        counts = np.bincount(self.points, minlength=n)
        order = np.argsort(self.points, kind="stable")
        return Balls(_starts(counts), self.owners[order].astype(np.int32))

    def only(self, selected: BoolArray) -> Balls:
        """Return the balls restricted to the selected entries of ``points``."""
        sizes = np.bincount(self.owners[selected], minlength=len(self))
        return Balls(_starts(sizes), self.points[selected])

    def components(self, n: int) -> tuple[Int32Array, Int32Array]:
        """Return a label for every ball and one for each of n points.

        Those that are joined by a chain of balls with points in common have the same.
        """
        many = len(self)
        links = self.owners, self.points + np.int64(many)
        ones = np.ones(len(self.points), dtype=np.int8)
        graph = sparse.coo_array((ones, links), shape=(many + n, many + n))
        _, labels = csgraph.connected_components(graph, directed=False)
        return labels[:many], labels[many:]


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """For every point, or for some, those within a limit, itself among them."""

    limit: int  # points further away are left out
    starts: IntArray  # [point + 1] row i is at starts[i]:starts[i + 1],
    points: Int32Array  # [entry] by distance and index
    distances: IntArray  # [entry]

    @property
    def n(self) -> int:
        """The number of points."""
        return len(self.starts) - 1

    @cached_property
    def _levels(self) -> IntArray:
        return distinct(self.distances)

    def about(self, centres: IntArray) -> Neighbourhoods:
        """Return the rows of some points."""
        sizes = np.diff(self.starts)[centres]
        return self._taken(self.limit, self.starts[centres], sizes)

    def up_to(self, limit: int) -> Neighbourhoods:
        """Return those within another limit that is not greater."""
        return self._taken(limit, self.starts[:-1], self.within(limit))

    def _taken(self, limit: int, firsts: IntArray, sizes: IntArray) -> Neighbourhoods:
        places = spread(firsts, sizes)
        near, distances = self.points[places], self.distances[places]
        return Neighbourhoods(limit, _starts(sizes), near, distances)

    def within(self, radius: int) -> IntArray:
        """Return for every point how many of its neighbours are within a radius."""
        if radius >= self.limit:
            return np.diff(self.starts)
        low, high = self.starts[:-1].copy(), self.starts[1:].copy()
        while (left := np.flatnonzero(low < high)).size:  # bisection of all rows
            middle = (low[left] + high[left]) // 2
            inside = self.distances[middle] <= radius
            low[left[inside]] = middle[inside] + 1
            high[left[~inside]] = middle[~inside]
        return low - self.starts[:-1]

    def balls(self, radius: int) -> Balls:
        """Return the balls of a radius, at most the limit, about all points."""
        return self._balls(self.starts[:-1], self.within(radius))

    def candidates(self, radius: int, r: int) -> tuple[IntArray, Balls]:
        """Return the points whose balls hold at least r points, and their balls."""
        sizes = self.within(radius)
        centres = np.flatnonzero(sizes >= r)
        return centres, self._balls(self.starts[centres], sizes[centres])

    def _balls(self, firsts: IntArray, sizes: IntArray) -> Balls:
        return Balls(_starts(sizes), self.points[spread(firsts, sizes)])

    def values(self, above: int, most: int) -> IntArray:
        """Return the distances in here above one value up to another, ascending."""
        first, last = np.searchsorted(self._levels, (above, most), side="right")
        return self._levels[first:last]


def neighbourhoods(
    space: MetricSpace, limit: int, budget: Budget | None = None
) -> Neighbourhoods:
    """Return for every point those within a limit.

    Rows are missing if the budget is spent before the end.
    """
    limit = min(limit, FAR - 1)
    sizes = np.zeros(space.n, dtype=np.int64)
    parts: list[tuple[IntArray, Int32Array, IntArray]] = []
    for rows, columns, found in _blocks(space, limit, budget):
        which, where = np.nonzero(found <= limit)
        lengths = found[which, where]
        order = np.lexsort((lengths, which))
        sizes[rows] = np.bincount(which, minlength=len(rows))
        parts.append((rows, columns[where[order]].astype(np.int32), lengths[order]))
    starts = _starts(sizes)
    points = np.empty(starts[-1], dtype=np.int32)
    distances = np.empty(starts[-1], dtype=np.int64)
    for rows, near, lengths in parts:
        places = spread(starts[rows], sizes[rows])
        points[places], distances[places] = near, lengths
    return Neighbourhoods(limit, starts, points, distances)


def count_within(space: MetricSpace, limit: int) -> int:
    """Estimate how many neighbours there are within a limit."""
    if not space.n:
        return 0
    size = min(_SAMPLE, -(-_MOST_SAMPLED // space.n))
    sample = np.unique(np.linspace(0, space.n - 1, size).astype(np.int64))
    starts = range(space.at_a_time, len(sample), space.at_a_time)
    inside = sum(
        int(np.count_nonzero(space.rows(some) <= limit))
        for some in np.split(sample, starts)
    )
    return inside * space.n // len(sample)


def nearest(space: MetricSpace, r: int, budget: Budget | None = None) -> IntArray:
    """Return the distance of every point to the r-th nearest, counting itself.

    It is FAR where fewer than r are near at all, or where the budget was spent before.
    """
    found = np.full(space.n, FAR, dtype=np.int64)
    if r > space.n or (budget is not None and budget.spent):
        return found
    tree = tree_of(space)
    if tree is not None and tree.exact:
        for rows, near in _lists(tree, r, budget):
            found[rows] = space.apart(rows, near[:, -1])
        return found
    reaches = None if tree is None else partial(tree.reaches, r)
    for rows, _, lengths in _blocks(space, FAR - 1, budget, reaches):
        found[rows] = np.partition(lengths, r - 1, axis=1)[:, r - 1]
    return found


def nearest_at_least(
    space: MetricSpace, r: int, budget: Budget | None = None
) -> IntArray | None:
    """Return whole numbers that are close to those of :func:`nearest`, and not above.

    A k-d tree finds them, for any number of coordinates, much faster than all pairs
    would. Where the budget was spent before they are 0; None without coordinates, or if
    lengths are squared.
    """
    if not isinstance(space, Euclidean | Manhattan) or not space.scale:
        return None
    places = space.coordinates.astype(np.float64)
    found = np.zeros(space.n, dtype=np.int64)
    if r > space.n or not places.shape[1]:
        return found
    tree = spatial.KDTree(places)
    norm = 1 if isinstance(space, Manhattan) else 2
    for start in range(0, space.n, _QUERIED):
        if budget is not None and budget.spent:
            break
        some = slice(start, start + _QUERIED)
        lengths, _ = tree.query(places[some], k=[r], p=norm)
        exact = np.asarray(lengths, dtype=np.float64)[:, 0] * space.scale
        found[some] = np.floor(exact * SURE)
    return found


def least_radii(
    space: MetricSpace, r: int, nearest_r: IntArray, budget: Budget | None = None
) -> IntArray:
    """Return for every point the least radius of a cluster that could hold it.

    That is the least of max(d(p, c), d_r(c)) over the centres c, where d_r, as from
    :func:`nearest`, is the radius that c needs for r points. Centres as far away as
    d_r(p) cannot be better than p: only the r nearest can. It is 0 where the budget was
    spent before.
    """
    found = np.zeros(space.n, dtype=np.int64)
    tree = tree_of(space)
    if tree is not None and tree.exact and r <= space.n:
        for rows, near in _lists(tree, r, budget):
            needed = np.maximum(space.apart(rows[:, None], near), nearest_r[near])
            found[rows] = needed.min(axis=1)
        return found
    reaches = None
    if tree is not None and space.n and nearest_r.max() < FAR:
        reaches = partial(_lengths, tree, nearest_r)
    for rows, columns, lengths in _blocks(space, FAR - 1, budget, reaches):
        found[rows] = np.maximum(lengths, nearest_r[columns]).min(axis=1)
    return found


def near_points(space: MetricSpace, count: int, budget: Budget) -> Int32Array | None:
    """Return the nearest points of every point, itself among them.

    By floating-point numbers, which need not order all as distances do; None without a
    tree. They are point 0 where the budget was spent before.
    """
    tree = tree_of(space)
    if tree is None:
        return None
    found = np.zeros((space.n, count), dtype=np.int32)
    for rows, near in _lists(tree, count, budget):
        found[rows] = near
    return found


def least_radii_of(space: MetricSpace, r: int, points: IntArray) -> IntArray | None:
    """Return the numbers of :func:`least_radii` for some points; None if that is slow.

    They are known as soon as the nearest points of these and of their nearest are.
    """
    tree = tree_of(space)
    if tree is None or not tree.exact or r * len(points) > _SOME or r > space.n:
        return None
    near = tree.nearest(points, r)
    around, which = np.unique(near, return_inverse=True)
    if r * len(around) > _SOME:
        return None
    needs = space.apart(around, tree.nearest(around, r)[:, -1])
    needed = np.maximum(
        space.apart(points[:, None], near), needs[which.reshape(near.shape)]
    )
    least: IntArray = needed.min(axis=1)
    return least


def ordered(space: MetricSpace) -> IntArray:
    """Return the points so that near ones are often near in the order, too."""
    tree = tree_of(space)
    if tree is not None:
        return np.asarray(tree.tree.indices, dtype=np.int64)
    return np.argsort(space.row(0), kind="stable")


def spread(firsts: IntArray, sizes: IntArray) -> IntArray:
    """Return the sizes[i] places firsts[i], firsts[i] + 1, ... of every i."""
    offsets = _starts(sizes)
    places = np.arange(offsets[-1], dtype=np.int64)
    places += np.repeat(firsts - offsets[:-1], sizes)
    return places


def _starts(sizes: IntArray) -> IntArray:
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _blocks(
    space: MetricSpace,
    limit: int,
    budget: Budget | None,
    reaches: Callable[[IntArray], FloatArray] | None = None,
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Give points in parts, those that are within the limit, and their distances.

    All points, unless the budget is spent before. `reaches` gives lengths around some
    points that may be less than the limit.
    """
    every, tree = np.arange(space.n, dtype=np.int64), tree_of(space)
    blocks: Iterable[Block]
    if tree is None:
        step = space.at_a_time
        blocks = ((every[i : i + step], every) for i in range(0, space.n, step))
    else:
        length = np.array(tree.length(limit))
        blocks = tree.blocks(reaches or (lambda _: length))
    for rows, columns in blocks:
        if budget is not None and budget.spent:
            return
        yield rows, columns, space.between(rows, columns)


def _lengths(tree: Tree, distances: IntArray, rows: IntArray) -> FloatArray:
    return np.array([tree.length(d) for d in distances[rows].tolist()])


def _lists(tree: Tree, r: int, budget: Budget | None) -> Iterator[Block]:
    """Give some points, and which r are nearest to each.

    In parts of all points, until the budget is spent. If they fit they are kept: others
    who ask for as many or fewer go on from there. Parts are kept whole, since several
    threads may ask.
    """
    order = np.asarray(tree.tree.indices, dtype=np.int64)
    width, n = min((k for k in list(tree.kept) if k >= r), default=r), len(order)
    kept = tree.kept.setdefault(width, {}) if width * n <= MOST_NEAR else {}
    workers = 1 if budget is None else budget.workers
    step = max(1, _LISTED // width)
    for rows in np.split(order, range(step, n, step)):
        if budget is not None and budget.spent:
            return
        near = kept.get(int(rows[0]))
        if near is None:
            near = tree.nearest(rows, width, workers).astype(np.int32)
            if width in tree.kept:
                kept[int(rows[0])] = near
        yield rows, near[:, :r].astype(np.int64)
