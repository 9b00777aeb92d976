"""As many parts as possible, where a cost or any cost will do; or a number of them.

Splitting
---------
A part that falls into two connected ones of at least k may be split: no part gets
heavier. So of all partitions within a level one with the most parts is the finest.

Capping
-------
Let c(v) = min(w(v), k). A set of nodes weighs at least k exactly if it does so under c:
either a node of it weighs k or more, or no weight of it is changed. So the partitions
into parts of at least k are the same, and there are at most floor(c(V) / k) parts in a
component; under w a single heavy node may pretend that there is weight for many more.
All that bounds the number of parts of a partition holds for c, too: completions and
heavy nodes (:mod:`atleastk.solvers.connected_partition.bounds`) bound it further.

If any cost will do, fewer parts than there are can be had as well: two that touch are
joined. So a refuted number refutes all above it. Within a level that is not so.

Evenness
--------
A number p of parts that weigh at least k each exist only if floor(c(V) / k) >= p. That
falls as k grows, and so does what parts there are: the greatest k is found by halving,
and no k above one that is refuted needs a look.

How it is done. Parts are annealed in windows of more and more parts, in steps that
double until one fails. What is left between the parts found and the bound is decided.
The annealing is that of :mod:`atleastk.solvers.connected_partition.local_search`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.results.solution import labels_of
from atleastk.models.results.status import Status
from atleastk.models.windows import window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.annealing import Annealer
from atleastk.solvers.connected_partition.bounds import completion, part_counts
from atleastk.solvers.connected_partition.component import (
    Component,
    components_of,
    whole_of,
)
from atleastk.solvers.connected_partition.decide import decide
from atleastk.solvers.connected_partition.local_search import improve
from atleastk.solvers.connected_partition.reduction import reduced
from atleastk.solvers.connected_partition.region_growing import grown
from atleastk.solvers.engine.part_counts import LeastLevels

_ATTEMPTS: Final = 8
"""Partitions that are annealed for one number of parts: not tuned."""

_ROUNDS: Final = 2_000
"""Rounds of the first of them; every other takes as many more: not tuned."""

_ROUNDS_A_PART: Final = 30
"""Rounds for each part, at least: not tuned."""

_LIGHTER: Final = 400
"""As many times these rounds make the heaviest part lighter: not tuned."""

Groups = list[list[int]]


class MostParts(NamedTuple):
    """A partition, and what none exceeds: in parts, or in weight of its lightest."""

    groups: Groups
    bound: int


def split(instance: ConnectedPartition, groups: Sequence[Sequence[int]]) -> Groups:
    """Split parts of 2k and more by growing parts within them, as far as that goes."""
    whole, k = whole_of(instance), instance.k
    found, waiting = [], [sorted(group) for group in groups]
    while waiting:
        group = waiting.pop()
        smaller = [group]
        if instance.amounts[group].sum() >= 2 * k:
            small = whole.within(np.array(group))
            smaller = small.parts(grown(*small.graph, k, 0)).lists()
        if len(smaller) == 1:
            found.append(group)
        else:
            waiting += smaller
    return found


def more_parts(
    instance: ConnectedPartition,
    groups: Sequence[Sequence[int]],
    level: int,
    budget: Budget,
    offer: Callable[[Groups], object],
) -> None:
    """Offer partitions into more and more parts of at most a level; `groups` is one."""
    climbs = _climbs(instance, groups, budget)
    for climb in climbs:
        climb.level = level
        climb.better = lambda: offer(_whole(climbs).groups)
        climb.up()


def most_parts(
    instance: ConnectedPartition,
    groups: Sequence[Sequence[int]],
    budget: Budget,
    offer: Callable[[MostParts], object],
) -> None:
    """Offer partitions into more and more parts, with bounds of their number.

    Of as many parts the heaviest is made lighter. `groups` are parts to begin with.
    """
    climbs = _climbs(instance, groups, budget)
    for climb in climbs:
        climb.better = lambda: offer(_whole(climbs))
        climb.better()
        whole = climb.component
        capped = replace(whole, weights=np.minimum(whole.weights, instance.k))
        climb.component, climb.level = capped, capped.total
        climb.bound()
        climb.up()
        climb.decide()
        climb.component, climb.level = whole, whole.total
        climb.down()


def in_parts(
    instance: ConnectedPartition, parts: int, budget: Budget, *, decides: bool = True
) -> tuple[Status, Groups]:
    """Return whether a connected map has so many parts, and those that are found.

    Unless it `decides`, nothing is refuted but by counting.
    """
    (climb,) = _climbs(instance, [range(instance.n)], budget)
    if parts > climb.most:
        return Status.INFEASIBLE, []
    with budget.flagging() as flag:
        found = climb.attempt(parts, flag)
    status = Status.FEASIBLE if found else Status.UNKNOWN
    if decides and not found:
        status = climb.decided(parts)
    return status, _whole([climb]).groups if status is Status.FEASIBLE else []


def even_parts(
    instance: ConnectedPartition,
    parts: int,
    budget: Budget,
    offer: Callable[[MostParts], object],
) -> None:
    """Offer so many parts of a connected map, the lightest heavier and heavier.

    Once it is as heavy as was found to be possible, the heaviest is made lighter.
    """
    groups: Groups = []
    low, high = 0, most_even(instance, parts)
    doubtful = high + 1  # the least k for which none were found

    def found(k: int, *, decides: bool) -> Status:
        nonlocal groups, low
        status, some = in_parts(replace(instance, k=k), parts, budget, decides=decides)
        if some:
            groups = some
            low = min(sum(instance.weights[v] for v in part) for part in some)
            offer(MostParts(groups, high))
        return status

    while low + 1 < doubtful and not budget.spent:
        k = (low + doubtful) // 2
        if found(k, decides=False) is not Status.FEASIBLE:
            doubtful = k
    while low < high and not budget.spent:
        status = found(low + 1, decides=True)
        if status is Status.UNKNOWN:
            break
        if status is Status.INFEASIBLE:
            high = low
    if groups:
        (climb,) = _climbs(replace(instance, k=low), groups, budget)
        climb.better = lambda: offer(MostParts(_whole([climb]).groups, high))
        climb.better()
        climb.down()


def most_even(instance: ConnectedPartition, parts: int) -> int:
    """Return a weight that the lightest of so many parts cannot exceed, by counting."""

    def are_fewer(k: int) -> bool:
        return sum(min(weight, k) for weight in instance.weights) // k < parts

    return bisect_left(range(1, instance.total // parts + 1), True, key=are_fewer)


def _climbs(
    instance: ConnectedPartition, groups: Sequence[Sequence[int]], budget: Budget
) -> list[_Climb]:
    """Return the components, reduced, with the part of every node, from 0."""
    labels = labels_of(groups, instance.n)
    k, found = instance.k, []
    for component in components_of(instance):
        small = reduced(component, k)
        first = labels[small.firsts]
        own = np.unique(first, return_inverse=True)[1].astype(np.int64)
        most = int(np.minimum(small.weights, k).sum()) // k
        found.append(_Climb(small, k, small.total, own, most, budget))
    return found


def _whole(climbs: Sequence[_Climb]) -> MostParts:
    """Return the partition of the map."""
    parts = [
        part for climb in climbs for part in climb.component.parts(climb.labels).lists()
    ]
    return MostParts(parts, sum(climb.most for climb in climbs))


@dataclass
class _Climb:
    """A partition of a component within a level, on its way to more parts."""

    component: Component
    k: int
    level: int
    labels: IntArray  # [node]: the part of every node
    most: int  # there are no more parts than these
    budget: Budget
    better: Callable[[], object] = lambda: None  # called whenever labels or most change
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.budget.seed)

    @property
    def parts(self) -> int:
        """The number of parts."""
        return int(self.labels.max()) + 1

    def bound(self) -> None:
        """Bound the number of parts by completions and heavy nodes, at any cost."""
        component = self.component
        any_cost = component.total + 1
        known = completion(component, self.k, any_cost, self.budget)
        counts = part_counts(component, self.k, known, any_cost)
        self._lower(max(parts for _, parts in counts.open_levels()))

    def up(self) -> None:
        """Find more parts, in steps that double until one fails."""
        step = 1
        with self.budget.flagging() as flag:
            while self.parts < self.most and not flag[0]:
                asked = min(self.parts + step, self.most)
                if self.attempt(asked, flag):
                    step *= 2
                elif step == 1:
                    return
                else:
                    step = 1

    def decide(self) -> None:
        """Decide about one part more, and about the most."""
        while self.parts < self.most and not self.budget.spent:
            status = self.decided(self.parts + 1)
            if status is Status.INFEASIBLE:
                self._lower(self.parts)
            elif status is Status.UNKNOWN:
                status = self.decided(self.most)
                if status is Status.UNKNOWN:
                    return
                if status is Status.INFEASIBLE:
                    self._lower(self.most - 1)

    def _lower(self, most: int) -> None:
        self.most = min(self.most, most)
        self.better()

    def _take(self, labels: IntArray) -> None:
        self.labels = labels
        self.better()

    def down(self) -> None:
        """Make the heaviest part lighter, as many parts as there are."""
        component = self.component
        parts = self.parts
        low = max(self.k, component.heaviest, -(-component.total // parts))
        improve(
            component,
            self.k,
            self.budget,
            _LIGHTER * self._rounds(parts),
            self._take,
            LeastLevels(np.array([parts]), np.array([low])),
            self.labels,
        )

    def _rounds(self, parts: int) -> int:
        """Return the rounds of the first attempt at a number of parts."""
        return max(_ROUNDS, _ROUNDS_A_PART * parts)

    def attempt(self, parts: int, flag: ByteArray) -> bool:
        """Anneal some partitions into parts within the level; keep one that fits."""
        component, level = self.component, self.level
        wanted = window(component.total, self.k, parts, level)
        if wanted is None or parts > component.n:
            return False
        annealer, labels = Annealer(component, self.rng, flag), None
        for attempt in range(1, _ATTEMPTS + 1):
            rounds = attempt * self._rounds(parts)
            found = annealer.run(wanted, labels, self.k, level + 1, rounds)
            if found.violation == 0:
                self._take(found.labels)
                return True
            if flag[0]:
                break
            labels = found.labels
        return False

    def decided(self, parts: int) -> Status:
        """Decide whether there are so many parts, and keep them."""
        wanted = window(self.component.total, self.k, parts, self.level)
        if wanted is None:
            return Status.INFEASIBLE
        decision = decide(self.component, wanted, self._part())
        if decision.found is not None:
            self._take(labels_of(decision.found, self.component.n))
        return decision.status

    def _part(self) -> Budget:
        """Return the budget of a decision."""
        if self.budget.endless:
            return self.budget.slice(10.0)
        return self.budget.share(0.5)
