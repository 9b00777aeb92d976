"""Greedy balls, filled by a flow: r-gather and (k, r)-center [Aggarwal10, 2.2, 2.4].

The least threshold D = 2 R is sought for which

1. every point has r points, itself among them, within D, and
2. greedy balls can be filled: an arbitrary unmarked point is made a centre and all
   within D of it are marked, until all points are; there are at most k centres, and a
   flow gives each of them r points within D.

All other points join a centre within D, the one that marked them.

Theorem 2.3
-----------
Let d* be the greatest diameter of the clusters of an optimum. For D >= d* a centre
marks all of its cluster, so no cluster has two centres, and the flow exists: clusters
with a centre give it their points, the others those that it marked. So a threshold that
fails is below d*, and the least that succeeds is at most d* <= 2 R*. The radius is at
most D, the diameter at most 2 D. Centres are more than D apart, so each of them is in
its own cluster: the promise is good for all readings of centres.

Bisection
---------
(2) is not monotone: with an arbitrary order it may hold for a threshold and fail for a
greater one. Five points, r = 2, centres by index, d(0, i) = 5, 2, 7, 8, d(1, i) = 7, 2,
4 for i > 1, d(2, i) = 6, 9, d(3, 4) = 6: it holds for 4 and 6, not for 5. Bisection
ends at a D that succeeds while the distance before fails, which need not be the least
such D; but that distance is below d*, so D <= d* as the proof needs.

A trial computes the distances of the centres only, and of more than min(k, n / r)
centres none. Its course is the same for all thresholds between the distances that it
has met, which shortens the bisection.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.spaces.metric_spaces import FAR, MetricSpace
from atleastk.solvers.clustering.neighbourhoods import Balls, nearest
from atleastk.solvers.r_gather.algorithms.clusters import CentredClusters
from atleastk.solvers.r_gather.flow import fill, with_rest


def gathered_in_balls(
    space: MetricSpace, r: int, most: int, order: IntArray
) -> CentredClusters | None:
    """Return at most `most` clusters of at least r points each that hold all points.

    None if finite distances do not suffice. Arbitrary choices follow `order`.
    """
    first = threshold = int(nearest(space, r).max(initial=0))
    last, found = FAR, None
    while threshold < FAR:
        trial = _try(space, threshold, r, most, order)
        if trial.clusters is None:
            first = trial.ceiling
        else:
            last, found = trial.floor, trial.clusters
        if first >= last:
            break
        wide = last > 4 * first
        threshold = isqrt(first * last) if wide else (first + last) // 2
    return found


@dataclass(frozen=True, eq=False)
class _Trial:
    """The outcome for all thresholds from `floor` up to, not including, `ceiling`."""

    clusters: CentredClusters | None
    floor: int
    ceiling: int


def _try(
    space: MetricSpace, threshold: int, r: int, most: int, order: IntArray
) -> _Trial:
    n = space.n
    marked = np.zeros(n, dtype=np.bool_)
    centres: list[int] = []
    balls: list[IntArray] = []
    floor, ceiling = 0, FAR
    for point in order.tolist():
        if marked[point]:
            continue
        row = space.row(point)
        inside = row <= threshold
        marked |= inside
        centres.append(point)
        balls.append(np.flatnonzero(inside))
        floor = int(row[inside].max(initial=floor))
        ceiling = int(row[~inside].min(initial=ceiling))
        if len(centres) > most:
            return _Trial(None, floor, ceiling)
    within = Balls.of_all(balls)
    filling = fill(within, n, r)
    if not filling.complete:
        return _Trial(None, floor, ceiling)
    home = with_rest(within, filling.home)
    clusters = CentredClusters(np.array(centres, dtype=np.int64), home)
    return _Trial(clusters, floor, ceiling)
