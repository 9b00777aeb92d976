"""Which engine counts a table: memory, or one that leaves it in its files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from glob import has_magic
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Final

from atleastk.doors.anonymizing.release import why_not
from atleastk.doors.anonymizing.request import Request
from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.engine_files import FORMATS, rows_of_parquet
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.files import most_bytes
from atleastk.solvers.budget import usable_processors

AUTO: Final = "auto"
MEMORY: Final = "memory"
DUCKDB: Final = "duckdb"
ENGINES: Final = (AUTO, MEMORY, DUCKDB)

_MANY_ROWS: Final = 3_000_000
"""Rows of a Parquet file that are too many for memory: some gigabytes."""

_OF_THE_ENGINE: Final = 0.5
"""The share of the memory of the engine; distinct rows and Python take more."""


def is_many(path: str | Path) -> bool:
    """Tell whether a path is that of a folder or a pattern, not of one file."""
    place = Path(path)
    return place.is_dir() or (not place.exists() and has_magic(str(path)))


def takes(engine: str, path: str | Path, request: Request | None = None) -> bool:
    """Tell whether the table at a path stays in its files.

    By the automatic choice it does if it is several files, or more than is read into
    memory, if the engine is there and takes such a request.
    """
    several = is_many(path)
    if several and engine == MEMORY:
        raise InvalidInstanceError(
            f"{path}: is several files; engine memory reads one, {DUCKDB} counts them"
        )
    if several or engine != AUTO:
        return several or engine == DUCKDB
    place = Path(path)
    if not place.is_file() or not place.name.lower().endswith(FORMATS):
        return False
    able = request is None or why_not(request) is None
    return able and find_spec("duckdb") is not None and _is_large(place)


def _is_large(file: Path) -> bool:
    if file.suffix.lower() == ".parquet":
        return rows_of_parquet(file) > _MANY_ROWS
    return file.stat().st_size > most_bytes()


@contextmanager
def opened(
    path: str | Path,
    memory: float,
    workers: int | None = None,
    scratch: str | PathLike[str] | None = None,
    delimiter: str | None = None,
) -> Iterator[DuckSource]:
    """Give the table at a path; a process with it takes these bytes of memory."""
    with DuckSource.opened(
        path,
        memory=memory * _OF_THE_ENGINE,
        workers=workers or usable_processors(),
        scratch=scratch,
        delimiter=delimiter,
    ) as source:
        yield source
