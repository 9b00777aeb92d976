"""Cores: the most points of which each has r near points among them.

The core of a threshold D is the greatest set of points each of which has r points of
the set, itself among them, within D. A clustering of all points but some outliers,
whose clusters have diameters of at most D, lies in the core of D.

The filter of [Aggarwal10, section 2.3] finds it by removing any point that has too few.
Which thresholds leave enough points? Remove, again and again, the point whose r-th
nearest is furthest, at v_1, v_2, ...; points that the core of D needs are not removed
while any v_i > D. So the core of D is what is left before the first v_i <= D: one
sequence of m removals serves all thresholds that leave out at most m points.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.spaces.metric_spaces import FAR, MetricSpace
from atleastk.solvers.clustering.neighbourhoods import nearest
from atleastk.solvers.r_gather.algorithms.clusters import at_most_above


def core_levels(space: MetricSpace, r: int, most_outliers: int) -> IntArray:
    """Return for every point the least threshold whose core holds it.

    Only thresholds that leave out at most `most_outliers` points count; points in the
    cores of all of these get the least one.
    """
    reach = nearest(space, r)
    least = at_most_above(reach, most_outliers)
    near = np.full(space.n, -1, dtype=np.int64)
    left = np.ones(space.n, dtype=np.bool_)
    levels = np.empty(space.n, dtype=np.int64)
    level = FAR
    for _ in range(most_outliers):
        point = int(reach.argmax())
        level = min(level, int(reach[point]))
        if level <= least:
            break
        levels[point] = level
        _remove(space, point, r, left, reach, near)
    levels[left] = min(level, int(reach.max()))
    return levels


def _remove(
    space: MetricSpace,
    point: int,
    r: int,
    left: BoolArray,
    reach: IntArray,
    near: IntArray,
) -> None:
    """Remove a point and update the reach of those that it was near to.

    `near` counts the points within reach, -1 where they have not been counted yet.
    """
    left[point] = False
    reach[point] = -1
    touched = left & (space.row(point) <= reach)
    near[touched & (near >= 0)] -= 1
    for other in (touched & (near < r)).nonzero()[0].tolist():
        row = space.row(other)[left]
        near[other] = np.count_nonzero(row <= reach[other])
        if near[other] < r:
            reach[other] = row[row > reach[other]].min(initial=FAR)
            near[other] = np.count_nonzero(row <= reach[other])
