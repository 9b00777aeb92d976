"""Reports of better solutions now and then: not all of them are worth a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Generic, TypeVar

from atleastk.models.results.result import Event
from atleastk.models.results.solution import Solution, Verdict
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.search import Search

T = TypeVar("T")

_PARTS: Final = 50
"""Reports take one part in so many of the time, at most."""

SECONDS_PER_ROW: Final = 4e-6
"""What a report takes."""


class Throttle(Generic[T]):
    """Reports the latest of what it receives, not more often than is worth it.

    The last report took `seconds`.
    """

    def __init__(self, report: Callable[[T], object]) -> None:
        self._report = report
        self._latest: list[T] = []
        self._next = float("-inf")
        self.seconds = 0.0

    def take(self, latest: T) -> None:
        """Report this unless the last report was a short while ago."""
        self._latest = [latest]
        if CLOCK.now() >= self._next:
            self.flush()

    def flush(self) -> None:
        """Report the latest unless that is done."""
        if not self._latest:
            return
        began, latest = CLOCK.now(), self._latest.pop()
        self._report(latest)
        now = CLOCK.now()
        self.seconds = now - began
        self._next = now + _PARTS * self.seconds

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Report nothing while the body runs."""
        self._next = float("inf")
        try:
            yield
        finally:
            self._next = float("-inf")


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
