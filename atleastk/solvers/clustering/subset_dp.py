"""The costs of all clusters of a few points, for the dynamic program over subsets.

The greatest distances of a set to all points are those of the set without its last
point, or to that point: O(n 2^n) for all sets.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.solvers.engine.subsets import NEVER, Priced, sizes


def priced(instance: Clustering) -> Priced:
    """Return the cost of every set of points as a cluster.

    That is its radius or diameter; or, with facility costs, f + size * radius.
    """
    n, fees = instance.n, instance.facilities
    sets = np.arange(1 << n, dtype=np.int64)
    radii = _radii(instance)
    held = (sets[:, None] >> np.arange(n)) & 1 == 1
    if instance.any_centre:
        radii = np.where(held, radii, 0).max(axis=1, initial=0)[:, None]
    elif instance.centres == "member":
        radii = np.where(held, radii, FAR)
    far = radii >= FAR
    prices = radii
    if fees is not None:
        prices = sizes(n)[:, None] * np.where(far, 0, radii)
        prices += 0 if instance.any_centre else fees
    least = np.where(far, NEVER, prices).min(axis=1, initial=NEVER)
    least[(sizes(n) < instance.r) | (sets == 0)] = NEVER
    clusters, outliers = instance.limits
    most = n if clusters is None else clusters
    return Priced(least, greatest=fees is None, most_groups=most, most_left=outliers)


def _radii(instance: Clustering) -> IntArray:
    """Return how far every set reaches from every point, an array [set, point]."""
    n, distances = instance.n, instance.space.matrix
    radii = np.zeros((1 << n, n), dtype=np.int64)
    for last in range(n):
        first = 1 << last
        np.maximum(radii[:first], distances[last], out=radii[first : 2 * first])
    return radii
