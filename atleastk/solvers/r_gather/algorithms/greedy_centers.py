"""Greedy centres of the most neighbours: (k, r, eps)-center [Aggarwal10, 2.4].

For a threshold D = 2 R, in a set S of points that is all but the outliers allowed or
more: up to k times, the uncovered point with the most uncovered points within D is made
a centre, and all within 2 D are covered. Then all but the outliers allowed have to be
covered, and each covered point joins the nearest centre. The least D that succeeds is
taken.

As printed
----------
S is the points with r points within D (``"ball"``). Points outside of S count there but
are dropped then, so clusters can be smaller than r, and Lemma 2.5 fails:

- 0, 1, 2 on a line, r = 3, k = 1, 2 outliers: D = 1, S = {1}, one cluster of one;
- 20 points at 0, and 1000, 1001, 1002; r = 3, k = 2, 2 outliers: clusters of 20 and 1.

Repaired, the filter is repeated until it changes nothing, and Theorem 2.8 holds.

Repaired
--------
S is the core of D (``"core"``; :mod:`~atleastk.solvers.r_gather.algorithms.cores`).

- Lemma 2.5: r points of S are within D of a centre, and covered; other centres are more
  than 2 D from it, so more than D from these points. They are in its cluster.
- Lemma 2.6: let d* be the greatest diameter of an optimum and D >= d*. All that an
  optimum clusters is in S, each point with those of its cluster.
- Lemma 2.7, as printed, for this S: D >= d* covers as many points as the optimum does.

So distances that fail are below d*, and D <= d* (bisection will do, though success is
not monotone in D). The radius is at most 2 D <= 2 d* <= 4 R*, the diameter at most 4 D.
Centres are members of their clusters: the promise is good for all readings.

4 is attained, also without outliers and with centres that are members: the tree cy ya
yb cx xq xp pz zu, r = 3, has radius 1 (centres y, x, z); c has the most points within
2, and takes u, 4 away.

Where the printed filter leads to clusters of r points the promise holds as well.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.solvers.clustering.neighbourhoods import nearest
from atleastk.solvers.r_gather.algorithms.clusters import CentredClusters, at_most_above
from atleastk.solvers.r_gather.algorithms.cores import core_levels
from atleastk.solvers.r_gather.algorithms.threshold_bits import (
    Near,
    bits_of,
    busiest,
    least_threshold,
)


def greedy_centers(
    instance: RGather, order: IntArray, *, printed: bool = False
) -> CentredClusters | None:
    """Return at most k clusters; as printed they may have fewer than r points.

    None if none succeed without an infinite distance. Fewer than all points may be
    outliers. Arbitrary choices follow `order`.
    """
    space, r, most = instance.space, instance.r, instance.max_outliers
    levels = nearest(space, r) if printed else core_levels(space, r, most)
    least = at_most_above(levels, most)
    if least >= FAR:
        return None
    return least_threshold(
        space,
        least,
        lambda near: _try(instance, near, levels, order),
        share=1 / (2 * instance.most_clusters),
    )


def _try(
    instance: RGather, near: Near, levels: IntArray, order: IntArray
) -> CentredClusters | None:
    n, wide = instance.n, min(int(instance.stretched(near.threshold, 2)), FAR - 1)
    core = levels <= near.threshold
    uncovered = core.copy()
    most = near.sizes.copy()
    home = np.full(n, -1, dtype=np.int64)
    away = np.full(n, FAR, dtype=np.int64)
    centres: list[int] = []
    while len(centres) < instance.most_clusters and uncovered.any():
        centre = int(busiest(near.words, bits_of(uncovered), most, order))
        row = instance.space.row(centre)
        uncovered &= row > wide
        nearer = row < away
        home[nearer] = len(centres)
        away[nearer] = row[nearer]
        centres.append(centre)
    covered = core & ~uncovered
    if np.count_nonzero(covered) < instance.least_clustered:
        return None
    home[~covered] = -1
    return CentredClusters(np.array(centres, dtype=np.int64), home)
