"""The automatic choice of methods as a list of stages, and the entry of every such run.

A stage says when it applies, its share of the time that is left, and what it runs; one
without a share ends when its function does, or with the run. Its name is in the events
of a run and in its result: whoever reports a better cost or bound has found or proved
it. The lists of a problem are at the end of its `auto.py`, those of all tables at the
end of `tables/stages.py`, those of tilings of `tilings/stages.py`.

An instance of few items is solved by a dynamic program over subsets (method
``subset-dp``) before any stage, if its problem has that method: methods for large
instances waste time on those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, repeat
from math import inf, isinf
from typing import Any, Final, Generic, TypeVar

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.first_answers import offer_shipped
from atleastk.solvers.engine.race import beside, together
from atleastk.solvers.method import Method
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search

W = TypeVar("W")
"""What the stages of a list work on: a search, or what they share beside it."""

SOURCE: Final = "subset-dp"
"""The name of the method for tiny instances."""

MOST_ITEMS: Final = 12
"""The most items: for their 4,096 subsets nothing else is quicker."""

FIRST_ROUND: Final = 3.0
GROWTH: Final = 3.0
"""Seconds of a first round, and how many times as long as the one before every round is
(2 anneals too shortly); what is left becomes one round if it is shorter than half of
the next one."""

MORE: Final = 4
"""How many times as much effort every turn takes as the one before."""

_PROOF: Final = 1.0
"""Seconds for a certificate that nobody asked for; most are found in milliseconds."""


def always(_work: object) -> bool:
    """Apply to every instance."""
    return True


def begun(search: Search[Any], begin: Callable[[Search[Any], str], bool]) -> bool:
    """Begin as every method does, as the first stage; return whether work is left."""
    with search.stage("first bounds"):
        return begin(search, "first bounds")


@dataclass(frozen=True, slots=True)
class Stage(Generic[W]):
    """A step of an automatic choice."""

    name: str  # in events and results
    when: Callable[[W], bool]  # whether it applies; asked when its turn comes
    share: float | Callable[[W], float | None] | None  # of the time left; None: no end
    run: Callable[[W, Budget], object]  # within that share

    def start(self, search: Search[Any], work: W, budget: Budget) -> None:
        """Run it within its share of a budget, in its name."""
        share = self.share(work) if callable(self.share) else self.share
        part = budget if share is None else budget.share(share)
        with search.stage(self.name), part.awaiting():
            self.run(work, part)


@dataclass(frozen=True, slots=True)
class SideBySide(Generic[W]):
    """Stages that run at the same time, each in a thread, until all have ended."""

    when: Callable[[W], bool]
    stages: tuple[Stage[W], ...]
    while_first_runs: bool = False
    """Whether the second of two is stopped when the first ends. Each is told of all
    workers but one: the second takes a single one."""

    def start(self, search: Search[Any], work: W, budget: Budget) -> None:
        runs = [partial(each.start, search, work) for each in self.stages]
        if self.while_first_runs:
            spare = replace(budget, workers=budget.workers - 1)
            beside(runs[1], runs[0], spare, lambda: search.closed)
        else:
            together(runs, budget)


Stages = Sequence[Stage[W] | SideBySide[W]]


def run_stages(
    search: Search[Any],
    stages: Stages[W],
    work: W,
    over: Callable[[], bool] | None = None,
    budget: Budget | None = None,
) -> None:
    """Run the stages that apply, in order, until the search is done, or `over`.

    Shares are those of a budget, by default that of the search: a list within a stage
    has the share of that stage only if it is given.
    """
    budget = budget or search.budget
    for stage in stages:
        if stage.when(work):
            stage.start(search, work, budget)
        if search.done or budget.spent or (over is not None and over()):
            return


def lengths(remaining: Callable[[], float], growth: float = GROWTH) -> Iterator[float]:
    """Yield the seconds of every round, until none remain.

    Rounds are as long whatever the limit, so up to its end a run does what a longer one
    does. Without a limit there is one.
    """
    seconds = FIRST_ROUND
    while (left := remaining()) > 0.0:
        yield left if left < GROWTH / 2 * seconds or isinf(left) else seconds
        seconds *= growth


def reseeded(
    search: Search[Any],
    budget: Budget,
    first: int = 0,
    step: int = 1,
    *,
    once: bool = False,
    falling: bool = False,
    growing: bool = False,
) -> Iterator[Budget]:
    """Yield a budget with one seed after the other, until the search is done.

    Seeds are `first`, `first` + 1, ... steps above its own. With `once` it ends after
    one, with `falling` as soon as the cost does not fall. With `growing` each has a
    round: what cools once is dearer on the way the more time it is given.
    """
    rounds = lengths(lambda: budget.remaining) if growing else repeat(inf)
    for again, seconds in zip(count(first), rounds, strict=False):
        before = search.cost
        if search.done or budget.spent:
            return
        yield replace(budget.slice(seconds), seed=budget.seed + step * again)
        if once or (falling and search.cost == before):
            return


def solve_automatically(
    problem: Problem[Any], search: Search[Any], *, certified_later: bool = False
) -> None:
    """Run the dynamic program over subsets if few items allow it, else the stages.

    A certificate is looked for here unless it is when this has ended.
    """
    method = _method(problem, search.instance)
    if method is not None:
        with search.stage(SOURCE):
            _settle(problem, method, search, certified_later=certified_later)
    if not search.done:
        problem.solve(search)


def solve_by_work(problem: Problem[Any], search: Search[Any]) -> None:
    """Run the polynomial algorithms, then the methods that count their work, in order.

    With one worker, runs are repeatable: the same cost, bound and status.
    """
    # Algorithms are defined on instances that have a solution: this one may not.
    offer = search.offer_if_feasible
    offer_shipped(search, problem.algorithms, search.budget, offer)
    for method in problem.methods:
        if search.done or not method.counts_work:
            continue
        reason = method.refuses(search.instance)
        if reason is None:
            try:
                method.run(search)
            except NotApplicableError as error:
                reason = str(error)
        if reason is not None:
            search.remark(f"{method.name} cannot take this instance: {reason}")


def is_tiny(instance: Instance) -> bool:
    """Return whether an instance is so small that it needs no first answer."""
    return getattr(instance, "n", MOST_ITEMS + 1) <= MOST_ITEMS


def _method(problem: Problem[Any], instance: Instance) -> Method[Any] | None:
    """Return the method for a tiny instance; None for others."""
    for method in problem.methods:
        if method.name == SOURCE:
            tiny = is_tiny(instance) and method.refuses(instance) is None
            return method if tiny else None
    return None


def _settle(
    problem: Problem[Any],
    method: Method[Any],
    search: Search[Any],
    *,
    certified_later: bool,
) -> None:
    """Report the optimum, with a certificate if one is found."""
    inner = Search(search.instance, problem.check, search.budget)
    method.run(inner)
    if inner.infeasible:
        search.close_infeasible(SOURCE, inner.certificate)
    if inner.solution is not None:
        search.offer(inner.solution, inner.found_by or SOURCE)
    if inner.infeasible or not inner.closed or inner.bound is None:
        return
    proof = inner.certificate
    if proof is None and problem.certify is not None and not certified_later:
        short = search.budget.slice(_PROOF)
        with short.awaiting():
            proof = problem.certify(search.instance, inner.bound, short)
    search.raise_bound(inner.bound, SOURCE, proof)
