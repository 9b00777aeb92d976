"""Connected partition: the automatic choice of methods; `STAGES`, at the end, lists it.

Whether there are p parts within a level is monotone in the level, so that far levels
are decided first: just below the cost, where a refutation excludes p and a solution is
better, then nearer to the least open level. The p whose level is the bound goes first.
Components are independent, and those that cannot change the cost of the map are left
alone; see :mod:`atleastk.solvers.connected_partition.pieces`.

Several workers halve, search locally and repair regions each with other random numbers,
and what comes first is taken by all; methods that decide about a window run side by
side. What comes at once and bounds take one. Components are worked on in turn.

Same seed, one worker and no time limit: same answer, unless a decision takes long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Final

import numpy as np

from atleastk.arrays import IntArray, distinct_places
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.certificates.connected_partition import COUNT
from atleastk.models.results.solution import labels_of
from atleastk.models.results.status import Status
from atleastk.models.windows import Window, least_level, window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.algorithms.catalogue import balanced_cut
from atleastk.solvers.connected_partition.annealing import Annealer
from atleastk.solvers.connected_partition.bounds import completion, part_counts
from atleastk.solvers.connected_partition.component import (
    Component,
    components_of,
    searched_of,
)
from atleastk.solvers.connected_partition.decide import are_large, decide
from atleastk.solvers.connected_partition.first import first_answers
from atleastk.solvers.connected_partition.halving import decide_by_halving, enough
from atleastk.solvers.connected_partition.local_search import improve
from atleastk.solvers.connected_partition.pieces import Piece, Pieces
from atleastk.solvers.connected_partition.reduction import reduced
from atleastk.solvers.connected_partition.regions import repaired
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.levels import Descent
from atleastk.solvers.engine.race import first_decided, together
from atleastk.solvers.engine.stages import MORE, Stage, Stages, always, run_stages
from atleastk.solvers.search import Search

_SOON_SEARCHED: Final = 60
"""Nodes up to which a short search is as good as the trees: measured on 24 maps."""

_FIRST_ROUNDS: Final = 5_000
"""Rounds of that local search: 0.02 s."""

_SLOWLY_PROVED: Final = 300
"""Nodes above which the local search finds more than decisions."""

_SELDOM_PROVED: Final = 5_000
"""Nodes above which parts that grow are quicker than trees, and proofs are rare."""

_NEVER_PROVED: Final = 200_000
"""Nodes above which completions and decisions reach too few: not tuned."""

_SECONDS: Final = 2.0
"""Seconds of a decision in the first turn, with a time limit."""

_SECONDS_UNLIMITED: Final = 5 * _SECONDS
"""The same without a time limit."""

_ROUNDS: Final = 200_000
"""Rounds of the local search in the first turn; every turn takes more."""

_DRAWN: Final = 20_000_000
"""The most nodes of trees for a level of halving in the first turn; not tuned."""

_TRY: Final = 1 / 2
"""The share of the time left for one level of halving: not tuned."""

_REGIONS: Final = 200
"""Nodes above which a map is repaired by region: below, it is hardly more than one."""

_ATTEMPTS: Final = 4
"""Annealed divisions that are repaired in the first turn; not tuned."""

_MISSES: Final = 6
"""Regions of a division in a row that may have no such parts; not tuned."""

_MOST_OF_A_DECISION: Final = 1 / 2
"""The greatest share of the time left for one decision, unless that is too little."""


def solve(search: Search[ConnectedPartition]) -> None:
    """Partition a map at the least cost, as far as the budget goes."""
    run_stages(search, STAGES, _Map(search))


class _Map:
    """The work on all components.

    Attributes
    ----------
    pieces
        The components, with a solution each.
    """

    def __init__(self, search: Search[ConnectedPartition]) -> None:
        self.search = search
        self.instance = search.instance
        self.pieces = Pieces(search, [])

    def begin(self, _: Budget) -> None:
        """Offer parts that grow, bound by counting, and reduce the components."""
        search, k = self.search, self.instance.k
        offer_first(search, first_answers(self.instance))
        whole = searched_of(self.instance)
        searched = whole.above is not None
        components = whole.trees() if searched else components_of(self.instance)
        if not components:
            search.offer([], "no nodes")
            search.raise_bound(0, "no nodes")
        elif any(component.total < k for component in components):
            search.close_infeasible("count", COUNT)
        else:
            bounds = (least_level(c.total, k, c.heaviest) for c in components)
            search.raise_bound(max(bounds), "count", COUNT)
            self.pieces = _reduced(search, components)
            self.pieces.report("reduction")

    def take_turns(self, _: Budget) -> None:
        """Work on components between bound and cost, with more and more effort."""
        for effort in count():
            if self.search.done or not self.pieces.to_do():
                return
            self.work_on(TURN, effort, _ROUNDS * MORE**effort)

    def work_on(
        self, stages: Stages[_Work], effort: int = 0, rounds: int = _FIRST_ROUNDS
    ) -> None:
        """Run stages for every component that matters, that of least bound last."""
        for piece in self.pieces.to_do():
            work = _Work(self.search, self.pieces, piece, effort, rounds)
            if not work.is_done():
                run_stages(self.search, stages, work, work.is_done)


def _reduced(
    search: Search[ConnectedPartition], components: Sequence[Component]
) -> Pieces:
    """Reduce the components; offer the solution of a tree if that is worth its time."""
    instance = search.instance
    if search.solution is None and instance.n <= _SOON_SEARCHED:
        whole = (component.members.items.tolist() for component in components)
        search.offer(whole, "components")
    solution = search.solution
    if solution is None or _SOON_SEARCHED < instance.n <= _SELDOM_PROVED:
        solution = balanced_cut(instance, search.budget.seed)
        search.offer(solution, "balanced cut")
    part_of = labels_of(solution.groups, instance.n)
    pieces = []
    for component in components:
        small = reduced(component, instance.k)
        own = distinct_places(part_of[small.firsts])[1]  # from 0, however many parts
        pieces.append(Piece(small, instance.k, own))
    return Pieces(search, pieces)


@dataclass(frozen=True)
class _Work:
    """The work on one component."""

    _search: Search[ConnectedPartition]
    _pieces: Pieces
    _piece: Piece
    effort: int  # the number of the turn, from 0
    rounds: int  # those of the local search

    def is_done(self) -> bool:
        """Return whether nothing is left to do for this component."""
        return self._search.done or self._piece.cost <= self._pieces.bound

    @property
    def n(self) -> int:
        """The nodes of the component."""
        return self._piece.component.n

    def bound(self, part: Budget) -> None:
        """Raise the bound by completions and heavy parts."""
        k, piece = self._search.instance.k, self._piece
        known = completion(piece.component, k, piece.cost, part)
        counts = part_counts(piece.component, k, known, piece.cost)
        self._pieces.narrow(piece, counts, "completion")

    def decide(self, _: Budget) -> None:
        """Decide about levels of all numbers of parts."""
        walks: dict[int, Descent] = {}
        while not self.is_done():
            asked = self._next(walks)
            if asked is None:
                return
            level, wanted = asked
            status = self._decide(wanted, level)
            walks[wanted.parts].take(level, status)

    def _next(self, walks: dict[int, Descent]) -> tuple[int, Window] | None:
        """Return the level and the window to decide about; None if all were missed."""
        counts = self._piece.counts
        for low, parts in counts.open_levels():
            walk = walks.setdefault(parts, Descent())
            end = min(self._piece.cost, counts.most_level(parts) + 1)
            place = walk.next(range(low, end))
            wanted = None if place is None else counts.window(parts, low + place)
            if place is not None and wanted is not None:
                return low + place, wanted
        return None

    def halve(self, part: Budget) -> None:
        """Look for parts by halves at the least open level, else by bisection above.

        It ends after two levels without any in the first turn, one more in each turn.
        """
        part = self._before_the_end_of(part)
        piece, misses = self._piece, 0
        missed: Window | None = None  # levels may have the same window
        drawn = min(_DRAWN, enough(self.n)) * MORE**self.effort
        level = low = max(self._pieces.bound, piece.counts.bound or 0)
        while level < piece.cost and misses < 2 + self.effort and not part.spent:
            wanted = self._roomiest(level)
            if wanted is None or wanted == missed:
                low = level + 1
            else:
                run = partial(self._halved, wanted, drawn)
                runs = [partial(run, worker) for worker in range(part.workers)]
                found = first_decided(runs, part.share(_TRY)).found
                if found is None:
                    low, missed, misses = level + 1, wanted, misses + 1
                else:
                    self._pieces.offer(piece, labels_of(found, self.n), "halves")
            level = (low + piece.cost) // 2

    def _halved(
        self, wanted: Window, drawn: int, worker: int, part: Budget
    ) -> Decision[list[list[int]]]:
        seed = part.seed + self.effort * self._search.budget.workers + worker
        component, own = self._piece.component, replace(part, seed=seed)
        return decide_by_halving(component, wanted, own, drawn)

    def improve(self, budget: Budget) -> None:
        """Search locally, on every worker with other random numbers."""
        budget = self._before_the_end_of(budget)
        piece = self._piece
        labels, levels = piece.labels, piece.counts.least_levels(self._pieces.bound)
        k = self._search.instance.k

        def run(worker: int, race: Budget) -> None:
            def offer(found: IntArray) -> None:
                self._pieces.offer(piece, found, "local search")
                if self.is_done():
                    race.stop.set()

            seed = budget.seed + self.effort * budget.workers + worker
            own, component = replace(race, seed=seed), piece.component
            improve(component, k, own, self.rounds, offer, levels, labels)

        runs = [partial(run, worker) for worker in range(budget.workers)]
        together(runs, budget)

    @property
    def has_large_parts(self) -> bool:
        """Whether parts have too many nodes for lists of all connected sets."""
        component = self._piece.component
        most = component.total // self._search.instance.k
        return self.n > _SOON_SEARCHED and are_large(most, component)

    @property
    def has_regions(self) -> bool:
        """Whether parts are small, so that regions of many parts can be decided."""
        return _REGIONS < self.n <= _SELDOM_PROVED and not self.has_large_parts

    def repair(self, part: Budget) -> None:
        """Repair annealed divisions by region, with other random numbers per worker."""
        part = self._before_the_end_of(part)
        runs = [partial(self._repair, worker) for worker in range(part.workers)]
        together(runs, part)

    def _repair(self, worker: int, part: Budget) -> None:
        """Go half-way down to the least level; one down after a miss."""
        piece, k, left = self._piece, self._search.instance.k, 0
        rng = np.random.default_rng((part.seed, self.effort, worker))
        labels = piece.labels
        with part.flagging() as flag:
            annealer = Annealer(piece.component, rng, flag)
            for _ in range(_ATTEMPTS * MORE**self.effort):
                wanted = self._roomiest(piece.cost - 1, halfway=not left)
                if wanted is None or flag[0]:
                    return
                start = labels if labels.max() + 1 == wanted.parts else None
                found = annealer.run(wanted, start, k, piece.cost, _ROUNDS)
                labels, left = repaired(
                    piece.component, wanted, found.labels, _MISSES, rng, part
                )
                better = found.better if left else labels
                if better is not None:
                    self._pieces.offer(piece, better, "regions")
                if self.is_done():
                    part.stop.set()

    def _roomiest(self, level: int, *, halfway: bool = False) -> Window | None:
        """Return the window with the most room at a level.

        Or of the same number of parts, half-way down to its least open level.
        """
        component, k = self._piece.component, self._search.instance.k
        numbers, levels = self._piece.counts.least_levels(self._pieces.bound)
        total = float(component.total)
        numbers, levels = numbers[levels <= level], levels[levels <= level]
        if not len(numbers):
            return None
        room = np.minimum(total - numbers * k, numbers * float(level) - total)
        best = int(room.argmax())
        level -= (level - int(levels[best])) // 2 if halfway else 0
        return window(component.total, k, int(numbers[best]), level)

    def _before_the_end_of(self, part: Budget) -> Budget:
        """Return a budget that leaves time for checking what is found at its end."""
        return part.slice(part.remaining - self._search.checking)

    def _decide(self, wanted: Window, level: int) -> Status:
        """Decide about the window of a level below the cost."""
        piece = self._piece
        more = piece.counts.level(wanted.parts + 1)
        decision = decide(
            piece.component,
            wanted,
            self._part(),
            self._search.instance.k if more is None or more > level else None,
        )
        if decision.found is not None:
            found = labels_of(decision.found, self.n)
            self._pieces.offer(piece, found, decision.by)
        elif decision.status is Status.INFEASIBLE:
            self._pieces.refute(piece, wanted, level, decision.by)
        return decision.status

    def _part(self) -> Budget:
        """Return the budget of a decision, with other random numbers in every turn."""
        budget = self._search.budget
        budget = replace(budget, seed=budget.seed + self.effort)
        if budget.endless:
            return budget.slice(_SECONDS_UNLIMITED * MORE**self.effort)
        part = max(_MOST_OF_A_DECISION * budget.remaining, _SECONDS)
        return budget.slice(min(_SECONDS * MORE**self.effort, part))


STAGES: Final[Stages[_Map]] = (
    Stage("at once", always, None, _Map.begin),
    Stage(
        "short search",
        lambda m: m.instance.n <= _SOON_SEARCHED,
        None,
        lambda m, _: m.work_on(SHORT),
    ),
    Stage("bounds", always, None, lambda m, _: m.work_on(BOUND)),
    Stage("turns", always, None, _Map.take_turns),
)
"""What is done for a map of more than a few nodes."""

SHORT: Final[Stages[_Work]] = (Stage("local search", always, 0.2, _Work.improve),)
"""What is done for a component before its bounds."""


BOUND: Final[Stages[_Work]] = (
    Stage(
        "halves",
        lambda w: w.n > _SLOWLY_PROVED and w.has_large_parts,
        lambda w: 0.2 if w.n > _NEVER_PROVED else 0.4,
        _Work.halve,
    ),
    Stage(
        "completion",
        lambda w: w.n <= _NEVER_PROVED,  # they reach few of more nodes
        lambda w: 0.1 if w.n > _SELDOM_PROVED else None,
        _Work.bound,
    ),
)
"""What bounds a component, after a quick improvement of a large one."""


def _share_of_local_search(work: _Work) -> float | None:
    """Return the share of the local search, the less the more proofs there are."""
    if work.n > _NEVER_PROVED:
        return None
    if work.n > _SLOWLY_PROVED:
        return 0.8 if work.n > _SELDOM_PROVED else 0.5
    return 0.1 if work.n <= _SOON_SEARCHED and work.effort else 0.3


TURN: Final[Stages[_Work]] = (
    Stage("halves", lambda w: w.has_large_parts, 0.3, _Work.halve),
    Stage("local search", always, _share_of_local_search, _Work.improve),
    Stage("regions", lambda w: w.has_regions, 0.6, _Work.repair),
    Stage("decisions", always, None, _Work.decide),
)
"""A turn for one component: four times the effort of the last. Shares are not tuned."""
