"""Tasks on executors that may break, each performed once.

Short tasks are submitted in bundles, since submitting may take longer than they do.

A worker may be lost: killed, or out of memory. All tasks that its executor had are then
repeated, each *alone*: so a task that kills its worker harms no other, and after a few
tries it has failed.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from typing import Any, Final, Generic, NamedTuple, TypeVar

from atleastk.instances.fields.errors import AtleastkError
from atleastk.runs.by_force import prepare
from atleastk.runs.pools import Opened, Pool, pool_of

T = TypeVar("T")
R = TypeVar("R")

_TRIES: Final = 3
"""How often a worker may be lost with a task, the first time with others: not tuned."""

_BREAKS: Final = 2 * _TRIES
"""How often an executor may break before any task is done: more often than one task
that kills its workers can make it."""

_AHEAD: Final = 2
"""Bundles submitted per worker: enough that none waits for the driver, few enough that
little is lost with a worker."""

_TICK: Final = 0.5
"""Seconds after which `perform` comes back though no task has ended: not tuned."""


class Attempt(NamedTuple, Generic[T]):
    """A task, and how often a worker was lost with it."""

    task: T
    tries: int = 0


class Performer(ABC, Generic[T, R]):
    """Performs tasks of a kind, and says what becomes of them.

    Attributes
    ----------
    done
        How many workers have performed.
    """

    def __init__(self) -> None:
        self.done = 0
        self._fresh: deque[Attempt[T]] = deque()
        self._suspects: deque[Attempt[T]] = deque()
        self._running: dict[Future[Sequence[R]], Sequence[Attempt[T]]] = {}
        self._breaks = 0
        self._submitted = 0.0  # when the last ones were

    @property
    def bundle(self) -> int:
        """How many tasks are submitted together."""
        return 1

    @abstractmethod
    def call(
        self, tasks: Sequence[T]
    ) -> tuple[Callable[[Sequence[Any]], Sequence[R]], Sequence[Any]]:
        """Return a function and its argument, which perform the first of the tasks.

        An error of a task is in its result: an exception is about the worker.
        """

    @abstractmethod
    def end(self, task: T, result: R) -> None:
        """Take the result of a task."""

    @abstractmethod
    def fail(self, task: T, reason: str) -> None:
        """Take note of a task that was lost with its workers."""

    def begin(self, tasks: Sequence[T]) -> None:
        """Take note of tasks that are submitted."""

    def lack(self, task: T) -> None:
        """Take note of a task that comes back: its worker lacks what it needs."""

    def interrupt(self, task: T, tries: int) -> None:
        """Take note of a task that is repeated."""

    def perform(self, attempts: Sequence[Attempt[T]], pool: Pool) -> Iterator[None]:
        """Perform tasks on executors of a pool: those that were lost before alone.

        Comes back from time to time, and whenever tasks have ended.
        """
        for attempt in attempts:
            (self._suspects if attempt.tries else self._fresh).append(attempt)
        while self._fresh or self._suspects:
            with pool() as opened:
                yield from self._use(opened)

    def _use(self, opened: Opened) -> Iterator[None]:
        """Use an executor until nothing is left, or until it breaks."""
        while True:
            broken = self._hand_over(opened)
            if not self._running and not broken:
                return
            ended, _ = wait(self._running, _TICK, FIRST_COMPLETED)
            for future in ended:
                broken |= self._take(self._running.pop(future), future)
            yield
            if broken:
                break
        for bundle in self._running.values():
            self._lose(bundle, "its executor broke")
        self._running.clear()
        self._breaks += 1
        if not self.done and self._breaks == _BREAKS:
            raise AtleastkError(
                f"the workers were lost {_BREAKS} times before any run was done; a "
                'script does this under if __name__ == "__main__":, since each '
                "local process reads it again"
            )

    def _hand_over(self, opened: Opened) -> bool:
        """Submit tasks as long as the executor should have more.

        Suspects come first, each alone. Return whether the executor is broken.
        """
        workers = opened.workers()
        most = 1 if self._suspects else _AHEAD * workers
        while len(self._running) < most:
            bundle = self._next()
            if not bundle:
                return False
            tasks = [attempt.task for attempt in bundle]
            perform, given = self.call(tasks)
            self.begin(tasks)
            self._submitted = time.monotonic()
            try:
                future = opened.executor.submit(perform, given)
            except (OSError, RuntimeError):  # it takes nothing any more
                self._give_back(bundle)
                return True
            except Exception as error:  # a client of Dask that was closed, say
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                raise AtleastkError(f"the executor takes no runs: {reason}") from error
            self._running[future] = bundle
        return False

    def _next(self) -> Sequence[Attempt[T]]:
        """Take the next bundle."""
        if self._suspects:
            return [self._suspects.popleft()]
        size = min(self.bundle, len(self._fresh))
        return [self._fresh.popleft() for _ in range(size)]

    def _take(self, bundle: Sequence[Attempt[T]], future: Future[Sequence[R]]) -> bool:
        """Take the results of tasks; return whether their executor is broken."""
        try:
            results = future.result()
        except (Exception, CancelledError) as error:
            self._lose(bundle, f"{type(error).__name__}: {error}")
            return isinstance(error, BrokenExecutor | CancelledError)
        for attempt, result in zip(bundle, results, strict=False):
            self.done += 1
            self.end(attempt.task, result)
        if not results:
            self.lack(bundle[0].task)
        self._give_back(bundle[len(results) :])
        return False

    def _give_back(self, bundle: Sequence[Attempt[T]]) -> None:
        """Put tasks that were not begun back to the front."""
        for attempt in reversed(bundle):
            (self._suspects if attempt.tries else self._fresh).appendleft(attempt)

    def _lose(self, bundle: Sequence[Attempt[T]], why: str) -> None:
        """Queue lost tasks for another try, or say that they failed."""
        for task, tries in bundle:
            if tries + 1 < _TRIES:
                self.interrupt(task, tries + 1)
                self._suspects.append(Attempt(task, tries + 1))
            else:
                alone = time.monotonic() - self._submitted
                reason = f"its worker was lost {tries + 1} times: "
                reason += f"{' '.join(why.split())}; at last after {alone:.0f} s alone"
                self.fail(task, reason)


class _Calls(Performer[tuple[int, Callable[[], R]], R | AtleastkError]):
    """Performs calls, whose errors are raised here."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: deque[tuple[int, R]] = deque()

    def call(
        self, tasks: Sequence[tuple[int, Callable[[], R]]]
    ) -> tuple[Callable[[Sequence[Any]], Sequence[R | AtleastkError]], Sequence[Any]]:
        return _answered, [call for _, call in tasks]

    def end(self, task: tuple[int, Callable[[], R]], result: R | AtleastkError) -> None:
        if isinstance(result, AtleastkError):
            raise result
        self.ended.append((task[0], result))

    def fail(self, task: tuple[int, Callable[[], R]], reason: str) -> None:
        raise AtleastkError(f"task {task[0] + 1}: {reason}")


def performed(
    calls: Iterable[Callable[[], R]],
    executor: str | Executor | None,
    workers: int | None = None,
    glance: Callable[[], object] = lambda: None,
) -> Iterator[tuple[int, R]]:
    """Perform calls, and yield the place and the result of each as it ends.

    Errors of calls are raised here.

    Parameters
    ----------
    executor, workers
        See `pool_of`; None: here, one after the other, each made when it is its turn.
    glance
        Called from time to time; it may raise an error.
    """
    if executor is None:
        for place, call in enumerate(calls):
            yield place, call()
        return
    known = _Calls[R]()
    attempts = [Attempt(task) for task in enumerate(calls)]
    for _ in known.perform(attempts, pool_of(executor, workers)):
        glance()
        while known.ended:
            yield known.ended.popleft()


def _answered(calls: Sequence[Callable[[], R]]) -> Sequence[R | AtleastkError]:
    prepare()
    try:
        return [calls[0]()]
    except AtleastkError as error:
        return [error]
