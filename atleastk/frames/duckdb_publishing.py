"""Publishing of a table that stays in its files, by DuckDB, as planned.

A plan names no row: it says at which level every column is published, and in how many
rows of which classes which cells are suppressed. What is written stands beside the
output, is read and counted again, and only then gets its name.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.frames.duckdb_source import DuckSource, Recount, recounted
from atleastk.frames.engine_files import name_in_sql, reading, text_in_sql
from atleastk.frames.frame import Name
from atleastk.instances.fields.errors import InvalidInstanceError, WrongAnswerError
from atleastk.instances.files.paths import ANYHOW, TEXTS

_PARQUET: Final = ".parquet"


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


class Deals(NamedTuple):
    """Rows of classes: the class of each entry, and how many of its rows."""

    home: IntArray
    rows: IntArray


class Suppressed(NamedTuple):
    """Classes of rows in which cells are suppressed.

    Attributes
    ----------
    labels
        Their labels, [class, column].
    whole, hidden
        Whether the same cells are suppressed in all of its rows, and then in which
        columns, [class, column].
    home, of_row
        Of other classes: every row with suppressed cells by its class, and in which
        columns these are, [row, column].
    """

    labels: Int32Array
    whole: BoolArray
    hidden: BoolArray
    home: IntArray
    of_row: BoolArray

    @classmethod
    def of(
        cls, labels: Int32Array, copies: IntArray, deals: Deals, hidden: BoolArray
    ) -> Self:
        """Return the classes with suppressed cells.

        Parameters
        ----------
        labels, copies
            Of every class, and how many rows it has.
        deals, hidden
            Some rows of classes, and in which columns each are suppressed.
        """
        paying = hidden.any(axis=1)
        home, count, hidden = deals.home[paying], deals.rows[paying], hidden[paying]
        used, place = np.unique(home, return_inverse=True)
        all_of = count == copies[home]
        whole = np.zeros(len(used), dtype=np.bool_)
        whole[place[all_of]] = True
        of_whole = np.zeros((len(used), hidden.shape[1]), dtype=np.bool_)
        of_whole[place[all_of]] = hidden[all_of]
        some = np.flatnonzero(~all_of)
        row = np.repeat(some, count[some])
        return cls(labels[used], whole, of_whole, place[row], hidden[row])


def expect_new(source: DuckSource, out: Path) -> None:
    """Refuse an output that is a part of the table, or a folder that is there."""
    own = (_PARQUET,) if source.delimiter is None else TEXTS
    if (end := out.suffix.lower()) in (*TEXTS, *ANYHOW) and end not in own:
        raise InvalidInstanceError(
            f"{out}: duckdb writes the format that it read; another is written of a "
            "table in memory"
        )
    if out.is_dir() or out.resolve() in [file.resolve() for file in source.files]:
        raise InvalidInstanceError(f"{out}: is there already; give another name")


def publish(
    source: DuckSource,
    plan: Sequence[ColumnPlan],
    suppressed: Suppressed,
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
            f"COPY ({_published(source, plan, suppressed)}) "
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


def _published(
    source: DuckSource, plan: Sequence[ColumnPlan], suppressed: Suppressed
) -> str:
    """Return the query of the published table.

    Rows find their class by the labels of its columns below the top. If cells are
    suppressed in some rows of a class only, these are any.
    """
    some, names = len(suppressed.labels) > 0, source.names
    shown, joins = {}, []
    keys: dict[int, str] = {}
    for j, one in enumerate(plan):
        cell = f"s.{name_in_sql(one.name)}"
        keyed = some and one.level < one.height
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
    hidden = {one.name: (j, _cell(one.suppressed)) for j, one in enumerate(plan)}

    def select(of: str | None) -> str:
        """Return the columns, suppressed where a table says so."""
        found = []
        for i, name in enumerate(names):
            cell = f"x{i}"
            if of and name in hidden:
                j, text = hidden[name]
                cell = f"CASE WHEN {of}.h{j} THEN {text} ELSE x{i} END"
            if source.delimiter is not None and len(names) > 1:
                cell = f"nullif({cell}, '')"  # an empty cell is written without quotes
            found.append(f"{cell} AS {name_in_sql(name)}")
        return ", ".join(found)

    if not some:
        return f"SELECT {select(None)} FROM (SELECT {listed} FROM {table})"
    plain = [j for j in keys if not keys[j].startswith("map_")]
    _keep_classes(source, suppressed, plain, range(len(plan)))
    meets = [f"c.k{j} IS NOT DISTINCT FROM {key}" for j, key in keys.items()]
    flags = ", ".join(f"c.h{j}" for j in range(len(plan)))
    joined = (
        f"(SELECT {listed}, c.class, c.whole, {flags} FROM {table} "
        f"LEFT JOIN classes c ON {' AND '.join(meets) or 'true'})"
    )
    query = f"SELECT {select('r')} FROM {joined} r WHERE class IS NULL OR whole"
    if suppressed.whole.all():
        return query
    placed = (
        "SELECT *, row_number() OVER (PARTITION BY class) AS place "
        f"FROM {joined} WHERE NOT whole"
    )
    return (
        f"{query} UNION ALL SELECT {select('d')} FROM ({placed}) r "
        "LEFT JOIN dealt d ON d.class = r.class AND d.place = r.place"
    )


def _keep_classes(
    source: DuckSource, found: Suppressed, plain: Sequence[int], columns: Sequence[int]
) -> None:
    """Store the classes with suppressed cells; of plain columns values, not labels."""
    keys = {f"k{j}": found.labels[:, j] for j in columns}
    flags = {f"h{j}": found.hidden[:, j] for j in columns}
    each = np.arange(len(found.whole))
    source.keep_arrays(
        "labelled", **{"class": each}, whole=found.whole, **keys, **flags
    )
    values = ", ".join(f"value_{j}.value AS k{j}" for j in plain)
    joins = " ".join(f"JOIN value_{j} ON value_{j}.code = labelled.k{j}" for j in plain)
    others = f"labelled.* {f'REPLACE ({values})' if values else ''}"
    source.run(
        f"CREATE OR REPLACE TABLE classes AS SELECT {others} FROM labelled {joins}"
    )
    order = np.argsort(found.home, kind="stable")
    home = found.home[order]
    first = np.searchsorted(home, home)
    flags = {f"h{j}": found.of_row[order, j] for j in columns}
    source.keep_arrays(
        "dealt", **{"class": home}, place=np.arange(len(home)) - first + 1, **flags
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
