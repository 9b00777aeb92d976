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


class Clock:
    """A clock without the times in which it was stopped.

    Attributes
    ----------
    source
        What it reads: `time.monotonic`, unless a benchmark on a busy machine says
        otherwise before its runs.
    """

    def __init__(self) -> None:
        self.source: Callable[[], float] = _monotonic
        self._lock = threading.Lock()
        self._stops = 0
        self._stopped_at = 0.0
        self._stood = 0.0

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
