"""Tables of plain Python: a list of dicts, or a list of tuples or lists.

The columns of dicts are their keys, which all rows share; those of tuples and lists are
0, 1, ... Values of different types are different, and so are values that are written
differently: 1 is not True, and not 1.0; 0.0 is not -0.0, nor Decimal("0.0"), and times
of one instant differ in different zones. Scalars of numpy equal those of Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.frames.frame import Column, IncomparableError, Name
from atleastk.instances.fields.errors import InvalidInstanceError

_COMPARED_BY_VALUE: Final = frozenset((str, int, bool, bytes, date, type(None)))
_COMPARED_BY_TEXT: Final = frozenset(
    (float, complex, Decimal, np.datetime64, np.timedelta64)
)
"""Equal values of these may be written in several ways; NaN does not equal itself."""


@dataclass(frozen=True, slots=True, eq=False)
class RowsFrame:
    """A list of rows."""

    native: Sequence[Any]
    names: Sequence[Name]

    @classmethod
    def of(cls, rows: Sequence[Any]) -> Self:
        kinds = {_kind(row) for row in rows}
        if len(kinds) > 1 or not kinds <= {dict, tuple, list}:
            raise InvalidInstanceError(
                "expected rows that are all dicts, all tuples or all lists"
            )
        names: Sequence[Name] = ()
        if kinds:
            names = tuple(rows[0]) if kinds == {dict} else range(len(rows[0]))
        for i, row in enumerate(rows):
            alike = row.keys() == rows[0].keys() if kinds == {dict} else True
            if len(row) != len(names) or not alike:
                raise InvalidInstanceError(
                    f"row {i}: its columns are not those of row 0"
                )
        return cls(rows, names)

    @property
    def n(self) -> int:
        return len(self.native)

    def column(self, name: Name) -> Column:
        return column_of(name, (row[name] for row in self.native))

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        rows = self._copied()
        for name, mask in masks.items():
            instead = marker if self.column(name).text else None
            for i in np.flatnonzero(mask):
                rows[i][name] = instead
        return self._of(rows)

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        return self.refilled({name: texts.cells for name, texts in labels.items()})

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        rows = self._copied()
        for name, column in cells.items():
            for row, cell in zip(rows, column, strict=True):
                row[name] = cell
        return self._of(rows)

    def only(self, names: Sequence[Name]) -> Self:
        if not self.native or _kind(self.native[0]) is dict:
            return type(self)([{k: r[k] for k in names} for r in self.native], names)
        kind = _kind(self.native[0])
        rows = [kind(row[name] for name in names) for row in self.native]
        return type(self)(rows, range(len(names)))

    def taking(self, rows: IntArray) -> Self:
        return type(self)([self.native[i] for i in rows.tolist()], self.names)

    def rebuilt(self) -> Self:
        """Return the rows themselves: they have nothing but cells."""
        return self

    def _copied(self) -> list[Any]:
        return [dict(r) if isinstance(r, dict) else list(r) for r in self.native]

    def _of(self, rows: list[Any]) -> Self:
        """Return a frame of changed rows, which are again of the kind they were."""
        tuples = bool(rows) and _kind(self.native[0]) is tuple
        return type(self)([tuple(r) for r in rows] if tuples else rows, self.names)


def column_of(name: Name, cells: Iterable[Any]) -> Column:
    """Return a column of values, which are equal only if files write them alike."""
    listed = list(map(_plain, cells))
    try:
        keys = numbered_cells(map(identity_of, listed))
    except (TypeError, ValueError) as error:
        raise IncomparableError(
            f"column {name}: its values cannot be compared ({error})"
        ) from error
    first = np.unique(keys.codes, return_index=True)[1]
    values = [listed[i] for i in first]
    text = all(isinstance(v, str) for v in values if v is not None)
    return Column(keys.codes, values, text)


def identity_of(value: Any) -> Hashable:
    """Return a key that equal values share, if they are written alike.

    Raises TypeError if the value cannot be compared.
    """
    kind = type(value)
    if kind in _COMPARED_BY_VALUE:
        return kind, value
    if kind in _COMPARED_BY_TEXT:
        return kind, repr(value)
    return kind, value, repr(value)


def numbered_cells(cells: Iterable[Any]) -> Column:
    """Return hashable cells numbered in order of first appearance."""
    listed = list(cells)
    numbers = {value: i for i, value in enumerate(dict.fromkeys(listed))}
    codes = np.fromiter(map(numbers.__getitem__, listed), np.int32, len(listed))
    return Column(codes, list(numbers), text=True)


def _plain(cell: Any) -> Any:
    """Return a cell; as Python's own if it is a number, text or bytes of numpy."""
    known = isinstance(cell, np.generic) and type(cell) not in _COMPARED_BY_TEXT
    return cell.item() if known else cell


def _kind(row: object) -> type[Any]:
    for kind in (dict, tuple, list):
        if isinstance(row, kind):
            return kind
    return type(row)
