"""Calls that do not check a budget themselves, run in threads within one."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

from atleastk.solvers.backends.highs import run_apart
from atleastk.solvers.budget import Budget

T = TypeVar("T")


def result_within(budget: Budget, run: Callable[[], T | None]) -> T | None:
    """Return what a call returns; None if the budget is spent first.

    A call that is left behind goes on in a thread of its own until it ends.
    """
    found: list[T | None] = [None]
    if not budget.spent:
        run_apart(lambda: found.append(run()), budget)
    return found[-1]


def result_in_time(
    budget: Budget, run: Callable[[], T | None], *, stops: bool = False
) -> T | None:
    """Do the same without a period of grace, for calls that do not use HiGHS.

    A process may end while such a call goes on.

    Parameters
    ----------
    stops
        Whether a call that is left behind ends at its next step of Python: code that
        never ends would take time from all that comes later.
    """
    found: list[T | None] = []
    failures: list[BaseException] = []
    ended = threading.Event()

    def body() -> None:
        try:
            found.append(run())
        except BaseException as error:  # raised again below
            failures.append(error)
        ended.set()

    if not budget.spent:
        thread = threading.Thread(target=body, daemon=True)
        thread.start()
        while not ended.wait(min(0.05, budget.remaining)) and not budget.spent:
            pass
        if stops and thread.ident is not None and not ended.is_set():
            _stop(thread.ident)
            return None
    if failures:
        raise failures[0]
    return found[0] if found else None


def _stop(thread: int) -> None:
    """Raise SystemExit in a thread."""
    raised = ctypes.py_object(SystemExit)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
