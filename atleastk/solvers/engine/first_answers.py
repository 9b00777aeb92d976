"""Start heuristics: solutions that a run has before compiling or searching.

The first are simple textbook rules, each of about one pass over the instance. A run
without any time left, or without a processor to compile loops on, ends with the best of
them. Approximation algorithms follow: no run ends worse than one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, TypeVar

from atleastk.instances.instance import Instance
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.in_time import result_in_time
from atleastk.solvers.method import Algorithm
from atleastk.solvers.search import Search

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

_LATE: Final = 0.5
"""Seconds that first answers may take when the time is up. Not tuned."""


def offer_first(search: Search[I], answers: Iterable[tuple[str, Solution]]) -> None:
    """Offer all first answers, whatever the budget, unless there is a solution.

    It ends early if the run is stopped, or the search settled; and if the time is up,
    when they have taken some of it and one of them is a solution.
    """
    if search.solution is not None:
        return
    began = search.seconds
    for source, solution in answers:
        search.offer_if_feasible(solution, source)
        if search.settled or search.budget.stop.is_set():
            return
        late = min(search.seconds - began, search.late) > _LATE
        if late and search.solution is not None:
            return


def offer_shipped(
    search: Search[I],
    algorithms: Sequence[Algorithm[I]],
    part: Budget,
    offer: Callable[[Solution, str], object] | None = None,
) -> None:
    """Offer what approximation algorithms find, in order, while time is left for them.

    They do not check the budget. The first that does not end within a part of it is
    abandoned, and no other is started.
    """
    for algorithm in algorithms:
        if search.done or part.spent:
            return
        if algorithm.refuses(search.instance) is None:
            run = partial(algorithm.run, search.instance, part.seed)
            found = result_in_time(part, run)
            if found is not None:
                (offer or search.offer)(found, algorithm.name)
