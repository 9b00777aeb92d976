"""Iterated local search for cellular clusterings.

The start are groups about points far from those before, of the size that is cheapest
per point. The descent re-optimises pairs of neighbouring clusters
(:mod:`atleastk.solvers.cellular_clustering.two_clusters`) until no pair improves. Then
a few nearby clusters are replaced by random ones, the descent is repeated, and the
outcome is accepted by a Metropolis rule
(:mod:`atleastk.solvers.cellular_clustering.iterated_local_search`).

Spaces of many points are searched in parts: all clusters near one point, then near the
next along an order in which near points follow each other.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Final, Self

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.instances.spaces.near_points import is_indexed
from atleastk.models.cellular_clustering import check
from atleastk.models.clustering import ClusteringSolution, completed, solution_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.local_search_part import MOST_EFFORT, Part
from atleastk.solvers.clustering.neighbourhoods import ordered
from atleastk.solvers.search import Search

_SOURCE: Final = "local search"
_WHOLE: Final = 4_000
"""Up to this number of points, all are searched at a time: 128 MB of distances."""

PRICED: Final = 1_000
"""The most points for which column generation is tried."""

FEW: Final = 60
"""Up to this number of points, the clusters of the linear program are as good and come
sooner: measured on 19 instances of 20 to 60 points."""

_PART: Final = 400
"""Points about which a part of a large space is searched: not tuned."""

_OFFER: Final = 1.5e-6
"""Seconds a point that an offer takes: 0.4 of 300,000 points, and to begin as long."""

_OFFERED_EVERY: Final = 20
"""Parts between offers of a solution, at least: offers take a pass over all points."""

_HEATS: Final = (0.1, 0.3, 1.0)
"""Temperatures of the searches, in mean costs of a cluster, in turn: not tuned."""


def beginning(
    instance: CellularClustering, seed: int, budget: Budget | None = None
) -> ClusteringSolution | None:
    """Return a solution, a local optimum unless points are few or many.

    It is a worse one if the budget is spent before. None if none was found.
    """
    budget = Budget() if budget is None else budget
    far_first = _Assignment.far_first(instance, seed, budget)
    if far_first is None:
        return None
    # So many points begin with a local optimum.
    settled = FEW < instance.n <= PRICED
    if far_first.clusters > 0 and settled and not budget.spent:
        part = far_first.part(instance, np.arange(instance.n, dtype=np.int64))
        part.settle(budget)
        far_first.enter(part)
    found = far_first.solution(instance)
    return found if check(instance, found).feasible else None


def improve(search: Search[CellularClustering], budget: Budget) -> None:
    """Improve the best solution of a search, or find one.

    It ends after a long time without an improvement, or when the budget is spent. Of
    many points it does not begin where that takes half of the time.
    """
    instance = search.instance
    begun = search.solution is None or instance.n <= _WHOLE
    if not begun and budget.remaining < 4 * _OFFER * instance.n:
        return
    current = _start(search, budget)
    if current is None or current.clusters == 0:
        return
    rng = np.random.default_rng(budget.seed)
    if instance.n <= _WHOLE:
        _improve_whole(search, current, rng, budget)
    else:
        _improve_in_parts(search, current, rng, budget)


def _improve_whole(
    search: Search[CellularClustering],
    current: _Assignment,
    rng: np.random.Generator,
    budget: Budget,
) -> None:
    """Improve all clusters at a time."""
    instance = search.instance
    everyone = np.arange(instance.n, dtype=np.int64)
    # Searches without an improvement; of many clusters more, in proportion.
    patience = 15 * max(1.0, current.clusters / 100)
    part = current.part(instance, everyone)
    idle = 0
    while not (search.closed or budget.spent) and idle < patience:
        better = part.improve(_HEATS[idle % len(_HEATS)], search.bound, rng, budget)
        idle = 0 if better else idle + 1
        current.enter(part)
        _offer(search, current)


def _improve_in_parts(
    search: Search[CellularClustering],
    current: _Assignment,
    rng: np.random.Generator,
    budget: Budget,
) -> None:
    """Improve the clusters near one point after another, along an order of all.

    Solutions are offered from time to time, since that takes a pass over all points.
    The first round over all points only descends, which is fast. The next is short, and
    every later one longer, up to ten times; as long in vain ends the search. With
    10,000 points, r = 10, that is 5 % cheaper after 15 s than equal rounds, the first
    of which takes a minute. As long as rounds are short they are cold: with the other
    heats 10,000 points were 2 % dearer after 17 s.

    Every worker has a part, of clusters that no other one has.
    """
    instance, workers = search.instance, budget.workers
    along = _Around(instance, int(rng.integers(instance.n)))
    budget = budget.slice(max(0.0, budget.remaining - _OFFER * instance.n))

    def work(points: IntArray, dice: np.random.Generator) -> tuple[Part, bool]:
        part = current.part(instance, points, workers)
        if not effort:
            return part, part.settle(budget)
        return part, part.improve(heat, None, dice, budget, effort)

    idle, offered = 0, 0  # idle: the effort in vain
    with ThreadPoolExecutor(workers) as pool:
        for turn in count(step=workers):
            if search.closed or budget.spent or idle > MOST_EFFORT * along.turns:
                break
            passed = turn // along.turns
            effort = min(passed, MOST_EFFORT)
            heat = _HEATS[max(0, passed - MOST_EFFORT) % len(_HEATS)]
            apart = along.apart(current, turn // workers, workers, rng)
            for part, better in [*pool.map(work, apart, rng.spawn(len(apart)))]:
                idle = 0 if better else idle + effort
                current.enter(part)
            if turn - offered >= max(_OFFERED_EVERY, along.turns // 4):
                _offer(search, current)
                offered = turn
    _offer(search, current)


class _Around:
    """Which points are searched together: those near to one point after the other.

    After `turns` all points have been in a part.
    """

    def __init__(self, instance: CellularClustering, start: int) -> None:
        self._instance = instance
        self._start = start
        self._order = ordered(instance.space) if is_indexed(instance.space) else None
        self._size = min(_PART, instance.n)
        self.turns = max(1, 2 * instance.n // self._size)

    def apart(
        self, current: _Assignment, turn: int, parts: int, rng: np.random.Generator
    ) -> list[IntArray]:
        """Return the points of some parts, far from each other, with none in two."""
        found: list[IntArray] = []
        taken = np.zeros(self._instance.n, dtype=np.bool_)
        for part in range(parts):
            ahead = part * self.turns // (2 * parts)
            points = self.points(current, turn + ahead, rng)
            if not taken[points].any():
                taken[points] = True
                found.append(points)
        return found

    def points(
        self, current: _Assignment, turn: int, rng: np.random.Generator
    ) -> IntArray:
        """Return the points of clusters near a point, and the outliers near it."""
        instance = self._instance
        if self._order is None:
            row = instance.space.row(int(rng.integers(instance.n)))
            near = np.argpartition(row, self._size - 1)[: self._size]
        else:
            shift = int(rng.integers(self._size)) if turn >= self.turns else 0
            behind = turn * self._size  # round by round, each half a part further
            first = (
                self._start + behind + behind // instance.n * self._size // 2 + shift
            )
            near = self._order[(first + np.arange(self._size)) % instance.n]
        return current.clusters_of(near)


def _start(search: Search[CellularClustering], budget: Budget) -> _Assignment | None:
    """Return the best solution so far, or a quick one, which may be infeasible."""
    instance = search.instance
    if search.solution is not None:
        return _Assignment.of(instance, completed(instance, search.solution))
    far_first = _Assignment.far_first(instance, budget.seed, budget)
    if far_first is not None:
        _offer(search, far_first)
    return far_first


def _offer(search: Search[CellularClustering], assignment: _Assignment) -> None:
    search.offer_if_feasible(assignment.solution(search.instance), _SOURCE)


class _Assignment:
    """Clusters that are replaced a few at a time."""

    def __init__(self, n: int) -> None:
        self.label = np.zeros(n, dtype=np.int64)  # [point] 0 for outliers
        self.centre = np.full(n, -1, dtype=np.int64)  # [point] that of its cluster
        self._members: dict[int, IntArray] = {}
        self._labels = count(1)
        self._clustered = 0

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return len(self._members)

    @classmethod
    def of(cls, instance: CellularClustering, solution: ClusteringSolution) -> Self:
        """Return the clusters of a solution."""
        found = cls(instance.n)
        for g, group in enumerate(solution.groups):
            centre = solution.centres[g] if solution.centres else -1
            found.add(np.array(group, dtype=np.int64), centre)
        return found

    def add(self, points: IntArray, centre: int) -> None:
        """Make a cluster of points that are in none."""
        label = next(self._labels)
        self.label[points], self.centre[points] = label, centre
        self._members[label] = points
        self._clustered += len(points)

    @classmethod
    def far_first(
        cls, instance: CellularClustering, seed: int, budget: Budget
    ) -> Self | None:
        """Group points far from those before with their nearest ones.

        When the budget is spent, the rest is cut by the distance from one point, or is
        one group if facilities have costs.
        """
        n, space = instance.n, instance.space
        found = cls(n)
        if n <= instance.max_outliers:
            return found
        if n < instance.r:
            return None
        least = max(instance.r, -(-n // instance.most_clusters))
        left = np.arange(n, dtype=np.int64)
        point = int(np.random.default_rng(seed).integers(n))
        while len(left):
            row = space.row(point)
            order = left[np.argsort(row[left], kind="stable")]
            size = len(left)
            if budget.spent and not instance.facilities.any():
                size = max(least, min(size, 500))  # groups are cut in haste
                size = len(left) if len(left) < size + least else size
            elif size >= 2 * least and not budget.spent:
                opening = int((instance.facilities + least * row).min())
                sizes = np.arange(least, size - least + 1)
                each = opening / sizes + row[order[least - 1 : size - least]]
                size = int(sizes[each.argmin()])
            group = order[:size]
            found.add(group, -1 if instance.any_centre else _member(instance, group))
            left = np.sort(order[size:])
            if len(left):
                point = int(order[-1])
        return found

    def enter(self, part: Part) -> None:
        """Take over the clusters of a part of the points."""
        for label in self._labels_of(part.points):
            self._clustered -= len(self._members.pop(label))
        self.label[part.points], self.centre[part.points] = 0, -1
        inside, centre = part.assignment()
        order = np.argsort(inside, kind="stable")
        starts = np.flatnonzero(np.diff(inside[order], prepend=0))
        for group in np.split(order, starts)[1:]:
            self.add(part.points[group], int(centre[group[0]]))

    def clusters_of(self, points: IntArray) -> IntArray:
        """Return the points of all clusters that hold some points, and outliers."""
        groups = [self._members[label] for label in self._labels_of(points)]
        return np.sort(np.concatenate((points[self.label[points] == 0], *groups)))

    def part(
        self, instance: CellularClustering, points: IntArray, sharing: int = 1
    ) -> Part:
        """Return the search of the points of some clusters, as they are.

        As many share what limits leave over.
        """
        held = self.label[points]
        clusters, outliers = len(self._labels_of(points)), np.count_nonzero(held == 0)
        fewer = instance.most_clusters - self.clusters
        spare = instance.max_outliers - (instance.n - self._clustered)
        return Part.of(
            instance,
            points,
            held,
            clusters + fewer // sharing,
            int(outliers) + spare // sharing,
        )

    def _labels_of(self, points: IntArray) -> list[int]:
        """Return the labels of the clusters that hold some points."""
        found: list[int] = np.unique(self.label[points]).tolist()
        return found[1:] if found[:1] == [0] else found

    def solution(self, instance: CellularClustering) -> ClusteringSolution:
        """Return the solution, which may join points too far apart."""
        clusters = self._members.values()
        centres = [int(self.centre[group[0]]) for group in clusters]
        return solution_of(
            [group.tolist() for group in clusters],
            () if instance.any_centre else centres,
            np.flatnonzero(self.label == 0).tolist(),
        )


def _member(instance: CellularClustering, group: IntArray) -> int:
    """Return the best centre among some of the points of a cluster."""
    places = group[: max(1, instance.space.at_a_time)]
    radii = instance.space.between(places, group).max(axis=1)
    costs = instance.facilities[places] + len(group) * np.minimum(radii, FAR // 2**20)
    return int(places[costs.argmin()])
