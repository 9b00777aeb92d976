"""Rounds of growing effort: what improves a table and closes its gap, stage by stage.

A round anneals, raises the bound by dual ascent, rearranges sub-tables and, if the gap
is small enough, closes it by reduced cost fixing. The first round takes a few seconds
and each takes three times as long as the one before, whatever the limit: so what is
quick comes soon, every stage has its turn, and up to its end a run does what a longer
one does. Rounds improve the best solution and continue the same ascent, whose share
goes to the others when it has ended. The last round takes what time is left.

Tables of few pairs are annealed briefly and closed before that. Closing ends when
neither solution nor bound has improved for a while, which grows with the rounds.

Without a time limit there is one round, whose stages end by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, isinf
from typing import Final

import numpy as np

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import together
from atleastk.solvers.search import Search
from atleastk.solvers.tables.annealing import EFFORT
from atleastk.solvers.tables.annealing import improve as anneal
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.direct import direct
from atleastk.solvers.tables.dual_ascent import Ascent
from atleastk.solvers.tables.greedy_cover import PatternIndex, greedy_start
from atleastk.solvers.tables.multipliers import Multipliers
from atleastk.solvers.tables.reduced_cost_fixing import close_gap, lp_bound
from atleastk.solvers.tables.reporting import Reporter, offer
from atleastk.solvers.tables.sub_tables import reoptimise
from atleastk.solvers.tables.weights import certificate_of

_FIRST: Final = 3.0
"""Seconds of the first round."""

_GROWTH: Final = 3.0
"""How many times as long as the one before every round is: 2 anneals too shortly."""

_LAST: Final = 1.5
"""What is left becomes one round if it is shorter than this many rounds: not tuned."""

_SHARES: Final = {True: (0.15, 0.45, 0.4), False: (0.7, 0.2, 0.1)}
"""Of a round, for annealing, ascent and sub-tables, for k = 2 and for others. Shares
that follow what improved last, and later rounds that begin less hot, end with higher
costs on all of Adult and Letter."""

_EFFORT: Final = {True: 5, False: 100}
"""Moves per row without a limit of time, for k = 2 and for others."""

_BRIEF: Final = 1.5
"""Seconds of annealing before tables of few pairs are closed: not tuned."""

_BRIEF_SHARE: Final = 0.1
"""The share of a short limit that this takes at most: not tuned."""

_BRIEF_MOVES: Final = 2_000_000
"""Moves of that without a time limit: not tuned."""

_MOST_REARRANGED: Final = 500_000
"""Rows; of larger tables sub-tables would cover next to nothing."""

_VERY_FEW_PAIRS: Final = 10_000
"""Tables of no more pairs are closed at any gap, however long that takes."""

_FEW_PAIRS: Final = 600_000
"""Tables of no more pairs are closed at a gap at which others are improved."""

_SMALL_GAP: Final = 30
_SMALL_SHARE: Final = 0.005
_SMALL_SHARE_OF_FEW: Final = 0.02
"""A gap is small if it has at most this many cells, or this share of the cost, for
tables of many and of few pairs."""

_PATIENCE: Final = 2.0
"""Closing ends when nothing has improved for this many times the last round ..."""

_LEAST_PATIENCE: Final = 30.0
"""... but not before this many seconds if the gap is small for tables of any size."""


def lengths(remaining: Callable[[], float]) -> Iterator[float]:
    """Yield the seconds of every round, until none remain."""
    seconds = _FIRST
    while (left := remaining()) > 0.0:
        yield left if left < _LAST * seconds or isinf(left) else seconds
        seconds *= _GROWTH


class Rounds:
    """The stages, and what one round hands on to the next."""

    def __init__(self, search: Search[KAnonymity], patterns: Patterns) -> None:
        self._search, self._patterns = search, patterns
        self._two = search.instance.k == 2
        self._best: Assignment | None = None
        self._ascent: Ascent | None = None
        self._proved: Multipliers | None = None

    def run(self) -> None:
        """Run rounds until the search is done; a single one without a time limit."""
        search = self._search
        if self._patterns.pairs <= _FEW_PAIRS:
            self.anneal_briefly()
            self.ascend(self._within(_FIRST))
            self._close_if_promising(_FIRST)
        for number, seconds in enumerate(lengths(lambda: search.budget.remaining)):
            if search.done:
                return
            self._improve(search.budget.slice(seconds), number)
            self._close_if_promising(seconds)
            if isinf(search.budget.remaining):
                return

    def anneal_briefly(self) -> None:
        """Anneal for a short while; without a time limit, for a number of moves."""
        effort = min(EFFORT, max(1, _BRIEF_MOVES // self._search.instance.n))
        seconds = min(_BRIEF, _BRIEF_SHARE * self._search.budget.remaining)
        self._anneal(self._within(seconds), effort)

    def _improve(self, budget: Budget, number: int) -> None:
        """Anneal, ascend and rearrange sub-tables, within shares of a round."""
        search, whole = self._search, budget.remaining
        annealing, ascent, _ = _SHARES[self._two]
        effort = EFFORT
        if self._ascent is not None and self._ascent.over:
            annealing, ascent = annealing / (1.0 - ascent), 0.0
        if isinf(whole):
            annealing, ascent, effort = 1.0, 1.0, _EFFORT[self._two]
        budget = replace(budget, seed=budget.seed + number)

        def annealed(part: Budget) -> None:
            self._anneal(part, effort)

        if budget.workers > 1 and ascent:
            part = budget.slice((annealing + ascent) * whole)
            together((annealed, self.ascend), part)
        else:
            annealed(budget.slice(annealing * whole))
            if ascent:
                self.ascend(budget.slice(ascent * whole))
        if not search.done and search.instance.n <= _MOST_REARRANGED:
            self._rearrange(budget)

    def _anneal(self, budget: Budget, effort: int) -> None:
        """Anneal the best solution until the budget is spent."""
        instance, reporter = self._search.instance, Reporter(self._search, "annealing")
        if self._best is None:
            self._offer_covers(reporter)
        self._best = anneal(
            self._patterns,
            instance.records,
            instance.k,
            reporter.sparing(budget),
            self._current(),
            on_better=reporter.take,
            effort=effort,
        )
        reporter.finish()

    def ascend(self, budget: Budget) -> None:
        """Raise the bound by multipliers, and certify the last of them."""
        search, source = self._search, "multipliers"
        records, k = search.instance.records, search.instance.k
        if self._ascent is None:
            self._ascent = Ascent(self._patterns, records, k)
        before = self._ascent.total
        self._ascent.climb(
            budget, lambda found: search.raise_bound(found.bound, source)
        )
        whole = self._patterns.reach >= search.instance.m
        if self._ascent.total > before and whole and is_checkable(search.instance):
            best = self._ascent.best()
            proof = certificate_of(self._patterns, records, k, best, best.bound)
            search.raise_bound(best.bound, source, proof)

    def _rearrange(self, budget: Budget) -> None:
        instance, reporter = self._search.instance, Reporter(self._search, "sub-tables")
        assert self._ascent is not None
        self._best = reoptimise(
            self._patterns,
            instance.records,
            instance.k,
            self._current(),
            self._ascent.best(),
            reporter.sparing(budget),
            on_better=reporter.take,
        )
        reporter.finish()

    def _current(self) -> Assignment:
        search = self._search
        records = search.instance.records
        if self._best is None or self._best.cost(records) != search.cost:
            assert search.solution is not None
            self._best = Assignment.of_groups(records, search.solution.groups)
        return self._best

    def _offer_covers(self, reporter: Reporter) -> None:
        """Offer two greedy covers by patterns.

        The search has a solution already, from its user or from near rows. APPROX-DR
        takes patterns of equally many stars in another order than the greedy cover.
        """
        records, k = self._search.instance.records, self._search.instance.k
        reporter.take(greedy_start(PatternIndex.of(self._patterns, records, k)))
        group_of = np.empty(records.n, dtype=np.int64)
        group_of[records.rows] = direct(records, self._patterns, k)
        reporter.take(Assignment.of_rows(records, group_of))
        reporter.finish()

    def _within(self, seconds: float) -> Budget:
        """Return a part of the budget, all of it if it has no limit of time."""
        budget = self._search.budget
        return budget if isinf(budget.remaining) else budget.slice(seconds)

    def _close_if_promising(self, seconds: float) -> None:
        """Close the gap if it is small enough, after a round of some seconds."""
        search, pairs = self._search, self._patterns.pairs
        if search.done or self._patterns.reach < search.instance.m:
            return
        unlimited = isinf(search.budget.remaining)
        cost, left = search.cost or 0, (search.cost or 0) - (search.bound or 0)
        small = left <= max(_SMALL_GAP, _SMALL_SHARE * cost)
        of_few = pairs <= _FEW_PAIRS and left <= _SMALL_SHARE_OF_FEW * cost
        if pairs <= (_FEW_PAIRS if unlimited else _VERY_FEW_PAIRS):
            self._close(search.budget)
        elif (small or of_few) and not search.done:
            began = search.seconds
            patience = max(_PATIENCE * seconds, _LEAST_PATIENCE if small else 0.0)
            patience = inf if unlimited else patience

            def fruitless() -> bool:
                moved = max(began, search.events[-1].seconds)
                return search.seconds - moved > patience

            together([self._close], search.budget, fruitless)

    def _close(self, budget: Budget) -> None:
        """List what solutions below the best cost may use, and minimise over that."""
        search, patterns = self._search, self._patterns
        records, k = search.instance.records, search.instance.k

        def proved(bound: int) -> None:
            search.raise_bound(bound, "closing")

        assert self._ascent is not None
        if self._proved is None:
            start = self._ascent.best()
            self._proved = lp_bound(patterns, records, k, budget, start, proved)
        close_gap(
            patterns,
            records,
            k,
            self._current(),
            budget,
            on_assignment=lambda found: offer(search, found, "closing"),
            on_bound=proved,
            multipliers=self._proved,
            bound=search.bound or 0,
        )
