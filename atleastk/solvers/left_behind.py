"""Calls in threads of their own, and those that have not stopped when asked to.

A process that ends while a solver computes in some thread is aborted: the solver asks
Python for something, and there is no Python any more. So the end of the process waits
for these threads, but not for ever.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_PATIENCE: Final = 10.0
"""Seconds that the end of the process waits for all of them: far more than solvers
take to notice that they should stop."""

_left: Final[list[threading.Thread]] = []


class Apart(Generic[T]):
    """A call in a thread of its own; `ended` is set when it has returned or failed."""

    def __init__(self, run: Callable[[], T]) -> None:
        self._run, self.ended = run, threading.Event()
        self._found: list[T] = []
        self._failure: BaseException | None = None
        here = copy_context().run
        self.thread = threading.Thread(target=here, args=(self._body,), daemon=True)
        self.thread.start()

    def result(self) -> T:
        """Return what it returned, or raise what it raised."""
        if self._failure is not None:
            raise self._failure
        return self._found[0]

    def _body(self) -> None:
        try:
            self._found.append(self._run())
        except BaseException as error:  # raised again by `result`
            self._failure = error
        self.ended.set()


def leave_behind(thread: threading.Thread) -> None:
    """Wait for a thread no more, before the process ends."""
    if not _left:
        atexit.register(_await_end)
    _left.append(thread)


def anybody_left_behind() -> bool:
    """Tell whether some thread that was left behind still works."""
    return any(thread.is_alive() for thread in _left)


def _await_end() -> None:
    until = time.monotonic() + _PATIENCE
    for thread in _left:
        thread.join(max(0.0, until - time.monotonic()))
