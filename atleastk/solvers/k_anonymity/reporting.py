"""Telling a search of better solutions now and then, not of every one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.k_anonymity.assignment import Assignment
from atleastk.solvers.search import Search

_PAUSE: Final = 0.5
"""Seconds between two solutions that are reported, at least."""

_SECONDS_A_ROW: Final = 4e-6
"""What a report takes."""


class Reporter:
    """Tells a search of the best solution now and then.

    Whole solutions are dealt to rows and checked: too much for every improvement.
    """

    def __init__(self, search: Search[KAnonymity], source: str) -> None:
        self._search, self._source = search, source
        self._latest: Callable[[], IntArray] | None = None
        self._told = float("-inf")
        self._pause = _PAUSE

    def sparing(self, budget: Budget) -> Budget:
        """Return a budget that leaves time for a last report."""
        if budget.remaining == float("inf"):
            return budget
        spare = min(0.2 * budget.remaining, _SECONDS_A_ROW * self._search.instance.n)
        return budget.slice(budget.remaining - spare)

    def take(self, assignment: Assignment) -> None:
        """Take a better assignment."""
        self._take(lambda: _dealt(self._search, assignment))

    def take_labels(self, labels: IntArray) -> None:
        """Take better groups, as a label for every row."""
        self._take(lambda: labels)

    def tell(self) -> None:
        """Report the latest, unless that is done."""
        if self._latest is None:
            return
        began = CLOCK.now()
        self._search.offer(Solution.labelled(self._latest()), self._source)
        self._latest = None
        self._told = CLOCK.now()
        self._pause = max(_PAUSE, 10 * (self._told - began))

    def _take(self, labels: Callable[[], IntArray]) -> None:
        self._latest = labels
        if CLOCK.now() >= self._told + self._pause:
            self.tell()


def offer(search: Search[KAnonymity], assignment: Assignment, source: str) -> None:
    """Report an assignment."""
    search.offer(Solution.labelled(_dealt(search, assignment)), source)


def _dealt(search: Search[KAnonymity], assignment: Assignment) -> IntArray:
    return search.instance.records.deal(
        assignment.group, assignment.record, assignment.copies
    )
