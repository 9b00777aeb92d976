"""Columns: clusters as rows of a matrix of points, with their costs and sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.solvers.cellular_clustering.pricing import PricedClusters
from atleastk.solvers.cellular_clustering.sites import ANY, Sites


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Clusters with their costs.

    Attributes
    ----------
    has
        A row of a matrix for every cluster: its points.
    cost, centre
        By cluster; the centre has no meaning if it can be anywhere.
    """

    has: BoolArray  # [cluster, point]
    cost: IntArray  # [cluster]
    centre: IntArray  # [cluster]

    @classmethod
    def of(cls, sites: Sites, clusters: PricedClusters) -> Columns:
        """Return clusters of some sites."""
        has = np.zeros((clusters.count, sites.n), dtype=np.bool_)
        has[np.repeat(np.arange(clusters.count), clusters.sizes), clusters.members] = 1
        at = clusters.site
        cost = sites.fixed[at] + clusters.sizes * sites.price[at]
        return cls(has, cost, sites.centre[at])

    @classmethod
    def listed(
        cls,
        n: int,
        groups: Sequence[Sequence[int]],
        costs: Sequence[int],
        centres: Sequence[int],
    ) -> Columns:
        """Return clusters given one by one."""
        has = np.zeros((len(groups), n), dtype=np.bool_)
        for g, group in enumerate(groups):
            has[g, list(group)] = True
        cost, centre = (np.array(given, dtype=np.int64) for given in (costs, centres))
        return cls(has, cost, centre)

    @property
    def count(self) -> int:
        """The number of clusters."""
        return len(self.cost)

    def only(self, chosen: BoolArray | IntArray) -> Columns:
        """Return the chosen clusters."""
        return Columns(self.has[chosen], self.cost[chosen], self.centre[chosen])

    def and_(self, others: Columns) -> Columns:
        """Return these clusters and then others."""
        return Columns(
            np.concatenate((self.has, others.has)),
            np.concatenate((self.cost, others.cost)),
            np.concatenate((self.centre, others.centre)),
        )

    def cheapest(self) -> IntArray:
        """Return the places of clusters: of every set of points the cheapest."""
        if not self.count:
            return np.zeros(0, dtype=np.int64)
        packed = np.packbits(self.has, axis=1)
        order = np.lexsort((self.cost, *packed.T))
        new = np.ones(self.count, dtype=np.bool_)
        new[1:] = (packed[order[1:]] != packed[order[:-1]]).any(axis=1)
        return np.sort(order[new])

    def solution(self, chosen: IntArray, reading: int) -> ClusteringSolution:
        """Return the solution that consists of some clusters; the rest are outliers."""
        groups = [np.flatnonzero(self.has[g]).tolist() for g in chosen]
        left = np.flatnonzero(~self.has[chosen].any(axis=0))
        centres = [] if reading == ANY else self.centre[chosen].tolist()
        return solution_of(groups, centres, left.tolist())
