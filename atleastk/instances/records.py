"""The distinct records of a table, with multiplicities: the input of all methods."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from atleastk.arrays import (
    FEW,
    SAFE,
    Int32Array,
    IntArray,
    distinct,
    distinct_places,
    first_places,
    stable_order,
)
from atleastk.instances.fields.coded_table import CodedTable

_AT_ONCE: Final = 1 << 14
"""Rows that are near in memory, and so are quick to go through column by column."""


@dataclass(frozen=True, eq=False)
class Records:
    """The distinct records of a table, each with its number of copies."""

    codes: Int32Array
    """One row per distinct record; the values of every column are numbered 0, 1, ..."""
    copies: IntArray
    """How many rows of the table are equal to it, with their own copies."""
    home: IntArray
    """The distinct record of every row of the table."""
    weights: IntArray | None = None
    """How many times each record's rows pay what others pay; None if all pay once.
    Records of different weights are different even if their values are equal."""
    prices: IntArray | None = None
    """What a suppressed cell of each column costs; None if all cost 1."""
    given: IntArray | None = None
    """How many rows each row of the table stands for; None if for itself alone. They
    are numbered one after the other, where that is asked for."""

    @classmethod
    def of(cls, table: Sequence[Sequence[Hashable]], columns: int) -> Records:
        """Merge the equal rows of a table of `columns` columns."""
        if isinstance(table, CodedTable) and len(table):
            return cls.coded(table.numbered)
        codes = np.empty((len(table), columns), dtype=np.int32)
        for j, values in enumerate(zip(*table, strict=True)):
            codes[:, j] = numbered(values)
        return cls.coded(codes)

    @classmethod
    def coded(cls, codes: Int32Array, given: IntArray | None = None) -> Records:
        """Merge the equal rows of a table whose values are numbered already.

        Each stands for one row, or for as many copies as are given.
        """
        first, record_of = distinct_rows(codes)
        copies = np.bincount(record_of, minlength=len(first)).astype(np.int64)
        if given is not None:
            copies[:] = 0
            np.add.at(copies, record_of, given)
        return cls(np.ascontiguousarray(codes[first]), copies, record_of)

    @classmethod
    def of_columns(cls, columns: Sequence[Int32Array]) -> Records:
        """Merge the equal rows of a table of some columns, numbered already."""
        first, record_of = distinct_places(keys_of(columns, len(columns[0])))
        codes = np.stack([column[first] for column in columns], axis=1)
        copies = np.bincount(record_of, minlength=len(first)).astype(np.int64)
        return cls(codes, copies, record_of)

    def with_copies(self, copies: IntArray) -> Records:
        """Return the records of a table each of whose rows has these copies."""
        of_records = np.zeros(self.distinct, dtype=np.int64)
        np.add.at(of_records, self.home, copies)
        return replace(self, copies=of_records, given=copies)

    def divided_by(self, *columns: Int32Array) -> tuple[Records, Int32Array]:
        """Return the records apart by more columns of the table, and their values.

        The values are numbered, those of a record are an array [record, column].
        """
        rows = np.column_stack((self.codes[self.home], *columns))
        parts = Records.coded(rows, self.given)
        codes, more = np.split(parts.codes, [self.m], axis=1)
        return replace(parts, codes=np.ascontiguousarray(codes)), more

    @property
    def distinct(self) -> int:
        """The number of distinct records."""
        return len(self.copies)

    @property
    def repeated(self) -> bool:
        """Whether rows of the table have copies."""
        return self.given is not None

    @cached_property
    def record_of(self) -> IntArray:
        """The distinct record of every row of the table, written out."""
        return self.home if self.given is None else np.repeat(self.home, self.given)

    @property
    def n(self) -> int:
        """The number of rows of the table, written out."""
        return len(self.home) if self.given is None else int(self.given.sum())

    @property
    def m(self) -> int:
        """The number of columns."""
        return int(self.codes.shape[1])

    @cached_property
    def worth(self) -> IntArray:
        """The weight of a row of each record."""
        if self.weights is not None:
            return self.weights
        return np.ones(self.distinct, dtype=np.int64)

    @cached_property
    def price(self) -> IntArray:
        """The price of every column."""
        if self.prices is not None:
            return self.prices
        return np.ones(self.m, dtype=np.int64)

    @property
    def of_rows(self) -> Int32Array:
        """The numbered values of every row of the table, an array [row, column]."""
        codes: Int32Array = self.codes[self.record_of]
        return codes

    @cached_property
    def firsts(self) -> IntArray:
        """The first row of the table with every distinct record."""
        return first_places(self.home)

    @property
    def members(self) -> list[IntArray]:
        """The rows of every distinct record."""
        each = np.bincount(self.record_of, minlength=self.distinct)
        return np.split(self.rows, np.cumsum(each)[:-1])

    @property
    def most(self) -> int:
        """What a row of weight 1 pays if all its cells are suppressed."""
        return int(self.price.sum())

    @property
    def unit(self) -> float:
        """The average price of a column; 1 if all cost 1."""
        return self.most / max(1, self.m)

    @property
    def cell(self) -> float:
        """What a cell of average price costs in a row of median weight."""
        if self.weights is None:
            return self.unit
        return self.unit * float(np.median(self.worth[self.record_of]))

    @cached_property
    def rows(self) -> IntArray:
        """The rows of the table, sorted by their distinct record."""
        return stable_order(self.record_of)

    @property
    def weighted(self) -> bool:
        """Whether some rows pay more than others."""
        return self.weights is not None and len(np.unique(self.weights)) > 1

    def only(self, rows: IntArray) -> Records:
        """Return the records of some rows, which are numbered in this order."""
        used, home = np.unique(self.record_of[rows], return_inverse=True)
        copies = np.bincount(home, minlength=len(used)).astype(np.int64)
        return replace(self.apart(used, copies), home=home)

    def apart(self, some: IntArray, copies: IntArray) -> Records:
        """Return some of the records, with these copies, as a table of their own."""
        return Records(
            self.codes[some],
            copies,
            np.repeat(np.arange(len(some)), copies),
            None if self.weights is None else self.weights[some],
            self.prices,
        )

    def row_groups(
        self, group: IntArray, record: IntArray, copies: IntArray
    ) -> IntArray:
        """Return the group of every row of the table.

        Entry i puts `copies[i]` copies of `record[i]` into `group[i]`. The entries of a
        record must add up to its copies.
        """
        order = stable_order(record)
        dealt = np.empty(self.n, dtype=np.int64)
        dealt[self.rows] = np.repeat(group[order], copies[order])
        return dealt

    def dealt(
        self, group: IntArray, record: IntArray, copies: IntArray
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return how many copies of which row of the table are in which group.

        Entries are as in `row_groups`, but may leave copies out. The rows of a record
        are dealt one after the other.
        """
        left = self.copies.copy()
        np.subtract.at(left, record, copies)
        group, record, copies = (
            np.concatenate(both)
            for both in (
                (group, np.full(self.distinct, -1)),
                (record, np.arange(self.distinct)),
                (copies, left),
            )
        )
        order, rows = stable_order(record), stable_order(self.home)
        given = np.ones_like(rows) if self.given is None else self.given[rows]
        # All copies are a line, which rows and entries cut into pieces.
        ends, cuts = np.cumsum(copies[order]), np.cumsum(given)
        marks = distinct(np.concatenate((ends, cuts)))
        pieces = np.diff(marks, prepend=0)
        row = rows[np.searchsorted(cuts, marks[pieces > 0])]
        home = group[order[np.searchsorted(ends, marks[pieces > 0])]]
        there = home >= 0
        return row[there], home[there], pieces[pieces > 0][there]


