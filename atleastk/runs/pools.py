"""Executors of `concurrent.futures` that perform runs.

By default that is a pool of local processes; ``dask://HOST:PORT`` is a cluster of Dask,
which may live on SLURM or another queue (dask-jobqueue).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe, get_context, parent_process
from multiprocessing.connection import Connection
from typing import Any, Final, ParamSpec, TypeVar

from atleastk.instances.fields.errors import AtleastkError, UnknownNameError, optional
from atleastk.runs.by_force import replace_me
from atleastk.runs.own_programs import end_programs
from atleastk.solvers.budget import bytes_of, usable_processors

P = ParamSpec("P")
T = TypeVar("T")

LOCAL: Final = "processes"
"""The executor of local processes."""

DASK: Final = "dask://"
"""What the name of a cluster of Dask begins with."""

_PATIENCE: Final = 30.0
"""The timeout of a Dask client in seconds."""

_ENDING: Final = 2.0
"""Seconds that processes of a pool have to end. Python 3.11 may write to their closed
pipe when it exits meanwhile, and say so."""

_GONE: Final = 60.0
"""Seconds after which a cluster that has lost all workers is given up: a lost worker
is back within 5 (distributed 2026.7, 2 busy cores)."""

_GLANCE: Final = 0.5
"""Seconds between two looks at the workers of a cluster: not tuned."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An executor."""

    executor: Executor
    workers: Callable[[], int]
    """Returns how many runs it performs at once, now. Raises an error if all workers
    are lost for good."""


Pool = Callable[[], AbstractContextManager[Opened]]
"""Opens an executor; one of our own also again after it broke."""


class Here(Executor):
    """Performs a call at once, in this thread."""

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Perform the call, and return its result as a future."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def address_of(cluster: str) -> str:
    """Return where the scheduler of a cluster of Dask is, as HOST:PORT."""
    address = cluster.removeprefix(DASK)
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        some = address.partition(":")[0] or "HOST"
        raise UnknownNameError(
            f"{cluster}: give the port too, a number, as {DASK}{some}:8786"
        )
    return address


def pool_of(executor: str | Executor, workers: int | None = None) -> Pool:
    """Return a function that opens an executor.

    That is ``"processes"``, ``"dask://HOST:PORT"``, or an executor, which is not
    closed. By default it performs one run at once for each processor, or for each
    thread of a cluster.
    """
    if isinstance(executor, Executor):
        return _once(_opened(executor, workers))
    if executor == LOCAL:
        return partial(_processes, workers)
    if executor.startswith(DASK):
        return partial(_dask, address_of(executor), workers)
    raise UnknownNameError(
        f'no executor is called "{executor}"; known are {LOCAL}, {DASK}HOST:PORT'
    )


def _once(opened: Opened) -> Pool:
    """Open the caller's executor once: only the caller can replace a broken one."""
    left = [opened]

    def pool() -> AbstractContextManager[Opened]:
        if not left:
            raise AtleastkError(
                "the executor broke; the same call goes on with another one"
            )
        return nullcontext(left.pop())

    return pool


def _opened(executor: Executor, workers: int | None) -> Opened:
    """Return an executor with its number of workers, which varies with Dask."""
    client = getattr(executor, "_client", None)  # only an executor of Dask has one
    if client is None:
        most = workers or usable_processors()
        return Opened(executor, lambda: most)
    return Opened(executor, _Workers(client.nthreads, workers))


@contextmanager
def _processes(workers: int | None) -> Iterator[Opened]:
    """Open a pool of processes; they end with this one, however it ends."""
    theirs, ours = Pipe(duplex=False)
    most = workers or usable_processors()
    executor = ProcessPoolExecutor(
        most, get_context("spawn"), initializer=_attend, initargs=(theirs,)
    )
    try:
        yield _opened(executor, most)
    finally:
        ours.close()
        end = partial(executor.shutdown, cancel_futures=True)
        ending = threading.Thread(target=end, daemon=True)
        ending.start()
        ending.join(_ENDING)
        theirs.close()


def _attend(lifeline: Connection) -> None:
    """End a worker as soon as the other end of its pipe is closed.

    Ctrl-C of a terminal reaches all processes; only the driver reacts to it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replace_me()

    def wait() -> None:
        try:
            lifeline.recv_bytes()
        except (EOFError, OSError):
            end_programs()
            os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _dask(address: str, workers: int | None) -> Iterator[Opened]:
    distributed: Any = optional("distributed", "dask", "clusters of Dask")
    try:
        client = distributed.Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise AtleastkError(
            f"{DASK}{address}: no scheduler answers: {error}"
        ) from error
    with client:
        yield _opened(client.get_executor(pure=False), workers)


def memory_of_task() -> float:
    """Return the bytes that a task may take where it is performed.

    That is a share of those of its worker of Dask, all of whose threads have tasks, or
    of those of the machine, all of whose processors have processes of a pool.
    """
    with suppress(KeyError, ValueError):  # of no worker
        worker = sys.modules["distributed"].get_worker()
        limit = float(worker.memory_manager.memory_limit or bytes_of(None))
        return limit / int(worker.state.nthreads)
    many = 1 if parent_process() is None else usable_processors()
    return bytes_of(None) / many


class _Workers:
    """How many runs a cluster of Dask performs at once; without workers it waits.

    `threads` returns the number of threads of every worker; `most` limits the runs.
    """

    def __init__(
        self, threads: Callable[[], Mapping[str, int]], most: int | None
    ) -> None:
        self._threads = threads
        self._most = most
        self._looked = -_GLANCE
        self._seen: float | None = None
        self._count = 0

    def __call__(self) -> int:
        """Raise an error if the cluster has lost all workers for too long."""
        now = time.monotonic()
        if now - self._looked >= _GLANCE:
            self._looked = now
            self._count = sum(self._threads().values())
        if self._count:
            self._seen = now
        elif self._seen is not None and now - self._seen > _GONE:
            raise AtleastkError(
                f"all workers of the cluster are gone for {_GONE:g} s; "
                "the same command goes on when there are others"
            )
        return self._most or max(1, self._count)
