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
from atleastk.frames.frame import Column, Frame, IncomparableError, Name
from atleastk.models.tables.risk import single_valued
from atleastk.models.tables.singling_out import SinglingOut, rows_of_own_value

_MOST_COLUMNS: Final = 10
"""Columns that are listed, those with most such classes first."""


class Unchanged(NamedTuple):
    """The disclosure by columns that are published unchanged.

    Attributes
    ----------
    shared
        For every column, the number of classes whose rows share one value of it.
    singling_out
        For every column, the number of rows with a value that no other row has.
    """

    shared: Mapping[str, int]
    singling_out: SinglingOut


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
    shared: dict[str, int] = {}
    alone: dict[str, int] = {}
    for name, column in _comparable(frame, names):
        codes = column.codes[rows]
        shared[name] = single_valued(class_of, codes)
        alone[name] = rows_of_own_value(codes, column.values)
    found = SinglingOut(rows=len(class_of), by_column=alone, needed=needed or {})
    return Unchanged(shared, found)


def singling_out(
    frame: Frame, names: Iterable[Name], needed: Mapping[str, str]
) -> SinglingOut:
    """Return how many rows columns single out, see `SinglingOut`."""
    alone = {
        name: rows_of_own_value(column.codes, column.values)
        for name, column in _comparable(frame, names)
    }
    return SinglingOut(rows=frame.n, by_column=alone, needed=needed)


def learnt_lines(shared: Mapping[str, int], classes: int, noun: str) -> Iterator[str]:
    """Yield the lines on columns of which classes share one value, the worst first."""
    worst = sorted(shared.items(), key=itemgetter(1), reverse=True)
    label = "learnt"
    for name, count in worst[:_MOST_COLUMNS]:
        if count:
            yield f"  {label:12}{name}: one value in {count} of {classes} {noun}"
            label = ""


def _comparable(frame: Frame, names: Iterable[Name]) -> Iterator[tuple[str, Column]]:
    for name in names:
        with suppress(IncomparableError):
            yield str(name), frame.column(name)
