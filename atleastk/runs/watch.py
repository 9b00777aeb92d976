"""Supervision of a run: solvers work in a thread, the caller's thread stays in control.

Solvers are foreign code: they may ignore a deadline, or block signals while they
compute. So the work runs in a thread of its own, while the caller's thread waits in
Python, where it delivers events, handles signals, and stops waiting when the time is up
or the search is closed. The results reported until then are safe in the search.

Loading solvers and compiling loops, once after an installation, counts against no
limit, but the wait for them is bounded: a short run ends without them, and they go on
in their thread for the next one.

In the library only SIGINT is handled, SIGTERM is left to the program; the command line
handles both.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, ClassVar, Final

from atleastk.models.results.result import Event
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import loops_compiled
from atleastk.solvers.left_behind import leave_behind
from atleastk.solvers.search import Ran, Search

_STOP: Final = "stop"
"""The value that a callback returns to end the run."""
_TICK: Final = 0.05
"""Seconds between two looks at the clock and the signals."""

_GRACE: Final = 0.4
"""The share of the tolerance - a second or 5 % of the limit - that a run waits for its
solver, so that half a second is usual.
"""

_PREPARING: Final = 5.0
"""Seconds that a run waits for loading and compiling beside its limit, at least."""

_PATIENT: Final = 4.0
"""How many times its limit a run waits for them: on a busy machine, with a cold cache,
they take minutes."""

_heard: ContextVar[tuple[signal.Signals, ...]] = ContextVar(
    "signals_heard", default=(signal.SIGINT,)
)

_kept: ContextVar[list[signal.Signals] | None] = ContextVar(
    "signals_kept", default=None
)


@contextmanager
def hearing(*signals: signal.Signals) -> Iterator[list[signal.Signals]]:
    """In the body, let exactly these signals stop a run gracefully.

    Yields those that came after `hold`, between runs.
    """
    kept: list[signal.Signals] = []
    before = {number: signal.getsignal(number) for number in signals}
    heard, held = _heard.set(signals), _kept.set(kept)
    try:
        yield kept
    finally:
        _heard.reset(heard)
        _kept.reset(held)
        if threading.current_thread() is threading.main_thread():
            _restore(before)


def hold(number: signal.Signals) -> None:
    """From now on, let a signal wait for the end of `hearing`.

    A run that begins meanwhile stops at once. A second signal ends the program.
    """
    kept = _kept.get()
    if kept is None or threading.current_thread() is not threading.main_thread():
        return

    def keep(_number: int, _frame: FrameType | None) -> None:
        kept.append(number)
        signal.signal(number, signal.SIG_DFL)

    signal.signal(number, keep)


def _restore(handlers: Mapping[signal.Signals, Any]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, signal.SIG_DFL if handler is None else handler)


@dataclass(frozen=True, slots=True)
class _Ended:
    work: Callable[[], object]
    error: BaseException | None


@dataclass(frozen=True, slots=True)
class _Signalled:
    number: signal.Signals


class Watch:
    """Runs the steps of a run within its budget.

    Attributes
    ----------
    signalled
        The signal that ended the run, if one did.
    abandoned
        Whether some work did not end in time and was left behind in its thread.
    halted
        Whether `on_event` returned ``"stop"``.
    cut
        Whether a second signal ended the wait for some work.
    guard
        Guards a wait from outside; a worker has such a one (`by_force`).
    """

    guard: ClassVar[Callable[..., AbstractContextManager[object]]] = nullcontext

    def __init__(
        self,
        budget: Budget,
        on_event: Callable[[Event], object] | None = None,
        on_stage: Callable[[Ran], object] | None = None,
    ) -> None:
        self.signalled: signal.Signals | None = None
        self.abandoned = False
        self.halted = False
        self.cut = False
        self._budget = budget
        self._on_event = on_event
        self._on_stage = on_stage
        self._inbox: SimpleQueue[Event | Ran | _Ended | _Signalled] = SimpleQueue()
        limit = budget.remaining
        self._tolerance = max(1.0, 0.05 * limit) if limit < float("inf") else 1.0
        self._grace = _GRACE * self._tolerance
        self._preparing = max(_PREPARING, _PATIENT * limit)
        self._stood_before = CLOCK.stood
        self._compiled_before = loops_compiled()
        self._stopped_at: float | None = None
        self._unlimited = False
        self._search: Search[Any] | None = None
        self._settled_at: float | None = None

    @property
    def longest(self) -> float:
        """The seconds after which the wait for some work is over in any case."""
        if self._unlimited:
            return float("inf")
        return self._budget.on_the_wall + self._grace + self._preparing

    @property
    def prepared(self) -> float:
        """The seconds of loading and compiling, which count against no limit."""
        return CLOCK.stood - self._stood_before

    @property
    def compiled(self) -> int:
        """How many loops were compiled, which happens once after an installation."""
        return loops_compiled() - self._compiled_before

    @property
    def tired(self) -> bool:
        """Whether preparing took so long that the run waits for it no more."""
        return self.prepared > self._preparing

    @property
    def overrun(self) -> bool:
        """Whether preparing made the run miss its limit by more than it may."""
        over = self.prepared > self._tolerance
        late = self._budget.deadline - CLOCK.now() + self._tolerance < self.prepared
        return self.tired or (over and late)

    def waits(self) -> bool:
        """Tell whether to wait on for the work."""
        prepared = self._unlimited or not self.tired
        return prepared and CLOCK.now() < self._patience()

    def report(self, event: Event | Ran) -> None:
        """Pass an event on to the caller's thread; from any thread."""
        self._inbox.put(event)

    def tell(self, ran: Ran) -> None:
        """Tell the caller of a stage, in the caller's thread."""
        if self._on_stage is not None:
            self._on_stage(ran)

    def perform(self, work: Callable[[], object]) -> bool:
        """Run `work` in a thread; return whether it ended before the wait was over.

        Exceptions of `work` are raised here, and so are those of `on_event`, after the
        run was asked to stop. Nothing starts once the wait is over.
        """
        if not self.waits():
            self._stop()
            return False
        thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        ended = False
        try:
            with self.guard():
                thread.start()  # it waits, too: a signal may come meanwhile
                ended = self._await_end(work)
        except BaseException:
            self._stop()
            if thread.is_alive():
                thread.join(self._grace)
            self.abandoned |= thread.is_alive()
            raise
        finally:
            if not ended and thread.is_alive():
                leave_behind(thread)
        return ended

    def attend(
        self,
        run: Callable[[Search[Any]], object],
        search: Search[Any],
        *,
        unlimited: bool = False,
    ) -> bool:
        """Perform a method on a search whose budget has a ``stop`` of its own.

        Once the search is settled the method is asked to stop, and soon abandoned. With
        `unlimited` the wait does not end with the time.
        """
        self._search, self._settled_at = search, None
        self._unlimited = unlimited
        try:
            return self.perform(partial(run, search))
        finally:
            self._search, self._settled_at = None, None
            self._unlimited = False

    @contextmanager
    def hearing_signals(self) -> Iterator[None]:
        """While the body runs, the first handled signal stops the run gracefully.

        A second one raises `KeyboardInterrupt`. Outside the main thread, where Python
        delivers no signals, nothing changes. See `hearing`.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._hear) for number in _heard.get()}
        try:
            for number in _kept.get() or ():
                self._hear(number, None)
            yield
        finally:
            _restore(before)

    @contextmanager
    def ending_when_cut(self) -> Iterator[None]:
        """End the body, without an exception, at a second signal."""
        try:
            yield
        except KeyboardInterrupt:
            if self.signalled is None:  # it came from elsewhere
                raise
            self.cut = True

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
            self._inbox.put(_Ended(work, error))
        else:
            self._inbox.put(_Ended(work, None))

    def _await_end(self, work: Callable[[], object]) -> bool:
        while self.waits():
            try:
                message = self._inbox.get(timeout=_TICK)
            except Empty:
                continue
            match message:
                case Event() if self._on_event is not None:
                    answer = self._on_event(message)
                    if isinstance(answer, str) and answer == _STOP:
                        self.halted = True
                        self._stop()
                case Ran():
                    self.tell(message)
                case _Signalled():
                    self._stop()
                case _Ended(ended, error) if ended is work:  # not one left behind
                    if error is not None:
                        raise error
                    return True
        self.abandoned = True
        if self._settled_at is None:
            self._stop()
        return False

    def _stop(self) -> None:
        self._budget.stop.set()
        if self._search is not None:
            self._search.budget.stop.set()

    def _patience(self) -> float:
        """Return the time at which the wait is over."""
        if self._stopped_at is None and self._budget.stop.is_set():
            self._stopped_at = CLOCK.now()
        deadline = float("inf") if self._unlimited else self._budget.deadline
        patience = min(deadline, self._stopped_at or float("inf")) + self._grace
        if self._search is None or not self._search.settled:
            return patience
        if self._settled_at is None:
            self._settled_at = CLOCK.now()
            self._search.budget.stop.set()
        return min(patience, self._settled_at + _GRACE)