def numbered(values: Iterable[Hashable]) -> Int32Array:
    """Return a number for every value: 0, 1, ... in order of first appearance.

    Texts and integers are never equal: "1" is not 1.
    """
    listed = list(values)
    numbers = {value: number for number, value in enumerate(dict.fromkeys(listed))}
    return np.fromiter(map(numbers.__getitem__, listed), np.int32, len(listed))


def distinct_rows(codes: Int32Array) -> tuple[IntArray, IntArray]:
    """Return the first row of every distinct one, and the distinct one of every row.

    Distinct rows are ordered by their codes.
    """
    if len(codes) <= FEW:
        rows = [*map(tuple, codes.tolist())]
        first = {row: i for i, row in reversed([*enumerate(rows)])}
        rank = {row: r for r, row in enumerate(sorted(first))}
        places = np.array([first[row] for row in rank], dtype=np.int64)
        return places, np.array([rank[row] for row in rows], dtype=np.int64)
    return distinct_places(row_keys(codes))


def row_keys(codes: Int32Array) -> IntArray:
    """Return a number for every row: rows are ordered as their numbers are."""
    return keys_of(list(codes.T), len(codes))


def keys_of(columns: Sequence[Int32Array], rows: int) -> IntArray:
    """Return a number for every row of columns, in the order of the rows."""
    keys = np.zeros(rows, dtype=np.int64)
    begin, spread = 0, 1
    widths = [int(column.max(initial=0)) + 1 for column in columns]
    for j, width in enumerate(widths):
        if spread * width >= SAFE:
            _append_digits(keys, columns[begin:j], widths[begin:j])
            keys = distinct_places(keys)[1]
            begin, spread = j, int(keys.max(initial=0)) + 1
        spread *= width
    _append_digits(keys, columns[begin:], widths[begin:])
    return keys


def _append_digits(
    keys: IntArray, columns: Sequence[Int32Array], widths: Sequence[int]
) -> None:
    """Append the codes of every row to its number, some rows at a time."""
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        for column, width in zip(columns, widths, strict=True):
            some *= width
            some += column[start : start + _AT_ONCE]
