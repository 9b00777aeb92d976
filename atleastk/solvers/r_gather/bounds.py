"""Lower bounds of r-gather, each with its proof.

Lonely points
-------------
A cluster about c that holds p has a radius of at least max(d(p, c), d_r(c)), where
d_r(c) is the distance to the r-th nearest point. The least of it over c is paid by
every p that is no outlier: so the (max_outliers + 1)-th greatest bounds the cost.

Scattered points
----------------
With at most k clusters, of k + max_outliers + 1 points two are in one cluster. Its
radius is at least their *common radius*, the least max(d(p, c), d(q, c), d_r(c)): so
the least common radius of any such set bounds the cost. Points that are far from
each other are found greedily [Gonzalez85].

Both need no triangle inequality, and hold for centres that are members all the more.
Where centres are anywhere diameters take the place of these radii: d_r(p) for a lonely
point [Aggarwal10, Lemma 2.2], the distance for two scattered ones.

References
----------
[Aggarwal10] G. Aggarwal, R. Panigrahy, T. Feder, D. Thomas, K. Kenthapadi, S. Khuller,
A. Zhu: Achieving anonymity via clustering. ACM Transactions on Algorithms 6(3), 2010.
[Gonzalez85] T. F. Gonzalez: Clustering to minimize the maximum intercluster distance.
Theoretical Computer Science 38, 1985.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search


def raise_by_lonely_points(search: Search[RGather], least: IntArray) -> None:
    """Raise the bound by points, given the least radius of a cluster for each."""
    order = np.argsort(-least, kind="stable")[: search.instance.max_outliers + 1]
    raise_by_points(search, int(least[order[-1]]), order, 0, "lonely points")


def raise_by_scattered_points(search: Search[RGather], nearest_r: IntArray) -> None:
    """Raise the bound by points no two of which can be in one cluster."""
    instance = search.instance
    count = instance.most_clusters + instance.max_outliers + 1
    if count > instance.n:
        return
    rng = np.random.default_rng(search.budget.seed)
    starts = rng.permutation(instance.n)[:4].tolist()
    for start in starts:
        if search.done:
            return
        found = _scattered(instance, nearest_r, start, count, search.budget)
        if found is not None:
            raise_by_points(search, found[0], found[1], 1, "scattered points")


def raise_by_points(
    search: Search[RGather], bound: int, points: IntArray, most: int, source: str
) -> None:
    """Raise the bound by weights of 1 on points, at most `most` of a cluster."""
    proof: Mapping[str, Any] = {
        "kind": "weights",
        "radius": bound - 1,
        "weights": [[p, 1] for p in sorted(points.tolist())],
        "most": most,
    }
    if bound >= FAR:
        search.close_infeasible(source, proof)
    elif bound > (search.bound or 0):
        search.raise_bound(bound, source, proof)


def _scattered(
    instance: Clustering, nearest_r: IntArray, start: int, count: int, budget: Budget
) -> tuple[int, IntArray] | None:
    """Return `count` points, far from each other, and their least common radius.

    None if the budget ends first.
    """
    common = np.full(instance.n, FAR, dtype=np.int64)
    chosen = [start]
    least = FAR
    while True:
        radii = _common_radii(instance, nearest_r, chosen[-1], budget)
        if budget.spent:
            return None
        np.minimum(common, radii, out=common)
        common[chosen] = -1
        if len(chosen) == count:
            return least, np.array(chosen, dtype=np.int64)
        chosen.append(int(common.argmax()))
        least = min(least, int(common[chosen[-1]]))


def _common_radii(
    instance: Clustering, nearest_r: IntArray, point: int, budget: Budget
) -> IntArray:
    """Return the least radius of a cluster that could hold a point and each other.

    O(n^2); too great if the budget is spent before.
    """
    space = instance.space
    if instance.any_centre:
        return space.row(point)
    needed = np.maximum(space.row(point), nearest_r)
    centres = np.flatnonzero(needed < FAR)
    found = np.full(space.n, FAR, dtype=np.int64)
    for first in range(0, len(centres), space.at_a_time):
        if budget.spent:
            break
        chunk = centres[first : first + space.at_a_time]
        radii = np.maximum(space.rows(chunk), needed[chunk, None])
        np.minimum(found, radii.min(axis=0), out=found)
    return found
