"""Reports of better solutions now and then: not all of them are worth a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.search import Search
from atleastk.solvers.tables.assignment import Assignment

T = TypeVar("T")

_PAUSE: Final = 0.5
"""Seconds between two reports of solutions, at least."""

SECONDS_PER_ROW: Final = 4e-6
"""What a report takes."""


class Throttle(Generic[T]):
    """Reports the latest of what it receives, not more often than is worth it.

    The last report took `seconds`.
    """

    def __init__(
        self, report: Callable[[T], object], pause: float = 0.0, factor: float = 0.0
    ) -> None:
        """Pause at least so long after a report, and `factor` times what it took."""
        self._report, self._pause, self._factor = report, pause, factor
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
        self._next = now + max(self._pause, self._factor * self.seconds)

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Report nothing while the body runs."""
        self._next = float("inf")
        yield
        self._next = float("-inf")


class Reporter:
    """Reports assignments to a search now and then.

    Whole solutions are made of rows and checked: too much for every improvement.
    """

    def __init__(self, search: Search[KAnonymity], source: str) -> None:
        self._search, self._source = search, source
        self._throttle = Throttle(self._offer, _PAUSE, 10)

    def sparing(self, budget: Budget) -> Budget:
        """Return a budget that leaves time for a last report."""
        if budget.remaining == float("inf"):
            return budget
        spare = min(0.2 * budget.remaining, SECONDS_PER_ROW * self._search.instance.n)
        return budget.slice(budget.remaining - spare)

    def take(self, assignment: Assignment) -> None:
        """Take a better assignment."""
        self._throttle.take(lambda: _labels(self._search, assignment))

    def take_labels(self, labels: IntArray) -> None:
        """Take better groups, as a label for every row."""
        self._throttle.take(lambda: labels)

    def finish(self) -> None:
        """Report the latest, unless that is done."""
        self._throttle.flush()

    def _offer(self, labels: Callable[[], IntArray]) -> None:
        self._search.offer(Solution.labelled(labels()), self._source)


def offer(search: Search[KAnonymity], assignment: Assignment, source: str) -> None:
    """Report an assignment."""
    search.offer(Solution.labelled(_labels(search, assignment)), source)


def _labels(search: Search[KAnonymity], assignment: Assignment) -> IntArray:
    return search.instance.records.row_groups(
        assignment.group, assignment.record, assignment.copies
    )
