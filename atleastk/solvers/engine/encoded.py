"""Minimising an encoding with a back end, on behalf of a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from atleastk.arrays import IntArray
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status
from atleastk.solvers.backends.backend import Answer, Backend
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search


def minimise_encoded(
    search: Search[Any],
    encoding: Encoding,
    backend: Backend,
    source: str,
    budget: Budget | None = None,
    *,
    below: int | None = None,
    start: Solution | None = None,
    cost_of: Callable[[int], int] = lambda cost: cost,
) -> Answer:
    """Minimise an exact encoding on behalf of a search; return the back end's answer.

    Incumbents and bounds are reported to the search as they come.

    Parameters
    ----------
    below
        The encoding holds all solutions that cost less than this, and perhaps no
        others. With None it holds all solutions, and begins with the best one known.
    start
        What to begin with instead, if the encoding holds it.
    cost_of
        Turns a cost of the model into that of the problem.
    """

    def found(values: IntArray) -> None:
        search.offer(encoding.decode(values), source)

    def proved(bound: int) -> None:
        cost = cost_of(bound)
        search.raise_bound(cost if below is None else min(cost, below), source)

    if below is None and start is None:
        start = search.solution
    hint = None if start is None else encoding.encode(start)
    answer = backend.minimise(
        encoding.model,
        budget or search.budget,
        hint=hint,
        on_answer=found,
        on_bound=proved,
    )
    answer.tell(found, proved)
    if below is not None:
        if answer.status is Status.INFEASIBLE:
            search.raise_bound(below, source)
        return answer
    if answer.status is Status.INFEASIBLE:
        search.close_infeasible(source)
    if budget is None or not budget.ending:
        search.remark(f"{source}: {answer.backend} ended without a proof")
    return answer
