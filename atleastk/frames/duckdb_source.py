"""A table that stays in its files and is counted by DuckDB, out of core.

The engine groups the table by the chosen columns once. What is asked for later is a
function of the distinct combinations with their copies, and these stay in a database in
a scratch folder, which is deleted in the end.

Values and missing ones are those of the same file in memory; 0.0 and -0.0, which the
engine would merge, are refused.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from os import PathLike, scandir
from pathlib import Path
from typing import Final, Self

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.frames.arrow_frame import ArrowFrame
from atleastk.frames.duckdb_engine import Engine, engine_for, remove_halves
from atleastk.frames.engine_files import files_at, names_of, reading
from atleastk.frames.frame import Column, Name
from atleastk.frames.pieces import (
    Counting,
    Layout,
    Perform,
    Piece,
    Task,
    added_up,
    pieces_of,
)
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.writing import make_folder
from atleastk.models.tables.risk import Risk
from atleastk.models.wording import counted

_SOME: Final = 1_000
"""How many values of a column are looked at for what they look like. Not tuned."""


@dataclass(frozen=True, slots=True)
class Recount:
    """What a counted table shows: its rows, and its classes of equal ones."""

    rows: int
    classes: int
    smallest: int
    median: float
    largest: int
    """`smallest`, `median`, `largest`: how many rows the classes have."""
    below: int
    small: int
    unique: int
    """`below`, `small`, `unique`: how many rows are in classes below k, below another
    size, and of one row."""

    @property
    def risk(self) -> Risk:
        """The risk that rows are found by looking for equal ones."""
        return Risk(self.unique, 1 / self.smallest, self.classes / self.rows)

    @property
    def sizes(self) -> str:
        sizes = f"of {self.smallest} to {self.largest} equal rows"
        return f"{sizes}, median {self.median:g}"


DUCKDB: Final = "duckdb"
"""What the engine is called."""


@dataclass(frozen=True)
class KeptCounts:
    """Partial counts that stay when the process ends."""

    folder: Path
    """Where they are; whoever performs tasks sees it."""
    perform: Perform | None = None
    """Performs tasks; None: the engine of this process does."""
    by: str = DUCKDB
    """Who counts."""
    stopped: threading.Event = field(default_factory=threading.Event)
    """Set when the time is over."""


@dataclass(frozen=True, eq=False)
class DuckSource(Engine):
    """A table in files, and what the engine has counted of it."""

    names: Sequence[Name]
    """All its columns."""
    layout: Layout
    pieces: Sequence[Piece]
    """`layout`, `pieces`: how its files are read, and the pieces that are counted one
    by one where counts are kept."""
    kept: KeptCounts | None = None
    """Where counts are kept; None: nowhere."""
    chosen: tuple[Name, ...] = ()
    """The columns that are counted."""
    n: int = 0
    distinct: int = 0
    """`n`, `distinct`: the number of rows, and of distinct combinations of the chosen
    columns."""
    found: int = 0
    """How many pieces had been counted before."""
    columns: Mapping[Name, Column] = field(default_factory=dict)
    """The distinct values of the chosen columns, each with its copies."""
    sha256: str = ""
    """A fingerprint: names, sizes and times of the files, and the chosen columns."""
    view: str = "source"
    """What the engine calls its rows."""

    @classmethod
    @contextmanager
    def opened(
        cls,
        path: str | Path,
        *,
        memory: float,
        workers: int,
        scratch: str | PathLike[str] | None = None,
        delimiter: str | None = None,
        kept: KeptCounts | None = None,
    ) -> Iterator[Self]:
        """Give a table of which nothing is counted yet; see `engine_for`."""
        if kept is not None:
            make_folder(kept.folder)
        files = files_at(path)
        names, delimiter = names_of(str(path), files, delimiter)
        with engine_for(str(path), memory, workers, scratch) as engine:
            layout = _viewed(engine, files, names, delimiter, cls.view)
            pieces = pieces_of(files, names)
            yield cls(engine.path, engine.db, names, layout, pieces, kept)

    def beside(self, path: str | Path) -> Self:
        """Return another table, an earlier release, that the same engine counts."""
        files, view = files_at(path), "earlier"
        names, delimiter = names_of(str(path), files, None)
        engine = Engine(str(path), self.db)
        return replace(
            self,
            path=engine.path,
            names=names,
            layout=_viewed(engine, files, names, delimiter, view),
            pieces=pieces_of(files, names),
            view=view,
        )

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell errors, which may come of a file that has changed, or is gone."""
        try:
            with super().telling():
                yield
        except InvalidInstanceError:
            self.expect_unchanged()
            raise

    def counted(self, columns: Sequence[Name]) -> Self:
        each = range(len(columns))
        known = json.dumps([*map(asdict, self.pieces), *columns], default=str)
        found = self.expect_counts([columns])
        self.keep_groups("groups", columns)
        for j in each:
            self.run(
                f"CREATE OR REPLACE TABLE value_{j} AS SELECT (row_number() OVER "
                "(ORDER BY value) - 1)::INTEGER AS code, value, copies FROM "
                f"(SELECT g{j} AS value, sum(copies)::BIGINT AS copies FROM groups "
                "GROUP BY ALL)"
            )
        codes = ", ".join(f"value_{j}.code AS c{j}" for j in each)
        self.run(
            f"CREATE OR REPLACE TABLE combinations AS SELECT {codes}, groups.copies "
            f"FROM groups {joined_values(len(columns))}"
        )
        self.run("DROP TABLE groups")
        ((distinct, n),) = self.rows(
            "SELECT count(*), coalesce(sum(copies), 0)::BIGINT FROM combinations"
        )
        if not n:
            raise InvalidInstanceError(
                f"{self.path}: the table has names of columns, but no row"
            )
        return replace(
            self,
            chosen=tuple(columns),
            n=n,
            distinct=distinct,
            found=found,
            columns={name: self._values(j, name) for j, name in enumerate(columns)},
            sha256=hashlib.sha256(known.encode()).hexdigest(),
        )

    @property
    def elsewhere(self) -> Path | None:
        """The folder of the counts, if other machines perform tasks."""
        kept = self.kept
        return None if kept is None or kept.perform is None else kept.folder

    @property
    def counted_by(self) -> str:
        """Say who counted, and what was kept of earlier counts."""
        if self.kept is None:
            return DUCKDB
        pieces = counted(len(self.pieces), "piece")
        return f"{self.kept.by}, {pieces}, {self.found} of them counted before"

    def tasks(self, columns: Sequence[Name]) -> list[Counting]:
        """Return the tasks that count every piece, of a table whose counts are kept."""
        assert self.kept is not None
        chosen, folder = tuple(columns), self.kept.folder
        return [Counting(self.layout, piece, chosen, folder) for piece in self.pieces]

    def expect_counts(self, sets: Iterable[Sequence[Name]]) -> int:
        """Count every piece over sets of columns, where counts are kept.

        Return how many of the counts were there.
        """
        if self.kept is None:
            return 0
        tasks = {t.target: t for columns in sets for t in self.tasks(columns)}
        there = {entry.name for entry in scandir(self.kept.folder)}
        missing = [t for target, t in tasks.items() if target.name not in there]
        self.perform(missing)
        remove_halves([*tasks])
        return len(tasks) - len(missing)

    def keep_groups(self, name: str, columns: Sequence[Name]) -> None:
        """Store the combinations of columns, in the form of `Layout.counting`.

        Kept counts of them are there.
        """
        self.run(f"CREATE OR REPLACE TABLE {name} AS {self._counting(columns)}")
        ((minus,),) = self.rows(f"SELECT max(minus) FROM {name}")
        if minus is not None:
            raise InvalidInstanceError(
                f'{self.path}: column "{minus}" holds -0.0, which the engine takes '
                "for 0.0; write 0.0, or read it in memory"
            )

    def _counting(self, columns: Sequence[Name]) -> str:
        if self.kept is None:
            return self.layout.counting(columns, self.view)
        return added_up([t.target for t in self.tasks(columns)], len(columns))

    def perform(self, tasks: Sequence[Task]) -> Sequence[Path]:
        """Perform tasks here, or where counts are kept for others."""
        if self.kept is None or self.kept.perform is None:
            return [task(self) for task in tasks]
        self.kept.stopped.clear()
        return self.kept.perform(tasks)

    def interrupt(self) -> None:
        """Stop what is running, from another thread."""
        if self.kept is not None:
            self.kept.stopped.set()
        self.db.interrupt()

    def only(self, names: Sequence[Name]) -> Self:
        return replace(self, names=tuple(names))

    def column(self, name: Name) -> Column:
        return self.columns[name]

    def looked_at(self, name: Name) -> tuple[Column, int]:
        """Look at any column in one pass: some of its values, and rows of their own.

        See `expect_counts` before.
        Any thousand distinct values if it has more; and the number of rows whose value
        no other row has, where missing ones are none.
        """
        import pyarrow

        found = self.arrow(
            f"SELECT arg_min(g0, hash(g0), {_SOME}) AS some, count(*) FILTER "
            "(copies = 1 AND g0 IS NOT NULL AND (typeof(g0), g0::VARCHAR) NOT "
            "IN (('VARCHAR', ''), ('DOUBLE', 'nan'), ('FLOAT', 'nan'))) AS alone FROM "
            f"({self._counting([name])})"
        )
        values = found.column("some").combine_chunks().flatten()
        column = ArrowFrame(pyarrow.table({"value": values})).column("value")
        return column, int(found.column("alone")[0].as_py())

    def combinations(self) -> tuple[Int32Array, IntArray]:
        """Return the distinct combinations, [combination, column], and their copies."""
        found = self.arrays("SELECT * FROM combinations ORDER BY ALL")
        copies = found.pop("copies").astype(np.int64)
        return np.stack([*found.values()], axis=1).astype(np.int32), copies

    def distinct_over(self, columns: Sequence[Name]) -> int:
        """Return how many distinct combinations some of the chosen columns have."""
        codes = ", ".join(f"c{self.chosen.index(name)}" for name in columns)
        query = f"SELECT count(*) FROM (SELECT DISTINCT {codes} FROM combinations)"
        ((count,),) = self.rows(query)
        return int(count)

    def label(self, labels: Sequence[Int32Array], tops: Sequence[IntArray]) -> None:
        """Take note of the labels of values, for `sizes` and `classes`.

        For every column the numbered labels of its values, [level, value], and from
        which level on each value is published as the top.
        """
        for j, (levels, top) in enumerate(zip(labels, tops, strict=True)):
            named = {f"l{x}": row for x, row in enumerate(levels)}
            code = np.arange(len(top), dtype=np.int32)
            self.keep_arrays(f"label_{j}", code=code, top=top, **named)

    def sizes(self, levels: Sequence[int]) -> tuple[IntArray, IntArray, BoolArray]:
        """Return the sizes of the classes of a node, how many have each, and `tops`."""
        found = self.arrays(
            f"SELECT size, top, count(*) AS times FROM ({self._classes(levels)}) "
            "GROUP BY ALL ORDER BY ALL"
        )
        sizes, times = (found[x].astype(np.int64) for x in ("size", "times"))
        return sizes, times, found["top"].astype(np.bool_)

    def classes(self, levels: Sequence[int]) -> tuple[IntArray, BoolArray, Int32Array]:
        """Return the sizes of the classes of a node, their `tops`, and their labels.

        The latter are numbers, [class, column].
        """
        found = self.arrays(f"{self._classes(levels)} ORDER BY ALL")
        sizes, tops = found.pop("size"), found.pop("top")
        labels = np.stack([*found.values()], axis=1).astype(np.int32)
        return sizes.astype(np.int64), tops.astype(np.bool_), labels

    def _classes(self, levels: Sequence[int]) -> str:
        each = range(len(levels))
        keys = ", ".join(f"label_{j}.l{levels[j]} AS k{j}" for j in each)
        tops = " AND ".join(f"label_{j}.top <= {levels[j]}" for j in each)
        joins = " ".join(f"JOIN label_{j} ON label_{j}.code = c{j}" for j in each)
        return (
            f"SELECT {keys}, {tops} AS top, sum(copies)::BIGINT AS size "
            f"FROM combinations {joins} GROUP BY ALL"
        )

    def expect_unchanged(self) -> None:
        for piece in self.pieces:
            piece.expect_unchanged()

    def _values(self, place: int, name: Name) -> Column:
        query = f"SELECT value, copies FROM value_{place} ORDER BY code"
        table = self.arrow(query)
        column = ArrowFrame(table).column("value")
        if len(column.values) < len(column.codes):
            raise InvalidInstanceError(
                f'{self.path}: column "{name}" holds values that only the engine '
                "distinguishes; read it in memory"
            )
        return replace(column, copies=table.column("copies").to_numpy())


