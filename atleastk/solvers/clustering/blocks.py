"""Median cuts of the space (as of a k-d tree): a start for any number of points.

Points with coordinates are halved recursively across their widest axis until no block
has twice the least size. The first part has the least size times a power of two, so
nearly all blocks of a round are alike, and are halved at once: O(n log n) in few passes
over arrays. Points without coordinates are cut along the order of their distances to
the first one.

Where clusters pay for their centres, or few are allowed, larger blocks may be cheaper:
sizes are doubled as long as the cost falls.

The first answers of all clusterings are these, and where that is quick a cluster of all
points. Diameters take time: where centres are anywhere, no large cluster is among them.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray, stable_order
from atleastk.instances.clustering import Clustering
from atleastk.instances.spaces.metric_spaces import (
    FAR,
    Euclidean,
    GreatCircle,
    Manhattan,
    MetricSpace,
)
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.models.results.packed_groups import PackedGroups

Cut = tuple[IntArray, IntArray]
"""Points in an order, and where the blocks start: 0, .., n."""

FEW: Final = 2_000
"""Up to this number of points, all distances are computed in a moment."""

_PAIRS: Final = 250_000
"""Pairs of points whose distances are computed at a time."""

_COPIED: Final = 0.75
"""The share of points with copies from which on these are blocks of their own. Not
tuned."""

_MIXER: Final = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads bits."""

_PLACED: Final = 2**18
"""Points that are halved at a time: they fit into a cache."""


def first_clusters(
    instance: Clustering, spare: int = 0
) -> Generator[tuple[str, ClusteringSolution], None, tuple[Cut, IntArray] | None]:
    """Yield named solutions, some of which may join points that are too far apart.

    Return the blocks, with so many points more than they need, and their centres, None
    if there are none. There have to be enough points for a cluster, unless all may be
    outliers.
    """
    n = instance.n
    if instance.least_clustered == 0:
        yield "outliers only", solution_of((), (), range(n))
        return None
    if n <= FEW or (not instance.any_centre and coordinates_of(instance.space) is None):
        whole = np.arange(n, dtype=np.int64), np.array([0, n], dtype=np.int64)
        yield "one cluster", as_cut(instance, whole, centred(instance, whole)[0])
    if is_wide(instance):
        return None
    cut, centres = cut_up(instance, spare)
    yield "blocks", as_cut(instance, cut, centres)
    return cut, centres


