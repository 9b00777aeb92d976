"""Publishing of a table that stays in its files, by DuckDB, as planned.

What is written stands beside the output, is read and counted again, and only then gets
its name.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import Final, NamedTuple, Self
from uuid import uuid4

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.frames.duckdb_engine import Engine, remove_halves
from atleastk.frames.duckdb_source import DuckSource, Recount, joined_values, recounted
from atleastk.frames.engine_files import (
    end_of,
    expect_outside,
    name_in_sql,
    reading,
    text_in_sql,
)
from atleastk.frames.frame import Name
from atleastk.frames.pieces import Counting, Layout, Piece, added_up
from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    WrongAnswerError,
)
from atleastk.instances.files.paths import ANYHOW, TEXTS
from atleastk.instances.files.writing import make_folder

_PARQUET: Final = ".parquet"

_DEALT: Final = "dealt"
"""The table of rows in which other cells are suppressed than in some of their class."""

_COUNTS: Final = "counts"
"""The folder of the counts of what was written."""


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """What is published of a column."""

    name: Name
    level: int
    height: int
    """`level`, `height`: its level, and the highest one."""
    cells: tuple[str | None, ...] | None
    """The published text of every value, by its number; None: cells as they are."""
    suppressed: str | None
    """The published text of a suppressed row; None is a missing value."""


class Suppressed(NamedTuple):
    """Classes of rows in which cells are suppressed."""

    labels: Int32Array
    """Their labels, [class, column]."""
    whole: BoolArray
    hidden: BoolArray
    """`whole`, `hidden`: whether the same cells are suppressed in all of its rows, and
    then in which columns, [class, column]."""
    home: IntArray
    of_row: BoolArray
    """`home`, `of_row`: of other classes: every row with suppressed cells by its class,
    and in which columns these are, [row, column]."""

    @classmethod
    def of(
        cls,
        labels: Int32Array,
        copies: IntArray,
        home: IntArray,
        rows: IntArray,
        hidden: BoolArray,
    ) -> Self:
        """Return the classes with suppressed cells.

        Of every class there are its labels, and how many rows it has (`copies`); of
        some rows their class, how many they are, and in which columns they are
        suppressed.
        """
        paying = hidden.any(axis=1)
        home, count, hidden = home[paying], rows[paying], hidden[paying]
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
    own = (_PARQUET,) if source.layout.delimiter is None else TEXTS
    if (end := out.suffix.lower()) in (*TEXTS, *ANYHOW) and end not in own:
        raise InvalidInstanceError(
            f"{out}: duckdb writes the format that it read; another is written of a "
            "table in memory"
        )
    if source.elsewhere is not None and end in (*TEXTS, *ANYHOW, ".gz"):
        raise InvalidInstanceError(
            f"{out}: several machines write a folder of files; give a name without "
            f"{out.suffix}"
        )
    own_files = {piece.file.resolve() for piece in source.pieces}
    if out.is_dir() or out.resolve() in own_files:
        raise InvalidInstanceError(f"{out}: is there already; give another name")
    expect_outside(source.path, out)


def publish(
    source: DuckSource,
    plan: Sequence[ColumnPlan],
    suppressed: Suppressed,
    out: Path,
    k: int,
    small: int = 0,
    expect: Callable[[Recount], object] = lambda _: None,
) -> Recount:
    """Write a table as planned, and count it again before it gets its name.

    The plan is of the chosen columns, and then of others that are suppressed whole.
    Where counts are kept for other machines, these write it piece by piece. A run that
    ends early leaves the pieces that are there, and the next one goes on.

    Raises WrongAnswerError if what was written has other rows, or a class of fewer than
    k; and what `expect` raises of it, which counts rows in classes below `small`, too.
    """

    def named(again: str, beside: Path) -> Recount:
        """Give what was written its name, if the sizes of its classes are right."""
        found = recounted(source, again, k, small)
        try:
            if found.below or found.rows != source.n:
                raise WrongAnswerError(
                    f"{out}: what was written is not the whole table, {k}-anonymous: "
                    f"it has {found.rows} rows, {found.below} of them in smaller "
                    "classes"
                )
            expect(found)
        except WrongAnswerError:
            _remove(beside)
            raise
        _rename(source, beside, out)
        return found

    query, stored = _published(source, plan, suppressed)
    if source.elsewhere is None:
        beside = out.with_name(f".{out.name}.{uuid4().hex[:16]}.partial")
        try:
            return named(_at_once(source, query, out, beside), beside)
        finally:
            _remove(beside)
    known = hashlib.sha256(repr((source.sha256, query, plan, out.absolute())).encode())
    for part in suppressed:
        known.update(part.tobytes())
    digest = known.hexdigest()[:16]
    beside = out.absolute().with_name(f".{out.name}.{digest}.partial")
    given = source.elsewhere / f"plan-{digest}"
    _store_plan(source, stored, plan, given)
    again = _in_pieces(source, query, given, beside)
    try:
        return named(again, beside)
    finally:
        _remove(given)


def _rename(source: DuckSource, beside: Path, out: Path) -> None:
    """Give what was written its name."""
    source.expect_unchanged()
    try:
        beside.replace(out)
    except OSError as error:  # another run has written it, or removed this one's
        raise AtleastkError(f"{out}: {error.strerror}; begin again") from error
    for other in out.parent.glob(f".{escape(out.name)}.{'[0-9a-f]' * 16}.partial"):
        _remove(other)  # of other runs that ended early
        if source.kept is not None:
            _remove(source.kept.folder / f"plan-{other.name.split('.')[-2]}")


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
    """Writes a piece as planned, and counts it, unless that has been done."""

    layout: Layout
    written: Layout
    """`layout`, `written`: how the piece is read, and what is written."""
    piece: Piece
    number: int
    """That of the piece."""
    columns: tuple[Name, ...]
    """Those that are anonymised."""
    query: str
    form: str
    """`query`, `form`: what is written of the view `source`, and its format."""
    given: Path
    """The folder of the tables that the query names."""
    target: Path

    def __call__(self, engine: Engine) -> Path:
        if not self.target.exists():
            make_folder(self.target.parent)
            views = {
                file.stem: reading([file], (), None)
                for file in self.given.glob("*.parquet")
            }
            if _DEALT in views:
                views[_DEALT] += f" WHERE piece = {self.number}"
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
    source: DuckSource, stored: Sequence[str], plan: Sequence[ColumnPlan], given: Path
) -> None:
    """Store the tables of a plan in a folder, for `Writing`.

    Rows of a class are dealt to the pieces in an order of its own.
    """
    make_folder(given)
    make_folder(given / _COUNTS)
    tables = {name: f"SELECT * FROM {name}" for name in stored}
    if _DEALT in tables:
        _keep_shares(source, plan)
        tables[_DEALT] = (
            "SELECT dealt.* REPLACE (place - before AS place), piece FROM dealt "
            "JOIN shares USING (class) WHERE place > before AND place <= before + size"
        )
    for name, query in tables.items():
        source.store(query, given / f"{name}.parquet")


def _keep_shares(source: DuckSource, plan: Sequence[ColumnPlan]) -> None:
    """Store how many rows of dealt classes each piece has, and those before it."""
    counts = [str(task.target) for task in source.tasks(source.chosen)]
    files = ", ".join(map(text_in_sql, counts))
    many = len(source.chosen)
    joins, meets = [joined_values(many)], []
    for j, one in enumerate(plan[:many]):
        label = f"value_{j}.code"
        if one.cells is not None or one.level > 0:
            joins.append(f"JOIN label_{j} ON label_{j}.code = {label}")
            label = f"label_{j}.l{one.level}"
        meets.append(f"k{j} = {label}")
    sizes = (
        f"SELECT class, list_position([{files}], filename)::INTEGER - 1 AS piece, "
        "sum(parts.copies)::BIGINT AS size "
        f"FROM read_parquet([{files}], filename=true) parts {' '.join(joins)} "
        f"JOIN labelled ON {' AND '.join(meets)} WHERE NOT whole GROUP BY ALL"
    )
    before = "sum(size) OVER (PARTITION BY class ORDER BY hash(class, piece)) - size"
    source.run(
        f"CREATE OR REPLACE TABLE shares AS SELECT *, ({before})::BIGINT AS before "
        f"FROM ({sizes})"
    )


def _format(source: DuckSource, out: Path) -> str:
    if source.layout.delimiter is not None:
        packed = "gzip" if out.suffix == ".gz" else "none"
        mark = text_in_sql(source.layout.delimiter)
        return f"FORMAT csv, HEADER true, DELIMITER {mark}, COMPRESSION {packed}"
    folder = "" if out.suffix == ".parquet" else ", PER_THREAD_OUTPUT true"
    return f"FORMAT parquet, COMPRESSION zstd{folder}"


def _published(
    source: DuckSource, plan: Sequence[ColumnPlan], suppressed: Suppressed
) -> tuple[str, list[str]]:
    """Return the query of the published table, and the tables that it names.

    Rows find their class by the labels of its columns below the top. If cells are
    suppressed in some rows of a class only, these are any, and all rows are in an order
    that is made of what is published alone: one of classes would say whose they are.
    """
    some, names, many = len(suppressed.labels) > 0, source.names, len(source.chosen)
    shown, joins, stored = {}, list[str](), list[str]()
    keys: dict[int, str] = {}
    for j, one in enumerate(plan):
        cell = f"s.{name_in_sql(one.name)}"
        keyed = some and one.level < one.height
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
    hidden = {one.name: (j, _cell(one.suppressed)) for j, one in enumerate(plan[:many])}

    def select(of: str | None) -> str:
        """Return the columns, suppressed where a table says so."""
        found = []
        for i, name in enumerate(names):
            cell = f"x{i}"
            if of and name in hidden:
                j, text = hidden[name]
                cell = f"CASE WHEN {of}.h{j} THEN {text} ELSE x{i} END"
            if source.layout.delimiter is not None and len(names) > 1:
                cell = f"nullif({cell}, '')"  # an empty cell is written without quotes
            found.append(f"{cell} AS {name_in_sql(name)}")
        return ", ".join(found)

    if not some:
        query = f"SELECT {select(None)} FROM (SELECT {listed} FROM {table})"
        return query, stored
    plain = [j for j in keys if not keys[j].startswith("map_")]
    _keep_classes(source, suppressed, plain, range(many))
    meets = [f"c.k{j} IS NOT DISTINCT FROM {key}" for j, key in keys.items()]
    flags = ", ".join(f"c.h{j}" for j in range(many))
    joined = (
        f"(SELECT {listed}, c.class, c.whole, {flags} FROM {table} "
        f"LEFT JOIN classes c ON {' AND '.join(meets) or 'true'})"
    )
    query = f"SELECT {select('r')} FROM {joined} r WHERE class IS NULL OR whole"
    stored.append("classes")
    if suppressed.whole.all():
        return query, stored
    placed = (
        "SELECT *, row_number() OVER (PARTITION BY class) AS place "
        f"FROM {joined} WHERE NOT whole"
    )
    stored.append(_DEALT)
    query = (
        f"{query} UNION ALL SELECT {select('d')} FROM ({placed}) r "
        "LEFT JOIN dealt d ON d.class = r.class AND d.place = r.place"
    )
    every = ", ".join(map(name_in_sql, names))
    return f"SELECT * FROM ({query}) ORDER BY hash({every})", stored


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
        shutil.rmtree(path, ignore_errors=True)  # another run may write there
    else:
        path.unlink(missing_ok=True)


def _cell(text: str | None) -> str:
    return "NULL" if text is None else text_in_sql(text)
