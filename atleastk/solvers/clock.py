"""The clock of runs: it stands still while solvers are loaded and loops compiled.

A process loads what solves a problem when it is first asked for; a loop is compiled
once after an installation, when it is first called. That is no work on an instance, so
no time limit counts it: a budget, a search and the watch over a run all ask this clock.
Several threads may be at it; the clock goes on when none is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from atleastk import packages

_BRIEF: Final = 0.1
"""Seconds before which a clock has no pace of its own yet."""


class Clock:
    """A clock without the times in which it was stopped."""

    def __init__(self) -> None:
        self._pace = 1.0
        self.source = _monotonic
        self._lock = threading.Lock()
        self._stops = 0
        self._stopped_at = 0.0
        self._stood = 0.0

    @property
    def source(self) -> Callable[[], float]:
        """What it reads: `time.monotonic`.

        A benchmark on a busy machine says otherwise, before each of its runs.
        """
        return self._source

    @source.setter
    def source(self, source: Callable[[], float]) -> None:
        self._source = source
        self._since = time.monotonic(), source()
        self._before = self._pace

    def on_the_wall(self, seconds: float) -> float:
        """Return how long some seconds will last for solvers with their own clocks.

        As long as they have lasted, on average, since the source was set; in its first
        moment also as long as they did when this was last asked of the source before.
        """
        if self._source is _monotonic:
            return seconds
        passed, own = time.monotonic() - self._since[0], self._source() - self._since[1]
        missing = max(0.0, _BRIEF - own)
        self._pace = max(1.0, (passed + missing * self._before) / (own + missing))
        return seconds * self._pace

    @property
    def stands(self) -> bool:
        """Whether somebody has stopped it."""
        return self._stops > 0

    @property
    def stood(self) -> float:
        """The seconds in which it stood."""
        with self._lock:
            now = self.source() - self._stopped_at if self._stops else 0.0
            return now + self._stood

    def now(self) -> float:
        """Return the seconds since some moment in the past."""
        with self._lock:
            return self._time() - self._stood

    def stop(self) -> None:
        """Let it stand until everyone who stopped it lets it go on."""
        with self._lock:
            self._stopped_at = self._time()
            self._stops += 1

    def go_on(self) -> None:
        """Take back one stop."""
        with self._lock:
            self._stops -= 1
            if not self._stops:
                self._stood += self.source() - self._stopped_at

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Let it stand while the body runs."""
        self.stop()
        try:
            yield
        finally:
            self.go_on()

    def _time(self) -> float:
        return self._stopped_at if self._stops else self.source()


def _monotonic() -> float:
    return time.monotonic()


CLOCK: Final = Clock()
"""The one clock of this process."""

packages.loading = CLOCK.standing
