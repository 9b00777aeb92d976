"""Cellular clustering: brute force.

Every partition of at most nine points and every choice of outliers (115,975 of both
together) is tried by definition: without bounds, sizes that suffice, or any other code
of the solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.solvers.brute_force.bin_covering import partitions, refuse_more

POINTS = 9
"""The most points it takes."""

Pricing = Callable[[tuple[int, ...]], tuple[int, int | None] | None]


def optimum(instance: CellularClustering) -> tuple[int, ClusteringSolution] | None:
    """Return the least cost and a best solution; None if infeasible."""
    refuse_more(instance.n, POINTS, "points")

    priced = cache(_pricing(instance))
    best: tuple[int, ClusteringSolution] | None = None
    for groups, outliers in choices(instance.n, instance.max_outliers):
        few = instance.max_clusters is None or len(groups) <= instance.max_clusters
        if not few or any(len(group) < instance.r for group in groups):
            continue
        clusters = [priced(group) for group in groups]
        known = [cluster for cluster in clusters if cluster is not None]
        if len(known) < len(groups):
            continue
        cost = sum(paid for paid, _ in known)
        if best is None or cost < best[0]:
            centres = [centre for _, centre in known if centre is not None]
            best = cost, solution_of(groups, centres, outliers)
    return best


def choices(
    n: int, most_outliers: int
) -> Iterator[tuple[list[tuple[int, ...]], Sequence[int]]]:
    """Yield all partitions of the points but for some outliers, and those."""
    if most_outliers == 0:
        for groups in partitions(n):
            yield [tuple(group) for group in groups], ()
        return
    for groups in partitions(n + 1):
        outliers = next(group[:-1] for group in groups if group[-1] == n)
        if len(outliers) <= most_outliers:
            yield [tuple(group) for group in groups if group[-1] != n], outliers


def _pricing(instance: CellularClustering) -> Pricing:
    """Return what gives a cluster's least cost, and its centre if that is a point."""
    distances = instance.space.matrix.tolist()
    facility = instance.facilities.tolist()

    def priced(group: tuple[int, ...]) -> tuple[int, int | None] | None:
        if instance.centres == "any":
            diameter = max(distances[p][q] for p in group for q in group)
            return None if diameter >= FAR else (len(group) * diameter, None)
        places = group if instance.centres == "member" else range(instance.n)
        costs = [
            (facility[centre] + len(group) * radius, centre)
            for centre in places
            if (radius := max(distances[centre][p] for p in group)) < FAR
        ]
        return min(costs, default=None)

    return priced
