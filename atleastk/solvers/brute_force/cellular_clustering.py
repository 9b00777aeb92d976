"""Cellular clustering: brute force.

Every partition of at most nine points and every choice of outliers (115,975 of both
together) is tried by definition: without bounds, sizes that suffice, or any other code
of the solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.clustering import Clustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.solvers.brute_force.bin_covering import (
    cheapest,
    partitions,
    refuse_more,
)

Choice = tuple[list[tuple[int, ...]], Sequence[int]]
"""Clusters, and the outliers."""


def optimum(instance: CellularClustering) -> tuple[int, ClusteringSolution] | None:
    """Return the least cost and a best solution; None if infeasible."""
    fees = instance.facilities.tolist()

    def price(size: int, radius: int, centre: int) -> int:
        return size * radius + (0 if centre < 0 else int(fees[centre]))

    return best_clustering(instance, price, sum)


def best_clustering(
    instance: Clustering,
    price: Callable[[int, int, int], int],
    total: Callable[[list[int]], int],
) -> tuple[int, ClusteringSolution] | None:
    """Return the least total and a best solution; None if infeasible.

    A cluster has the least price of its size, its radius and its centre; if centres are
    anywhere, of its size and diameter, and the centre is -1.
    """
    refuse_more(instance.n, 9, "points")
    distances = instance.space.matrix.tolist()

    @cache
    def placed(group: tuple[int, ...]) -> tuple[int, int] | None:
        """Return the price of a cluster, and its centre; None if there is none."""
        if instance.centres == "any":
            reached = [(max(distances[p][q] for p in group for q in group), -1)]
        else:
            places = group if instance.centres == "member" else range(instance.n)
            reached = [(max(distances[c][p] for p in group), c) for c in places]
        prices = [(price(len(group), far, c), c) for far, c in reached if far < FAR]
        return min(prices, default=None)

    def cost_of(choice: Choice) -> int | None:
        groups, _ = choice
        few = instance.max_clusters is None or len(groups) <= instance.max_clusters
        if not few or any(len(group) < instance.r for group in groups):
            return None
        known = [found for group in groups if (found := placed(group)) is not None]
        return total([cost for cost, _ in known]) if len(known) == len(groups) else None

    best = cheapest(choices(instance.n, instance.max_outliers), cost_of)
    if best is None:
        return None
    cost, (groups, outliers) = best
    centres = [(placed(group) or (0, -1))[1] for group in groups]
    anywhere = instance.centres == "any"
    return cost, solution_of(groups, () if anywhere else centres, outliers)


def choices(n: int, most_outliers: int) -> Iterator[Choice]:
    """Yield all partitions of the points but for some outliers, and those."""
    if most_outliers == 0:
        for groups in partitions(n):
            yield [tuple(group) for group in groups], ()
        return
    for groups in partitions(n + 1):
        outliers = next(group[:-1] for group in groups if group[-1] == n)
        if len(outliers) <= most_outliers:
            yield [tuple(group) for group in groups if group[-1] != n], outliers
