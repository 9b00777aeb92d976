"""What is done after a search, for whom a cost is not all that counts.

Other solutions of the same cost may be those that people like better. They are looked
for in the rest of the time, and checked as answers are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.instance import Instance
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.runs.ask import Ask
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import Outcome
from atleastk.runs.watch import Watch
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK

T = TypeVar("T")


def afterwards(
    work: Callable[[Budget, Callable[[T], object]], None], outcome: Outcome, ask: Ask
) -> tuple[T | None, Outcome]:
    """Do more work within the rest of the time; return the last of what it offers."""
    rest = ask.budget.apart()  # a search that is closed may have been stopped
    if rest.spent or outcome.abandoned or outcome.signalled is not None:
        return None, outcome
    watch = Watch(rest)
    found: list[T] = []
    with watch.hearing_signals(), watch.ending_when_cut():
        watch.perform(lambda: work(rest, found.append))
    return (found[-1] if found else None), outcome.after(watch)


def changed(outcome: Outcome, **more: Any) -> Outcome:
    """Return an outcome whose result has other fields."""
    return replace(outcome, result=replace(outcome.result, **more))


def replaced(
    instance: Instance, outcome: Outcome, solution: Solution, ask: Ask
) -> Outcome:
    """Return the outcome with another solution, once it is checked.

    Raises WrongAnswerError if it is infeasible, or its cost below the bound.
    """
    result = outcome.result
    verdict = problem_of(instance).check(instance, solution)
    cost, bound = verdict.cost, result.bound
    if not verdict.feasible or cost is None or (bound is not None and cost < bound):
        raise WrongAnswerError(
            f"what was found afterwards contradicts the bound {bound}: cost {cost}, "
            f"{'; '.join(verdict.violations) or 'feasible'}"
        )
    status, trust, ended = result.status, result.trust, result.stopped_because
    if cost != result.cost and cost == bound:
        status, trust, ended = Status.OPTIMAL, Trust.PROVED, Stop.CLOSED
    elif cost != result.cost:
        status, trust = Status.FEASIBLE, Trust.HEURISTIC
        if ended is Stop.CLOSED:
            ended = Stop.TIME_LIMIT if ask.budget.spent else Stop.GAVE_UP
    return changed(
        outcome,
        solution=solution,
        cost=cost,
        seconds=max(result.seconds, CLOCK.now() - ask.began),
        status=status,
        trust=trust,
        stopped_because=ended,
    )
