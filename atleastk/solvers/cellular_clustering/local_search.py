"""Local search for cellular clusterings.

It begins with groups about points that are far from those before, of the size that is
cheapest per point. Then neighbouring clusters are clustered anew, two at a time, as
well as two clusters can be (:mod:`atleastk.solvers.cellular_clustering.two_clusters`),
until no two of them pay. Then a few clusters somewhere are dealt out at random, the
neighbours are settled once more, and what comes out is kept if it is cheaper, or with
luck.

Spaces of many points are searched in parts: all clusters near one point, and then near
the next one along an order in which near points follow each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Final, Self

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.cellular_clustering import check
from atleastk.models.clustering import ClusteringSolution, completed, solution_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.local_search_part import Part
from atleastk.solvers.clustering.neighbourhoods import is_indexed, ordered
from atleastk.solvers.search import Search

_SOURCE: Final = "local search"
_WHOLE: Final = 4_000
"""Up to this number of points, all clusters are improved at a time: 128 MB of
distances."""

FEW: Final = 60
"""Up to this number of points, the clusters of the linear program are as good and come
sooner: measured on 19 instances of 20 to 60 points."""

_SETTLED: Final = 1_000
"""Above that and up to this number of points, a first solution is settled: not
tuned."""

_PART: Final = 400
"""Points about which a part of a large space is searched: not tuned."""

_TOLD: Final = 20
"""Parts after which solutions are offered, at least, for that takes a look at all
points."""

_PATIENCE: Final = 15
"""It ends after this number of searches in vain: not tuned ..."""

_CLUSTERS: Final = 100
"""... of this number of clusters; of more, in proportion."""

_HASTY: Final = 500
"""The size of groups that are cut when the time is spent: not tuned."""

_HEATS: Final = (0.1, 0.3, 1.0)
"""Temperatures of the searches, in the price of a cluster, in turn: not tuned."""


def beginning(
    instance: CellularClustering, seed: int, budget: Budget | None = None
) -> ClusteringSolution | None:
    """Return a solution; no two clusters improve it unless points are few or many.

    If the budget is spent before, it is a worse one. None if none was found.
    """
    budget = Budget() if budget is None else budget
    dealt = _Assignment.dealt(instance, seed, budget)
    if dealt is None:
        return None
    settled = FEW < instance.n <= _SETTLED
    if dealt.clusters > 0 and settled and not budget.spent:
        part = _part(instance, dealt, np.arange(instance.n, dtype=np.int64))
        part.settle(budget)
        dealt.enter(part)
    return dealt.named(instance)


def improve(search: Search[CellularClustering], budget: Budget) -> None:
    """Improve the best solution of a search, or find one.

    Ends when that has long brought nothing, or the budget is spent.
    """
    instance = search.instance
    kept = _start(search, budget)
    if kept is None or kept.clusters == 0:
        return
    rng = np.random.default_rng(budget.seed)
    if instance.n <= _WHOLE:
        _improve_whole(search, kept, rng, budget)
    else:
        _improve_in_parts(search, kept, rng, budget)


def _improve_whole(
    search: Search[CellularClustering],
    kept: _Assignment,
    rng: np.random.Generator,
    budget: Budget,
) -> None:
    """Improve all clusters at a time."""
    instance = search.instance
    everyone = np.arange(instance.n, dtype=np.int64)
    patience = _PATIENCE * max(1.0, kept.clusters / _CLUSTERS)
    part = _part(instance, kept, everyone)
    idle = 0
    while not (search.closed or budget.spent) and idle < patience:
        better = part.improve(_HEATS[idle % len(_HEATS)], search.bound, rng, budget)
        idle = 0 if better else idle + 1
        kept.enter(part)
        _offer(search, kept)


def _improve_in_parts(
    search: Search[CellularClustering],
    kept: _Assignment,
    rng: np.random.Generator,
    budget: Budget,
) -> None:
    """Improve the clusters near one point after the other, along an order of all.

    What came of it is told from time to time, for that takes a look at all points. The
    first pass over all points settles clusters only, and goes fast.
    """
    instance = search.instance
    along = _Around(instance, int(rng.integers(instance.n)))
    idle, told = 0, 0
    for turn in count():
        if search.closed or budget.spent or idle > along.turns:
            break
        hasty = turn < along.turns
        part = _part(instance, kept, along.points(kept, turn, rng))
        if hasty:
            better = part.settle(budget)
        else:
            heat = _HEATS[turn // along.turns % len(_HEATS)]
            better = part.improve(heat, None, rng, budget)
        idle = 0 if better else idle + 1
        kept.enter(part)
        if turn - told >= max(_TOLD, along.turns // 4):
            _offer(search, kept)
            told = turn
    _offer(search, kept)


class _Around:
    """Which points are searched together: those near to one point after the other.

    Attributes
    ----------
    turns
        After so many turns all points have been in a part.
    """

    def __init__(self, instance: CellularClustering, start: int) -> None:
        self._instance = instance
        self._start = start
        self._order = ordered(instance.space) if is_indexed(instance.space) else None
        self._size = min(_PART, instance.n)
        self.turns = max(1, 2 * instance.n // self._size)

    def points(
        self, kept: _Assignment, turn: int, rng: np.random.Generator
    ) -> IntArray:
        """Return the points of clusters near a point, and the outliers near it."""
        instance = self._instance
        if self._order is None:
            row = instance.space.row(int(rng.integers(instance.n)))
            near = np.argpartition(row, self._size - 1)[: self._size]
        else:
            shift = int(rng.integers(self._size)) if turn >= self.turns else 0
            first = (self._start + turn * self._size // 2 + shift) % instance.n
            near = np.roll(self._order, -first)[: self._size]
        return kept.clusters_of(near)


def _start(search: Search[CellularClustering], budget: Budget) -> _Assignment | None:
    """Return the best solution so far, or a quick one, even if it is none yet."""
    instance = search.instance
    if search.solution is not None:
        return _Assignment.of(instance, completed(instance, search.solution))
    dealt = _Assignment.dealt(instance, budget.seed, budget)
    if dealt is not None:
        _offer(search, dealt)
    return dealt


def _offer(search: Search[CellularClustering], assignment: _Assignment) -> None:
    found = assignment.named(search.instance)
    if found is not None:
        search.offer(found, _SOURCE)


@dataclass
class _Assignment:
    """Clusters by point: a label, 0 for outliers, and the centre."""

    label: IntArray
    centre: IntArray

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return int(np.count_nonzero(np.bincount(self.label)[1:]))

    @classmethod
    def of(cls, instance: CellularClustering, solution: ClusteringSolution) -> Self:
        """Return the clusters of a solution."""
        label = np.zeros(instance.n, dtype=np.int64)
        centre = np.full(instance.n, -1, dtype=np.int64)
        for g, group in enumerate(solution.groups):
            label[list(group)] = g + 1
            if solution.centres:
                centre[list(group)] = solution.centres[g]
        return cls(label, centre)

    @classmethod
    def dealt(
        cls, instance: CellularClustering, seed: int, budget: Budget
    ) -> Self | None:
        """Group points that are far from those before with the nearest ones.

        What is left when the budget is spent is cut up by distance from one point, or
        one group if facilities cost something.
        """
        n, space = instance.n, instance.space
        found = cls(np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64))
        if n <= instance.max_outliers:
            return found
        if n < instance.r:
            return None
        least = max(instance.r, -(-n // instance.most_clusters))
        left = np.arange(n, dtype=np.int64)
        point = int(np.random.default_rng(seed).integers(n))
        g = 0
        while len(left):
            g += 1
            row = space.row(point)
            order = left[np.argsort(row[left], kind="stable")]
            size = len(left)
            if budget.spent and not instance.facilities.any():
                size = max(least, min(size, _HASTY))
                size = len(left) if len(left) < size + least else size
            elif size >= 2 * least and not budget.spent:
                opening = int((instance.facilities + least * row).min())
                sizes = np.arange(least, size - least + 1)
                each = opening / sizes + row[order[least - 1 : size - least]]
                size = int(sizes[each.argmin()])
            group = order[:size]
            found.label[group] = g
            if not instance.any_centre:
                found.centre[group] = _member(instance, group)
            left = np.sort(order[size:])
            if len(left):
                point = int(order[-1])
        return found

    def enter(self, part: Part) -> None:
        """Take over the clusters of a part of the points, under free labels."""
        label, self.centre[part.points] = part.assignment()
        self.label[part.points] = 0
        used = np.zeros(self.label.max(initial=0) + len(part.points) + 2, np.bool_)
        used[self.label] = True
        used[0] = True
        free = np.flatnonzero(~used)
        clustered = label > 0
        label[clustered] = free[np.unique(label[clustered], return_inverse=True)[1]]
        self.label[part.points] = label

    def clusters_of(self, points: IntArray) -> IntArray:
        """Return the points of all clusters that hold some points, and outliers."""
        inside = np.zeros(self.label.max(initial=0) + 1, dtype=np.bool_)
        inside[self.label[points]] = True
        inside[0] = False
        outliers = points[self.label[points] == 0]
        return np.union1d(np.flatnonzero(inside[self.label]), outliers)

    def named(self, instance: CellularClustering) -> ClusteringSolution | None:
        """Return the solution; None if it joins what is too far apart."""
        order = np.argsort(self.label, kind="stable")
        starts = np.flatnonzero(np.diff(self.label[order], prepend=-1))
        groups = [group for group in np.split(order, starts[1:]) if len(group)]
        outliers = [p for group in groups for p in group if self.label[p] == 0]
        clusters = [group for group in groups if self.label[group[0]] > 0]
        centres = [int(self.centre[group[0]]) for group in clusters]
        solution = solution_of(
            clusters, () if instance.any_centre else centres, outliers
        )
        return solution if check(instance, solution).feasible else None


def _part(
    instance: CellularClustering, assignment: _Assignment, points: IntArray
) -> Part:
    """Return the search of some of the points, clusters as they are."""
    held = assignment.label[points]
    sizes = np.bincount(assignment.label)
    here = np.bincount(held, minlength=len(sizes))
    elsewhere = int(np.count_nonzero(sizes[1:] > here[1:]))
    return Part.of(
        instance,
        points,
        held,
        instance.most_clusters - elsewhere,
        instance.max_outliers - int(sizes[0] - here[0]),
    )


def _member(instance: CellularClustering, group: IntArray) -> int:
    """Return the best centre among some of the points of a cluster."""
    places = group[: max(1, instance.space.at_a_time)]
    radii = instance.space.between(places, group).max(axis=1)
    costs = instance.facilities[places] + len(group) * np.minimum(radii, FAR // 2**20)
    return int(places[costs.argmin()])