def is_wide(instance: Clustering) -> bool:
    """Tell whether centres are anywhere, and blocks too large to be measured."""
    return instance.any_centre and -(-instance.n // instance.most_clusters) > FEW


def least_size(instance: Clustering) -> int:
    """Return the least size of which n points make no more clusters than allowed."""
    return max(instance.r, instance.n // (instance.most_clusters + 1) + 1)


def cut_up(instance: Clustering, spare: int = 0) -> tuple[Cut, IntArray]:
    """Return blocks that may be clusters, and the centres of each (-1: anywhere)."""
    n = instance.n
    least = least_size(instance) + spare
    best: tuple[int, Cut, IntArray] | None = None
    while True:
        cut = _halved(instance.space, least)
        centres, cost = centred(instance, cut)
        if best is not None and cost >= best[0]:
            return best[1], best[2]
        best = cost, cut, centres
        free = instance.facilities is None or not instance.facilities.any()
        if free or 2 * least > n:
            return cut, centres
        least *= 2


def centred(instance: Clustering, cut: Cut) -> tuple[IntArray, int]:
    """Return a good centre among the points of every block, and the cost in all.

    The cost is FAR or more if a block joins what cannot be together.
    """
    order, starts = cut
    sizes = np.diff(starts)
    centres = np.full(len(sizes), -1, dtype=np.int64)
    cost = 0
    for size in np.unique(sizes).tolist():
        alike = np.flatnonzero(sizes == size)
        step = max(1, _PAIRS // size**2)
        for some in np.split(alike, range(step, len(alike), step)):
            members = order[starts[some, None] + np.arange(size)]
            centres[some], prices = _best_places(instance, members)
            cost += int(prices.sum()) if (prices < FAR).all() else FAR
    if instance.any_centre:
        centres[:] = -1
    return centres, cost


def as_cut(instance: Clustering, cut: Cut, centres: IntArray) -> ClusteringSolution:
    """Return blocks as clusters."""
    return solution_of(
        PackedGroups(*cut), [] if instance.any_centre else centres.tolist()
    )


def _best_places(instance: Clustering, members: IntArray) -> tuple[IntArray, IntArray]:
    """Return the best places of blocks [block, point], and what the blocks cost."""
    size, places = members.shape[1], members
    if not instance.any_centre:
        places = members[:, :: max(1, -(-size // 64))]
    radii = np.zeros(places.shape, dtype=np.int64)
    at_a_time = max(1, _PAIRS // max(1, members.size))
    for i in range(0, places.shape[1], at_a_time):
        tried = places[:, i : i + at_a_time, None]
        reached = instance.space.apart(tried, members[:, None])
        radii[:, i : i + at_a_time] = reached.max(axis=2)
    if instance.any_centre:
        radii = radii.max(axis=1, keepdims=True)
    fees = 0 if instance.facilities is None else instance.facilities[places]
    near = radii < FAR
    prices = np.where(near, fees + size * np.where(near, radii, 0), FAR)
    chosen = np.arange(len(members)), prices.argmin(axis=1)
    return places[chosen], prices[chosen]


def _halved(space: MetricSpace, least: int) -> Cut:
    """Return blocks of `least` to 2 * `least` - 1 points, less only if n is less."""
    coordinates = coordinates_of(space)
    if coordinates is not None:
        return halved(coordinates, least)
    order = np.argsort(space.row(0), kind="stable")
    starts = np.arange(0, max(1, space.n - least + 1), least, dtype=np.int64)
    return order, np.append(starts, space.n)


def halved(coordinates: FloatArray, least: int) -> Cut:
    """Return such blocks of points with coordinates.

    Where most points have enough copies, these are blocks of their own.
    """
    if least == 1:
        return _cut_in_halves(coordinates, least)
    order, starts = _alike(coordinates, least)
    if len(order) <= _COPIED * len(coordinates):
        return _cut_in_halves(coordinates, least)
    left = np.ones(len(coordinates), dtype=np.bool_)
    left[order] = False
    rest = np.flatnonzero(left)
    if 0 < len(rest) < least:  # they need the nearest of these blocks
        firsts = coordinates[order[starts[:-1]]]
        near = int(np.abs(firsts - coordinates[rest[0]]).sum(axis=1).argmin())
        first, last = starts[near : near + 2]
        rest = np.sort(np.append(rest, order[first:last]))
        order = np.delete(order, slice(first, last))
        starts = np.delete(starts, near + 1)
        starts[near + 1 :] -= last - first
    if not len(rest):
        return order, starts
    inside, cut = _cut_in_halves(coordinates[rest], least)
    return np.append(order, rest[inside]), np.append(starts[:-1], len(order) + cut)


def _alike(coordinates: FloatArray, least: int) -> Cut:
    """Return blocks of equal points, at least so many each, as even as can be.

    Points are ordered by short numbers made of their coordinates; a few of those that
    share one with others may be missed.
    """
    n = len(coordinates)
    mixed = np.zeros(n, dtype=np.uint64)
    for axis in coordinates.T:
        bits = (axis + 0.0).view(np.uint64)  # of -0.0, too
        mixed = (mixed ^ bits ^ bits >> np.uint64(32)) * _MIXER
        mixed ^= mixed >> np.uint64(32)
    numbers = (mixed >> np.uint64(1 + n.bit_length())).astype(np.int64)
    order = stable_order(numbers)
    runs = PackedGroups.runs(order, numbers[order])
    runs = runs.taken(np.flatnonzero(runs.sizes >= least))
    if len(runs):
        differ = runs.differ(coordinates).any(axis=1)
        runs = runs.taken(np.flatnonzero(~differ))
    parts = runs.sizes // least
    which = np.repeat(np.arange(len(runs)), parts)
    turn = np.arange(len(which)) - np.repeat(np.cumsum(parts) - parts, parts)
    starts = runs.starts[which] + turn * runs.sizes[which] // parts[which]
    return runs.items, np.append(starts, len(runs.items))


def _cut_in_halves(coordinates: FloatArray, least: int) -> Cut:
    """Return such blocks of any points; all but the last have the same size."""
    n = len(coordinates)
    order = np.arange(n, dtype=np.int64)
    places = coordinates.T.copy()
    half = least
    while 2 * half <= n - least:
        half *= 2
    while half >= least:
        rest = n % (2 * half)
        if 0 < rest < min(least, n):
            rest += 2 * half
        step = 2 * half * max(1, _PLACED // (2 * half))
        for first in range(0, n - rest, step):
            last = min(n - rest, first + step)
            _halve(order[first:last], places[:, first:last], 2 * half, half)
        if rest >= half + least:
            _halve(order[n - rest :], places[:, n - rest :], rest, half)
        half //= 2
    starts = np.arange(max(1, n // least) + 1, dtype=np.int64) * least
    starts[-1] = n
    return order, starts


def _halve(order: IntArray, places: FloatArray, size: int, half: int) -> None:
    """Reorder points in blocks of a size: `half` of each are before the others."""
    blocks, axes = order.reshape(-1, size), places.reshape(len(places), -1, size)
    widest = np.ptp(axes, axis=2).argmax(axis=0)
    along = axes[widest, np.arange(len(blocks))]
    moved = np.argpartition(along, half, axis=1)
    for each in (blocks, *axes):
        each[:] = np.take_along_axis(each, moved, axis=1)


def coordinates_of(space: MetricSpace) -> FloatArray | None:
    """Return coordinates in which near points are near, if there are any."""
    if isinstance(space, GreatCircle):
        return space.on_the_sphere
    if isinstance(space, Euclidean | Manhattan) and space.coordinates.shape[1]:
        return space.coordinates.astype(np.float64)
    return None
