"""The interface of tables for anonymisation, for any library.

The values of a column are numbered in order of first appearance, so that the same table
gives the same numbers - hence the same instance and answer - from any library. Values
that a file distinguishes are different: 0.0 and -0.0, or 1, 1.0 and True where a column
may hold them all. Missing values are one value, equal to nothing else: None and null,
and in pandas, which writes all of them alike, NaN and NaT as well.

A hidden cell of a text column holds the marker. A column of any other type keeps its
type, and a hidden cell is a missing value; only the mask distinguishes it from a value
that was missing before. A column whose cells are generalised becomes one of text. Old
values of hidden cells may stay in memory: call `rebuilt` last.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Protocol, Self, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    meant,
    quoted,
)

_AT_ONCE: Final = 1 << 16
"""Rows that are looked through at a time: most columns show all values in a few."""

Name = Hashable
"""The name of a column: a text, or whatever the library allows."""
C = TypeVar("C", bound="Columned")


class IncomparableError(InvalidInstanceError):
    """The values of a column, such as lists, cannot be compared."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column by the numbers of its values."""

    codes: Int32Array
    """The number of every row's value: 0, 1, ... in order of first appearance."""
    values: Sequence[Any]
    """The values by their number; None for a missing one."""
    text: bool
    """Whether hidden cells hold the marker."""
    copies: IntArray | None = None
    """How many rows each entry of `codes` stands for, if that is known of a table that
    is elsewhere; None if one."""

    @property
    def cells(self) -> list[Any]:
        """The value of every row."""
        return [*map(self.values.__getitem__, self.codes.tolist())]

    @property
    def rows_of_values(self) -> list[int]:
        """How many rows have each value, by its number."""
        found = np.bincount(self.codes, self.copies, minlength=len(self.values))
        rows: list[int] = found.astype(np.int64).tolist()
        return rows

    def place_of(self, number: int) -> str:
        """Return the first row that has a value, in words, if that is known."""
        if self.copies is not None:
            return "some row"
        return f"row {int((self.codes == number).argmax()) + 1}"

    def holding(self, *values: object) -> BoolArray:
        """Return which rows hold one of these texts, or None if that is among them."""
        told = (isinstance(v, str | None) and v in values for v in self.values)
        return self._where(told)

    @property
    def missing(self) -> BoolArray:
        """Which rows hold nothing."""
        return self._where(map(is_missing, self.values))

    def _where(self, chosen: Iterable[bool]) -> BoolArray:
        found: BoolArray = np.fromiter(chosen, np.bool_)[self.codes]
        return found


class Columned(Protocol):
    """A table of columns, wherever it is."""

    @property
    def names(self) -> Sequence[Name]:
        """The names of the columns."""

    def only(self, names: Sequence[Name]) -> Self:
        """Return the table of these columns only."""


class Frame(Columned, Protocol):
    """A table of some library."""

    @property
    def native(self) -> Any:
        """The table as the library's own object."""

    @property
    def n(self) -> int:
        """The number of rows."""

    def column(self, name: Name) -> Column:
        """Return a column with its values numbered."""

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        """Return the table with the cells of some columns hidden, all else alike."""

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        """Return the table with columns of texts in place of some, all else alike."""

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        """Return the table with other cells in some columns, all else alike.

        A column keeps its type if that has the new cells.
        """

    def taking(self, rows: IntArray) -> Self:
        """Return the table of these rows, in their order.

        An index that numbers the rows numbers them anew.
        """

    def rebuilt(self) -> Self:
        """Return the table rebuilt from its cells, as it has to be published.

        It contains visible cells only: no values below missing cells, no categories and
        no labels of unused values, no rows of a larger table that this one was a part
        of, and only the metadata that its types need.
        """


def chosen(frame: Columned, columns: Iterable[Name] | None) -> tuple[Name, ...]:
    """Return the names of the chosen columns, by default of all.

    Raises UnknownNameError if the table has no such column.
    """
    known = tuple(frame.names)
    if len(set(known)) < len(known):
        twice = next(name for name in known if known.count(name) > 1)
        if twice in ("", None):
            raise InvalidInstanceError(
                "several columns have no name; the first row has to name all columns, "
                "each differently: is it a title? delete it"
            )
        raise InvalidInstanceError(f'two columns are called "{twice}"; rename one')
    if isinstance(columns, str):
        columns = (columns,)
    names = known if columns is None else tuple(columns)
    for name in names:
        if name not in known:
            there = f"{meant(name, known)}there are {', '.join(map(str, known))}"
            raise UnknownNameError(f"no column is called {quoted(name)}; {there}")
        if names.count(name) > 1:
            raise InvalidInstanceError(f'columns: "{name}" twice')
    if not names:
        raise InvalidInstanceError("columns: none; at least one is needed")
    return names


