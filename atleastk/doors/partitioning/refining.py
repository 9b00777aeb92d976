"""More parts, once a cost is found: finer partitions that are as good, or the finest.

That the heaviest part is as light as possible says nothing of the others: where one
heavy region costs as much as any partition, others may be as heavy as it. Theorems are
in :mod:`atleastk.solvers.connected_partition.most_parts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.models.connected_partition import check, most_by_counting
from atleastk.models.results.result import Result
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within
from atleastk.runs.watch import Watch
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.connected_partition.most_parts import (
    Groups,
    MostParts,
    more_parts,
    most_parts,
    split,
)

T = TypeVar("T")

_SHARE: Final = 0.3
"""The share of the time for the least cost if the most parts are wanted: not tuned."""

_SECONDS: Final = 10.0
"""The most seconds of it: not tuned."""


def solve_finely(instance: ConnectedPartition, ask: Ask) -> Outcome:
    """Minimise the heaviest part; then split as long as no part gets heavier."""
    outcome = solve_within(instance, ask)
    if outcome.result.solution is None:
        return outcome
    cost = outcome.result.cost or 0
    groups = split(instance, outcome.result.groups or ())

    def work(rest: Budget, offer: Callable[[Groups], object]) -> None:
        more_parts(instance, groups, cost, rest, offer)

    found, outcome = _then(work, outcome, ask)
    return _replaced(instance, outcome, found or groups, ask)


def solve_finest(instance: ConnectedPartition, ask: Ask) -> tuple[Outcome, int | None]:
    """Maximise the number of parts; return what bounds it, too.

    Of as many parts the heaviest is made lighter; its bound is that of any partition.
    """
    seconds = min(_SECONDS, _SHARE * ask.budget.remaining)
    first = replace(ask, budget=ask.budget.slice(seconds).apart())
    outcome = solve_within(instance, first)
    if outcome.result.solution is None:
        return outcome, None
    groups = split(instance, outcome.result.groups or ())

    def work(rest: Budget, offer: Callable[[MostParts], object]) -> None:
        most_parts(instance, groups, rest, offer)

    found, outcome = _then(work, outcome, ask)
    groups, bound = found or MostParts(groups, most_by_counting(instance))
    return _replaced(instance, outcome, groups, ask), bound


def _then(
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


def _replaced(
    instance: ConnectedPartition, outcome: Outcome, groups: Groups, ask: Ask
) -> Outcome:
    """Return the outcome with another solution, once it is checked."""
    result = outcome.result
    solution = Solution.of(groups).in_normal_form()
    verdict = check(instance, solution)
    cost, bound = verdict.cost, result.bound
    if not verdict.feasible or cost is None or (bound is not None and cost < bound):
        raise WrongAnswerError(
            f"finer parts contradict the bound {bound}: cost {cost}, "
            f"{'; '.join(verdict.violations) or 'feasible'}"
        )
    known = len(result.groups or ()), -(result.cost or 0)
    if (len(groups), -cost) <= known:
        return outcome
    changed = replace(
        result,
        solution=solution,
        cost=cost,
        seconds=max(result.seconds, CLOCK.now() - ask.began),
        **_standing(result, cost, ask),
    )
    return replace(outcome, result=changed)


def _standing(result: Result, cost: int, ask: Ask) -> dict[str, Any]:
    """Return status, trust and end of a result with this cost."""
    if cost == result.cost:
        return {}
    if cost == result.bound:
        return _as(Status.OPTIMAL, Trust.PROVED, Stop.CLOSED)
    ended = result.stopped_because
    if ended is Stop.CLOSED:
        ended = Stop.TIME_LIMIT if ask.budget.spent else Stop.GAVE_UP
    return _as(Status.FEASIBLE, Trust.HEURISTIC, ended)


def _as(status: Status, trust: Trust, ended: Stop | None) -> dict[str, Any]:
    return {"status": status, "trust": trust, "stopped_because": ended}
