"""Clusters for set partitioning: the pricing oracle, and solutions as groups.

A group is a cluster with the cost of its cheapest site
(:mod:`~atleastk.solvers.cellular_clustering.sites`); its mark is the centre, which has
no meaning if it can be anywhere. With centres "any", those of the linear program are
among others that may be less round than they cost.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.certificates.weights import Prices
from atleastk.models.clustering import (
    ClusteringSolution,
    completed,
    measured,
    solution_of,
)
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.pricing import (
    greedy_clusters,
    least_reduced,
    list_clusters,
)
from atleastk.solvers.cellular_clustering.sites import sites_of
from atleastk.solvers.engine.refutation_tree import GIVEN_UP
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import (
    SAFE,
    Frame,
    Priced,
    scale_for,
    spread,
)

_SITES: Final = 50_000
"""Sites that are priced between looks at the clock, at least."""

_EACH: Final = 2_000
"""Steps of a search for missed clusters of a site, at first."""

_STEPS: Final = 400_000_000
"""Steps of a search for missed clusters: some seconds."""


class ClusterOracle:
    """The clusters of the sites that are left of an instance.

    `limit` is a cost that no solution of interest has.
    """

    def __init__(self, instance: CellularClustering, limit: int) -> None:
        self._sites = sites = sites_of(instance)
        costs = (limit, sites.price.max(initial=0), sites.fixed.max(initial=0))
        dearest = max(map(int, costs)) + 1
        room = SAFE // (instance.n + 4)  # or giving up has no room in sums
        greatest = max(dearest, min(GIVEN_UP * dearest, room))
        clusters, outliers = instance.limits
        demand = np.ones(instance.n, dtype=np.int64)
        scale = scale_for(instance.n, greatest)
        self.frame = Frame(demand, scale, greatest, 0, clusters, outliers)
        self._most = instance.most_clusters

    def price(self, prices: Prices, budget: Budget) -> Priced | None:
        """Return the best cluster of every site that has one of negative reduced cost.

        With triples a search finds it, None if that takes too many steps.
        """
        least = self._least(prices, budget)
        if least is None:
            return None
        wanted = least < 0
        some, least = self._sites.only(wanted), least[wanted]
        found = None
        if not len(prices.triples):
            found = greedy_clusters(some, prices)
        tries = ((_EACH, max(1, prices.scale // 1_000)), (_STEPS, 1))
        for each, under in tries if found is None else ():
            found = list_clusters(
                some, prices, -under, budget, some.number, steps=_STEPS, each=each
            )
            if found is None or found.groups.count:
                break
        if found is None:
            return None
        rows, lowest = found.groups.rows, int(found.reduced.min(initial=0))
        lowest = min(lowest, int(least[~found.settled].min(initial=0)))
        starts, items = (a.astype(np.int64) for a in (rows.indptr, rows.indices))
        few = spread(starts, items, found.reduced, self._sites.n)
        return Priced(found.groups.only(few).cheapest(), self._most * lowest)

    def listed(
        self, prices: Prices, spare: int, most: int, budget: Budget
    ) -> Groups | None:
        """Return all clusters of reduced cost up to `spare`; None if too many."""
        steps = 2_000 * most
        found = list_clusters(self._sites, prices, spare, budget, most, steps=steps)
        return None if found is None else found.groups.cheapest()

    def narrow(self, prices: Prices, spare: int) -> None:
        """Forget the sites of which all clusters have a greater reduced cost."""
        self._sites = self._sites.only(least_reduced(self._sites, prices) <= spare)

    def _least(self, prices: Prices, budget: Budget) -> IntArray | None:
        """Return the least reduced cost of every site; None if out of time."""
        found = np.empty(self._sites.number, dtype=np.int64)
        for start in range(0, len(found), _SITES):
            if budget.spent:
                return None
            some = np.arange(start, min(len(found), start + _SITES))
            found[some] = least_reduced(self._sites.only(some), prices)
        return found


def groups_of(instance: CellularClustering, solution: Solution) -> Groups:
    """Return the clusters of a solution."""
    full = completed(instance, solution)
    radii, centres = measured(instance, full), full.centres
    costs = [len(g) * radius for g, radius in zip(full.groups, radii, strict=True)]
    if centres:
        costs = (np.array(costs) + instance.facilities[list(centres)]).tolist()
    return Groups.listed(instance.n, full.groups, costs, centres or None)


def solution_in(instance: CellularClustering, groups: Groups) -> ClusteringSolution:
    """Return the solution that consists of some clusters; the rest are outliers."""
    centres = [] if instance.any_centre else groups.mark.tolist()
    left = np.flatnonzero(~groups.has.any(axis=0)).tolist()
    return solution_of(groups.members, centres, left)