class Selection(NamedTuple):
    """Some columns of a frame."""

    frame: Frame
    names: tuple[Name, ...]
    columns: tuple[Column, ...]

    @classmethod
    def of(cls, frame: Frame, columns: Iterable[Name] | None) -> Self:
        names = chosen(frame, columns)
        return cls(frame, names, tuple(frame.column(name) for name in names))

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(map(str, self.names))

    @property
    def others(self) -> tuple[Name, ...]:
        """The names of the other columns of the frame."""
        return tuple(name for name in self.frame.names if name not in self.names)


def without(frame: C, names: Iterable[Name]) -> C:
    """Return the table without some columns, as if they were not there."""
    named = (names,) if isinstance(names, str) else tuple(names)
    gone = chosen(frame, named) if named else ()
    return frame.only([n for n in frame.names if n not in gone]) if gone else frame


def codes_of(columns: Sequence[Column]) -> Int32Array:
    """Return the numbers of all cells, one row per row of the table."""
    return np.ascontiguousarray(np.stack([c.codes for c in columns], axis=1))


def by_bits(numbers: NDArray[np.floating[Any]], missing: BoolArray) -> Column:
    """Return a column of floats: 0.0 is not -0.0, and NaN is one value."""
    numbers = np.where(np.isnan(numbers), np.nan, numbers)
    bits = numbers.view(f"u{numbers.itemsize}")
    _, first, codes = np.unique(bits, return_index=True, return_inverse=True)
    return in_order(np.where(missing, -1, codes), numbers[first].tolist(), text=False)


def in_order(codes: NDArray[Any], values: Sequence[Any], text: bool) -> Column:
    """Renumber values in order of first appearance, and drop those that do not appear.

    A code of -1 is a missing value.
    """
    numbers = np.where(codes < 0, len(values), codes)
    found = _as_they_appear(numbers, len(values) + 1)
    rank = np.empty(len(values) + 1, dtype=np.int32)
    rank[found] = np.arange(len(found), dtype=np.int32)
    known = [*values, None]
    return Column(rank[numbers], [known[i] for i in found.tolist()], text)


def merged(codes: NDArray[Any], values: Sequence[Hashable], text: bool) -> Column:
    """Return a column of which some values may be equal: they become one."""
    numbers: dict[Hashable, int] = {}
    one_of = [numbers.setdefault(value, len(numbers)) for value in values]
    return in_order(np.array(one_of, dtype=np.int32)[codes], list(numbers), text)


def _as_they_appear(numbers: IntArray, count: int) -> IntArray:
    """Return which numbers below a count are there, the first to appear first."""
    missing, found, left = np.ones(count, dtype=np.bool_), [], count
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        fresh = some[missing[some]]
        if len(fresh):
            values, first = np.unique(fresh, return_index=True)
            found.append(values[np.argsort(first)])
            missing[values] = False
            left -= len(values)
        if not left:
            break
    return np.concatenate([np.empty(0, dtype=np.int64), *found])


def is_nan(value: object) -> bool:
    """Tell whether a value is NaN, of any type of numbers."""
    return isinstance(value, float) and value != value


def is_plain_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a number, and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_missing(value: object) -> bool:
    """Tell whether a cell of this value holds nothing."""
    return value is None or value == "" or is_nan(value)


def written(values: Iterable[Any]) -> list[str | None]:
    """Return values as they are written in a file; whole floats as integers.

    Libraries turn integers into floats where one of them is missing, or is NaN.
    """
    values = [None if is_nan(value) else value for value in values]
    floats = [value for value in values if isinstance(value, float)]
    whole = all(value.is_integer() for value in floats)
    return [
        None
        if value is None
        else str(int(value) if whole and isinstance(value, float) else value)
        for value in values
    ]


@dataclass(frozen=True, slots=True, eq=False)
class HoldingFrame:
    """A table of a library, with more contents of its file."""

    table: Frame
    """Its columns and rows."""

    @property
    def native(self) -> Self:
        return self

    @property
    def names(self) -> Sequence[Name]:
        return self.table.names

    @property
    def n(self) -> int:
        return self.table.n

    def column(self, name: Name) -> Column:
        return self.table.column(name)

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        return replace(self, table=self.table.hiding(masks, marker))

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        return replace(self, table=self.table.relabelled(labels))

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        return replace(self, table=self.table.refilled(cells))

    def only(self, names: Sequence[Name]) -> Self:
        return replace(self, table=self.table.only(names))

    def taking(self, rows: IntArray) -> Self:
        return replace(self, table=self.table.taking(rows))

    def rebuilt(self) -> Self:
        return replace(self, table=self.table.rebuilt())
