"""Abandoned threads: their solver has not stopped when it was asked to.

A process that ends while a solver computes in some thread is aborted: the solver asks
Python for something, and there is no Python any more. So the end of the process waits
for these threads, but not for ever.
"""

from __future__ import annotations

import atexit
import threading
import time
from typing import Final

PATIENCE: Final = 10.0
"""Seconds that the end of the process waits for all of them: far more than solvers
take to notice that they should stop."""

_left: Final[list[threading.Thread]] = []


def leave_behind(thread: threading.Thread) -> None:
    """Wait for a thread no more, before the process ends."""
    if not _left:
        atexit.register(await_all, PATIENCE)
    _left.append(thread)


def anybody_left_behind() -> bool:
    """Tell whether some thread that was left behind still works."""
    return any(thread.is_alive() for thread in _left)


def await_all(seconds: float) -> bool:
    """Wait so long at most for all of them; return whether none works any more."""
    until = time.monotonic() + seconds
    for thread in _left:
        thread.join(max(0.0, until - time.monotonic()))
    return not anybody_left_behind()
