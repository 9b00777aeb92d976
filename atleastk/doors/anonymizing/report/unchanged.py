"""The part of a report on columns that are published unchanged: their disclosure.

If all rows of a class share a value, it is learnt of everybody in the class, and a
value that no other row has reveals whose row it is. Columns whose values cannot be
compared, such as lists, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from operator import itemgetter
from typing import Final, NamedTuple

from atleastk.arrays import IntArray
from atleastk.doors.anonymizing.hierarchies import told_by
from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.frame import Column, Frame, IncomparableError, Name
from atleastk.models.tables.identifying import signs_of
from atleastk.models.tables.risk import single_valued
from atleastk.models.tables.singling_out import SinglingOut, rows_of_own_value
from atleastk.models.wording import labelled

_MOST_COLUMNS: Final = 10
"""Columns that are listed, those with most such classes first."""


class Unchanged(NamedTuple):
    """The disclosure by columns that are published unchanged."""

    shared: Mapping[str, int]
    """For every column, the number of classes whose rows share one value of it."""
    singling_out: SinglingOut
    """For every column, the number of rows with a value that no other row has."""


def unchanged(
    frame: Frame,
    names: Iterable[Name],
    class_of: IntArray,
    rows: IntArray | slice = slice(None),
    needed: Mapping[str, str] | None = None,
) -> Unchanged:
    """Return the disclosure by columns of rows, by default of all.

    Parameters
    ----------
    class_of
        The class of each of these rows.
    needed
        As in `SinglingOut`.
    """
    known = dict(_comparable(frame, names))
    shared = {
        name: single_valued(class_of, column.codes[rows])
        for name, column in known.items()
    }
    return Unchanged(shared, _singling_out(known, len(class_of), rows, needed or {}))


def singling_out(
    frame: Frame, names: Iterable[Name], needed: Mapping[str, str]
) -> SinglingOut:
    """Return how many rows columns single out, see `SinglingOut`."""
    return _singling_out(dict(_comparable(frame, names)), frame.n, slice(None), needed)


def _singling_out(
    columns: Mapping[str, Column],
    count: int,
    rows: IntArray | slice,
    needed: Mapping[str, str],
) -> SinglingOut:
    alone = {
        name: rows_of_own_value(column.codes[rows], column.values)
        for name, column in columns.items()
    }
    return SinglingOut(
        rows=count, by_column=alone, signs=_signs(columns), needed=needed
    )


def singling_out_elsewhere(
    source: DuckSource, needed: Mapping[str, str] | None = None
) -> SinglingOut:
    """Return how many rows columns single out that an engine has not grouped by.

    What values look like is what a thousand of them do.
    """
    others = [name for name in source.names if name not in source.chosen]
    known: dict[str, Column] = {}
    alone: dict[str, int] = {}
    source.expect_counts([name] for name in others)
    for name in others:
        with suppress(IncomparableError):
            known[str(name)], alone[str(name)] = source.looked_at(name)
    return SinglingOut(
        rows=source.n, by_column=alone, signs=_signs(known), needed=needed or {}
    )


def _signs(columns: Mapping[str, Column]) -> dict[str, str]:
    signs: dict[str, str] = {}
    for name, column in columns.items():
        for sign in signs_of(name, told_by(column)[0]):
            signs.setdefault(name, sign)
    return signs


def learnt_lines(shared: Mapping[str, int], classes: int, noun: str) -> Iterator[str]:
    """Yield the lines on columns of which classes share one value, the worst first."""
    worst = sorted(shared.items(), key=itemgetter(1), reverse=True)
    return labelled(
        "learnt",
        (
            f"{name}: one value in {count} of {classes} {noun}"
            for name, count in worst[:_MOST_COLUMNS]
            if count
        ),
    )


def _comparable(frame: Frame, names: Iterable[Name]) -> Iterator[tuple[str, Column]]:
    for name in names:
        with suppress(IncomparableError):
            yield str(name), frame.column(name)
