"""Reports of better solutions now and then: not all of them are worth a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

from atleastk.solvers.clock import CLOCK

T = TypeVar("T")

_PARTS: Final = 50

SECONDS_PER_ROW: Final = 4e-6
"""What a report takes."""


class Throttle(Generic[T]):
    """Reports the latest of what it receives, not more often than is worth it.

    The last report took `seconds`; reports take one part in `_PARTS` of the time.
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
        yield
        self._next = float("-inf")
