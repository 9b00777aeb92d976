"""The hard deadline of a run in a worker: the process ends, whatever a solver does.

A solver that does not stop is left behind in its thread (`watch`), and its worker ends
before the next run. One that does not let Python go on stops that watch, too: then a
thread of C ends the process, and says on standard error where the solver is. What the
worker had in hand is repeated elsewhere, alone; the record of a run that is lost with
its worker again and again says so (`performing`).

Only a process that somebody replaces ends like this: one of a local pool, or a worker
of Dask with a nanny.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from atleastk.runs.watch import Watch
from atleastk.solvers.left_behind import PATIENCE, anybody_left_behind, await_all

LATE: Final = 60.0
"""Seconds after its limit and all grace at which a run is late for good: not tuned."""

_lock: Final = threading.Lock()
_until: Final[dict[int, float]] = {}
"""By the watches of this process, when their runs are late."""

_of_a_pool: Final = threading.Event()


def replace_me() -> None:
    """Say that this process belongs to a pool that replaces it."""
    _of_a_pool.set()


def prepare() -> None:
    """Prepare this process, if it is replaced, for a run with a hard deadline.

    It ends while a solver of an earlier run does not.
    """
    if not _is_replaced():
        return
    Watch.guard = ended_by_force
    if anybody_left_behind() and not await_all(PATIENCE):
        print("atleastk: a solver does not stop: its worker ends", file=sys.stderr)
        os._exit(1)


def _is_replaced() -> bool:
    if _of_a_pool.is_set():
        return True
    with suppress(KeyError, ValueError):  # of no worker
        return sys.modules["distributed"].get_worker().nanny is not None
    return False


@contextmanager
def ended_by_force(watch: Watch) -> Iterator[None]:
    """End this process unless the body does, long after the wait of a watch is over."""
    seconds, me = watch.longest, id(watch)
    with _lock:
        _until[me] = time.monotonic() + seconds + LATE
        _set_alarm()
    try:
        yield
    finally:
        with _lock:
            del _until[me]
            _set_alarm()


def _set_alarm() -> None:
    """Let the process end when the first run is late: it has one such alarm."""
    faulthandler.cancel_dump_traceback_later()
    first = min(_until.values(), default=float("inf"))
    if first < float("inf"):
        left = min(max(1e-3, first - time.monotonic()), threading.TIMEOUT_MAX)
        faulthandler.dump_traceback_later(left, exit=True, file=sys.__stderr__ or 2)