def joined_values(columns: int) -> str:
    """Return the joins that number the values g0, g1, ... of combinations."""
    return " ".join(
        f"JOIN value_{j} ON value_{j}.value IS NOT DISTINCT FROM g{j}"
        for j in range(columns)
    )


def _viewed(
    engine: Engine,
    files: Sequence[Path],
    names: Sequence[Name],
    delimiter: str | None,
    view: str,
) -> Layout:
    """Let the engine know the rows of files by a name; return how they are read."""
    query = reading(files, names, delimiter)
    engine.run(f"CREATE OR REPLACE VIEW {view} AS {query}")
    return Layout(engine.path, engine.kinds_of(view), delimiter)


def recounted(source: DuckSource, sizes: str, k: int, small: int = 0) -> Recount:
    """Return what the sizes of classes say, which a query gives."""
    few = (
        f"coalesce(sum(size) FILTER (size < {least}), 0)::BIGINT"
        for least in (k, small, 2)
    )
    (found,) = source.rows(
        "SELECT coalesce(sum(size), 0)::BIGINT, count(*), coalesce(min(size), 0)"
        "::BIGINT, coalesce(median(size), 0)::DOUBLE, coalesce(max(size), 0)::BIGINT, "
        f"{', '.join(few)} FROM ({sizes})"
    )
    return Recount(*found)


def as_it_is(source: DuckSource, k: int, small: int = 0) -> Recount:
    """Count the classes of a table as it is, over the columns that are counted."""
    return recounted(source, "SELECT copies AS size FROM combinations", k, small)
