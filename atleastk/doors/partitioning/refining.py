"""More parts, once a cost is found: finer partitions that are as good, or the finest.

That the heaviest part is as light as possible says nothing of the others: where one
heavy region costs as much as any partition, others may be as heavy as it. Theorems are
in :mod:`atleastk.solvers.connected_partition.most_parts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from atleastk.doors.afterwards import afterwards, changed, replaced
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import most_by_counting
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.most_parts import (
    Groups,
    MostParts,
    even_parts,
    more_parts,
    most_even,
    most_parts,
    split,
)

FIRST: Final = 0.3
"""The share of the time for what comes before parts that are most, or alike: the least
cost, or so many parts. Not tuned."""

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

    found, outcome = afterwards(work, outcome, ask)
    return _finer(instance, outcome, found or groups, ask)


def solve_finest(instance: ConnectedPartition, ask: Ask) -> tuple[Outcome, int | None]:
    """Maximise the number of parts; return what bounds it, too.

    Of as many parts the heaviest is made lighter; its bound is that of any partition.
    """
    seconds = min(_SECONDS, FIRST * ask.budget.remaining)
    first = replace(ask, budget=ask.budget.slice(seconds).apart())
    outcome = solve_within(instance, first)
    if outcome.result.solution is None:
        return outcome, None
    groups = split(instance, outcome.result.groups or ())

    def work(rest: Budget, offer: Callable[[MostParts], object]) -> None:
        most_parts(instance, groups, rest, offer)

    found, outcome = afterwards(work, outcome, ask)
    groups, bound = found or MostParts(groups, most_by_counting(instance))
    return _finer(instance, outcome, groups, ask), bound


def solve_evenly(
    instance: ConnectedPartition, parts: int, ask: Ask
) -> tuple[Outcome, int]:
    """Let the lightest of so many parts be as heavy as can be; return what bounds it.

    The map is connected, and k is 1.
    """
    first = replace(ask, budget=ask.budget.share(FIRST).apart())
    outcome = solve_within(instance, first)

    def work(rest: Budget, offer: Callable[[MostParts], object]) -> None:
        even_parts(instance, parts, rest, offer)

    found, outcome = afterwards(work, outcome, ask)
    if found is None:
        none = dict.fromkeys(("trust", "cost", "solution", "found_by"))
        unknown = changed(outcome, status=Status.UNKNOWN, **none)
        return unknown, most_even(instance, parts)
    solution = Solution.of(found.groups).in_normal_form()
    return replaced(instance, outcome, solution, ask), found.bound


def _finer(
    instance: ConnectedPartition, outcome: Outcome, groups: Groups, ask: Ask
) -> Outcome:
    """Return the outcome with these groups, if they are more or their heaviest less."""
    solution = Solution.of(groups).in_normal_form()
    found = replaced(instance, outcome, solution, ask)
    old, new = outcome.result, found.result
    known = len(old.groups or ()), -(old.cost or 0)
    return outcome if (len(groups), -(new.cost or 0)) <= known else found
