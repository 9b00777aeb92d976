"""A watch over a run: work in a thread, its caller in command.

Solvers are foreign code: they may ignore a deadline, or hold off signals for as long as
they compute. So the work runs in a thread of its own, while the caller's thread waits
in Python, where it delivers events, hears SIGINT and SIGTERM, and stops waiting when
the time is up. What the work reported until then is safe in its search.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Final

from atleastk.models.result import Event
from atleastk.solvers.budget import Budget

__all__ = ["Watch"]

_TICK: Final = 0.05
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class _Ended:
    error: BaseException | None


@dataclass(frozen=True, slots=True)
class _Signalled:
    number: signal.Signals


class Watch:
    """Keeps the parts of a run within its budget.

    Attributes
    ----------
    signalled
        The signal that ended the run, if one did.
    abandoned
        Whether some work did not end in time and was left behind in its thread.
    """

    def __init__(
        self, budget: Budget, on_event: Callable[[Event], object] | None = None
    ) -> None:
        self.signalled: signal.Signals | None = None
        self.abandoned = False
        self._budget = budget
        self._on_event = on_event
        self._inbox: SimpleQueue[Event | _Ended | _Signalled] = SimpleQueue()
        limit = budget.remaining
        # The promise is an over-run of 1 s or 5 %; a part is for what comes after.
        self._grace = 0.8 * max(1.0, 0.05 * limit if limit < float("inf") else 0.0)
        self._stopped_at: float | None = None

    def report(self, event: Event) -> None:
        """Pass an event on to the caller's thread; from any thread."""
        self._inbox.put(event)

    def perform(self, work: Callable[[], object]) -> bool:
        """Run `work` in a thread; tell whether it ended before patience did.

        What `work` raises is raised here, and so is what `on_event` raises, after the
        run was told to stop. Nothing starts once patience has run out.
        """
        if self.abandoned or time.monotonic() >= self._patience():
            return False
        thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        thread.start()
        try:
            return self._await_end()
        except BaseException:
            self._budget.stop.set()
            thread.join(self._grace)
            self.abandoned = thread.is_alive()
            raise

    @contextmanager
    def hearing_signals(self) -> Iterator[None]:
        """While the body runs, the first SIGINT or SIGTERM stops the run gently.

        A second one raises `KeyboardInterrupt`. Outside the main thread, where Python
        delivers no signals, nothing changes.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._hear) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        if self.signalled is not None:
            raise KeyboardInterrupt
        self.signalled = signal.Signals(number)
        # Only a SimpleQueue may be written to from within a signal handler.
        self._inbox.put(_Signalled(self.signalled))

    def _run(self, work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:  # it is raised again in the caller's thread
            self._inbox.put(_Ended(error))
        else:
            self._inbox.put(_Ended(None))

    def _await_end(self) -> bool:
        while time.monotonic() < self._patience():
            try:
                message = self._inbox.get(timeout=_TICK)
            except Empty:
                continue
            match message:
                case Event() if self._on_event is not None:
                    self._on_event(message)
                case _Signalled():
                    self._budget.stop.set()
                case _Ended(error):
                    if error is not None:
                        raise error
                    return True
        self.abandoned = True
        self._budget.stop.set()
        return False

    def _patience(self) -> float:
        """Return the time at which waiting is over."""
        if self._stopped_at is None and self._budget.stop.is_set():
            self._stopped_at = time.monotonic()
        ends = (self._budget.deadline, self._stopped_at or float("inf"))
        return min(ends) + self._grace
