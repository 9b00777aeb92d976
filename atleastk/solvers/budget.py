"""A budget: time, work, threads and memory of a run, and the flag that stops it."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import isfinite, nan
from pathlib import Path
from typing import Any, Final

import numpy as np

from atleastk.arrays import ByteArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.in_time import awaited_unless
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.interrupting import interrupting

_MOMENT: Final = 0.2
"""Seconds before the end at which solvers stop: what begins then is of no use."""

_MEMORY: Final = 4e9
"""Bytes for lists if the system does not report its memory, or the run must not depend
on it: what a small machine has."""


_LISTS: Final = 0.25
"""The share of the memory that lists may take in any case: not tuned."""

_STATM: Final = Path("/proc/self/statm")
"""Where Linux tells how many pages a process has."""

_UNITS: Final = {"": 1e9, "tb": 1e12, "gb": 1e9, "mb": 1e6}
_AMOUNT: Final = re.compile(r"(\d+\.?\d*|\.\d+)\s*(tb|gb|mb|)")

_GROUPS: Final = Path("/proc/self/cgroup")
"""Where Linux tells the control groups of a process: ``4:memory:/a/b``, ``0::/a/b``."""

_LIMITS: Final = {
    "": (Path("/sys/fs/cgroup"), "memory.max"),
    "memory": (Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"),
}
"""By the name of what controls: the folder of its groups, and the file of a limit."""


@dataclass(slots=True)
class WorkLimit:
    """What is left of a limit on work, for all parts of a run together."""

    left: float = float("inf")
    """In the deterministic seconds of CP-SAT, which counts its steps and asks no clock;
    infinite if there is no limit."""

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
    """

    deadline: float = float("inf")
    """On the clock of runs; infinite if there is no limit."""
    workers: int = 1
    """The number of threads a solver may use."""
    seed: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    """Set to ask every part of the run to stop."""
    memory: float = float("inf")
    """The bytes that the process may take, and from `beside` on its long lists, such as
    those of patterns or groups."""
    work: WorkLimit = field(default_factory=WorkLimit)
    """Methods that count their work take it from here, and end when nothing is left."""

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

    @classmethod
    def checked(
        cls,
        time_limit: float | None = None,
        workers: int | None = None,
        seed: int = 0,
        memory_limit: float | None = None,
        work_limit: float | None = None,
    ) -> Budget:
        """Return a budget that starts now, of checked parameters of `atleastk.solve`.

        Under a work limit nothing in it depends on the machine.

        Raises
        ------
        NotApplicableError
            If a work limit meets several workers.
        ValueError
            If a parameter is out of range; the message begins with its name.
        """
        if time_limit is not None:
            time_limit = positive(time_limit, "seconds", "time_limit: ")
        work = float("inf")
        if work_limit is not None:
            work = positive(work_limit, "deterministic seconds", "work_limit: ")
            if workers not in (None, 1):
                raise NotApplicableError(
                    f"work_limit: needs one worker, got {workers}; leave workers out"
                )
            workers = 1
        if memory_limit is not None:
            memory = 1e9 * positive(memory_limit, "gigabytes", "memory_limit: ")
        else:
            memory = bytes_of(None) if work_limit is None else _MEMORY
        if workers is None:
            workers = usable_processors()
        workers = checked_workers(workers, "workers: ")
        return cls.of(time_limit, workers, checked_seed(seed, "seed: "), memory, work)

    @property
    def remaining(self) -> float:
        """The seconds left; 0.0 if the budget is spent or the run was stopped.

        Infinite under a work limit, so that nothing depends on the clock.
        """
        if self.stop.is_set() or self.work.left <= 0.0:
            return 0.0
        left = max(0.0, self.deadline - CLOCK.now())
        return float("inf") if left and self.work.limited else left

    @property
    def on_the_wall(self) -> float:
        """The same for solvers with clocks of their own."""
        return CLOCK.on_the_wall(self.remaining)

    @property
    def spent(self) -> bool:
        """Whether the run must end now."""
        return self.remaining <= 0.0

    @property
    def endless(self) -> bool:
        """Whether there is no limit of time that counts."""
        return self.remaining == float("inf")

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

    def beside(self, taken: float) -> Budget:
        """Return this budget where a process has taken so many bytes already.

        Lists may take the rest, or a share of all if that is more.
        """
        if self.work.limited:
            return self
        return replace(self, memory=max(self.memory - taken, _LISTS * self.memory))

    def apart(self) -> Budget:
        """Return the same budget with a ``stop`` of its own."""
        return replace(self, stop=threading.Event())

    def calling(self, interrupt: Callable[[], object]) -> AbstractContextManager[None]:
        """Call `interrupt` from when the budget is spent until the body ends.

        For solvers that can be stopped from another thread. It is called again and
        again: a solver that is just starting may miss the first call.
        """
        return interrupting(lambda: self.spent, interrupt)

    def awaiting(self) -> AbstractContextManager[None]:
        """End the body, if it looks up, when the budget is spent; see `in_time`."""
        return awaited_unless(lambda: self.spent)

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


