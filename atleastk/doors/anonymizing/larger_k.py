"""Thresholds of risk where no search knows them: a larger k that keeps them.

On levels of whole columns thresholds are conditions of the instance
(:mod:`~atleastk.instances.conditions`). Where every cell has a level of its own, and
beside suppressed rows as far as they are no conditions there, two facts are left:

- *A bound.* What keeps the thresholds is a solution for k: a bound for k is one with
  them.
- *A table.* Classes of K rows each have a mean risk of at most 1 / K, no row is in a
  class below K, and every row may be K persons of a population that the table is a part
  of. So a mean risk p, classes of s and a k-map of m are kept from K = max(1 / p, s, m)
  on; and a solution for K >= k is one for k.

If all rows as one class break the first two, so does every table that has rows. If the
optimum for k keeps all of them it is the optimum. Else K is solved, and what is between
the two, by halving, as long as there is time: the cheapest table that keeps them is
taken, with the bound for k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import ceil
from typing import Final

from atleastk.doors.afterwards import changed
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Task
from atleastk.instances.generalization import Generalization
from atleastk.models.completed import completed, solution_of
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.runs.ask import Ask
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import Outcome, solve_within

_SHARE: Final = 0.4
"""The share of the time left that each search has: not tuned."""


def enough(request: Request) -> int:
    """Return a k for which the thresholds of a request hold by themselves."""
    asked = request.conditions
    by_mean = ceil(1 / asked["mean_risk"]) if asked.get("mean_risk") else 1
    return int(max(by_mean, asked.get("small", 1), asked.get("k_map", 1)))


def solved_within_thresholds(
    instance: Task, request: Request, ask: Ask, keeps: Callable[[Outcome], bool]
) -> Outcome:
    """Solve an instance so that its thresholds are kept.

    `keeps` tells whether what is published of an outcome keeps them.
    """

    def solved(k: int) -> Outcome:
        part = replace(ask, budget=ask.budget.share(_SHARE))
        if k > instance.k:
            part = replace(part, start=None)
        return solve_within(replace(instance, k=k), part)

    first = solved(instance.k)
    if first.result.solution is None or keeps(first):
        return first
    low, high = instance.k, min(enough(request), instance.n)
    kept = [one for one in _begun(first, instance, ask) if keeps(one)]
    k = high
    while low < k and not (first.signalled or ask.budget.spent):
        found = solved(k)
        if found.result.solution is not None and keeps(found):
            kept.append(found)
            high = k
        elif not kept:
            # A table without rows keeps all thresholds; classes at higher levels may be
            # more persons of a population.
            drops = isinstance(instance, Generalization) and instance.most_dropped
            some = drops < instance.n and "k_map" not in request.conditions
            if some and found.result.solution is not None and k == instance.n:
                return _refuted(first)
            break
        else:
            low = k
        k = (low + high) // 2
    best = min(kept, key=lambda one: one.result.cost or 0, default=None)
    return _joined(_open(first, ask), best, instance)


def _begun(first: Outcome, instance: Task, ask: Ask) -> Iterator[Outcome]:
    """Yield the outcome of the solution that the run began with, if there is one."""
    problem = problem_of(instance)
    known = None if ask.start is None else solution_of(ask.start, problem.name)
    if known is not None:
        yield changed(
            first,
            status=Status.FEASIBLE,
            trust=Trust.HEURISTIC,
            cost=problem.check(instance, known).cost,
            solution=completed(instance, known),
            seconds=0.0,
            found_by="start",
        )


def _open(first: Outcome, ask: Ask) -> Outcome:
    """Return the outcome for k, which is no end of the run for the thresholds."""
    if first.result.stopped_because is not Stop.CLOSED:
        return first
    because = Stop.TIME_LIMIT if ask.budget.spent else Stop.GAVE_UP
    return changed(first, stopped_because=because)


def _refuted(first: Outcome) -> Outcome:
    """Return the outcome if not even the whole table as one class is enough."""
    gone = ("cost", "bound", "solution", "found_by", "certificate", "certified_bound")
    none = dict.fromkeys((*gone, "note"))
    proved = {"status": Status.INFEASIBLE, "trust": Trust.PROVED}
    return changed(first, **proved, stopped_because=Stop.CLOSED, **none)


def _joined(first: Outcome, best: Outcome | None, instance: Task) -> Outcome:
    """Return the outcome for k with the solution for a larger one, or without any."""
    result = first.result
    if best is None:
        none = dict.fromkeys(("trust", "cost", "solution", "found_by"))
        note = "no table that keeps the thresholds was found; the bound is of k alone"
        return changed(first, status=Status.UNKNOWN, note=note, **none)
    other = best.result
    closed = other.cost == result.bound
    keeper = "the start" if other.found_by == "start" else "a larger k"
    note = f"{keeper} keeps the thresholds; the bound is that of k = {instance.k}"
    joined = replace(
        result,
        status=Status.OPTIMAL if closed else Status.FEASIBLE,
        trust=Trust.PROVED if closed else Trust.HEURISTIC,
        stopped_because=Stop.CLOSED if closed else result.stopped_because,
        cost=other.cost,
        solution=other.solution,
        seconds=result.seconds + other.seconds,
        events=(),
        found_by=other.found_by,
        note=note,
    )
    return replace(best, result=joined)
