"""r-gather: brute force.

Every partition of every choice of points that may be clustered, of at most nine points
(115,975 with any outliers), is tried by definition: without thresholds, balls, bounds,
or any other code of the solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.solvers.brute_force.bin_covering import refuse_more
from atleastk.solvers.brute_force.cellular_clustering import choices

POINTS = 9
"""The most points it takes."""

Placed = Callable[[tuple[int, ...]], tuple[int, int]]


def optimum(instance: RGather) -> tuple[int, ClusteringSolution] | None:
    """Return the least cost and a best solution; None if infeasible."""
    refuse_more(instance.n, POINTS, "points")
    placed = cache(_placing(instance))
    best: tuple[int, ClusteringSolution] | None = None
    for groups, outliers in choices(instance.n, instance.max_outliers):
        if not _admissible(instance, groups):
            continue
        places = [placed(group) for group in groups]
        cost = max((radius for radius, _ in places), default=0)
        if cost >= FAR or (best is not None and cost >= best[0]):
            continue
        centres = () if instance.centres == "any" else [c for _, c in places]
        best = cost, solution_of(groups, centres, outliers)
    return best


def _admissible(instance: RGather, parts: Sequence[Sequence[int]]) -> bool:
    """Tell whether clusters are large enough and not too many."""
    few = instance.max_clusters is None or len(parts) <= instance.max_clusters
    return few and all(len(part) >= instance.r for part in parts)


def _placing(instance: RGather) -> Placed:
    """Return what gives a cluster's radius, or diameter, and its centre (or -1)."""
    distances = instance.space.matrix.tolist()

    def placed(group: tuple[int, ...]) -> tuple[int, int]:
        if instance.centres == "any":
            return max(distances[p][q] for p in group for q in group), -1
        places = group if instance.centres == "member" else range(instance.n)
        return min((max(distances[c][p] for p in group), c) for c in places)

    return placed
