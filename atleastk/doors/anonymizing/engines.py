"""Which engine counts a table: memory, or one that leaves it in its files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from glob import has_magic
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from threading import Event
from typing import Any, Final, cast

from atleastk.doors.anonymizing.release import why_not
from atleastk.doors.anonymizing.request import Request
from atleastk.frames.duckdb_engine import engine_for
from atleastk.frames.duckdb_source import DUCKDB, DuckSource, KeptCounts
from atleastk.frames.engine_files import FORMATS, expect_outside, rows_of_groups
from atleastk.frames.frame import Frame
from atleastk.frames.open_frame import framed, read_frame
from atleastk.frames.pieces import Task
from atleastk.instances.fields.errors import InvalidInstanceError, NoAnswerError
from atleastk.instances.files.files import most_bytes
from atleastk.runs.performing import performed
from atleastk.runs.pools import DASK, address_of, memory_of_task, pool_of
from atleastk.solvers.budget import bytes_of, usable_processors

AUTO: Final = "auto"
MEMORY: Final = "memory"
ENGINES: Final = (AUTO, MEMORY, DUCKDB, f"{DASK}HOST:PORT")
"""What engines are called."""

_MANY_ROWS: Final = 3_000_000
"""Rows of a Parquet file that are too many for memory: some gigabytes."""

_OF_THE_ENGINE: Final = 0.5
"""The share of the memory of the engine; distinct rows and Python take more."""


def engine_named(text: str) -> str:
    """Return the name of an engine, if it is one."""
    if text in ENGINES[:-1] or (is_cluster(text) and address_of(text)):
        return text
    raise InvalidInstanceError(
        f'no engine is called "{text}"; known are {", ".join(ENGINES)}'
    )


def is_cluster(engine: str) -> bool:
    """Tell whether an engine is a cluster of other machines."""
    return engine.startswith(DASK)


def is_many(path: str | Path) -> bool:
    """Tell whether a path is that of a folder or a pattern, not of one file."""
    place = Path(path)
    return place.is_dir() or (not place.exists() and has_magic(str(path)))


def takes(engine: str, path: str | Path, request: Request | None = None) -> bool:
    """Tell whether the table at a path stays in its files.

    By the automatic choice it does if it is several files, or more than is read into
    memory, if the engine is there and takes such a request.
    """
    several, engine = is_many(path), engine_named(engine)
    if several and engine == MEMORY:
        raise InvalidInstanceError(
            f"{path}: is several files; engine memory reads one, {DUCKDB} counts them"
        )
    if several or engine != AUTO:
        return several or engine != MEMORY
    place = Path(path)
    if not place.is_file() or not place.name.lower().endswith(FORMATS):
        return False
    if place.suffix.lower() == ".parquet":
        large = sum(rows_of_groups(place)) > _MANY_ROWS
    else:
        large = place.stat().st_size > most_bytes()
    able = large and find_spec("duckdb") is not None
    return able and (request is None or why_not(request) is None)


@contextmanager
def opened(
    path: str | Path,
    memory: float,
    workers: int | None = None,
    scratch: str | PathLike[str] | None = None,
    delimiter: str | None = None,
    engine: str = DUCKDB,
    counts: str | PathLike[str] | None = None,
) -> Iterator[DuckSource]:
    """Give the table at a path; a process with it takes these bytes of memory.

    DuckDB counts it, or a cluster of other machines. Partial counts stay in the folder
    `counts`; a cluster needs one that all of its machines see.
    """
    expect_outside(path, counts, scratch)
    kept = None if counts is None else KeptCounts(Path(counts).absolute())
    if is_cluster(engine):
        if kept is None:
            raise InvalidInstanceError(
                f"engine {engine}: needs counts, a folder that all its machines see "
                "(--counts DIR)"
            )
        with pool_of(engine, workers)():
            pass  # a wrong address is told before anything is counted
        perform = partial(_elsewhere, engine, workers, kept.stopped, scratch)
        kept = replace(kept, perform=perform, by=f"{kept.by} on {engine}")
    with DuckSource.opened(
        path,
        memory=memory * _OF_THE_ENGINE,
        workers=workers or usable_processors(),
        scratch=scratch,
        delimiter=delimiter,
        kept=kept,
    ) as source:
        yield source


@contextmanager
def given(
    table: Any,
    engine: str = AUTO,
    memory: str | float | None = None,
    scratch: str | PathLike[str] | None = None,
    counts: str | PathLike[str] | None = None,
    workers: int | None = None,
    request: Request | None = None,
) -> Iterator[Frame]:
    """Give a table of any library, or that at a path: maybe as an engine counts it."""
    if not isinstance(table, str | PathLike):
        if engine not in (AUTO, MEMORY):
            raise InvalidInstanceError(f"engine: {engine} takes the path of a table")
        yield framed(table)
    elif takes(engine, path := os.fspath(table), request):
        how = bytes_of(memory), workers, scratch, None, engine, counts
        with opened(path, *how) as source:
            yield cast(Frame, source)
    else:
        yield read_frame(Path(table))


def _elsewhere(
    engine: str,
    workers: int | None,
    stopped: Event,
    scratch: str | PathLike[str] | None,
    tasks: Sequence[Task],
) -> Sequence[Path]:
    """Perform tasks by the workers of a cluster; return the files that they give."""

    def expect_time() -> None:
        if stopped.is_set():
            raise NoAnswerError("the time was over before the table was counted once")

    calls = [partial(_on_worker, task, scratch) for task in tasks]
    files = dict(performed(calls, engine, workers, expect_time))
    return [files[place] for place in range(len(tasks))]


def _on_worker(task: Task, scratch: str | PathLike[str] | None) -> Path:
    """Perform a task by an engine of this thread's own, within its memory."""
    memory = memory_of_task() * _OF_THE_ENGINE
    with engine_for("a worker", memory, 1, scratch) as engine:
        return task(engine)
