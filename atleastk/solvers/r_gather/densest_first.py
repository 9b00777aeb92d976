"""Greedy start for instances with outliers: the densest points become centres first.

At a radius, points are visited by the distance to their r-th nearest. A free one
becomes a centre if r points in its ball, itself among them, are free: it takes the
nearest ones. Points that are left in the end join any centre within the radius, or are
outliers.

This is one pass over the balls, so several radii are tried: increasing ones from the
bound until there are few enough outliers, then bisection.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import ClusteringSolution
from atleastk.solvers.clustering.neighbourhoods import (
    MOST_NEIGHBOURS,
    Neighbourhoods,
    count_within,
    neighbourhoods,
)
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.r_gather.algorithms.clusters import CentredClusters
from atleastk.solvers.search import Search

_SOURCE: Final = "claims"
"""The name of this heuristic in results."""


def offer_densest_first(search: Search[RGather], nearest_r: IntArray) -> None:
    """Offer the clusters of the least radius at which there are few enough outliers.

    None are offered where centres are anywhere, or where balls have too many points.
    """
    instance, budget = search.instance, search.budget
    if instance.any_centre or not search.bound:
        return
    limit, found = search.bound, None
    while found is None and limit < FAR // 2:
        limit *= 2
        if count_within(instance.space, limit) > MOST_NEIGHBOURS // 2:
            return
        near = neighbourhoods(instance.space, limit, budget)
        if budget.spent:
            return
        found = densest_first(instance, near, nearest_r, limit)
        if len(near.points) == instance.n**2:
            break
    if found is None:
        return
    search.offer(found, _SOURCE)
    failed = search.bound - 1
    for _ in range(7):  # less than a hundredth of the interval is left
        reached = min(limit, search.cost or limit)
        if failed + 1 >= reached or search.done:
            return
        middle = (failed + reached) // 2
        found = densest_first(instance, near, nearest_r, middle)
        if found is None:
            failed = middle
        else:
            search.offer(found, _SOURCE)


def densest_first(
    instance: RGather, near: Neighbourhoods, nearest_r: IntArray, radius: int
) -> ClusteringSolution | None:
    """Return the clusters of a radius, within the limit of `near`.

    None if there are too many of them, or too many outliers.
    """
    home = np.full(instance.n, -1, dtype=np.int64)
    centres = np.empty(max(1, instance.n // instance.r), dtype=np.int64)
    order = np.argsort(nearest_r, kind="stable")
    ends = near.starts[:-1] + near.within(radius)
    count = _take_densest(
        near.starts, ends, near.points, order, instance.r, home, centres
    )
    if count > instance.most_clusters:
        return None
    if np.count_nonzero(home < 0) > instance.max_outliers:
        return None
    return CentredClusters(centres[:count], home).solution(instance)


@compiled
def _take_densest(
    starts: IntArray,  # [point + 1]
    ends: IntArray,  # [point]
    points: Int32Array,  # [entry]
    order: IntArray,  # [point]
    r: int,
    home: IntArray,  # [point]
    centres: IntArray,  # [cluster]
) -> int:
    """Fill in the cluster of every point and all centres; return how many there are."""
    # Points are centres in their order if r points near them are free: they take these.
    count = 0
    for p in order:
        if home[p] >= 0 or ends[p] - starts[p] < r:
            continue
        free = 0
        for e in range(starts[p], ends[p]):
            free += home[points[e]] < 0
        if free < r:
            continue
        centres[count] = p
        home[p] = count
        wanted = r - 1
        for e in range(starts[p], ends[p]):
            if wanted == 0:
                break
            if home[points[e]] < 0:
                home[points[e]] = count
                wanted -= 1
        count += 1
    # The others join any centre that is near enough.
    for c in range(count):
        for e in range(starts[centres[c]], ends[centres[c]]):
            if home[points[e]] < 0:
                home[points[e]] = c
    return count
