"""Disjoint balls, and the rest to the nearest: (r, eps)-gather [Aggarwal10, 2.3].

Some points may be outliers. Both algorithms filter, then go through the points in an
arbitrary order and make a cluster of all points of S within a distance that are in none
yet if there are at least r; what is left of S joins the nearest centre.

Theorem 2.4: centres anywhere
    S is the core (:mod:`~atleastk.solvers.r_gather.algorithms.cores`) of the least D
    whose core leaves out few enough points; D <= d*, the greatest diameter of an
    optimum, since the points of an optimum are in the core of d*. Balls of D about
    points of S that are in no cluster yet. A point of S that is left over has a point
    within D in some cluster: it is within 2 D <= 2 d* <= 4 R* of that centre. So the
    radius is at most 2 D, the diameter 4 D. Also good if centres are points, each in
    its own cluster; 4 is attained then as well, by 0, 1, 2, 2, 3, 4 on a line, r = 3.

The end of section 2.3: centres that are points
    Candidates are the points with r points within R, S is all within R of candidates,
    for the least R that leaves out few enough: no optimum has less. Balls of R about
    candidates. A point of S that is left over has a candidate within R, and that one a
    point within R that a centre c took: it is within 3 R of c. If centres are to be
    members of their clusters, only candidates that are in no cluster yet get one; where
    that excludes a candidate, it is itself the point that c took. The same points
    attain 3.

As printed
----------
The text lets the rest join the centre of the proof; here it joins the nearest, which is
no further.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.spaces.metric_spaces import FAR, MetricSpace
from atleastk.solvers.clustering.neighbourhoods import least_radii, nearest
from atleastk.solvers.r_gather.algorithms.clusters import (
    CentredClusters,
    at_most_above,
    join_nearest,
)
from atleastk.solvers.r_gather.algorithms.cores import core_levels


def gathered_in_core(
    space: MetricSpace, r: int, most_outliers: int, order: IntArray
) -> CentredClusters | None:
    """Return clusters of r points at least and few enough outliers: Theorem 2.4.

    None if there are none without an infinite distance. Fewer than all points may be
    outliers.
    """
    levels = core_levels(space, r, most_outliers)
    threshold = int(levels.min())
    if threshold >= FAR:
        return None
    core = levels <= threshold
    return _disjoint_balls(space, r, threshold, order[core[order]], core, members=True)


def gathered_about_candidates(
    space: MetricSpace, r: int, most_outliers: int, order: IntArray, *, members: bool
) -> CentredClusters | None:
    """Return the same about centres that are points, within 3 times the optimum.

    `members` says that they have to be points of their clusters.
    """
    reach = nearest(space, r)
    needs = least_radii(space, r, reach)
    radius = at_most_above(needs, most_outliers)
    if radius >= FAR:
        return None
    candidates = order[reach[order] <= radius]
    clustered = needs <= radius
    return _disjoint_balls(space, r, radius, candidates, clustered, members=members)


def _disjoint_balls(
    space: MetricSpace,
    r: int,
    radius: int,
    candidates: IntArray,
    clustered: BoolArray,
    *,
    members: bool,
) -> CentredClusters:
    home = np.full(space.n, -1, dtype=np.int64)
    free = clustered.copy()
    centres: list[int] = []
    for centre in candidates.tolist():
        if members and not free[centre]:
            continue
        ball = free & (space.row(centre) <= radius)
        if np.count_nonzero(ball) >= r:
            home[ball] = len(centres)
            free &= ~ball
            centres.append(centre)
    places = np.array(centres, dtype=np.int64)
    join_nearest(space, places, home, free.nonzero()[0])
    return CentredClusters(places, home)
