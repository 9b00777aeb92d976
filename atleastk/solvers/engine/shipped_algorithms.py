"""Approximation algorithms as start heuristics: no run ends worse than one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from atleastk.instances.instance import Instance
from atleastk.models.results.solution import Solution
from atleastk.solvers.engine.in_time import result_in_time
from atleastk.solvers.method import Algorithm
from atleastk.solvers.search import Search

__all__ = ["offer_shipped"]

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

_SHARE: Final = 0.5
"""The share of the time left that an algorithm may take."""


def offer_shipped(
    search: Search[I],
    algorithms: Sequence[Algorithm[I]],
    offer: Callable[[Solution, str], object] | None = None,
) -> None:
    """Offer what approximation algorithms find, in order, while time is left for them.

    They do not check the budget. The first that does not end within half of the time
    that is left is abandoned, and no other is started.
    """
    budget = search.budget
    part = budget.share(_SHARE)
    for algorithm in algorithms:
        if search.done or part.spent:
            return
        if algorithm.refuses(search.instance) is None:
            run = partial(algorithm.run, search.instance, budget.seed)
            found = result_in_time(part, run)
            if found is not None:
                (offer or search.offer)(found, algorithm.name)
