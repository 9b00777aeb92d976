"""The driver of a study: hands runs over to an executor, and keeps what comes back.

It alone writes the file of the study. If it is killed, the next driver goes on: what is
done is kept and never runs again, what was handed over runs again.

A worker may be lost: killed, or out of memory. All that its executor had in hand is
then lost with it, and runs again, each *alone*: so a run that kills its worker harms no
other, and after a few tries it has failed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from dataclasses import dataclass
from typing import Final

from atleastk.instances.errors import AtleastkError
from atleastk.studies.pools import Opened, Pool
from atleastk.studies.run import FAILED, Record, Run
from atleastk.studies.store import Planned, Store

__all__ = ["Driver", "Progress"]

_TRIES: Final = 3
"""How often a worker may be lost with a run, the first time with others: a taste."""

_BREAKS: Final = 2 * _TRIES
"""How often an executor may break before it has done anything at all: one run that
kills its workers cannot do that so often."""

_AHEAD: Final = 4
"""Runs in the hands of an executor for each worker, so that none waits for the driver:
with 2 of them workers were idle for a tenth of the time (runs of 1 ms, 2 cores)."""

_TICK: Final = 0.5
"""Seconds after which progress is told though no run has ended: a taste."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study is.

    Attributes
    ----------
    ended
        Runs that are done or failed, those of earlier drivers among them.
    fresh
        Those of this driver.
    """

    ended: int
    failed: int
    total: int
    fresh: int
    seconds: float

    @property
    def rate(self) -> float:
        """Runs a second; 0.0 before the first."""
        return self.fresh / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """The seconds left at this rate; None as long as it is not known."""
        return (self.total - self.ended) / self.rate if self.rate else None

    def __str__(self) -> str:
        parts = [f"{self.ended} of {self.total} runs"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        if self.fresh:
            parts.append(f"{self.rate:.3g} a second")
        if self.left is not None and self.ended < self.total:
            parts.append(f"{self.left:.0f} s left")
        return ", ".join(parts)


class Driver:
    """Performs the runs of a store that are not done.

    Parameters
    ----------
    run_of
        Makes the run that is planned.
    report
        Called in this thread as the study goes on.
    """

    def __init__(
        self,
        store: Store,
        run_of: Callable[[Planned], Run],
        report: Callable[[Progress], object],
    ) -> None:
        self._store = store
        self._run_of = run_of
        self._report = report
        self._fresh: deque[Planned] = deque()
        self._suspects: deque[Planned] = deque()
        self._running: dict[Future[Record], Planned] = {}
        self._breaks = 0
        self._done = 0
        self._failed = 0
        self._total = 0
        self._before = 0
        self._started = time.monotonic()

    @property
    def progress(self) -> Progress:
        """How far the study is."""
        fresh = self._done + self._failed
        seconds = time.monotonic() - self._started
        ended, failed, total = self._before + fresh, self._failed, self._total
        return Progress(ended, failed, total, fresh, seconds)

    def drive(self, pool: Pool) -> Progress:
        """Perform all runs; whatever ends this, the store says what is open."""
        self._store.recall()
        waiting = self._store.waiting()
        self._total = sum(self._store.states().values())
        self._before = self._total - len(waiting)
        self._fresh.extend(run for run in waiting if not run.tries)
        self._suspects.extend(run for run in waiting if run.tries)
        try:
            while self._fresh or self._suspects:
                with pool() as opened:
                    self._use(opened)
        finally:
            self._store.recall()
        self._report(self.progress)
        return self.progress

    def _use(self, opened: Opened) -> None:
        """Use an executor until nothing is left, or until it breaks."""
        while True:
            broken = self._hand_over(opened)
            if not self._running and not broken:
                return
            ended, _ = wait(self._running, _TICK, FIRST_COMPLETED)
            for future in ended:
                broken |= self._take(self._running.pop(future), future)
            self._report(self.progress)
            if broken:
                break
        for planned in self._running.values():
            self._lose(planned, "its executor broke")
        self._running.clear()
        self._breaks += 1
        if not self._done and self._breaks == _BREAKS:
            message = f"the workers were lost {_BREAKS} times before any run was done"
            raise AtleastkError(message)

    def _hand_over(self, opened: Opened) -> bool:
        """Hand over runs as long as the executor should have more.

        Suspects come first, and alone. Tell whether the executor is broken.
        """
        workers = opened.workers()
        most = 1 if self._suspects else _AHEAD * workers
        while len(self._running) < most:
            queue = self._suspects or self._fresh
            if not queue:
                return False
            planned = queue[0]
            run = self._run_of(planned)
            self._store.begin(planned.key)
            try:
                future = opened.executor.submit(run)
            except (OSError, RuntimeError):  # it takes nothing any more
                return True
            queue.popleft()
            self._running[future] = planned
        return False

    def _take(self, planned: Planned, future: Future[Record]) -> bool:
        """Keep what came of a run; tell whether its executor is broken.

        Records tell what went wrong in a run: an exception is about its worker.
        """
        try:
            record = future.result()
        except (Exception, CancelledError) as error:
            self._lose(planned, f"{type(error).__name__}: {error}")
            return isinstance(error, BrokenExecutor | CancelledError)
        self._end(planned, record)
        return False

    def _lose(self, planned: Planned, why: str) -> None:
        """Let a lost run wait for another try, or give it up."""
        tries = planned.tries + 1
        if tries < _TRIES:
            self._store.interrupt(planned.key, tries)
            self._suspects.append(planned._replace(tries=tries))
        else:
            told = f"its worker was lost {tries} times: {' '.join(why.split())}"
            self._end(planned, Record(FAILED, error=told))

    def _end(self, planned: Planned, record: Record) -> None:
        self._store.end(planned.key, record)
        if record.status == FAILED:
            self._failed += 1
        else:
            self._done += 1
