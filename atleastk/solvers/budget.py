"""A budget: how long and with what a run may work, and how it is told to stop."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray
from atleastk.solvers.clock import CLOCK

_MOMENT: Final = 0.2
"""Seconds before the end at which solvers stop: what begins then is of no use."""


@dataclass(slots=True)
class WorkLimit:
    """What is left of a limit on work, for all parts of a run together.

    Attributes
    ----------
    left
        In the deterministic seconds of CP-SAT, which counts its steps and asks no
        clock; infinite if there is no limit.
    """

    left: float = float("inf")

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self.left < float("inf")

    def spend(self, amount: float) -> None:
        """Take note of work that was done."""
        self.left -= amount


@dataclass(frozen=True, slots=True)
class Budget:
    """Time, work, workers, seed and memory of a run.

    Under a limit on work nothing but the deadline depends on the clock: parts of a
    budget end with the whole.

    Attributes
    ----------
    deadline
        On the clock of runs; infinite if there is no limit.
    workers
        The number of threads a solver may use.
    stop
        Set to ask every part of the run to stop.
    memory
        The bytes that long lists, such as those of patterns or groups, may take.
    work
        Methods that count their work take it from here, and end when nothing is left.
    """

    deadline: float = float("inf")
    workers: int = 1
    seed: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    memory: float = float("inf")
    work: WorkLimit = field(default_factory=WorkLimit)

    @classmethod
    def of(
        cls,
        seconds: float | None = None,
        workers: int = 1,
        seed: int = 0,
        memory: float = float("inf"),
        work: float = float("inf"),
    ) -> Budget:
        """Return a budget that starts now."""
        deadline = float("inf") if seconds is None else CLOCK.now() + seconds
        return cls(deadline, workers, seed, memory=memory, work=WorkLimit(work))

    @property
    def remaining(self) -> float:
        """The seconds left; 0.0 if the budget is spent or the run was stopped.

        Under a limit on work they are not told: infinite.
        """
        if self.stop.is_set() or self.work.left <= 0.0:
            return 0.0
        left = max(0.0, self.deadline - CLOCK.now())
        return float("inf") if left and self.work.limited else left

    @property
    def spent(self) -> bool:
        """Whether the run must end now."""
        return self.remaining <= 0.0

    @property
    def ending(self) -> bool:
        """Whether no more is left than the moment by which solvers end too early."""
        return self.remaining <= _MOMENT

    def slice(self, seconds: float) -> Budget:
        """Return a part of this budget that ends after `seconds` at the latest."""
        if self.work.limited:
            return self
        return replace(self, deadline=min(self.deadline, CLOCK.now() + seconds))

    def share(self, share: float) -> Budget:
        """Return a part of this budget that ends after a share of what is left."""
        return self.slice(share * self.remaining)

    def apart(self) -> Budget:
        """Return the same budget with a ``stop`` of its own."""
        return replace(self, stop=threading.Event())

    @contextmanager
    def calling(self, interrupt: Callable[[], object]) -> Iterator[None]:
        """Call `interrupt` from when the budget is spent until the body ends.

        For solvers that can be stopped from another thread. It is called again and
        again: a solver that is just starting may miss the first call.
        """
        done = threading.Event()

        def watch() -> None:
            while not done.wait(0.02):
                if self.spent:
                    interrupt()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    @contextmanager
    def flagging(self) -> Iterator[ByteArray]:
        """Give a byte that becomes 1 when the budget is spent, for compiled loops."""
        flag = np.zeros(1, dtype=np.uint8)

        def raise_flag() -> None:
            flag[0] = 1

        with self.calling(raise_flag):
            yield flag


def usable_processors() -> int:
    """Return how many processors this process may use: a machine may have more."""
    if hasattr(os, "process_cpu_count"):  # from Python 3.13 on
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
