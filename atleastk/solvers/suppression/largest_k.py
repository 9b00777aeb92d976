"""MAX-k of the suppression family: the largest k that limits allow, by decisions.

A solution for k is one for every smaller k, so the feasible k are all up to the
optimum. Each is decided by another method, from the middle of the open ones; the groups
of a solution often prove more than was asked for. Rows in one group make k = n, rows in
two or more at most n / 2: nothing lies between.

A k that is not decided in its share of the time is skipped, and so is what lies between
two such; all are tried again, with more time, when the others are decided.
[Chaytor06, section 5.4] calls the problem not considered before.

Where only the entries are limited, every k is a table of k-anonymity whose rounds go on
from turn to turn, until it costs no more than the limit or is bounded above it.

References
----------
[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.results.result import Event
from atleastk.models.suppression import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.stages import GROWTH
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import begin, wishing
from atleastk.solvers.suppression.piecewise import run_of
from atleastk.solvers.tables.stages import run_rounds, solve_table
from atleastk.solvers.tables.steps import Run

LATE: Final = 0.5
"""The share of its time that a decision leaves at most if more may help: what is large
ends early, to report in time, and CP-SAT does. One that leaves more has given up."""

_OTHERS: Final = 0.3
"""The share of a turn of a table that is left to it while a smaller k is open, which is
easier to reach: not tuned."""


def maximise_k(
    search: Search[Suppression],
    run: Callable[[Search[Suppression]], None],
    source: str,
) -> None:
    """Maximise k by decisions; `run` works on each of them, perhaps by turns."""
    instance = search.instance
    n, least = instance.n, instance.k
    if not begin(search, source):
        return
    top = max(least, n // 2 + 1)  # stands for n
    patience = min(0.3, search.budget.remaining / 8)
    given_up, late = set[int](), set[int]()

    def open_from(low: int, high: int) -> Sequence[int]:
        """Return the levels from one to another that were not given up."""
        span = range(low, high + 1)
        return [x for x in span if x not in given_up] if given_up else span

    while not search.done:
        low = least if search.cost is None else min(-search.cost, top) + 1
        high = top if search.bound is None else min(-search.bound, top)
        if not open_from(low, high):
            return
        below = open_from(low, min([high, *(x - 1 for x in late)]))
        above = open_from(max([low, *(x + 1 for x in late)]), high)
        ready = max(below, above, key=len)
        if not ready:
            patience *= GROWTH
            late.clear()
            continue
        level = least if least in ready else ready[(len(ready) - 1) // 2]
        k = n if level == top else level
        question = wishing(instance, minimise="none", k=k)
        decision = Search(question, check, search.budget.slice(patience))
        given = decision.budget.remaining
        with decision.budget.awaiting():
            run(decision)
        if decision.solution is not None:
            search.offer(decision.solution, source)
        elif decision.infeasible and level == least:
            search.close_infeasible(source)
        elif decision.infeasible:
            search.raise_bound(1 - level, source)
        elif decision.budget.remaining < LATE * given:
            late.add(level)
        else:
            given_up.add(level)


class EntriesWithin:
    """Decides whether the fewest entries of a table are within a limit, by turns.

    They grow with k: groups of a greater k are groups of a smaller one, whose bound
    holds for the greater one; and its patterns are some of those of a smaller one.
    """

    def __init__(self, instance: Suppression) -> None:
        self._plain = wishing(instance, minimise="entries", limits={})
        self._most, self._turns = instance.limits["entries"], 0
        self._runs: dict[int, Run] = {}

    @staticmethod
    def fits(instance: Suppression) -> bool:
        """Whether entries are all that is asked for."""
        asked = instance.intact, instance.row_order, instance.column_order
        return {*instance.limits} == {"entries"} and not any(asked)

    def __call__(self, decision: Search[Suppression]) -> None:
        k, part = decision.instance.k, decision.budget
        least = self._least_open(k)
        if least < k:
            self._take_turn(k, part.share(_OTHERS))
            self._take_turn(least, part)
        self._take_turn(k, part)
        run = self._runs[k]
        if self._keeps(run) and run.search.solution is not None:
            decision.offer(run.search.solution, "entries")
        elif run.bound > self._most:
            decision.close_infeasible("entries")
        self._forget_decided()

    def _keeps(self, run: Run) -> bool:
        """Whether a solution is known that keeps the limit."""
        return run.search.cost is not None and run.cost <= self._most

    def _forget_decided(self) -> None:
        """Leave out what others say: below one that is kept, above one that is not."""
        runs = self._runs.items()
        low = max((k for k, run in runs if self._keeps(run)), default=0)
        high = min((k for k, run in runs if run.bound > self._most), default=inf)
        self._runs = {k: run for k, run in runs if low <= k <= high}

    def _least_open(self, k: int) -> int:
        """Return the least k that had a turn and is not decided, or this one."""
        runs = self._runs.items()
        rest = (
            j for j, run in runs if run.bound <= self._most and not self._keeps(run)
        )
        return min(rest, default=k)

    def _take_turn(self, k: int, part: Budget) -> None:
        """Go on with a k until it is decided or the turn is over."""
        self._turns += 1
        budget = replace(part.apart(), seed=part.seed + self._turns)
        run = self._run(k, budget)
        if not (part.spent or self._keeps(run) or run.bound > self._most):
            with budget.awaiting(), part.calling(budget.stop.set):
                self._go_on(run, budget)

    def _run(self, k: int, budget: Budget) -> Run:
        """Return the run of a k, and what others say of it.

        A list that was cut since the turn was short is made again in a longer one.
        """

        def hear(event: Event) -> None:
            if (event.bound or 0) > self._most or self._keeps(run):
                run.search.budget.stop.set()

        if k not in self._runs:
            search = Search(wishing(self._plain, k=k), check, budget, hear)
            self._runs[k] = run_of(search)
        elif not self._runs[k].complete:
            self._runs[k] = run_of(self._runs[k].search)
        run = self._runs[k]
        search, search.budget = run.search, budget
        search.raise_bound(0, "entries")
        for other in self._runs.values():
            known = other.search
            if other.k < k:
                search.raise_bound(known.bound or 0, f"k = {other.k}")
                if run.patterns is None and other.complete:
                    enough = other.listed.patterns.support >= k
                    run.patterns = other.listed.patterns.where(enough)
            elif known.solution and (known.cost or 0) < (search.cost or inf):
                search.offer(known.solution, f"k = {other.k}")
        return run

    def _go_on(self, run: Run, budget: Budget) -> None:
        """Go on with a table until the question is decided."""
        search = run.search
        run.bound_at_once(budget)
        run.build_groups(budget)
        if search.done or search.solution is None:
            return
        if run.complete:
            run.raise_opt_lb(budget)
            run_rounds(run, budget)
        else:
            solve_table(run)
