"""Median cuts of the space (as of a k-d tree): a start for any number of points.

Points with coordinates are halved recursively across their widest axis, the halves
multiples of the least size, until no block has twice that. All blocks are halved at
once: O(n log^2 n) in few passes over arrays. Points without coordinates are cut along
the order of their distances to the first one.

Where clusters pay for their centres, or few are allowed, larger blocks may be cheaper:
sizes are doubled as long as the cost falls.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.spaces.metric_spaces import (
    FAR,
    Euclidean,
    GreatCircle,
    Manhattan,
    MetricSpace,
)
from atleastk.models.clustering import ClusteringSolution, solution_of

Cut = tuple[IntArray, IntArray]
"""Points in an order, and where the blocks start: 0, .., n."""

_SIDE: Final = 80
"""Points of several blocks that are compared at a time, each with each ..."""

_PAIRS: Final = 250_000
"""... and pairs of points of a large one."""

_MOST_PLACES: Final = 64
"""Points of a large block that are tried as its centre: not tuned."""


def cut_up(instance: Clustering) -> tuple[Cut, IntArray]:
    """Return blocks that may be clusters, and the centres of each (-1: anywhere)."""
    n = instance.n
    least = max(instance.r, -(-n // max(1, instance.most_clusters)))
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
    cost, block = 0, 0
    while block < len(sizes):
        width = max(1, _SIDE // int(sizes[block]))
        last = min(len(sizes), block + width)
        found = _best_places(instance, order, starts[block : last + 1])
        centres[block:last] = found[0]
        cost += int(found[1].sum()) if (found[1] < FAR).all() else FAR
        block = last
    if instance.any_centre:
        centres[:] = -1
    return centres, cost


def as_cut(instance: Clustering, cut: Cut, centres: IntArray) -> ClusteringSolution:
    """Return blocks as clusters."""
    order, starts = cut
    groups = np.split(order, starts[1:-1])
    named = [] if instance.any_centre else centres.tolist()
    return solution_of([group.tolist() for group in groups], named)


def _best_places(
    instance: Clustering, order: IntArray, starts: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the best places of a few blocks side by side, and their costs."""
    points = order[starts[0] : starts[-1]]
    inner, sizes = starts[:-1] - starts[0], np.diff(starts)
    places = points
    if len(sizes) == 1 and not instance.any_centre:
        places = points[:: -(-len(points) // _MOST_PLACES)]
        inner_places = np.zeros(1, dtype=np.int64)
        mine = np.zeros(len(places), dtype=np.int64)
    else:
        inner_places = inner
        mine = np.repeat(np.arange(len(sizes)), sizes)
    radii = np.zeros(len(places), dtype=np.int64)
    at_a_time = max(1, _PAIRS // len(points))
    for i in range(0, len(places), at_a_time):
        some = slice(i, i + at_a_time)
        reached = np.maximum.reduceat(
            instance.space.between(places[some], points), inner, axis=1
        )
        radii[some] = reached[np.arange(len(reached)), mine[some]]
    if instance.any_centre:
        widest = np.maximum.reduceat(radii, inner_places)
        near = widest < FAR
        return places[inner_places], np.where(
            near, sizes * np.where(near, widest, 0), FAR
        )
    fees = 0 if instance.facilities is None else instance.facilities[places]
    near = radii < FAR
    prices = np.where(near, fees + sizes[mine] * np.where(near, radii, 0), FAR)
    best = np.minimum.reduceat(prices, inner_places)
    first = np.flatnonzero(prices == best[mine])
    which = first[np.unique(mine[first], return_index=True)[1]]
    return places[which], best


def _halved(space: MetricSpace, least: int) -> Cut:
    """Return blocks of `least` to 2 * `least` - 1 points, less only if n is less."""
    coordinates = coordinates_of(space)
    if coordinates is not None:
        return halved(coordinates, least)
    order = np.argsort(space.row(0), kind="stable")
    starts = np.arange(0, max(1, space.n - least + 1), least, dtype=np.int64)
    return order, np.append(starts, space.n)


def halved(coordinates: FloatArray, least: int) -> Cut:
    """Return such blocks of points with coordinates."""
    n = len(coordinates)
    order = np.arange(n, dtype=np.int64)
    starts = np.array([0, n], dtype=np.int64)
    while (sizes := np.diff(starts)).max(initial=0) >= 2 * least:
        placed = coordinates[order]
        low = np.minimum.reduceat(placed, starts[:-1], axis=0)
        high = np.maximum.reduceat(placed, starts[:-1], axis=0)
        axis = np.repeat((high - low).argmax(axis=1), sizes)
        keys = placed[np.arange(n), axis]
        order = order[np.lexsort((keys, np.repeat(np.arange(len(sizes)), sizes)))]
        wide = sizes >= 2 * least
        middles = starts[:-1][wide] + least * (sizes[wide] // least // 2)
        starts = np.sort(np.append(starts, middles))
    return order, starts


def coordinates_of(space: MetricSpace) -> FloatArray | None:
    """Return coordinates in which near points are near, if there are any."""
    if isinstance(space, GreatCircle):
        return space.on_the_sphere
    if isinstance(space, Euclidean | Manhattan) and space.coordinates.shape[1]:
        return space.coordinates.astype(np.float64)
    return None
