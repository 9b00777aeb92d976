"""Start heuristics: solutions that a run has before compiling or searching.

They are simple textbook rules, each of about one pass over the instance. A run without
any time left, or without a processor to compile loops on, ends with the best of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from atleastk.instances.instance import Instance
from atleastk.models.results.solution import Solution
from atleastk.solvers.search import Search

__all__ = ["offer_first"]

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


def offer_first(search: Search[I], answers: Iterable[tuple[str, Solution]]) -> None:
    """Offer all first answers, whatever the budget, unless there is a solution.

    It ends early if the run is stopped, or the search settled.
    """
    if search.solution is not None:
        return
    for source, solution in answers:
        search.offer_if_feasible(solution, source)
        if search.settled or search.budget.stop.is_set():
            return
