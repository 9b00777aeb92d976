"""Connected partition: the automatic choice of methods.

1. Without search: region growing, a component that weighs less than k, and the counting
   bound. Maps that are not large get a solution from the trees of [Du09], too; small
   ones a short simulated annealing: it mostly meets the bound, and ends the run.
2. Every component is reduced, and bounded by completions and heavy parts.
3. Simulated annealing, which mostly meets the bound.
4. Branching on the number of parts. Whether there are p parts within a level is
   monotone in the level, so that far levels are asked first: just below the cost, where
   a refutation excludes p and a solution is better, and nearer and nearer to the least
   open level where nothing decides. The p whose level is the bound goes first.

Turn by turn what stays open is asked with more effort, and the local search gets other
random numbers and more rounds. Components are independent, and those that cannot change
the cost of the map are left alone; see
:mod:`atleastk.solvers.connected_partition.pieces`.

Same seed, one worker and no time limit: same answer, unless a decision takes long.

References
----------
[Du09] as in :mod:`atleastk.instances.connected_partition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.certificates.connected_partition import COUNT
from atleastk.models.connected_partition import counting_bound
from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.algorithms.catalogue import balanced_cut
from atleastk.solvers.connected_partition.bounds import completion, part_counts
from atleastk.solvers.connected_partition.component import Component, components_of
from atleastk.solvers.connected_partition.decide import decide
from atleastk.solvers.connected_partition.first import first_answers
from atleastk.solvers.connected_partition.local_search import improve
from atleastk.solvers.connected_partition.pieces import Piece, Pieces, groups_of
from atleastk.solvers.connected_partition.reduction import reduced
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.race import together
from atleastk.solvers.search import Search

_FEW: Final = 60
"""Nodes up to which a short search is as good as the trees: measured on 24 maps."""

_FIRST_ROUNDS: Final = 5_000
"""Rounds of that local search: 0.02 s."""

_SOME: Final = 300
"""Nodes above which the local search finds more than decisions."""

_MANY: Final = 5_000
"""Nodes above which parts that grow are quicker than trees, and proofs are rare."""

_SECONDS: Final = 2.0
"""Seconds of a decision in the first turn, with a time limit."""

_SECONDS_UNLIMITED: Final = 10.0
"""The same without a time limit."""

_MORE: Final = 4
"""How many times as much effort every turn takes as the one before."""

_NEARER: Final = 8
"""How many times nearer to the least open level the next one is, if none decides."""

_MISSES_IN_A_ROW: Final = 3
"""Levels in a row that nothing decides before the least open level is asked."""

_MOST_MISSES: Final = 5
"""Levels that nothing decides before a number of parts waits for the next turn."""

_ROUNDS: Final = 200_000
"""Rounds of the local search in the first turn; every turn takes more."""

_SHARES_OF_SEARCH: Final = (0.2, 0.1)
"""The shares of the time left for the local search of the first turn and of others."""

_SHARE_OF_SOME: Final = 0.5
"""The same above `_SOME` nodes, in every turn."""

_SHARE_OF_MANY: Final = 0.8
"""The same above `_MANY` nodes, in every turn."""

_SHARE_OF_BOUND: Final = 0.1
"""The share of the time left for a bound of large maps."""

_SHARE: Final = 1 / 2
"""The greatest share of the time left for one decision, unless that is too little."""


def solve(search: Search[ConnectedPartition]) -> None:
    """Partition a map at the least cost, as far as the budget goes."""
    instance, k = search.instance, search.instance.k
    offer_first(search, first_answers(instance))
    components = components_of(instance)
    if not components:
        search.offer([], "no nodes")
        search.raise_bound(0, "no nodes")
    elif any(component.total < k for component in components):
        search.close_infeasible("count", COUNT)
    else:
        bounds = (counting_bound(c.weights.tolist(), k) for c in components)
        search.raise_bound(max(bounds), "count", COUNT)
        pieces = _begin(search, components)
        pieces.report("reduction")
        if instance.n <= _FEW:
            _improve_first(search, pieces)
        _bound(search, pieces)
        _take_turns(search, pieces)


def _begin(
    search: Search[ConnectedPartition], components: Sequence[Component]
) -> Pieces:
    """Reduce the components; offer the solution of a tree if that is worth its time."""
    instance = search.instance
    if search.solution is None and instance.n <= _FEW:
        whole = (c.parts_of_groups([range(c.n)])[0] for c in components)
        search.offer(whole, "components")
    solution = search.solution
    if solution is None or _FEW < instance.n <= _MANY:
        solution = balanced_cut(instance, search.budget.seed)
        search.offer(solution, "balanced cut")
    part_of = {node: i for i, group in enumerate(solution.groups) for node in group}
    pieces = []
    for component in components:
        small = reduced(component, instance.k)
        labels = [part_of[own[0]] for own in small.members]
        pieces.append(Piece(small, instance.k, groups_of(labels)))
    return Pieces(search, pieces)


def _improve_first(search: Search[ConnectedPartition], pieces: Pieces) -> None:
    """Search locally for a moment, before anything but counting bounds the cost."""
    for piece in pieces.to_do():
        if piece.cost > pieces.bound and not search.done:
            _Work(search, pieces, piece).improve(0, _FIRST_ROUNDS)


def _bound(search: Search[ConnectedPartition], pieces: Pieces) -> None:
    """Raise the bounds of the components that matter, those of least bound last."""
    for piece in pieces.to_do():
        if search.done:
            return
        if piece.cost > pieces.bound:
            k, component = search.instance.k, piece.component
            part = search.budget
            if component.n > _MANY:
                part = part.share(_SHARE_OF_BOUND)
            known = completion(component, k, piece.cost, part)
            counts = part_counts(component, k, known, piece.cost)
            pieces.narrow(piece, counts, "completion")


def _take_turns(search: Search[ConnectedPartition], pieces: Pieces) -> None:
    """Work on components between bound and cost, with more and more effort."""
    at_work: dict[int, _Work] = {}
    for effort in count():
        left = pieces.to_do()
        if not left:
            return
        for piece in left:
            if search.done:
                return
            if piece.cost > pieces.bound:
                if id(piece) not in at_work:
                    at_work[id(piece)] = _Work(search, pieces, piece)
                at_work[id(piece)].take_turn(effort)


@dataclass
class _Walk:
    """The levels to be asked for one number of parts in a turn, from the highest down.

    Attributes
    ----------
    step
        From the least open level to the one that is asked; None for the highest.
    missed
        The least undecided level.
    misses, in_a_row
        How many levels stayed undecided, and how many of them in a row.
    """

    step: int | None = None
    missed: int | None = None
    misses: int = 0
    in_a_row: int = 0

    def level(self, low: int, high: int) -> int | None:
        """Return the level to be asked from `low` to `high`; None if that is all."""
        if self.missed is not None:
            high = min(high, self.missed - 1)
        if high < low or self.misses >= _MOST_MISSES:
            return None
        self.step = high - low if self.step is None else min(self.step, high - low)
        return low + self.step

    def take(self, status: Status, level: int) -> None:
        """Record the status of the level that was asked."""
        step = self.step or 0
        if status is Status.UNKNOWN:
            self.missed = level
            self.misses += 1
            self.in_a_row += 1
            self.step = step // _NEARER if self.in_a_row < _MISSES_IN_A_ROW else 0
        else:
            self.in_a_row = 0
            self.step = 2 * step + 1 if status is Status.INFEASIBLE else step // 2


class _Work:
    """The work on one component."""

    def __init__(
        self, search: Search[ConnectedPartition], pieces: Pieces, piece: Piece
    ) -> None:
        self._search, self._pieces, self._piece = search, pieces, piece

    @property
    def _done(self) -> bool:
        return self._search.done or self._piece.cost <= self._pieces.bound

    def take_turn(self, effort: int) -> None:
        """Search locally, then decide about levels of all numbers of parts."""
        self.improve(effort, _ROUNDS * _MORE**effort)
        walks: dict[int, _Walk] = {}
        while not self._done:
            asked = self._next(walks)
            if asked is None:
                return
            level, wanted = asked
            status = self._decide(wanted, level, effort)
            walks[wanted.parts].take(status, level)

    def _next(self, walks: dict[int, _Walk]) -> tuple[int, Window] | None:
        """Return the level and the window to decide about; None if all were missed."""
        counts = self._piece.counts
        for low, parts in counts.open_levels:
            walk = walks.setdefault(parts, _Walk())
            high = min(self._piece.cost - 1, counts.most_level(parts))
            level = walk.level(low, high)
            wanted = None if level is None else counts.window(parts, level)
            if level is not None and wanted is not None:
                return level, wanted
        return None

    def improve(self, effort: int, rounds: int) -> None:
        """Search locally, on every worker with other random numbers."""
        budget, piece = self._search.budget, self._piece
        share = _SHARES_OF_SEARCH[min(effort, 1)]
        if piece.component.n > _SOME:
            share = _SHARE_OF_SOME if piece.component.n <= _MANY else _SHARE_OF_MANY
        labels = piece.labels

        def run(worker: int, race: Budget) -> None:
            def offer(found: IntArray) -> None:
                self._pieces.offer(piece, groups_of(found), "local search")
                if self._done:
                    race.stop.set()

            seed = budget.seed + effort * budget.workers + worker
            improve(
                piece.component,
                self._search.instance.k,
                replace(race, seed=seed),
                rounds,
                offer,
                self._pieces.bound,
                labels,
                piece.counts.level,
            )

        runs = [partial(run, worker) for worker in range(budget.workers)]
        together(runs, budget.share(share))

    def _decide(self, wanted: Window, level: int, effort: int) -> Status:
        """Decide about the window of a level below the cost."""
        piece = self._piece
        more = piece.counts.level(wanted.parts + 1)
        decision = decide(
            piece.component,
            wanted,
            self._part(effort),
            self._search.instance.k if more is None or more > level else None,
        )
        if decision.found is not None:
            self._pieces.offer(piece, decision.found, decision.by)
        elif decision.status is Status.INFEASIBLE:
            self._pieces.refute(piece, wanted, level, decision.by)
        return decision.status

    def _part(self, effort: int) -> Budget:
        """Return the budget of a decision."""
        budget = self._search.budget
        if budget.remaining == float("inf"):
            return budget.slice(_SECONDS_UNLIMITED * _MORE**effort)
        part = max(_SHARE * budget.remaining, _SECONDS)
        return budget.slice(min(_SECONDS * _MORE**effort, part))
