"""Publishing of a table that stays in its files, by DuckDB, as planned.

A plan names no row: it says at which level every column is published, and which classes
lose how many rows. What is written stands beside the output, is read and counted again,
and only then gets its name.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.frames.duckdb_source import DuckSource, Recount, recounted
from atleastk.frames.engine_files import name_in_sql, reading, text_in_sql
from atleastk.frames.frame import Name
from atleastk.instances.fields.errors import InvalidInstanceError, WrongAnswerError

_PARQUET: Final = ".parquet"
_TEXTS: Final = (".csv", ".tsv", ".txt")
_NAMED: Final = (*_TEXTS, _PARQUET, ".xlsx", ".arrow", ".feather")
"""The ends of names that stand for a format."""


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
    own = (_PARQUET,) if source.delimiter is None else _TEXTS
    if (end := out.suffix.lower()) in _NAMED and end not in own:
        raise InvalidInstanceError(
            f"{out}: duckdb writes the format that it read; another is written of a "
            "table in memory"
        )
    if out.is_dir() or out.resolve() in [file.resolve() for file in source.files]:
        raise InvalidInstanceError(f"{out}: is there already; give another name")


def publish(
    source: DuckSource,
    plan: Sequence[ColumnPlan],
    losing: Losing,
    out: Path,
    k: int,
) -> Recount:
    """Write a table as planned, and count it again before it gets its name.

    Raises
    ------
    WrongAnswerError
        If what was written has other rows, or a class of fewer than k.
    """
    beside = out.with_name(f".{out.name}.partial")
    _remove(beside)
    try:
        source.run(
            f"COPY ({_published(source, plan, losing)}) "
            f"TO {text_in_sql(str(beside))} ({_format(source, out)})"
        )
        parts = sorted(beside.rglob("*")) if beside.is_dir() else [beside]
        keys = ", ".join(map(name_in_sql, source.chosen))
        rows = reading(parts, source.names, source.delimiter)
        again = f"SELECT count(*) AS size FROM ({rows}) GROUP BY {keys}"
        found = recounted(source, again, k)
        if found.below or found.rows != source.n:
            raise WrongAnswerError(
                f"{out}: what was written is not the whole table, {k}-anonymous: it "
                f"has {found.rows} rows, {found.below} of them in smaller classes"
            )
        source.expect_unchanged()
        beside.replace(out)
    finally:
        _remove(beside)
    return found


def _format(source: DuckSource, out: Path) -> str:
    """Return how a file, or a folder of files, is written."""
    if source.delimiter is not None:
        packed = "gzip" if out.suffix == ".gz" else "none"
        mark = text_in_sql(source.delimiter)
        return f"FORMAT csv, HEADER true, DELIMITER {mark}, COMPRESSION {packed}"
    folder = "" if out.suffix == ".parquet" else ", PER_THREAD_OUTPUT true"
    return f"FORMAT parquet, COMPRESSION zstd{folder}"


def _published(source: DuckSource, plan: Sequence[ColumnPlan], losing: Losing) -> str:
    """Return the query of the published table.

    Rows find their class by the labels of its columns below the top. Of a class that
    loses some of its rows only, these are any.
    """
    loses, names = len(losing.rows) > 0, source.names
    shown, joins = {}, []
    keys: dict[int, str] = {}
    for j, one in enumerate(plan):
        cell = f"s.{name_in_sql(one.name)}"
        keyed = loses and one.level < one.height
        if one.cells is None and one.level == 0:
            keys |= {j: cell} if keyed else {}
        elif keyed or len(set(one.cells or ())) > 1:
            _map(source, j, one)
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
            if source.delimiter is not None and len(names) > 1:
                cell = f"nullif({cell}, '')"  # an empty cell is written without quotes
            found.append(f"{cell} AS {name_in_sql(name)}")
        return ", ".join(found)

    if not loses:
        return f"SELECT {select(None)} FROM (SELECT {listed} FROM {table})"
    _keep_losing(source, losing, [j for j in keys if not keys[j].startswith("map_")])
    meets = [f"losing.k{j} IS NOT DISTINCT FROM {key}" for j, key in keys.items()]
    joined = (
        f"(SELECT {listed}, losing.rowid AS class, losing.rows AS lost, losing.whole "
        f"AS whole FROM {table} LEFT JOIN losing ON {' AND '.join(meets) or 'true'})"
    )
    query = f"SELECT {select('whole')} FROM {joined} WHERE class IS NULL OR whole"
    if losing.whole.all():
        return query
    some = (
        "SELECT *, row_number() OVER (PARTITION BY class) AS place "
        f"FROM {joined} WHERE NOT whole"
    )
    return f"{query} UNION ALL SELECT {select('place <= lost')} FROM ({some})"


def _keep_losing(source: DuckSource, losing: Losing, plain: Sequence[int]) -> None:
    """Store the classes that lose rows; of plain columns their values, not labels."""
    keys = {f"k{j}": labels for j, labels in enumerate(losing.labels.T)}
    source.keep_arrays("labelled", rows=losing.rows, whole=losing.whole, **keys)
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
