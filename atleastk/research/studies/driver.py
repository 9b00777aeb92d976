"""The driver of a study: submits runs to an executor, and stores their records.

It alone writes the file of the study. If it is killed, the next driver resumes: runs
that are done are stored and never repeated, runs that were submitted are repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from atleastk.research.studies.run import FAILED, Record, Run, perform
from atleastk.research.studies.store import Planned, Store
from atleastk.runs.performing import Attempt, Performer
from atleastk.runs.pools import Pool

_MOST: Final = 16
"""Runs of the longest bundle: about those of an instance."""

_LARGE: Final = 100_000
"""Characters of an instance that is sent to a worker once: a second message costs less.
Not tuned."""

_SHORT: Final = 0.002
"""Seconds up to which runs go into the longest bundles. Longer runs go into shorter
ones, of at most 32 ms: submitting a bundle takes 1 to 25 ms (2 cores)."""


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


class Driver(Performer[Planned, Record]):
    """Performs the runs of a store that are not done.

    `run_of` makes a planned run; `report` is called in this thread as the study goes
    on.
    """

    def __init__(
        self,
        store: Store,
        run_of: Callable[[Planned], Run],
        report: Callable[[Progress], object],
    ) -> None:
        super().__init__()
        self._store = store
        self._run_of = run_of
        self._report = report
        self._sent = set[str]()  # instances that a worker has
        self._lacking = set[str]()  # runs whose worker had not
        self._mean = _MOST * _SHORT  # of the last runs: they begin one by one
        self._ended = 0
        self._failed = 0
        self._total = 0
        self._before = 0
        self._started = time.monotonic()

    @property
    def bundle(self) -> int:
        """The shorter the runs, the more of them."""
        return max(1, int(_MOST * _SHORT / max(_SHORT, self._mean)))

    @property
    def progress(self) -> Progress:
        """How far the study is."""
        seconds = time.monotonic() - self._started
        ended, failed, total = self._before + self._ended, self._failed, self._total
        return Progress(ended, failed, total, self._ended, seconds)

    def drive(self, pool: Pool) -> Progress:
        """Perform all runs; whatever ends this, the store knows which are open."""
        self._store.recall()
        waiting = self._store.waiting()
        self._total = sum(self._store.states().values())
        self._before = self._total - len(waiting)
        try:
            for _ in self.perform([Attempt(run, run.tries) for run in waiting], pool):
                self._report(self.progress)
        finally:
            self._store.recall()
        self._report(self.progress)
        return self.progress

    def call(
        self, tasks: Sequence[Planned]
    ) -> tuple[Callable[[Sequence[Run]], Sequence[Record]], Sequence[Run]]:
        return perform, [self._as_sent(planned) for planned in tasks]

    def _as_sent(self, planned: Planned) -> Run:
        """Return a run, without a large instance that a worker may have."""
        run = self._run_of(planned)
        if len(run.instance) < _LARGE:
            return run
        if run.sha256 in self._sent and planned.key not in self._lacking:
            return replace(run, instance="")
        self._sent.add(run.sha256)
        return run

    def lack(self, task: Planned) -> None:
        self._lacking.add(task.key)

    def begin(self, tasks: Sequence[Planned]) -> None:
        self._store.begin([planned.key for planned in tasks])

    def interrupt(self, task: Planned, tries: int) -> None:
        self._store.interrupt(task.key, tries)

    def end(self, task: Planned, result: Record) -> None:
        self._mean += (result.seconds - self._mean) / _MOST
        self._keep(task, result)

    def fail(self, task: Planned, reason: str) -> None:
        self._keep(task, Record(FAILED, error=reason))

    def _keep(self, task: Planned, record: Record) -> None:
        self._store.end(task.key, record)
        self._ended += 1
        self._failed += record.status == FAILED
