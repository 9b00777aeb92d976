"""Bin covering: the automatic choice of methods; `STAGES`, at the end, lists it.

For the objective ``max`` every round takes several times the effort of the last, on the
numbers of bins whose least level not refuted is lowest
(:mod:`~atleastk.solvers.engine.part_counts`). Which stage solves an instance depends on
the number of items per bin and on the size of the numbers; none wins everywhere.
Workers share completion, rearranging and CP-SAT.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from itertools import islice
from math import inf
from typing import Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.bin_covering import (
    counting_cost,
    most_bins,
    reach_bound,
    window,
)
from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.bin_covering.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.bin_covering.algorithms.longest_first import Placed, gallop
from atleastk.solvers.bin_covering.bin_completion import MOST_ITEMS as COMPLETABLE
from atleastk.solvers.bin_covering.bin_completion import Bins
from atleastk.solvers.bin_covering.certify import LevelRefuter
from atleastk.solvers.bin_covering.decisions import (
    by_completion,
    by_patterns,
    cover_by_patterns,
)
from atleastk.solvers.bin_covering.evening import placed_evenly
from atleastk.solvers.bin_covering.first import (
    begin,
    first_answers,
    part_counts,
)
from atleastk.solvers.bin_covering.local_search import (
    MOST_A_BIN,
    MOST_SPLIT,
    best_with,
    rearrange,
    settle,
)
from atleastk.solvers.bin_covering.squares import NODES, ROUNDS, solve_squares
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.rows import WORD
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.first_answers import offer_first, offer_shipped
from atleastk.solvers.engine.levels import Walk
from atleastk.solvers.engine.stages import Stage, Stages, always, run_stages
from atleastk.solvers.search import Search

_FEW_ITEMS = 32
"""Items of which completion mostly finds the best bins sooner than local search:
measured on 21 instances of 16 to 40 items."""
_SIXTEENTHS = 16
"""The parts that a range of levels is divided into, to search locally at some."""
_LISTED = 200_000
"""Bins that completion lists at effort 0, four times as many with each further effort,
at most 40 times; and 10 times as many where the number of bins is sought."""


def solve(search: Search[BinCovering]) -> None:
    """Solve an instance as well as the budget allows."""
    run_stages(search, STAGES, search)


def _count(search: Search[BinCovering], _: Budget) -> None:
    """Bound the cost by counting, and offer first answers if the run had none."""
    if begin(search, "counting"):
        offer_first(search, first_answers(search.instance))
        bound = counting_cost(search.instance) or 0
        search.raise_bound(bound, "counting", {"kind": "counting"})


def _minimises(objective: str) -> Callable[[Search[BinCovering]], bool]:
    return lambda search: search.instance.objective == objective


def _can_even_out(search: Search[BinCovering]) -> bool:
    return search.instance.n > _FEW_ITEMS and search.instance.total < WORD


def _even_out(search: Search[BinCovering], _: Budget) -> None:
    """Even out bins placed longest first: the most bins that reach k that way.

    Of many bins a few less are an answer before that, as soon as all reach k.
    """
    instance = search.instance

    def attempt(bins: int, *, soon: bool = False) -> Placed | None:
        if search.done:
            return None
        enough = instance.k if soon else None
        found = placed_evenly(instance.amounts, bins, search.budget, enough)
        if found.levels.min() < instance.k:
            return None
        search.offer(found.bins(), "even bins")
        return found

    most = most_bins(instance)
    # Evening out more items takes over a second: a bin in 10,000 is left out at first.
    fewer = most - most // 10_000
    least = counting_cost(instance, fewer) or 0
    if instance.n > 100_000 and least < (search.cost or 0):
        attempt(fewer, soon=True)
    gallop(most, attempt)


class _Rounds:
    """The rounds for the objective ``max``.

    Attributes
    ----------
    effort
        The number of the round, from 0.
    bins
        The number of bins that is worked on.
    """

    def __init__(self, search: Search[BinCovering]) -> None:
        self.search = search
        self.instance = search.instance
        self.counts = part_counts(search)
        self.effort = self.bins = 0

    @cached_property
    def refuter(self) -> LevelRefuter:
        """Refutes levels by weights, and remembers them."""
        return LevelRefuter(self.instance)

    def attack_each(self, _: Budget) -> None:
        for _level, bins in [*islice(self.counts.open_levels(), 1 + self.effort)]:
            self.bins = bins
            if not self._decided:
                run_stages(self.search, NUMBER, self, lambda: self._decided)

    def reach(self, _: Budget) -> None:
        """Raise the bound by what the heaviest items reach with others."""
        reached = reach_bound(self.instance)
        if reached is not None:
            level, item = reached
            self.search.raise_bound(level, "reach", {"kind": "reach", "item": item})
            self.counts.raise_floor(level)
            self._report("reach")

    @property
    def _cost(self) -> int:
        """The best cost found; the search begins with all items in one bin."""
        return self.search.cost or 0

    @property
    def _levels(self) -> range:
        """The levels that are open for this many bins and differ for them."""
        high = min(self._cost, self.counts.most_level(self.bins) + 1)
        low = self.counts.level(self.bins)
        return range(high if low is None else low, high)

    def _report(self, source: str) -> None:
        """Report the bound that follows from all solutions and refutations."""
        self.counts.cap(self._cost)
        bound = self.counts.bound
        self.search.raise_bound(self._cost if bound is None else bound, source)

    def _take(self, asked: Window, decision: Decision[Bins]) -> Status:
        """Record a decision and return its status."""
        if decision.found is not None:
            self.search.offer(decision.found, decision.by)
        elif decision.status is Status.INFEASIBLE:
            self.counts.refute(asked.parts, asked.most)
            self.search.refuted(decision.by)
        self._report(decision.by)
        return decision.status

    def weigh_all(self, _: Budget) -> None:
        """Bisect to the least level that weights leave open for some number of bins."""
        part = self._slice(self.effort)
        failed = self._cost
        while not part.spent and not self.search.done:
            low = self.search.bound or 0
            level = (low + failed - 1) // 2
            if level < low:
                break
            if self.refuter.excludes(level, part):
                self.counts.raise_floor(level + 1)
                self._report("weights")
                self._certify()
            else:
                failed = level
        for bins, level in self.refuter.refuted.items():
            self.counts.refute(bins, level)
        self._report("weights")

    def cover_any(self, _: Budget) -> None:
        """Decide the bound itself by patterns, for all numbers of bins at once."""
        part = self._slice(self.effort)
        while not part.spent and not self.search.done:
            level = self.search.bound or 0
            if len([*self.counts.open_windows(level)]) < 2:
                return
            groups = BinGroups.any_number(self.instance, level)
            decision = cover_by_patterns(CpSat(), groups, part)
            if decision.found is not None:
                self.search.offer(decision.found, "patterns-cp-sat")
            elif decision.status is Status.INFEASIBLE:
                self.counts.raise_floor(level + 1)
            else:
                return
            self._report("patterns-cp-sat")

    @property
    def _decided(self) -> bool:
        return self.search.done or self.counts.level(self.bins) is None

    def _slice(self, effort: int) -> Budget:
        return self.search.budget.slice(0.25 * 2**effort)  # seconds

    def improve(self, _: Budget) -> None:
        """Search locally at the bound, then above it, then down from the best cost."""
        part, share = self._slice(min(self.effort, MOST_SPLIT)), 0
        if self.effort > MOST_SPLIT and self._best:
            part = part.slice(0.0)  # what splitting can find has been found
        while not part.spent and not self._decided:
            low, end = self._levels.start, self._levels.stop
            level = min(end - 1, low + (end - low) * share // _SIXTEENTHS)
            asked = window(self.instance, self.bins, level)
            settled = settle(self.search, asked, self.effort, part)
            self._report("counting")
            if settled is None or level == end - 1:
                break
            if not settled:
                share = (_SIXTEENTHS + share + 1) // 2 if share else _SIXTEENTHS // 4
        self._descend(self._slice(self.effort + 2))

    @property
    def _best(self) -> Bins | None:
        """The best solution if it has this many bins, of few items each."""
        few = self.instance.n <= MOST_A_BIN * self.bins
        return best_with(self.search, self.bins) if few else None

    def _descend(self, part: Budget) -> None:
        """Lower the best cost by rearranging, in smaller and smaller steps."""
        best = self._best
        if best is None:
            return
        # The first step down is half the gap.
        share, seed = 2, self.search.budget.seed + self.effort
        while not part.spent and not self._decided:
            cost = self._cost
            step = (cost - self._levels.start) // share
            asked = window(self.instance, self.bins, cost - max(1, step))
            turn = part if step <= 1 else part.share(1 / 4)
            found = rearrange(self.instance.sizes, best, asked, turn, seed=seed)
            if found is not None:
                best = found
                self.search.offer(best, "local search")
                self._report("counting")
            elif step <= 1:
                return
            else:
                share *= 4

    def complete(self, _: Budget) -> None:
        """Bisect by bin completion, above and below levels that take too long."""
        nodes = NODES * 4**self.effort
        most = _LISTED * min(40, 4**self.effort)
        walk = Walk(climbing=False, patience=inf)
        while not self._decided:
            levels = self._levels
            place = walk.next(levels)
            if place is None:
                return
            asked = window(self.instance, self.bins, levels[place])
            decision = by_completion(
                self.instance, asked, self.search.budget, nodes, most
            )
            status = self._take(asked, decision.credited("completion"))
            walk.take(levels[place], status)

    def weigh(self, _: Budget) -> None:
        """Refute levels by weights, ever further from the bound, then by bisection."""
        part = self._slice(self.effort + 1)
        walk, failed = Walk(), self._cost
        while not part.spent and not self._decided:
            levels = range(self._levels.start, min(failed, self._levels.stop))
            place = walk.next(levels)
            if place is None:
                return
            level = levels[place]
            if self.refuter.refutes(self.bins, level, part):
                walk.take(level, Status.INFEASIBLE)
                self.counts.refute(self.bins, level)
                self.search.refuted("weights")
                self._report("weights")
                self._certify()
            else:
                walk.take(level, Status.FEASIBLE)
                failed = level

    def _certify(self) -> None:
        bound = self.search.bound
        if bound is not None and self.refuter.knows(bound - 1):
            certificate = self.refuter.certificate(bound - 1)
            self.search.raise_bound(bound, "weights", certificate)

    def cover(self, _: Budget) -> None:
        """Decide the lowest levels in CP-SAT, by patterns."""
        part = partial(self._slice, self.effort)
        while not self._decided:
            asked = window(self.instance, self.bins, self._levels.start)
            decision = by_patterns(CpSat())(self.instance, asked, part())
            status = self._take(asked, decision.credited("patterns-cp-sat"))
            if status is Status.UNKNOWN:
                return


def _solve_max(search: Search[BinCovering], _: Budget) -> None:
    rounds = _Rounds(search)
    for rounds.effort in range(ROUNDS):
        run_stages(search, ROUND, rounds)
        if search.done:
            return


def _solve_excess(search: Search[BinCovering], _: Budget) -> None:
    """Find the greatest number of bins, from above."""
    instance = search.instance
    refuter = LevelRefuter(instance)
    bins, effort = most_bins(instance), 0
    while not search.done and effort < ROUNDS:
        level = instance.total - (bins - 1) * instance.k
        asked = window(instance, bins, level)
        settle(search, asked, effort, search.budget.slice(2.0**effort))
        if search.done:
            return
        decision = _decide(search, refuter, asked, effort)
        if decision.found is not None:
            search.offer(decision.found, decision.by)
        elif decision.status is Status.INFEASIBLE:
            search.raise_bound(level, decision.by)
            bins -= 1
        else:
            effort += 1


def _decide(
    search: Search[BinCovering],
    refuter: LevelRefuter,
    asked: Window,
    effort: int,
) -> Decision[Bins]:
    instance, budget = search.instance, search.budget
    if instance.n <= COMPLETABLE:
        nodes = NODES * 4**effort
        completed = by_completion(instance, asked, budget, nodes, 10 * _LISTED)
        if completed.status is not Status.UNKNOWN:
            return completed.credited("completion")
    if refuter.refutes(asked.parts, asked.most, budget.slice(2.0**effort)):
        return Decision.impossible().credited("weights")
    decision = by_patterns(CpSat())(instance, asked, budget.slice(2.0**effort))
    return decision.credited("patterns-cp-sat")


STAGES: Final[Stages[Search[BinCovering]]] = (
    Stage("at once", always, None, _count),
    Stage("even bins", _can_even_out, None, _even_out),
    Stage("algorithms", always, 0.5, lambda s, p: offer_shipped(s, ALGORITHMS, p)),
    Stage("rounds", _minimises("max"), None, _solve_max),
    Stage("bins", _minimises("excess"), None, _solve_excess),
    Stage("squares", _minimises("quadratic"), None, solve_squares),
)
"""What is done for more than `engine.stages.MOST_ITEMS` items."""

ROUND: Final[Stages[_Rounds]] = (
    Stage("weights", lambda r: r.effort > 0, None, _Rounds.weigh_all),
    Stage("patterns", lambda r: r.effort > 0, None, _Rounds.cover_any),
    Stage("each number", always, None, _Rounds.attack_each),
    Stage("reach", lambda r: r.effort == 0, None, _Rounds.reach),
)
"""A round for the objective ``max``. Effort is its number, from 0: weights, patterns
and local search end after 0.25 s, twice as much with every round, completion after
`squares.NODES` nodes, four times as many. What the heaviest items reach comes last in
the first round, since most instances are closed before."""

NUMBER: Final[Stages[_Rounds]] = (
    Stage("completion", lambda r: r.instance.n <= _FEW_ITEMS, None, _Rounds.complete),
    Stage("local search", always, None, _Rounds.improve),
    Stage(
        "completion",
        lambda r: _FEW_ITEMS < r.instance.n <= COMPLETABLE,
        None,
        _Rounds.complete,
    ),
    Stage("weights", always, None, _Rounds.weigh),
    Stage("patterns", lambda r: r.effort > 0, None, _Rounds.cover),
)
"""What a round does for one number of bins."""
