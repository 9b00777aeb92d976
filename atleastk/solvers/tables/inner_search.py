"""A search on another instance, of which solutions and bounds are handed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from atleastk.models.results.result import Event
from atleastk.models.results.solution import Solution, Verdict
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search


def inner_search(
    instance: Any,
    check: Callable[[Any, Solution], Verdict],
    budget: Budget,
    offer: Callable[[Solution], object],
    raise_bound: Callable[[int, Any], object] = lambda *_: None,
) -> Search[Any]:
    """Return a search that hands on better solutions, and bounds with certificates."""
    cheapest = float("inf")

    def forward(event: Event) -> None:
        nonlocal cheapest
        found = inner.solution
        if found is not None and event.cost is not None and event.cost < cheapest:
            cheapest = event.cost
            offer(found)
        if event.bound is not None:
            raise_bound(event.bound, inner.certificate)

    inner: Search[Any] = Search(instance, check, budget, forward)
    return inner
