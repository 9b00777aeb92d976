"""Where runs are performed: any executor of `concurrent.futures`.

By default that is a pool of local processes; ``dask://HOST:PORT`` is a cluster of Dask,
which may live on SLURM or another queue (dask-jobqueue).
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import Any, Final, ParamSpec, TypeVar

from atleastk.instances.errors import AtleastkError, UnknownNameError, optional
from atleastk.solvers.budget import usable_processors

__all__ = ["LOCAL", "Here", "Opened", "Pool", "pool_of"]

P = ParamSpec("P")
T = TypeVar("T")

LOCAL: Final = "processes"
"""The executor of local processes."""

_DASK: Final = "dask://"

_PATIENCE: Final = 30.0
"""Seconds to reach a scheduler of Dask, whose own limit this is."""


_GONE: Final = 60.0
"""Seconds without any worker of a cluster that had some, after which nobody waits: a
lost one is there again within 5 (distributed 2026.7, 2 busy cores)."""


def _all_well() -> None:
    """Expect nothing: other executors tell by themselves that they are broken."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An executor.

    Attributes
    ----------
    workers
        How many runs it performs at once.
    expect_workers
        Raises an error if there is nobody any more who could perform a run.
    """

    executor: Executor
    workers: int
    expect_workers: Callable[[], None] = _all_well


Pool = Callable[[], AbstractContextManager[Opened]]
"""Opens an executor: again after it broke."""


class Here(Executor):
    """Performs a call at once, in this thread."""

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Return what has been done already."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def pool_of(executor: str | Executor, workers: int | None = None) -> Pool:
    """Return what opens an executor.

    Parameters
    ----------
    executor
        ``"processes"``, ``"dask://HOST:PORT"``, or an executor, which is not closed.
    workers
        How many runs are performed at once: by default one for each processor, or for
        each thread of a cluster.
    """
    if isinstance(executor, Executor):
        opened = Opened(executor, workers or usable_processors())
        return lambda: nullcontext(opened)
    if executor == LOCAL:
        return partial(_processes, workers or usable_processors())
    if executor.startswith(_DASK):
        return partial(_dask, executor.removeprefix(_DASK), workers)
    message = f'no executor is called "{executor}"; known are {LOCAL}, {_DASK}HOST:PORT'
    raise UnknownNameError(message)


@contextmanager
def _processes(workers: int) -> Iterator[Opened]:
    """Open a pool of processes that end with this one, however it ends."""
    theirs, ours = Pipe(duplex=False)
    executor = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_attend, initargs=(theirs,)
    )
    try:
        yield Opened(executor, workers)
    finally:
        ours.close()
        executor.shutdown(wait=False, cancel_futures=True)
        theirs.close()


def _attend(lifeline: Connection) -> None:
    """Let a worker end as soon as nobody holds the other end of its lifeline.

    Ctrl-C of a terminal reaches all of its processes; what it means the driver says.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        try:
            lifeline.recv_bytes()
        except (EOFError, OSError):
            os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _dask(address: str, workers: int | None) -> Iterator[Opened]:
    """Open a cluster of Dask that is there already."""
    distributed: Any = optional("distributed", "dask", "clusters of Dask")
    try:
        client = distributed.Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        message = f"{_DASK}{address}: no scheduler answers: {error}"
        raise AtleastkError(message) from error
    with client:
        threads = sum(client.nthreads().values())
        executor = client.get_executor(pure=False)
        expect = _Workers(client, f"{_DASK}{address}").expect
        yield Opened(executor, workers or max(1, threads), expect)


class _Workers:
    """The workers of a cluster of Dask: if all are gone, its runs wait for ever."""

    def __init__(self, client: Any, place: str) -> None:
        self._client = client
        self._place = place
        self._seen = time.monotonic() if client.nthreads() else None

    def expect(self) -> None:
        """Refuse to wait on for a cluster that had workers and has none for long."""
        now = time.monotonic()
        if self._client.nthreads():
            self._seen = now
        elif self._seen is not None and now - self._seen > _GONE:
            message = (
                f"{self._place}: all of its workers are gone for {_GONE:g} s; "
                "the same command goes on when there are others"
            )
            raise AtleastkError(message)
