"""The driver of a study: submits runs to an executor, and stores their records.

It alone writes the file of the study. If it is killed, the next driver resumes: runs
that are done are stored and never repeated, runs that were submitted are repeated.

Short runs are submitted in bundles, since submitting may take longer than they do.

A worker may be lost: killed, or out of memory. All runs that its executor had are then
repeated, each *alone*: so a run that kills its worker harms no other, and after a few
tries it has failed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from dataclasses import dataclass
from typing import Final

from atleastk.instances.fields.errors import AtleastkError
from atleastk.research.studies.pools import Opened, Pool
from atleastk.research.studies.run import FAILED, Record, Run, perform
from atleastk.research.studies.store import Planned, Store

_TRIES: Final = 3
"""How often a worker may be lost with a run, the first time with others: not tuned."""

_BREAKS: Final = 2 * _TRIES
"""How often an executor may break before any run is done: more often than one run that
kills its workers can make it."""

_AHEAD: Final = 2
"""Bundles submitted per worker: enough that none waits for the driver, few enough that
little is lost with a worker."""

_MOST: Final = 16
"""Runs of the longest bundle: about those of an instance."""

_SHORT: Final = 0.002
"""Seconds up to which runs go into the longest bundles. Longer runs go into shorter
ones, of at most 32 ms: submitting a bundle takes 1 to 25 ms (2 cores)."""

_TICK: Final = 0.5
"""Seconds after which progress is reported though no run has ended: not tuned."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study is."""

    ended: int  # runs that are done or failed, those of earlier drivers among them
    failed: int
    total: int
    fresh: int  # those of this driver
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

    Fresh runs were not submitted yet; suspects were lost with a worker, and run alone.
    `run_of` makes a planned run; `report` is called in this thread as the study goes
    on.
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
        self._running: dict[Future[Sequence[Record]], Sequence[Planned]] = {}
        self._mean = _MOST * _SHORT  # of the last runs: they begin one by one
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
        """Perform all runs; whatever ends this, the store knows which are open."""
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
        for bundle in self._running.values():
            self._lose(bundle, "its executor broke")
        self._running.clear()
        self._breaks += 1
        if not self._done and self._breaks == _BREAKS:
            raise AtleastkError(
                f"the workers were lost {_BREAKS} times before any run was done; a "
                'script conducts a study under if __name__ == "__main__":, since each '
                "local process reads it again"
            )

    def _hand_over(self, opened: Opened) -> bool:
        """Submit runs as long as the executor should have more.

        Suspects come first, each alone. Return whether the executor is broken.
        """
        workers = opened.workers()
        most = 1 if self._suspects else _AHEAD * workers
        while len(self._running) < most:
            bundle = self._next()
            if not bundle:
                return False
            runs = [self._run_of(planned) for planned in bundle]
            self._store.begin([planned.key for planned in bundle])
            try:
                future = opened.executor.submit(perform, runs)
            except (OSError, RuntimeError):  # it takes nothing any more
                self._give_back(bundle)
                return True
            except Exception as error:  # a client of Dask that was closed, say
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                raise AtleastkError(f"the executor takes no runs: {reason}") from error
            self._running[future] = bundle
        return False

    def _next(self) -> Sequence[Planned]:
        """Take the next bundle: the shorter the runs, the more of them."""
        if self._suspects:
            return [self._suspects.popleft()]
        size = max(1, int(_MOST * _SHORT / max(_SHORT, self._mean)))
        return [self._fresh.popleft() for _ in range(min(size, len(self._fresh)))]

    def _take(
        self, bundle: Sequence[Planned], future: Future[Sequence[Record]]
    ) -> bool:
        """Store the records of runs; return whether their executor is broken.

        An error in a run is in its record: an exception is about its worker.
        """
        try:
            records = future.result()
        except (Exception, CancelledError) as error:
            self._lose(bundle, f"{type(error).__name__}: {error}")
            return isinstance(error, BrokenExecutor | CancelledError)
        for planned, record in zip(bundle, records, strict=False):
            self._end(planned, record)
            self._mean += (record.seconds - self._mean) / _MOST
        self._give_back(bundle[len(records) :])
        return False

    def _give_back(self, bundle: Sequence[Planned]) -> None:
        """Put runs that were not begun back to the front."""
        for planned in reversed(bundle):
            (self._suspects if planned.tries else self._fresh).appendleft(planned)

    def _lose(self, bundle: Sequence[Planned], why: str) -> None:
        """Queue lost runs for another try, or record that they failed."""
        for planned in bundle:
            tries = planned.tries + 1
            if tries < _TRIES:
                self._store.interrupt(planned.key, tries)
                self._suspects.append(planned._replace(tries=tries))
            else:
                reason = f"its worker was lost {tries} times: {' '.join(why.split())}"
                self._end(planned, Record(FAILED, error=reason))

    def _end(self, planned: Planned, record: Record) -> None:
        self._store.end(planned.key, record)
        if record.status == FAILED:
            self._failed += 1
        else:
            self._done += 1
