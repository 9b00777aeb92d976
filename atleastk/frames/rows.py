"""Tables of plain Python: a list of dicts, or a list of tuples or lists.

The columns of dicts are their keys, which all rows share; those of tuples and lists are
0, 1, ... Values of different types are different: 1 is not True, and not 1.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from atleastk.arrays import BoolArray
from atleastk.frames.frame import Column, Labels, Name
from atleastk.instances.errors import InvalidInstanceError

__all__ = ["RowsFrame", "column_of", "numbered_cells"]


@dataclass(frozen=True, slots=True, eq=False)
class RowsFrame:
    """A list of rows."""

    native: Sequence[Any]
    names: Sequence[Name]

    @classmethod
    def of(cls, rows: Sequence[Any]) -> Self:
        """Wrap rows, after checking that they are rows of one table."""
        kinds = {_kind(row) for row in rows}
        if len(kinds) > 1 or not kinds <= {dict, tuple, list}:
            message = "expected rows that are all dicts, all tuples or all lists"
            raise InvalidInstanceError(message)
        names: Sequence[Name] = ()
        if kinds:
            names = tuple(rows[0]) if kinds == {dict} else range(len(rows[0]))
        for i, row in enumerate(rows):
            alike = row.keys() == rows[0].keys() if kinds == {dict} else True
            if len(row) != len(names) or not alike:
                message = f"row {i}: its columns are not those of row 0"
                raise InvalidInstanceError(message)
        return cls(rows, names)

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.native)

    def column(self, name: Name) -> Column:
        """Return a column with its values numbered."""
        return column_of(name, (_cell(row[name]) for row in self.native))

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        """Return new rows with the cells of some columns hidden."""
        rows = self._copied()
        for name, mask in masks.items():
            instead = marker if self.column(name).text else None
            for i in np.flatnonzero(mask):
                rows[i][name] = instead
        return self._of(rows)

    def relabelled(self, labels: Mapping[Name, Labels]) -> Self:
        """Return new rows with texts in place of some columns."""
        rows = self._copied()
        for name, texts in labels.items():
            for row, text in zip(rows, texts, strict=True):
                row[name] = text
        return self._of(rows)

    def only(self, names: Sequence[Name]) -> Self:
        """Return the rows with these columns only."""
        if self.native and _kind(self.native[0]) is dict:
            return type(self)([{k: r[k] for k in names} for r in self.native], names)
        kind = _kind(self.native[0]) if self.native else list
        rows = [kind(row[name] for name in names) for row in self.native]
        return type(self)(rows, range(len(names)))

    def _copied(self) -> list[Any]:
        """Return rows that can be changed."""
        return [dict(r) if isinstance(r, dict) else list(r) for r in self.native]

    def _of(self, rows: list[Any]) -> Self:
        """Return a frame of changed rows, which are again of the kind they were."""
        tuples = bool(rows) and _kind(self.native[0]) is tuple
        return type(self)([tuple(r) for r in rows] if tuples else rows, self.names)


def column_of(name: Name, cells: Iterable[Any]) -> Column:
    """Return a column of values, which are alike only if their types are."""
    try:
        numbers = numbered_cells((type(cell), cell) for cell in cells)
    except TypeError as error:
        message = f"column {name}: its values cannot be compared ({error})"
        raise InvalidInstanceError(message) from error
    values = [cell for _, cell in numbers.values]
    text = all(isinstance(v, str) for v in values if v is not None)
    return Column(numbers.codes, values, text)


def numbered_cells(cells: Iterable[Any]) -> Column:
    """Return hashable cells numbered in order of first appearance."""
    listed = list(cells)
    numbers = {value: i for i, value in enumerate(dict.fromkeys(listed))}
    codes = np.fromiter(map(numbers.__getitem__, listed), np.int32, len(listed))
    return Column(codes, list(numbers), text=True)


def _cell(value: Any) -> Any:
    """Return a cell, None if it is missing."""
    return (
        None
        if value is None or (isinstance(value, float) and value != value)
        else value
    )


def _kind(row: object) -> type[Any]:
    for kind in (dict, tuple, list):
        if isinstance(row, kind):
            return kind
    return type(row)
