"""Points that are near their centres, where the greatest radius stays as it is.

The radius of the farthest point says nothing of the others: points next to a centre may
go to another one that is nearly as far as the radius allows. The sum of all distances
to centres is lowered by moves that keep the radius, r points in every cluster, the
number of clusters, and the outliers:

- a point goes to a nearer centre, if its cluster has more than r;
- two points go at once, one to a nearer centre and another into its place;
- a cluster's centre becomes its best point;
- a point becomes the centre of a new cluster of those that gain by it.

A heuristic: its sum is of no proved quality. Every move costs O(n log n).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution, measured, solution_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.precision import SURE

_MOST: Final = 50_000_000
"""Distances that are held, of all points to open centres: 0.4 GB."""

_LARGE: Final = 3_000
"""Points of a cluster whose centre stays: distances of all pairs would be too many."""


def nearer(
    instance: RGather,
    solution: ClusteringSolution,
    budget: Budget,
    offer: Callable[[ClusteringSolution], object],
) -> None:
    """Lower the sum of distances to centres until no move does, or time is up."""
    if not solution.groups or not solution.centres:
        return
    if (len(solution.groups) + 1) * instance.n > _MOST:
        return
    plan = _Plan(instance, solution)
    before = np.inf
    while plan.sum < before - plan.least and not budget.spent:
        before = plan.sum
        plan.go_nearer(budget)
        plan.recentre(budget)
        plan.open(budget)
        if plan.sum < before - plan.least:
            offer(plan.solution())


class _Plan:
    """Which centre every point goes to, and how far."""

    def __init__(self, instance: RGather, solution: ClusteringSolution) -> None:
        self.instance = instance
        self.centres = list(solution.centres)
        self.outliers = solution.outliers
        self.label = np.full(instance.n, -1, dtype=np.int64)
        for cluster, group in enumerate(solution.groups):
            self.label[list(group)] = cluster
        self.most = max(measured(instance, solution))
        self.reach = [self._from(centre) for centre in self.centres]
        self.least = (1.0 - SURE) * (1 + self.sum)

    def _from(self, place: int) -> FloatArray:
        """Return how far all points are from a place; infinite beyond the radius."""
        found = self.instance.space.row(place)
        lengths = np.sqrt(found) if self.instance.squared else found.astype(float)
        lengths[found > self.most] = np.inf
        return lengths

    @property
    def sizes(self) -> IntArray:
        return np.bincount(self.label[self.label >= 0], minlength=len(self.centres))

    @property
    def groups(self) -> list[IntArray]:
        """The points of every cluster, ascending."""
        order = np.argsort(self.label, kind="stable")
        ends = np.searchsorted(self.label[order], np.arange(len(self.centres) + 1))
        return [order[ends[g] : ends[g + 1]] for g in range(len(self.centres))]

    @property
    def away(self) -> FloatArray:
        """How far every point is from its centre; 0 of outliers."""
        away = np.zeros(self.instance.n)
        for reach, group in zip(self.reach, self.groups, strict=True):
            away[group] = reach[group]
        return away

    @property
    def sum(self) -> float:
        return float(self.away.sum())

    @property
    def free(self) -> BoolArray:
        """Points that may change their cluster."""
        free = self.label >= 0
        if self.instance.centres == "member":
            free[self.centres] = False
        return free

    def solution(self) -> ClusteringSolution:
        groups = [group.tolist() for group in self.groups]
        return solution_of(groups, self.centres, self.outliers)

    def go_nearer(self, budget: Budget) -> None:
        """Let points go to their nearest centres, those first that gain most."""
        r, away, free, sizes = self.instance.r, self.away, self.free, self.sizes
        reach = np.stack(self.reach)
        best = reach.argmin(axis=0)
        gains = away - reach.min(axis=0)
        for point in np.argsort(-gains):
            if gains[point] <= self.least or budget.spent:
                return
            old, new = self.label[point], best[point]
            if not free[point] or old == new:
                continue
            moved = [(point, new)]
            if sizes[old] <= r:
                others = free & (self.label != old)
                others &= (sizes[self.label] > r) | (self.label == new)
                others &= self.label >= 0
                costs = np.where(others, reach[old] - away, np.inf)
                other = int(costs.argmin())
                if costs[other] >= gains[point] - self.least:
                    continue
                moved.append((other, old))
            for one, cluster in moved:
                sizes[self.label[one]] -= 1
                sizes[cluster] += 1
                self.label[one] = cluster
                away[one] = reach[cluster, one]
                gains[one] = away[one] - reach[best[one], one]

    def recentre(self, budget: Budget) -> None:
        """Give every cluster the best of its points as its centre."""
        for cluster, group in enumerate(self.groups):
            if budget.spent:
                return
            if len(group) > _LARGE:
                continue
            between = self.instance.space.between(group, group)
            lengths = np.sqrt(between) if self.instance.squared else between
            sums = np.where(
                between.max(axis=1) <= self.most, lengths.sum(axis=1), np.inf
            )
            best = int(sums.argmin())
            if sums[best] < self.reach[cluster][group].sum() - self.least:
                self.centres[cluster] = int(group[best])
                self.reach[cluster] = self._from(self.centres[cluster])

    def open(self, budget: Budget) -> None:
        """Open centres that at least r points gain by, those far from theirs first."""
        away, sizes = self.away, self.sizes
        for place in np.argsort(-away).tolist():
            many = len(self.centres) + 1
            full = many > self.instance.most_clusters or many * len(away) > _MOST
            if full or away[place] <= 0 or budget.spent:
                return
            reach = self._from(place)
            gains = away - reach
            taken = self._taken(gains, sizes, place)
            if gains[taken].sum() <= self.least:
                continue
            np.subtract.at(sizes, self.label[taken], 1)
            sizes = np.append(sizes, len(taken))
            self.label[taken] = len(self.centres)
            away[taken] = reach[taken]
            self.centres.append(place)
            self.reach.append(reach)

    def _taken(self, gains: FloatArray, sizes: IntArray, place: int) -> IntArray:
        """Return the points that a new centre takes, at least r; none if it cannot.

        All that gain come, and more up to r, of no cluster more than it can spare.
        """
        free = self.free
        none = np.empty(0, dtype=np.int64)
        if not free[place]:
            return none
        gain = gains[free & (gains > 0)].sum()
        able = np.flatnonzero(free & (gains > -gain))
        order = able[np.argsort(-gains[able], kind="stable")]
        donors = self.label[order]
        order = order[_places(donors) < sizes[donors] - self.instance.r]
        wanted = max(self.instance.r, int((gains[order] > 0).sum()))
        taken = order[:wanted]
        member = self.instance.centres == "member"
        if len(taken) < wanted or (member and place not in taken):
            return none
        return taken


def _places(labels: IntArray) -> IntArray:
    """Return how many equal labels are before each."""
    by_label = np.argsort(labels, kind="stable")
    firsts = np.searchsorted(labels[by_label], labels[by_label])
    places = np.empty(len(labels), dtype=np.int64)
    places[by_label] = np.arange(len(labels)) - firsts
    return places
