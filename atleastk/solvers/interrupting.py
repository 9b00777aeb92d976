"""Interrupts: one thread that calls whoever has to stop, for all runs of the process.

A thread for each loop that can be stopped would cost more than short loops do.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

GLANCE: Final = 0.02
"""Seconds between two looks whether something is over."""

_IDLE: Final = 50
"""Looks at nothing after which the thread sleeps until something begins."""


class _Watched:
    """What is called again and again while it is over and has not ended."""

    def __init__(
        self, over: Callable[[], bool], interrupt: Callable[[], object]
    ) -> None:
        self._over, self._interrupt = over, interrupt
        self._lock, self._ended = threading.Lock(), False

    def look(self) -> None:
        """Interrupt it if it is over; it cannot end meanwhile."""
        if self._lock.acquire(blocking=False):
            try:
                if not self._ended and self._over():
                    self._interrupt()
            except Exception:  # told as of any thread, which has others to look after
                self._ended = True
                thread = threading.current_thread()
                told = threading.ExceptHookArgs((*sys.exc_info(), thread))
                threading.excepthook(told)
            finally:
                self._lock.release()

    def end(self) -> None:
        """Wait for an interrupt that is on its way; there will be no other one."""
        with self._lock:
            self._ended = True


class _Watcher:
    """The thread, and what it looks at."""

    _watched: dict[_Watched, None]
    _wanted: threading.Event
    _thread: threading.Thread | None
    _starting: threading.Lock

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Look at nothing yet; again in a forked process, which has no such thread."""
        self._watched, self._wanted, self._thread = {}, threading.Event(), None
        self._starting = threading.Lock()

    @contextmanager
    def looking_at(self, watched: _Watched) -> Iterator[None]:
        """Look at something while the body runs."""
        try:
            self._watched[watched] = None
            self._wanted.set()
            self._start()
            yield
        finally:
            self._watched.pop(watched, None)
            watched.end()

    def _start(self) -> None:
        """Start the thread, once; again if the system had none left before."""
        if self._thread is None:
            with self._starting:
                if self._thread is None:
                    thread = threading.Thread(target=self._run, daemon=True)
                    thread.start()
                    self._thread = thread

    def _run(self) -> None:
        idle = 0
        while True:
            time.sleep(GLANCE)
            idle = 0 if self._watched else idle + 1
            for watched in [*self._watched]:
                watched.look()
            if idle > _IDLE:
                self._wanted.clear()
                if not self._watched:
                    self._wanted.wait()


_WATCHER: Final = _Watcher()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_WATCHER.begin)


def interrupting(
    over: Callable[[], bool], interrupt: Callable[[], object]
) -> AbstractContextManager[None]:
    """Call `interrupt` from when it is over until the body ends, again and again."""
    return _WATCHER.looking_at(_Watched(over, interrupt))