def positive(value: Any, unit: str, name: str = "") -> float:
    """Return a number above 0 and below infinity; errors begin with `name`."""
    number = nan
    if hasattr(value, "__float__") and not isinstance(value, bool):
        with suppress(OverflowError, TypeError):  # of integers of 400 digits, of arrays
            number = float(value)
    if not isfinite(number) or number <= 0:
        raise ValueError(f"{name}expected {unit} above 0, got {value}")
    return number


def checked_workers(value: Any, name: str = "") -> int:
    """Return a number of threads; errors begin with `name`."""
    if not is_integer(value) or value < 1:
        raise ValueError(f"{name}expected an integer of at least 1, got {value}")
    return int(value)


def checked_seed(value: Any, name: str = "") -> int:
    """Return a seed of random choices; errors begin with `name`."""
    if not is_integer(value) or not 0 <= value < 2**31:
        raise ValueError(f"{name}expected an integer from 0 to 2**31 - 1, got {value}")
    return int(value)


def is_integer(value: object) -> bool:
    """Tell whether a value is an integer of any library, and no truth value."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def bytes_of(memory: str | float | None) -> float:
    """Return an amount of memory like 8, ``"8GB"`` or ``"500MB"``, in bytes.

    By default half of what this process may take, as far as that is known.
    """
    if memory is None:
        known = usable_memory()
        return _MEMORY if known is None else known / 2
    found = _AMOUNT.fullmatch(str(memory).strip().lower())
    if found is None:
        raise ValueError(f"expected an amount such as 8GB or 500MB, got {memory}")
    return positive(float(found[1]), "gigabytes") * _UNITS[found[2]]


def usable_memory() -> float | None:
    """Return the bytes that the machine, its container or its job leaves a process.

    The least of physical memory, the limits of control groups, and what SLURM grants.
    """
    try:
        groups = _GROUPS.read_text(encoding="utf-8")
    except (OSError, ValueError):  # no Linux
        groups = ""
    files = _files_of_limits(groups, *_LIMITS.items())
    known = [_physical(), *map(_limit_in, files)]
    granted = _of_slurm("MEM_PER_NODE") or (
        _of_slurm("MEM_PER_CPU") * _of_slurm("CPUS_ON_NODE")
    )
    if granted:
        known.append(2.0**20 * granted)
    return min((size for size in known if size is not None), default=None)


def _of_slurm(name: str) -> int:
    """Return a number that SLURM tells a job; 0 without one, or for a whole node."""
    told = os.environ.get(f"SLURM_{name}", "")
    return int(told) if told.isdecimal() else 0


def resident_memory() -> float:
    """Return the bytes that this process has taken; 0 if the system does not say."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
        return float(pages * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, IndexError, OSError, ValueError):
        return 0.0


def _physical() -> float | None:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError):  # a system that does not report it
        return None


@lru_cache
def _files_of_limits(
    groups: str, *limits: tuple[str, tuple[Path, str]]
) -> Sequence[Path]:
    """Return where limits of memory are: of the groups of this process, and above.

    A container that has a group of its own sees that as the outermost one.
    """
    inside, files = {name: "/" for name, _ in limits}, []
    with suppress(ValueError):
        for line in groups.splitlines():
            _, names, path = line.split(":", 2)
            inside |= dict.fromkeys(names.split(","), path)
    for name, (root, file) in limits:
        group = root / inside[name].lstrip("/")
        folders = (group, *group.parents)
        files += [each / file for each in folders if each.is_relative_to(root)]
    return files


def _limit_in(path: Path) -> float | None:
    """Return the limit that a file of a control group holds, if there is one."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):  # no such group
        return None
    return float(text) if text.isdecimal() else None
