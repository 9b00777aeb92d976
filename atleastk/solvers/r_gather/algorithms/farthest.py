"""Farthest first: k-center, a classic 2-approximation.

Start anywhere; the next centre is always the point that is farthest from all centres so
far; every point joins the nearest. With k centres let a point be at most D from the
nearest, and one exactly: it and the centres are k + 1 points at least D apart, two of
them in one cluster of any solution, whose diameter is at least D and whose radius at
least D / 2. In k rows of distances.

References
----------
[Gonzalez85] T. F. Gonzalez, "Clustering to minimize the maximum intercluster distance",
Theoretical Computer Science 38, 1985.
[HochbaumShmoys85] D. S. Hochbaum, D. B. Shmoys, "A best possible heuristic for the
k-center problem", Mathematics of Operations Research 10, 1985.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.spaces.metric_spaces import FAR, MetricSpace
from atleastk.solvers.r_gather.algorithms.clusters import CentredClusters


def farthest_first(space: MetricSpace, most: int, order: IntArray) -> CentredClusters:
    """Return at most `most` clusters; arbitrary choices follow `order`."""
    home = np.zeros(space.n, dtype=np.int64)
    away = np.full(space.n, FAR, dtype=np.int64)
    centres: list[int] = []
    while len(centres) < min(most, space.n) and away.max() > 0:
        centre = int(order[away[order].argmax()])
        row = space.row(centre)
        nearer = row < away
        home[nearer] = len(centres)
        away[nearer] = row[nearer]
        centres.append(centre)
    return CentredClusters(np.array(centres, dtype=np.int64), home)
