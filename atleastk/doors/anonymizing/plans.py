"""Plans of tables that stay in their files: instances, and what solutions say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import numpy as np

from atleastk.arrays import IntArray
from atleastk.doors.anonymizing.hierarchies import cells_of
from atleastk.doors.anonymizing.report.use import is_emptied
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.duckdb_publishing import ColumnPlan, Suppressed
from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.frame import Name
from atleastk.instances.counted_elsewhere import CountedElsewhere, Elsewhere
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError, OutOfMemoryError
from atleastk.instances.generalization import Generalization, labels_of, top_level
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.deals import DealtSolution
from atleastk.models.generalization import Classes, GeneralizationSolution, fewest_of
from atleastk.models.k_anonymity import hidden_in_groups
from atleastk.models.results.solution import Solution

_OF_THE_ROWS: Final = 0.25
"""The share of the memory of a process for distinct rows; the engine takes half."""

_BYTES_OF_A_LABEL: Final = 16
"""Bytes of memory for each label of a distinct row, at every level."""

_BYTES_OF_A_CLASS: Final = 32
"""Bytes of memory for each class of a node, where its size alone is looked at."""

_BYTES_OF_A_CELL: Final = 64
"""Bytes of memory for each cell of a distinct row, in a search."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is published."""

    columns: tuple[ColumnPlan, ...]
    """What is published of every column."""
    suppressed: Suppressed
    """The classes of rows in which cells are suppressed."""
    rows: int | None = None
    """How many rows are suppressed as a whole, if columns have levels."""
    cells: dict[str, int] | None = None
    """How many cells of each column are suppressed, if they have none."""

    def hiding(self, names: Sequence[Name], source: DuckSource, marker: str) -> Plan:
        """Return a plan in which more columns are suppressed in all rows."""
        texts = [marker if source.columns[name].text else None for name in names]
        both = zip(names, texts, strict=True)
        hidden = (ColumnPlan(name, 1, 1, (text,), text) for name, text in both)
        gone = (self.cells or {}) | dict.fromkeys(map(str, names), source.n)
        order = map(str, source.chosen)
        cells = None if self.cells is None else {name: gone[name] for name in order}
        return replace(self, columns=(*self.columns, *hidden), cells=cells)

    def emptied(self, source: DuckSource) -> tuple[str, ...]:
        """Return the columns of which nothing is left."""
        gone = dict.fromkeys(map(str, source.chosen), self.rows) | (self.cells or {})
        return tuple(
            name
            for one in self.columns
            for name, values in [(str(one.name), source.columns[one.name].values)]
            if is_emptied((len(values), len({*(one.cells or values)})))
            or (gone[name] == source.n and len(values) > 1)
        )


def instance_of(
    selected: Selected, source: DuckSource, memory: float
) -> Generalization | KAnonymity:
    """Return the instance over distinct rows, for a process of so much memory.

    To be generalised, those stay elsewhere if they are more than memory has room for.
    """
    if selected.request.k is None:
        raise InvalidInstanceError("k: missing; say how many rows have to look alike")
    fields: dict[str, Any] = {"k": selected.request.k, "columns": selected.table.texts}
    if selected.request.generalises:
        return _to_generalise(selected, source, memory, fields)
    expect_room(source, memory, "or give --hierarchies, which the engine counts")
    codes, copies = source.combinations()
    return KAnonymity(CodedTable(codes), copies=copies.tolist(), **fields)


def with_room(source: DuckSource, memory: float) -> DuckSource:
    """Return a table with so many columns counted that distinct rows have room.

    Those of most values are left out first; the last one stays in any case. The engine
    forgets the combinations of all columns if some are left out.
    """
    left = sorted(source.chosen, key=lambda name: len(source.columns[name].values))
    distinct = source.distinct
    while len(left) > 1 and not _have_room(distinct, len(left), memory):
        left.pop()
        distinct = source.distinct_over(left)
    if len(left) == len(source.chosen):
        return source
    return source.counted([name for name in source.chosen if name in left])


def _have_room(distinct: int, columns: int, memory: float) -> bool:
    return distinct * columns * _BYTES_OF_A_CELL <= _OF_THE_ROWS * memory


def expect_room(source: DuckSource, memory: float, instead: str) -> None:
    """Refuse a table whose distinct rows have no room in memory."""
    if not _have_room(source.distinct, len(source.chosen), memory):
        raise OutOfMemoryError(
            f"{source.path}: {source.distinct:,} different rows have no room in "
            f"memory; raise --memory, {instead}"
        )


