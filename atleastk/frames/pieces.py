"""Pieces of a table in files, and what is done with each of them, anywhere.

A piece is a file, or a range of rows of a file of Parquet. Counting it gives a *partial
count*: a file of its distinct combinations with their copies. Sums of partial counts
are the counts of the table, since every row is in one piece. A partial count is called
by a fingerprint of all that it depends on and gets its name when it is complete, so it
is there once or not at all, and whoever finds it may use it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Final, Protocol, Self

from atleastk.frames.duckdb_engine import Engine
from atleastk.frames.engine_files import (
    is_text,
    name_in_sql,
    reading,
    rows_of_groups,
    text_in_sql,
)
from atleastk.frames.frame import Name
from atleastk.instances.fields.errors import InvalidInstanceError

_ROWS: Final = 2_000_000
"""Rows of a piece of Parquet at least, if its file has as many: a second or less of
counting, beside which 0.1 s of handing it over are little."""

FLOATS: Final = ("FLOAT", "DOUBLE")
"""What the engine calls the types of floats."""

_ROW_NUMBER: Final = "file_row_number"
"""What the engine calls the number of a row in its file."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A file, or a range of its rows."""

    file: Path
    size: int
    time: int
    """`size`, `time`: those of the file when the piece was made."""
    rows: tuple[int, int] | None = None
    """The numbers of the first row, and of the one after the last; None: all rows."""

    @classmethod
    def of(cls, file: Path) -> Self:
        try:
            status = file.stat()
        except OSError as error:
            raise InvalidInstanceError(
                f"{file}: cannot be read: {error.strerror}"
            ) from error
        return cls(file.absolute(), status.st_size, status.st_mtime_ns)

    def expect_unchanged(self) -> None:
        if not self.file.exists():
            raise InvalidInstanceError(
                f"{self.file}: is gone since the run began; nothing is published, "
                "counts that are kept stay"
            )
        if Piece.of(self.file) != replace(self, rows=None):
            raise InvalidInstanceError(
                f"{self.file}: has changed while it was read; begin again"
            )


@dataclass(frozen=True, slots=True)
class Layout:
    """How the files of a table are read."""

    path: str
    """What the table is called."""
    kinds: Mapping[Name, str]
    """The types of the columns that the engine has for all files, by their names."""
    delimiter: str | None
    """What is between the cells of a text; None of other files."""

    def reading(self, piece: Piece) -> str:
        names = [*self.kinds]
        if self.delimiter is not None:
            return reading([piece.file], names, self.delimiter)
        cells = ", ".join(
            f"{name_in_sql(name)}::{kind} AS {name_in_sql(name)}"
            for name, kind in self.kinds.items()
        )
        file = text_in_sql(str(piece.file))
        if piece.rows is None:
            return f"SELECT {cells} FROM read_parquet({file}, hive_partitioning=false)"
        first, past = piece.rows
        return (
            f"SELECT {cells} FROM read_parquet({file}, hive_partitioning=false, "
            f"{_ROW_NUMBER}=true) WHERE {_ROW_NUMBER} BETWEEN {first} AND {past - 1}"
        )

    def counting(self, columns: Sequence[Name], rows: str) -> str:
        """Return the query of the distinct combinations of rows, with their copies.

        Columns are called g0, g1, ...; `minus` is the name of a column of those that
        hold -0.0, which the engine takes for 0.0.
        """
        keys = ", ".join(f"{name_in_sql(x)} AS g{j}" for j, x in enumerate(columns))
        floats = [x for x in columns if self.kinds[x] in FLOATS]
        signs = " ".join(
            f"WHEN {name_in_sql(x)} = 0 AND signbit({name_in_sql(x)}) "
            f"THEN {text_in_sql(str(x))}"
            for x in floats
        )
        minus = f"max(CASE {signs} END)" if floats else "NULL"
        return (
            f"SELECT {keys}, count(*)::BIGINT AS copies, {minus}::VARCHAR AS minus "
            f"FROM {rows} GROUP BY ALL"
        )


class Task(Protocol):
    """What is done with a piece, by an engine on any machine."""

    def __call__(self, engine: Engine) -> Path:
        """Do it, and return the file of its partial count."""


Perform = Callable[[Sequence[Task]], Sequence[Path]]
"""Performs tasks by engines elsewhere."""


@dataclass(frozen=True, slots=True)
class Counting:
    """Counts a piece, unless that has been done."""

    layout: Layout
    piece: Piece
    columns: tuple[Name, ...]
    folder: Path

    @property
    def target(self) -> Path:
        """The file of the partial count, called by all that it depends on."""
        piece, layout = self.piece, self.layout
        parts = [
            *(str(piece.file), piece.size, piece.time, piece.rows),
            *(list(layout.kinds.items()), layout.delimiter, self.columns),
            *(version("duckdb"), version("atleastk")),
        ]
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
        return self.folder / f"{digest[:32]}.parquet"

    def __call__(self, engine: Engine) -> Path:
        target = self.target
        if not target.exists():
            query = self.layout.counting(
                self.columns, f"({self.layout.reading(self.piece)})"
            )
            engine.store(query, target, expect=self.piece.expect_unchanged)
        return target


def added_up(files: Sequence[Path], columns: int) -> str:
    """Return the query of the sums of partial counts, in the form of one."""
    keys = ", ".join(f"g{j}" for j in range(columns))
    return (
        f"SELECT {keys}, sum(copies)::BIGINT AS copies, max(minus) AS minus "
        f"FROM ({reading(files, (), None)}) GROUP BY ALL"
    )


def pieces_of(files: Sequence[Path], names: Sequence[Name]) -> list[Piece]:
    """Return the pieces of files, in order."""
    if is_text(files) or _ROW_NUMBER in map(str.casefold, map(str, names)):
        return [Piece.of(file) for file in files]
    return [piece for file in files for piece in _ranges_of(file)]


def _ranges_of(file: Path) -> list[Piece]:
    """Return ranges of whole groups of rows of a file of Parquet."""
    whole, ends, past = Piece.of(file), [0], 0
    for rows in rows_of_groups(file):
        past += rows
        if past - ends[-1] >= _ROWS:
            ends.append(past)
    ranges = [*pairwise(sorted({*ends, past}))]
    return [replace(whole, rows=rows) for rows in ranges] if ranges[1:] else [whole]
