"""A table that stays in its files and is counted by DuckDB, out of core.

The engine groups the table by the chosen columns once. What is asked for later is a
function of the distinct combinations with their copies, and these stay in a database in
a scratch folder, which is deleted in the end.

Values and missing ones are those of the same file in memory; 0.0 and -0.0, which the
engine would merge, are refused.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.frames.arrow_frame import ArrowFrame
from atleastk.frames.engine_files import (
    files_at,
    fingerprint,
    name_in_sql,
    names_of,
    reading,
    text_in_sql,
)
from atleastk.frames.frame import Column, Name
from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    NoAnswerError,
    OutOfMemoryError,
    optional,
)

_SOME: Final = 1_000
"""How many values of a column are looked at for what they look like. Not tuned."""


class Labelled(NamedTuple):
    """The classes of a node, by their labels.

    Attributes
    ----------
    sizes, tops
        How many rows each has, and whether the node itself publishes it at the top of
        all columns.
    labels
        The number of its label in every column, [class, column].
    """

    sizes: IntArray
    tops: BoolArray
    labels: Int32Array


@dataclass(frozen=True, slots=True)
class Recount:
    """What a table shows when it is counted: its rows, and its classes of equal ones.

    Attributes
    ----------
    smallest, median, largest
        How many rows the classes have.
    below
        How many rows are in classes below k.
    """

    rows: int
    classes: int
    smallest: int
    median: float
    largest: int
    below: int


@dataclass(frozen=True, eq=False)
class DuckSource:
    """A table in files, and what the engine has counted of it.

    Attributes
    ----------
    path
        What the table is called.
    names
        All its columns.
    delimiter
        What is between the cells of a text; None of other files.
    chosen
        The columns that are counted.
    n, distinct
        The number of rows, and of distinct combinations of the chosen columns.
    columns
        The distinct values of the chosen columns, each with its copies.
    sha256
        A fingerprint: names, sizes and times of the files, and the chosen columns.
    """

    path: str
    files: Sequence[Path]
    names: Sequence[Name]
    delimiter: str | None
    db: Any = field(repr=False)
    chosen: tuple[Name, ...] = ()
    n: int = 0
    distinct: int = 0
    columns: Mapping[Name, Column] = field(default_factory=dict)
    sha256: str = ""

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
    ) -> Iterator[Self]:
        """Give a table of which nothing is counted yet.

        Parameters
        ----------
        memory
            The bytes that the engine may take.
        scratch
            The folder for what has no room in memory; that of the system by default.
        """
        duckdb = optional("duckdb", "scale", "tables that stay in their files")
        files = files_at(path)
        names, delimiter = names_of(str(path), files, delimiter)
        with _scratch(scratch) as folder:
            db = duckdb.connect(str(folder / "counts.duckdb"))
            source = cls(str(path), files, names, delimiter, db)
            try:
                source.run(f"SET memory_limit='{int(memory / 1e6)}MB'")
                source.run(f"SET threads={workers}")
                source.run(f"SET temp_directory={text_in_sql(str(folder))}")
                source.run("SET preserve_insertion_order=false")
                source.run(f"CREATE VIEW source AS {reading(files, names, delimiter)}")
                yield source
            finally:
                db.close()

    def counted(self, columns: Sequence[Name]) -> Self:
        """Return the table with the distinct combinations of these columns counted."""
        each, sha256 = range(len(columns)), fingerprint(self.files, columns)
        self._expect_one_zero(columns)
        keys = ", ".join(f"{name_in_sql(x)} AS g{j}" for j, x in enumerate(columns))
        self.run(
            f"CREATE TABLE groups AS SELECT {keys}, count(*)::BIGINT AS copies "
            "FROM source GROUP BY ALL"
        )
        for j in each:
            self.run(
                f"CREATE TABLE value_{j} AS SELECT (row_number() OVER (ORDER BY value) "
                f"- 1)::INTEGER AS code, value, copies FROM (SELECT g{j} AS value, "
                "sum(copies)::BIGINT AS copies FROM groups GROUP BY ALL)"
            )
        codes = ", ".join(f"value_{j}.code AS c{j}" for j in each)
        joins = " ".join(
            f"JOIN value_{j} ON value_{j}.value IS NOT DISTINCT FROM g{j}" for j in each
        )
        self.run(
            f"CREATE TABLE combinations AS SELECT {codes}, groups.copies "
            f"FROM groups {joins}"
        )
        self.run("DROP TABLE groups")
        distinct, n = self.run(
            "SELECT count(*), coalesce(sum(copies), 0)::BIGINT FROM combinations"
        ).fetchall()[0]
        if not n:
            raise InvalidInstanceError(
                f"{self.path}: the table has names of columns, but no row"
            )
        return replace(
            self,
            chosen=tuple(columns),
            n=n,
            distinct=distinct,
            columns={name: self._values(j, name) for j, name in enumerate(columns)},
            sha256=sha256,
        )

    def only(self, names: Sequence[Name]) -> Self:
        """Return the table of these columns only."""
        return replace(self, names=tuple(names))

    def column(self, name: Name) -> Column:
        """Return the distinct values of a chosen column, with their copies."""
        return self.columns[name]

    def looked_at(self, name: Name) -> tuple[Column, int]:
        """Look at any column in one pass: some of its values, and rows of their own.

        Any thousand distinct values if it has more; and the number of rows whose value
        no other row has, where missing ones are none.
        """
        import pyarrow

        found = self.db.sql(
            f"SELECT arg_min(value, hash(value), {_SOME}) AS some, count(*) FILTER "
            "(rows = 1 AND value IS NOT NULL AND (typeof(value), value::VARCHAR) NOT "
            "IN (('VARCHAR', ''), ('DOUBLE', 'nan'), ('FLOAT', 'nan'))) AS alone FROM "
            f"(SELECT {name_in_sql(name)} AS value, count(*) AS rows FROM source "
            "GROUP BY ALL)"
        ).to_arrow_table()
        values = found.column("some").combine_chunks().flatten()
        column = ArrowFrame(pyarrow.table({"value": values})).column("value")
        return column, int(found.column("alone")[0].as_py())

    def combinations(self) -> tuple[Int32Array, IntArray]:
        """Return the distinct combinations, [combination, column], and their copies."""
        found = self.run("SELECT * FROM combinations ORDER BY ALL").fetchnumpy()
        copies = found.pop("copies").astype(np.int64)
        return np.stack([*found.values()], axis=1).astype(np.int32), copies

    def label(self, labels: Sequence[Int32Array], tops: Sequence[IntArray]) -> None:
        """Take note of the labels of values, for `sizes` and `classes`.

        Parameters
        ----------
        labels
            For every column the numbered labels of its values, [level, value].
        tops
            For every column from which level on each value is published as the top.
        """
        for j, (levels, top) in enumerate(zip(labels, tops, strict=True)):
            named = {f"l{x}": row for x, row in enumerate(levels)}
            code = np.arange(len(top), dtype=np.int32)
            self.keep_arrays(f"label_{j}", code=code, top=top, **named)

    def sizes(self, levels: Sequence[int]) -> tuple[IntArray, IntArray, BoolArray]:
        """Return the sizes of the classes of a node, how many have each, and `tops`."""
        found = self.run(
            f"SELECT size, top, count(*) AS times FROM ({self._classes(levels)}) "
            "GROUP BY ALL ORDER BY ALL"
        ).fetchnumpy()
        sizes, times = (found[x].astype(np.int64) for x in ("size", "times"))
        return sizes, times, found["top"].astype(np.bool_)

    def classes(self, levels: Sequence[int]) -> Labelled:
        """Return the classes of a node with their labels."""
        found = self.run(f"{self._classes(levels)} ORDER BY ALL").fetchnumpy()
        sizes, tops = found.pop("size"), found.pop("top")
        labels = np.stack([*found.values()], axis=1).astype(np.int32)
        return Labelled(sizes.astype(np.int64), tops.astype(np.bool_), labels)

    def _classes(self, levels: Sequence[int]) -> str:
        """Return the query of the classes of a node; the columns have been labelled."""
        each = range(len(levels))
        keys = ", ".join(f"label_{j}.l{levels[j]} AS k{j}" for j in each)
        tops = " AND ".join(f"label_{j}.top <= {levels[j]}" for j in each)
        joins = " ".join(f"JOIN label_{j} ON label_{j}.code = c{j}" for j in each)
        return (
            f"SELECT {keys}, {tops} AS top, sum(copies)::BIGINT AS size "
            f"FROM combinations {joins} GROUP BY ALL"
        )

    def expect_unchanged(self) -> None:
        """Refuse files that have changed since they were counted."""
        if fingerprint(self.files, self.chosen) != self.sha256:
            raise InvalidInstanceError(
                f"{self.path}: has changed while it was read; begin again"
            )

    def run(self, query: str) -> Any:
        """Run a query of the engine; its errors are told on one line."""
        import duckdb

        try:
            return self.db.execute(query)
        except duckdb.OutOfMemoryException as error:
            raise OutOfMemoryError(
                f"{self.path}: the engine needs more memory, or more room in its "
                f"scratch folder: {_on_one_line(error)}"
            ) from error
        except duckdb.InterruptException as error:
            raise NoAnswerError(
                f"{self.path}: the time was over before the table was counted once"
            ) from error
        except duckdb.Error as error:
            raise InvalidInstanceError(f"{self.path}: {_on_one_line(error)}") from error

    def keep_arrays(self, name: str, **columns: Any) -> None:
        """Store columns as a table of the engine."""
        import pyarrow

        self.db.register("given", pyarrow.table(columns))
        self.run(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM given")
        self.db.unregister("given")

    def _values(self, place: int, name: Name) -> Column:
        """Return the distinct values of a column with their copies, in order."""
        query = f"SELECT value, copies FROM value_{place} ORDER BY code"
        table = self.db.sql(query).to_arrow_table()
        column = ArrowFrame(table).column("value")
        if len(column.values) < len(column.codes):
            raise InvalidInstanceError(
                f'{self.path}: column "{name}" holds values that only the engine '
                "distinguishes; read it in memory"
            )
        return replace(column, copies=table.column("copies").to_numpy())

    def _expect_one_zero(self, columns: Sequence[Name]) -> None:
        """Refuse columns that hold -0.0, which is not 0.0 in memory."""
        kinds = dict(row[:2] for row in self.run("DESCRIBE source").fetchall())
        for name in columns:
            cell = name_in_sql(name)
            if (
                kinds[str(name)] in ("FLOAT", "DOUBLE")
                and self.run(
                    f"SELECT 1 FROM source WHERE {cell} = 0 AND signbit({cell}) LIMIT 1"
                ).fetchall()
            ):
                raise InvalidInstanceError(
                    f'{self.path}: column "{name}" holds -0.0, which the engine takes '
                    "for 0.0; write 0.0, or read it in memory"
                )


def recounted(source: DuckSource, sizes: str, k: int) -> Recount:
    """Return what the sizes of classes say, which a query gives."""
    (found,) = source.run(
        "SELECT coalesce(sum(size), 0)::BIGINT, count(*), coalesce(min(size), 0)"
        "::BIGINT, coalesce(median(size), 0)::DOUBLE, coalesce(max(size), 0)::BIGINT, "
        f"coalesce(sum(size) FILTER (size < {k}), 0)::BIGINT FROM ({sizes})"
    ).fetchall()
    return Recount(*found)


def as_it_is(source: DuckSource, k: int) -> Recount:
    """Count the classes of a table as it is, over the columns that are counted."""
    return recounted(source, "SELECT copies AS size FROM combinations", k)


@contextmanager
def _scratch(folder: str | PathLike[str] | None) -> Iterator[Path]:
    """Give a new folder in another one, which is deleted in the end."""
    try:
        made = tempfile.TemporaryDirectory(prefix="atleastk-", dir=folder)
    except OSError as error:
        raise AtleastkError(f"scratch {folder}: {error.strerror}") from error
    with made as name:
        yield Path(name)


def _on_one_line(error: Exception) -> str:
    """Return what an engine says, without its advice on its own options."""
    return " ".join(str(error).splitlines()[:3])
