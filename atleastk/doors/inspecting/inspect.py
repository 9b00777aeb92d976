"""A look at a table before it is anonymised: what is in it, and who is found by what.

Types and rules of hierarchies are those that ``auto`` would take; a missing value is a
cell without one, or a text that stands for one, such as ``NA`` among numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike
from typing import Any, Final, NamedTuple, cast

import numpy as np

from atleastk.arrays import BoolArray
from atleastk.doors.anonymizing import engines
from atleastk.doors.anonymizing.hierarchies import told_by, written_of
from atleastk.doors.anonymizing.plans import expect_room
from atleastk.doors.inspecting.findings import Inspected, InspectedColumn
from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.frame import (
    Column,
    Frame,
    IncomparableError,
    Name,
    Selection,
    chosen,
)
from atleastk.frames.oddities import nearly_equal, oddities
from atleastk.frames.open_frame import FileFrame
from atleastk.instances.fields.errors import InvalidInstanceError, within_memory
from atleastk.instances.fields.shapes import shown, whole
from atleastk.instances.fields.spelling import respelled
from atleastk.instances.hierarchies.choice import NOUNS, SUPPRESSION
from atleastk.instances.hierarchies.decimal_commas import pointed
from atleastk.instances.hierarchies.rules import UnfitError, is_number
from atleastk.instances.hierarchies.words import AUTO, decided, ruled
from atleastk.instances.records import Records
from atleastk.models.tables.identifying import signs_of
from atleastk.models.tables.singling_out import SinglingOut
from atleastk.models.tables.unique_sets import UniqueSets, unique_sets
from atleastk.solvers.budget import bytes_of

TOGETHER: Final = 3
"""The most columns of a set, unless something else is asked for."""

LOOKS: Final = 500_000_000
"""The most looks at records, unless something else is asked for: some 10 to 40 s."""

_GENERALISED: Final = ("band", "date", "number")
"""Types of which even a column that singles out many rows may keep something."""


@respelled
def inspect(
    table: Any,
    columns: Iterable[Name] | None = None,
    *,
    together: int = TOGETHER,
    looks: int = LOOKS,
    engine: str = engines.AUTO,
    memory: str | float | None = None,
    scratch: str | PathLike[str] | None = None,
    counts: str | PathLike[str] | None = None,
) -> Inspected:
    """Look at a table before it is anonymised; no solver is involved.

    Direct identifiers that were left in, which columns single rows out alone and
    together, missing values and nearly equal spellings, types and rules of hierarchies.

    Parameters
    ----------
    table
        As of :func:`atleastk.anonymize`.
    columns
        The columns to look at; all by default.
    together
        The most columns of the sets that are looked at.
    looks
        The most looks at records for sets of several columns. Sizes of sets that may
        take more are left out, and the report says so.
    engine, memory, scratch, counts
        As of :func:`atleastk.anonymize`: what counts the table at a path.

    Raises
    ------
    UnknownNameError
        If the table has no column of a name.

    Examples
    --------
    >>> looked = atleastk.inspect([["31", "f"], ["31", "m"], ["42", "m"]])
    >>> [column.distinct for column in looked.columns]
    [2, 2]
    """
    with engines.given(table, engine, memory, scratch, counts) as frame:
        if isinstance(frame, DuckSource):
            frame = cast(Frame, frame.counted(chosen(frame, columns)))
            expect_room(cast(DuckSource, frame), bytes_of(memory), "or choose columns")
        return inspected(frame, columns, together, looks)


@within_memory("inspecting")
def inspected(
    frame: Frame, columns: Iterable[Name] | None, together: int, looks: int
) -> Inspected:
    """Look at some columns of a frame, see `inspect`."""
    for wish, number in (("together", together), ("looks", looks)):
        if (whole(number) or 0) < 1:
            raise InvalidInstanceError(
                f"{wish}: expected an integer of at least 1, got {shown(number)}"
            )
    known: dict[Name, Column] = {}
    names = chosen(frame, columns)
    for name in names:
        with suppress(IncomparableError):
            known[name] = frame.column(name)
    looked = [_looked_at(name, column) for name, column in known.items()]
    alone = {str(j): one.alone for j, one in enumerate(looked)}
    singling = SinglingOut(rows=frame.n, by_column=alone)
    singled = {looked[int(j)].name for j in singling.identifiers}
    others = [one for one in looked if not one.signs and one.name not in singled]
    sets = _sets(frame, others, together, looks)
    joint = dict(zip((one.name for one in others), sets.together, strict=True))
    found = {
        one.name: _column(one, joint.get(one.name, 0), one.name in singled)
        for one in looked
    }
    read = frame.note if isinstance(frame, FileFrame) else None
    odd = oddities(Selection(frame, tuple(known), tuple(known.values())))
    why = "its values cannot be compared"
    incomparable = partial(InspectedColumn, type="incomparable", why=why, missing_as={})
    return Inspected(
        rows=frame.n,
        columns=tuple(
            found.get(name, incomparable(column=str(name))) for name in names
        ),
        sets=sets,
        names=tuple(str(one.name) for one in others),
        warnings=(*([] if read is None else [read]), *odd),
    )


class _Looked(NamedTuple):
    """A column, and what it holds by itself."""

    name: Name
    column: Column
    texts: Sequence[str]
    """The values by their number, as they are written in a file."""
    counts: Counter[str]
    """The rows of each text."""
    lost: set[str]
    """The texts of missing values."""
    alone: int
    """How many rows it singles out."""
    signs: tuple[str, ...]
    """Why its name or values look like those of direct identifiers."""

    @property
    def missing(self) -> BoolArray:
        return np.array([text in self.lost for text in self.texts], dtype=bool)


def _looked_at(name: Name, column: Column) -> _Looked:
    texts = written_of(column)
    values, lost = told_by(column)
    rows = column.rows_of_values
    counts: Counter[str] = Counter()
    alone = 0
    for text, count in zip(texts, rows, strict=True):
        counts[text] += count
        alone += count == 1 and text not in lost
    signs = tuple(signs_of(str(name), values))
    return _Looked(name, column, texts, counts, lost, alone, signs)


def _sets(
    frame: Frame | DuckSource, looked: Sequence[_Looked], together: int, looks: int
) -> UniqueSets:
    if not looked:
        return UniqueSets({}, np.zeros(frame.n, dtype=np.int64), (), 0)
    if isinstance(frame, DuckSource):
        codes, copies = frame.combinations()
        places = [frame.chosen.index(one.name) for one in looked]
        merged = Records.coded(codes[:, places], copies)
        records = Records.coded(merged.codes).with_copies(merged.copies)
    else:
        records = Records.of_columns([one.column.codes for one in looked])
    missing = np.zeros(records.codes.shape, dtype=bool)
    for j, one in enumerate(looked):
        if len(one.texts):
            missing[:, j] = one.missing[records.codes[:, j]]
    return unique_sets(records, missing, together, looks)


def _column(one: _Looked, together: int, singles: bool) -> InspectedColumn:
    counts, lost = one.counts, one.lost
    missing_as = {text: counts[text] for text in counts if text in lost}
    known = Counter({text: count for text, count in counts.items() if text})
    rule, why = decided(AUTO, known, str(one.name))
    kind = _type_of(rule, [text for text in counts if text not in lost])
    rows = counts.total()
    signs = (f"singles out {one.alone} of {rows} rows",) * singles + one.signs
    told = rows - sum(missing_as.values())
    shared = kind == "code" and not one.signs and one.alone < told  # as a postal code
    left_out = signs and kind not in _GENERALISED and not shared
    return InspectedColumn(
        column=str(one.name),
        type=kind,
        why=why or "",
        distinct=sum(text not in lost for text in one.texts),
        missing=sum(missing_as.values()),
        missing_as=missing_as,
        signs=signs,
        alone=one.alone,
        together=together,
        hierarchy=None if left_out else _hierarchy(rule, known),
        spellings=tuple(nearly_equal(one.column, one.texts)),
    )


def _type_of(rule: str, values: Sequence[str]) -> str:
    if not values:
        return "empty"
    kind = NOUNS.get(rule.partition(":")[0])
    if kind is None and all(is_number(pointed(value)) for value in values):
        return "number"
    return kind or "text"


def _hierarchy(rule: str, counts: Counter[str]) -> str:
    with suppress(UnfitError):
        return ruled(rule, counts)[1] if counts else SUPPRESSION
    return SUPPRESSION
