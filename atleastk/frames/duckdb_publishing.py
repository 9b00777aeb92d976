"""Publishing of a table that stays in its files, by DuckDB, as planned.

A plan names no row: it says at which level every column is published, and which classes
lose how many rows. What is written stands beside the output, is read and counted again,
and only then gets its name.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.frames.duckdb_engine import Engine, remove_halves
from atleastk.frames.duckdb_source import (
    DuckSource,
    Recount,
    joined_values,
    recounted,
)
from atleastk.frames.engine_files import end_of, name_in_sql, reading, text_in_sql
from atleastk.frames.frame import Name
from atleastk.frames.pieces import Counting, Layout, Piece, added_up
from atleastk.instances.fields.errors import InvalidInstanceError, WrongAnswerError
from atleastk.instances.files.writing import make_folder

_PARQUET: Final = ".parquet"
_TEXTS: Final = (".csv", ".tsv", ".txt")
_NAMED: Final = (*_TEXTS, _PARQUET, ".xlsx", ".arrow", ".feather")
"""The ends of names that stand for a format."""

_LOSING: Final = "losing"
"""The table of classes that lose rows."""

_COUNTS: Final = "counts"
"""The folder of the counts of what was written."""


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """What is published of a column.

    Attributes
    ----------
    level, height
        Its level, and the highest one.
    cells
        The published text of every value, by its number; None: cells as they are.
    suppressed
        The published text of a suppressed row; None is a missing value.
    """

    name: Name
    level: int
    height: int
    cells: tuple[str | None, ...] | None
    suppressed: str | None


class Losing(NamedTuple):
    """Classes that lose rows.

    Attributes
    ----------
    labels
        Their labels, [class, column].
    rows, whole
        How many rows each loses, and whether these are all.
    """

    labels: Int32Array
    rows: IntArray
    whole: BoolArray


def expect_new(source: DuckSource, out: Path) -> None:
    """Refuse an output that is a part of the table, or a folder that is there."""
    ends = (_PARQUET,) if source.layout.delimiter is None else _TEXTS
    end = out.suffix.lower()
    if end in _NAMED and end not in ends:
        raise InvalidInstanceError(
            f"{out}: duckdb writes the format that it read; another is written of a "
            "table in memory"
        )
    if source.elsewhere is not None and end in (*_NAMED, ".gz"):
        raise InvalidInstanceError(
            f"{out}: several machines write a folder of files; give a name without "
            f"{out.suffix}"
        )
    own_files = {piece.file.resolve() for piece in source.pieces}
    if out.is_dir() or out.resolve() in own_files:
        raise InvalidInstanceError(f"{out}: is there already; give another name")


def publish(
    source: DuckSource,
    plan: Sequence[ColumnPlan],
    losing: Losing,
    out: Path,
    k: int,
) -> Recount:
    """Write a table as planned, and count it again before it gets its name.

    Where counts are kept for other machines, these write it piece by piece. A run that
    ends early leaves the pieces that are there, and the next one goes on.

    Raises
    ------
    WrongAnswerError
        If what was written has other rows, or a class of fewer than k.
    """
    query, stored = _published(source, plan, losing)
    beside = out.with_name(f".{out.name}.partial")
    if source.elsewhere is None:
        _remove(beside)
        try:
            again = _at_once(source, query, out, beside)
            return _named(source, again, beside, out, k)
        finally:
            _remove(beside)
    known = repr((source.sha256, query, plan, [part.tolist() for part in losing]))
    digest = hashlib.sha256(known.encode()).hexdigest()[:16]
    beside = out.absolute().with_name(f".{out.name}.{digest}.partial")
    given = source.elsewhere / f"plan-{digest}"
    levels = [one.level for one in plan]
    _store_plan(source, stored, losing, levels, given)
    again = _in_pieces(source, query, given, beside)
    try:
        return _named(source, again, beside, out, k)
    finally:
        _remove(given)


def _named(source: DuckSource, again: str, beside: Path, out: Path, k: int) -> Recount:
    """Give what was written its name, if the sizes of its classes are right."""
    found = recounted(source, again, k)
    if found.below or found.rows != source.n:
        _remove(beside)
        raise WrongAnswerError(
            f"{out}: what was written is not the whole table, {k}-anonymous: it has "
            f"{found.rows} rows, {found.below} of them in smaller classes"
        )
    source.expect_unchanged()
    beside.replace(out)
    return found


def _at_once(source: DuckSource, query: str, out: Path, beside: Path) -> str:
    """Write a table by this engine; return the query of the sizes of its classes."""
    source.run(f"COPY ({query}) TO {text_in_sql(str(beside))} ({_format(source, out)})")
    parts = sorted(beside.rglob("*")) if beside.is_dir() else [beside]
    keys = ", ".join(map(name_in_sql, source.chosen))
    rows = reading(parts, source.names, source.layout.delimiter)
    return f"SELECT count(*) AS size FROM ({rows}) GROUP BY {keys}"


def _in_pieces(source: DuckSource, query: str, given: Path, beside: Path) -> str:
    """Write a table piece by piece elsewhere; return the query of its classes.

    What earlier runs have written of it stays.
    """
    make_folder(beside)
    kinds = source.kinds_of(query)
    written = replace(source.layout, path=str(beside), kinds=kinds)
    end = end_of(source.pieces[0].file)
    targets = [beside / f"part-{i:05}{end}" for i in range(len(source.pieces))]
    tasks = [
        Writing(
            *(source.layout, written, piece, number, source.chosen),
            *(query, _format(source, target), given, target),
        )
        for number, (piece, target) in enumerate(
            zip(source.pieces, targets, strict=True)
        )
    ]
    counts = source.perform(tasks)
    remove_halves(targets)
    rows = added_up(counts, len(source.chosen))
    return f"SELECT copies AS size FROM ({rows})"


@dataclass(frozen=True, slots=True)
class Writing:
    """Writes a piece as planned, and counts it, unless that has been done.

    Attributes
    ----------
    layout, written
        How the piece is read, and what is written.
    number
        That of the piece.
    columns
        Those that are anonymised.
    query, form
        What is written of the view `source`, and its format.
    given
        The folder of the tables that the query names.
    """

    layout: Layout
    written: Layout
    piece: Piece
    number: int
    columns: tuple[Name, ...]
    query: str
    form: str
    given: Path
    target: Path

    def __call__(self, engine: Engine) -> Path:
        """Write and count the piece."""
        if not self.target.exists():
            views = {
                file.stem: reading([file], (), None)
                for file in self.given.glob("*.parquet")
            }
            if _LOSING in views:
                views[_LOSING] += (
                    f" WHERE coalesce(piece, {self.number}) = {self.number}"
                )
            views["source"] = self.layout.reading(self.piece)
            for name, query in views.items():
                engine.run(f"CREATE OR REPLACE VIEW {name} AS {query}")
            engine.store(
                *(self.query, self.target, self.form),
                expect=self.piece.expect_unchanged,
            )
        piece, folder = Piece.of(self.target), self.given / _COUNTS
        return Counting(self.written, piece, self.columns, folder)(engine)


def _store_plan(
    source: DuckSource,
    stored: Sequence[str],
    losing: Losing,
    levels: Sequence[int],
    given: Path,
) -> None:
    """Store the tables of a plan in a folder, for `Writing`.

    A class that loses some of its rows only loses those of the first pieces.
    """
    make_folder(given)
    make_folder(given / _COUNTS)
    tables = {name: f"SELECT * FROM {name}" for name in stored}
    if _LOSING in tables:
        tables[_LOSING] = f"SELECT *, NULL::INTEGER AS piece FROM {_LOSING}"
        if not losing.whole.all():
            _keep_shares(source, levels)
            tables[_LOSING] = (
                "SELECT losing.* REPLACE (coalesce(shares.rows, losing.rows) AS rows), "
                "piece FROM losing LEFT JOIN shares USING (class)"
            )
    for name, query in tables.items():
        source.store(query, given / f"{name}.parquet")


def _keep_shares(source: DuckSource, levels: Sequence[int]) -> None:
    """Store how many rows of each piece classes lose that do not lose all."""
    counts = [str(task.target) for task in source.tasks(source.chosen)]
    files = ", ".join(map(text_in_sql, counts))
    each = range(len(levels))
    labels = " ".join(
        f"JOIN label_{j} ON label_{j}.code = value_{j}.code" for j in each
    )
    meets = " AND ".join(f"k{j} = label_{j}.l{level}" for j, level in enumerate(levels))
    sizes = (
        f"SELECT class, list_position([{files}], filename)::INTEGER - 1 AS piece, "
        "any_value(rows) AS lost, sum(parts.copies)::BIGINT AS size "
        f"FROM read_parquet([{files}], filename=true) parts "
        f"{joined_values(len(levels))} {labels} JOIN labelled ON {meets} "
        "WHERE NOT whole GROUP BY ALL"
    )
    before = "sum(size) OVER (PARTITION BY class ORDER BY piece) - size"
    source.run(
        "CREATE OR REPLACE TABLE shares AS SELECT class, piece, greatest(0, least("
        f"size, lost - ({before})))::BIGINT AS rows FROM ({sizes})"
    )


def _format(source: DuckSource, out: Path) -> str:
    """Return how a file, or a folder of files, is written."""
    if source.layout.delimiter is not None:
        packed = "gzip" if out.suffix == ".gz" else "none"
        mark = text_in_sql(source.layout.delimiter)
        return f"FORMAT csv, HEADER true, DELIMITER {mark}, COMPRESSION {packed}"
    folder = "" if out.suffix == ".parquet" else ", PER_THREAD_OUTPUT true"
    return f"FORMAT parquet, COMPRESSION zstd{folder}"


def _published(
    source: DuckSource, plan: Sequence[ColumnPlan], losing: Losing
) -> tuple[str, list[str]]:
    """Return the query of the published table, and the tables that it names.

    Rows find their class by the labels of its columns below the top. Of a class that
    loses some of its rows only, these are any.
    """
    loses, names = len(losing.rows) > 0, source.names
    shown, joins, stored = {}, list[str](), list[str]()
    keys: dict[int, str] = {}
    for j, one in enumerate(plan):
        cell = f"s.{name_in_sql(one.name)}"
        keyed = loses and one.level < one.height
        if one.cells is None and one.level == 0:
            keys |= {j: cell} if keyed else {}
        elif keyed or len(set(one.cells or ())) > 1:
            _map(source, j, one)
            stored.append(f"map_{j}")
            joins.append(f"JOIN map_{j} ON map_{j}.value IS NOT DISTINCT FROM {cell}")
            keys |= {j: f"map_{j}.key"} if keyed else {}
            cell = cell if one.cells is None else f"map_{j}.cell"
        elif one.cells:
            cell = _cell(one.cells[0])
        shown[one.name] = cell
    cells = [shown.get(name, f"s.{name_in_sql(name)}") for name in names]
    listed = ", ".join(f"{cell} AS x{i}" for i, cell in enumerate(cells))
    table = f"source s {' '.join(joins)}"
    hidden = {one.name: _cell(one.suppressed) for one in plan}

    def select(is_gone: str | None) -> str:
        """Return the columns, those that are planned suppressed where it is so."""
        found = []
        for i, name in enumerate(names):
            cell = f"x{i}"
            if is_gone and name in hidden:
                cell = f"CASE WHEN {is_gone} THEN {hidden[name]} ELSE x{i} END"
            if source.layout.delimiter is not None and len(names) > 1:
                cell = f"nullif({cell}, '')"  # an empty cell is written without quotes
            found.append(f"{cell} AS {name_in_sql(name)}")
        return ", ".join(found)

    if not loses:
        query = f"SELECT {select(None)} FROM (SELECT {listed} FROM {table})"
        return query, stored
    _keep_losing(source, losing, [j for j in keys if not keys[j].startswith("map_")])
    meets = [f"losing.k{j} IS NOT DISTINCT FROM {key}" for j, key in keys.items()]
    joined = (
        f"(SELECT {listed}, losing.class, losing.rows AS lost, losing.whole "
        f"AS whole FROM {table} LEFT JOIN losing ON {' AND '.join(meets) or 'true'})"
    )
    query = f"SELECT {select('whole')} FROM {joined} WHERE class IS NULL OR whole"
    stored.append(_LOSING)
    if losing.whole.all():
        return query, stored
    some = (
        "SELECT *, row_number() OVER (PARTITION BY class) AS place "
        f"FROM {joined} WHERE NOT whole"
    )
    query = f"{query} UNION ALL SELECT {select('place <= lost')} FROM ({some})"
    return query, stored


def _keep_losing(source: DuckSource, losing: Losing, plain: Sequence[int]) -> None:
    """Store the classes that lose rows; of plain columns their values, not labels."""
    keys = {f"k{j}": labels for j, labels in enumerate(losing.labels.T)}
    known = {"class": np.arange(len(losing.rows)), **keys}
    source.keep_arrays("labelled", rows=losing.rows, whole=losing.whole, **known)
    values = ", ".join(f"value_{j}.value AS k{j}" for j in plain)
    joins = " ".join(f"JOIN value_{j} ON value_{j}.code = labelled.k{j}" for j in plain)
    others = f"labelled.* {f'REPLACE ({values})' if values else ''}"
    source.run(
        f"CREATE OR REPLACE TABLE losing AS SELECT {others} FROM labelled {joins}"
    )


def _map(source: DuckSource, place: int, one: ColumnPlan) -> None:
    """Store what is published of each value of a column, and its label."""
    cells = one.cells or (None,) * len(source.columns[one.name].values)
    codes = np.arange(len(cells), dtype=np.int32)
    source.keep_arrays("shown", code=codes, cell=cells)
    source.run(
        f"CREATE OR REPLACE TABLE map_{place} AS SELECT value, l{one.level} AS key, "
        f"cell::VARCHAR AS cell FROM value_{place} JOIN label_{place} USING (code) "
        "JOIN shown USING (code)"
    )


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _cell(text: str | None) -> str:
    return "NULL" if text is None else text_in_sql(text)
