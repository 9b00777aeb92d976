"""The published frame, with cells hidden or relabelled, and its recount.

A published table is read again, and its classes of equal rows are counted anew,
whichever method chose its cells. If suppressed cells match anything, the rows that
match are counted, too; only cells that are suppressed here match anything then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.doors.anonymizing.hierarchies import Levels, at_level, relabelled
from atleastk.doors.anonymizing.selected import Selected, Task
from atleastk.frames.frame import Column, Frame, Name, codes_of, in_order
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import InvalidInstanceError, WrongAnswerError
from atleastk.instances.fields.wish_names import called
from atleastk.instances.generalization import Generalization
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.records import Records
from atleastk.models.completed import completed, hidden_by
from atleastk.models.diversity import failing
from atleastk.models.generalization import GeneralizationSolution, levels_of
from atleastk.models.results.solution import Solution
from atleastk.models.tables.anonymity import Anonymity
from atleastk.solvers.k_anonymity import wildcards


class Unsuppressed(NamedTuple):
    """A table with one level per column, as if none of its rows were suppressed."""

    columns: tuple[Column, ...]
    """The anonymised columns, with every row at the level of its column."""
    kept: BoolArray
    """Which rows are not suppressed, and so published like this."""
    levels: tuple[int, ...]
    """The level of every column."""


class Published(NamedTuple):
    """A frame to publish, and the changes of its cells; None without a solution."""

    frame: Frame | None = None
    columns: tuple[Column, ...] = ()
    """The anonymised columns, as they are read again."""
    hidden: BoolArray | None = None
    """Which cells are suppressed, or generalised to the top."""
    records: Records | None = None
    """The equal rows of the frame."""
    levels: Levels | None = None
    """If cells are generalised, the level of each in the hierarchy of its column, [row,
    column]: 0 as it is, and its height at the top."""
    now_text: tuple[Name, ...] = ()
    """Columns of another type that became columns of text."""
    matching: Anonymity | None = None
    """How anonymous it is by rows that match, if suppressed cells match anything."""
    unsuppressed: Unsuppressed | None = None
    """What would be published if no row were suppressed; None if none is."""

    @property
    def recount(self) -> Anonymity | None:
        return None if self.records is None else Anonymity.of(self.records)

    @property
    def native(self) -> Any:
        return None if self.frame is None else self.frame.native


def expect_no_marker(selected: Selected) -> None:
    """Refuse a marker that is a value of a column that may be suppressed."""
    table, marker = selected.table, selected.request.marker
    for name, column in zip(table.names, table.columns, strict=True):
        if not column.text or name in selected.generalised:
            continue
        found = column.holding(marker)
        if found.any():
            cure = "choose another marker"
            if name in (selected.request.recode or {}):
                cure = f"{called('recode')} it to a level below its top, or drop it"
            raise InvalidInstanceError(
                f'column "{name}" holds the marker "{marker}" already, first '
                f"in row {int(found.argmax()) + 1}; {cure}"
            )


def without_dropped(
    selected: Selected, instance: Task, solution: Solution | None
) -> tuple[Selected, Task, Solution | None]:
    """Return a table without its dropped rows, as if it had no others."""
    if solution is None or not solution.ungrouped:
        return selected, instance, solution
    rows = np.setdiff1d(np.arange(instance.n), solution.ungrouped)
    kept = selected.keeping(rows)
    place = {row: i for i, row in enumerate(rows.tolist())}
    groups = [[place[row] for row in group] for group in solution.groups]
    alone = replace(kept, request=replace(kept.request, suppress_rows=None))
    return kept, alone.instance(), Solution.of(groups)


def published(
    selected: Selected, instance: Task, solution: Solution | None
) -> Published:
    """Make the frame of a solution that drops no row, and count its classes anew."""
    table, marker = selected.table, selected.request.marker
    levels: Levels | None = None
    now_text: tuple[Name, ...] = ()
    unsuppressed = None
    if solution is None:
        return Published()
    if not isinstance(instance, Generalization):
        hidden = hidden_by(instance, solution)
        masks = {name: hidden[:, j] for j, name in enumerate(table.names)}
        frame = table.frame.hiding(masks, marker)
    else:
        solution = completed(instance, solution)
        assert isinstance(solution, GeneralizationSolution)
        levels, having = levels_of(instance, solution), selected.generalised
        hidden = (levels == instance.heights) & (levels > 0)
        frame = relabelled(table, instance, levels, having, marker)
        unsuppressed = _unsuppressed(selected, instance, solution)
        columns = zip(table.names, table.columns, levels.T, strict=True)
        now_text = tuple(
            name
            for name, column, levels_of_column in columns
            if name in having and not column.text and levels_of_column.any()
        )
    frame = frame.rebuilt()
    again = tuple(frame.column(name) for name in table.names)
    records, matching = Records.of_columns([c.codes for c in again]), None
    if isinstance(instance, KAmbiguity):
        for name, column, mask in zip(table.names, again, hidden.T, strict=True):
            if not column.holding(marker, None)[mask].all():
                raise WrongAnswerError(
                    f'column "{name}" to be published shows suppressed cells'
                )
        matching = wildcards.wildcard(codes_of(again), hidden)
    reading = "ambiguous" if matching else "anonymous"
    (matching or Anonymity.of(records)).expect(instance.k, reading)
    if (
        isinstance(instance, Diversity)
        and instance.n
        and failing(instance, records.record_of).any()
    ):
        raise WrongAnswerError(
            "the table to be published does not keep sensitive values apart"
        )
    if not selected.request.generalises:
        levels = None
    return Published(
        frame, again, hidden, records, levels, now_text, matching, unsuppressed
    )


def _unsuppressed(
    selected: Selected, instance: Generalization, solution: GeneralizationSolution
) -> Unsuppressed | None:
    """Return what would be published if no row were suppressed; None if none is."""
    if instance.on != "attributes" or not solution.suppressed_rows:
        return None
    kept, levels = np.ones(instance.n, dtype=np.bool_), solution.levels[0]
    kept[list(solution.suppressed_rows)] = False
    table, having = selected.table, selected.generalised
    each = zip(table.names, table.columns, levels, strict=True)
    columns = (
        at_level(column, instance.hierarchies[j] if name in having else None, level)
        for j, (name, column, level) in enumerate(each)
    )
    return Unsuppressed(tuple(columns), kept, levels)


def in_random_order(frame: Frame, seed: bool | int) -> Frame:
    """Return a table with its rows in random order, by a seed if not True."""
    return frame.taking(_order(frame.n, seed))


def _order(rows: int, seed: bool | int) -> IntArray:
    return np.random.default_rng(None if seed is True else seed).permutation(rows)


def shuffled(made: Published, names: Sequence[Name], seed: bool | int) -> Published:
    """Return what is published with its rows in random order, by a seed if not True."""
    if made.frame is None:
        return made
    order = _order(made.frame.n, seed)
    frame = made.frame.taking(order).rebuilt()
    again = tuple(frame.column(name) for name in names)
    for name, before, after in zip(names, made.columns, again, strict=True):
        moved = in_order(before.codes[order], before.values, before.text)
        if not np.array_equal(moved.codes, after.codes):
            raise WrongAnswerError(f'column "{name}" was not shuffled as the others')
    hidden = None if made.hidden is None else made.hidden[order]
    levels = None if made.levels is None else made.levels[order]
    return made._replace(frame=frame, columns=again, hidden=hidden, levels=levels)
