"""Calls that do not check a budget themselves, run in threads within one."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TypeVar

from atleastk.solvers.backends.highs import Apart, run_apart
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

    A process may end while such a call goes on. If it `stops`, a call that is left
    behind ends at its next step of Python: code that never ends would take time from
    all that comes later.
    """
    if budget.spent:
        return None
    call = Apart(run)
    while not call.ended.wait(min(0.05, budget.remaining)) and not budget.spent:
        pass
    if call.ended.is_set():
        return call.result()
    if stops and call.thread.ident is not None:
        _stop(call.thread.ident)
    return None


def _stop(thread: int) -> None:
    """Raise SystemExit in a thread."""
    raised = ctypes.py_object(SystemExit)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