def plan_of(
    selected: Selected,
    source: DuckSource,
    instance: Generalization | KAnonymity,
    solution: Solution | None,
) -> Plan | None:
    """Return the plan of a solution; None if there is none."""
    if isinstance(solution, GeneralizationSolution):
        assert isinstance(instance, Generalization)
        return _by_levels(selected, source, instance, solution.levels[0])
    if isinstance(solution, DealtSolution):
        assert isinstance(instance, KAnonymity)
        return _by_deals(selected, instance, solution)
    return None


def _by_levels(
    selected: Selected,
    source: DuckSource,
    instance: Generalization,
    levels: tuple[int, ...],
) -> Plan:
    sizes, tops, labels = source.classes(levels)
    rows = fewest_of(instance, levels, Classes(sizes, tops))
    assert rows is not None  # the node was checked
    losing = np.flatnonzero(rows)
    all_columns = np.ones((len(losing), instance.m), dtype=np.bool_)
    gone = Suppressed.of(labels, sizes, losing, rows[losing], all_columns)
    columns = _columns(selected, instance, levels, suppresses=len(losing) > 0)
    return Plan(columns, gone, rows=int(rows.sum()))


def _by_deals(
    selected: Selected, instance: KAnonymity, solution: DealtSolution
) -> Plan:
    """Return the plan of deals: equal rows of a class lose the same cells together."""
    groups, hidden = hidden_in_groups(instance, solution)
    held, (row, _, copies) = groups.held, solution.columns
    patterns, pattern_of = np.unique(hidden, axis=0, return_inverse=True)
    of_deals = pattern_of.reshape(len(held))[held.homes]
    home, pattern, rows = _merged(row[held.items], of_deals, copies[held.items])
    records, table = instance.records, selected.table
    codes = cast(CodedTable, instance.table).codes.astype(np.int32)
    given = records.copies[records.home]
    gone = Suppressed.of(codes, given, home, rows, patterns[pattern])
    columns = tuple(
        ColumnPlan(name, 0, 1, None, selected.request.marker if column.text else None)
        for name, column in zip(table.names, table.columns, strict=True)
    )
    cells = dict(zip(table.texts, (groups.sizes @ hidden).tolist(), strict=True))
    return Plan(columns, gone, cells=cells)


def _merged(
    row: IntArray, pattern: IntArray, copies: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    spread = int(pattern.max(initial=0)) + 1
    keys, entry = np.unique(row * spread + pattern, return_inverse=True)
    merged = np.bincount(entry.reshape(len(row)), copies).astype(np.int64)
    return keys // spread, keys % spread, merged


def _to_generalise(
    selected: Selected, source: DuckSource, memory: float, fields: dict[str, Any]
) -> Generalization:
    fields |= selected.prices()
    hierarchies = fields["hierarchies"]
    each = range(len(hierarchies))
    counts = [len(source.columns[name].values) for name in source.chosen]
    numbers = [labels_of(hierarchies[j], range(counts[j])) for j in each]
    tops = [
        np.array([top_level(hierarchies[j].chain_of[v]) for v in range(counts[j])])
        for j in each
    ]
    source.label(numbers, tops)
    labels = sum(len(levels) + 2 for levels in numbers)
    if source.distinct * labels * _BYTES_OF_A_LABEL > _OF_THE_ROWS * memory:
        if (
            fields["loss"] not in ("height", "precision")
            and source.distinct * _BYTES_OF_A_CLASS > _OF_THE_ROWS * memory
        ):
            raise OutOfMemoryError(
                f"{source.path}: the sizes of classes of {source.distinct:,} different "
                f"rows have no room in memory, of which {fields['loss']} is made; "
                "raise --memory, or take height or precision"
            )
        where = Elsewhere(source.n, numbers, source.sizes, source.sha256)
        del fields["on"]
        return CountedElsewhere(where, **fields)
    codes, copies = source.combinations()
    return Generalization(table=CodedTable(codes), copies=copies.tolist(), **fields)


def _columns(
    selected: Selected,
    instance: Generalization,
    levels: tuple[int, ...],
    *,
    suppresses: bool,
) -> tuple[ColumnPlan, ...]:
    """Return what is published of every column at a node.

    As in memory, a column with a hierarchy becomes one of text if a cell changes; of
    others a suppressed cell holds the marker, or is missing if it is no text.
    """
    plan = []
    known = zip(selected.table.names, selected.table.columns, levels, strict=True)
    for j, (name, column, level) in enumerate(known):
        hierarchy, cells = instance.hierarchies[j], None
        if name not in selected.generalised:
            hidden = selected.request.marker if column.text else None
            if level:
                cells = (hidden,) * len(column.values)
        else:
            hidden = str(hierarchy.chains[0][-1])
            if level or (suppresses and not column.text):
                cells = tuple(x[level] for x in cells_of(column, hierarchy))
        plan.append(ColumnPlan(name, level, hierarchy.height, cells, hidden))
    return tuple(plan)
