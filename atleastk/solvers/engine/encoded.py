"""Minimising an encoding with a back end, on behalf of a search."""

from __future__ import annotations

from typing import Any

from atleastk.arrays import IntArray
from atleastk.models.encodings.encoding import Encoding, SolutionEncoding
from atleastk.models.solution import Solution
from atleastk.models.status import Status
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search

__all__ = ["minimise_encoded"]


def minimise_encoded(
    search: Search[Any],
    encoding: Encoding | SolutionEncoding,
    backend: Backend,
    source: str,
    budget: Budget | None = None,
) -> None:
    """Minimise an exact encoding whose cost is that of the problem.

    Starts from the best solution of the search; incumbents and bounds are reported to
    it as they come.
    """
    solution = search.solution
    answer = backend.minimise(
        encoding.model,
        budget or search.budget,
        hint=None if solution is None else _start(encoding, solution),
        on_answer=lambda values: search.offer(encoding.decode(values), source),
        on_bound=lambda bound: search.raise_bound(bound, source),
    )
    if answer.status is Status.INFEASIBLE:
        search.close_infeasible(source)
    if answer.values is not None:
        search.offer(encoding.decode(answer.values), source)
    if answer.bound is not None and answer.status is not Status.INFEASIBLE:
        search.raise_bound(answer.bound, source)
    if budget is None or not budget.ending:
        search.remark(f"{source}: {answer.backend} ended without a proof")


def _start(
    encoding: Encoding | SolutionEncoding, solution: Solution
) -> IntArray | None:
    """Return the point of a solution."""
    if isinstance(encoding, SolutionEncoding):
        return encoding.encode(solution)
    return encoding.encode(solution.groups)
