"""Connected partition: the automatic choice of methods.

1. What needs no search: a component that weighs less than k, and the counting bound.
   The trees of [Du09] give a first solution.
2. Every component is reduced, and bounded by completions and heavy parts.
3. A local search, which mostly meets the bound.
4. The walk over numbers of parts: all windows of a level are refuted, and the bound is
   above; or one is not, and the solution is better. Levels go up from the bound, in
   steps that grow while they are refuted; where that does not get on, the level just
   below the cost is asked for.

Turn by turn what stays open is asked with more effort, and the local search gets other
random numbers and more rounds. Components are independent, and those that cannot
change the cost of the map are left alone; see :mod:`atleastk.solvers.maps.pieces`.

Same seed, one worker and no time limit: same answer, unless a decision takes long.

References
----------
[Du09] as in :mod:`atleastk.instances.connected_partition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import counting_bound
from atleastk.models.status import Status
from atleastk.solvers.approximations.connected_partition import balanced_cut
from atleastk.solvers.budget import Budget
from atleastk.solvers.maps.bounds import completion, part_counts
from atleastk.solvers.maps.component import Component, components_of
from atleastk.solvers.maps.deciding import decide
from atleastk.solvers.maps.local_search import improve
from atleastk.solvers.maps.pieces import Piece, Pieces, groups_of
from atleastk.solvers.maps.reduction import reduced
from atleastk.solvers.search import Search

__all__ = ["solve"]

IntArray = NDArray[np.int64]

_COUNT: Final = {"kind": "count"}

_SECONDS: Final = 2.0
_SECONDS_UNLIMITED: Final = 20.0
_MORE: Final = 4
"""A decision gets so many seconds, and in every turn so many times more."""

_ROUNDS: Final = 200_000
"""Of the local search in the first turn, and in every turn so many times more."""

_SHARE_OF_SEARCH: Final = 0.2
"""Of the time that is left, for the local search of a turn at most."""

_SHARE: Final = 1 / 3
"""Of the time that is left, for one decision at most."""


def solve(search: Search[ConnectedPartition]) -> None:
    """Partition a map at the least cost, as far as the budget goes."""
    instance, k = search.instance, search.instance.k
    components = components_of(instance)
    if not components:
        search.offer([], "no nodes")
        search.raise_bound(0, "no nodes")
    elif any(component.total < k for component in components):
        search.close_infeasible("count", _COUNT)
    else:
        bounds = (counting_bound(c.weights.tolist(), k) for c in components)
        search.raise_bound(max(bounds), "count", _COUNT)
        pieces = _begin(search, components)
        pieces.report("reduction")
        _bound(search, pieces)
        _take_turns(search, pieces)


def _begin(
    search: Search[ConnectedPartition], components: Sequence[Component]
) -> Pieces:
    """Reduce the components; offer the solution of a tree."""
    instance = search.instance
    solution = balanced_cut(instance, search.budget.seed)
    search.offer(solution, "balanced cut")
    part_of = {node: i for i, group in enumerate(solution.groups) for node in group}
    pieces = []
    for component in components:
        small = reduced(component, instance.k)
        labels = [part_of[own[0]] for own in small.members]
        pieces.append(Piece(small, instance.k, groups_of(labels)))
    return Pieces(search, pieces)


def _bound(search: Search[ConnectedPartition], pieces: Pieces) -> None:
    """Raise the bounds of the components that matter, those of least bound last."""
    for piece in pieces.to_do():
        if search.done:
            return
        if piece.cost > pieces.bound:
            k, component = search.instance.k, piece.component
            known = completion(component, k, piece.cost, search.budget)
            counts = part_counts(component, k, known, piece.cost)
            pieces.narrow(piece, counts, "completion")


def _take_turns(search: Search[ConnectedPartition], pieces: Pieces) -> None:
    """Work on what is between bound and cost, with more and more effort."""
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
        """Search locally, then decide about levels from the bound up."""
        self._improve(effort)
        stride, from_below = 0, True
        while not self._done:
            low, high = self._pieces.bound, self._piece.cost - 1
            level = min(high, low + stride) if from_below else high
            status = self._decide(level, effort)
            if status is Status.INFEASIBLE:
                stride = 2 * stride + 1
            elif status is Status.FEASIBLE or stride > 0:
                stride = 0
            elif from_below and level < high:
                from_below = False
            else:
                return

    def _improve(self, effort: int) -> None:
        """Search locally, on every worker with other random numbers."""
        budget, piece = self._search.budget, self._piece
        race = budget.slice(_SHARE_OF_SEARCH * budget.remaining).apart()
        labels = piece.labels

        def offer(found: IntArray) -> None:
            self._pieces.offer(piece, groups_of(found), "local search")
            if self._done:
                race.stop.set()

        def run(worker: int) -> None:
            seed = budget.seed + effort * budget.workers + worker
            improve(
                piece.component,
                self._search.instance.k,
                replace(race, seed=seed),
                _ROUNDS * _MORE**effort,
                offer,
                self._pieces.bound,
                labels,
                piece.counts.level,
            )

        with budget.calling(race.stop.set):
            if budget.workers == 1:
                run(0)
            else:
                with ThreadPoolExecutor(budget.workers) as pool:
                    for _ in pool.map(run, range(budget.workers)):
                        pass

    def _decide(self, level: int, effort: int) -> Status:
        """Decide about a level below the cost, window by window."""
        piece, undecided = self._piece, False
        for window in list(piece.counts.open_windows(level)):
            if self._done or level >= piece.cost:
                break
            more = piece.counts.level(window.parts + 1)
            decision, source = decide(
                piece.component,
                window,
                self._part(effort),
                self._search.instance.k if more is None or more > level else None,
            )
            if decision.found is not None:
                self._pieces.offer(piece, decision.found, source)
                return Status.FEASIBLE
            if decision.status is Status.INFEASIBLE:
                self._pieces.refute(piece, window, level, source)
            else:
                undecided = True
        return Status.UNKNOWN if undecided else Status.INFEASIBLE

    def _part(self, effort: int) -> Budget:
        """Return the budget of a decision."""
        budget = self._search.budget
        limited = budget.remaining < float("inf")
        seconds = (_SECONDS if limited else _SECONDS_UNLIMITED) * _MORE**effort
        return budget.slice(min(seconds, _SHARE * budget.remaining))
