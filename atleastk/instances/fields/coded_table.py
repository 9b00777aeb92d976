"""A table of numbers in an array, which is read as rows of plain integers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, overload

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray, distinct_places
from atleastk.instances.fields.garbage import garbage_waits

_AT_ONCE: Final = 1 << 16
"""Rows that are made into lists at a time."""


_SHOWN: Final = 4
"""Rows that a console shows."""


class CodedTable(Sequence[tuple[int, ...]]):
    """Rows of integers: equal to the tuple of tuples that holds them.

    Whatever loops over its rows works as before. What knows it takes `codes`, which
    nothing changes, and makes no Python object of a cell.
    """

    __slots__ = ("codes",)

    codes: Int32Array | IntArray

    def __init__(self, codes: Int32Array | IntArray) -> None:
        self.codes = codes if codes.flags.c_contiguous else codes.copy()
        self.codes.setflags(write=False)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, place: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> CodedTable: ...

    def __getitem__(self, place: int | slice) -> tuple[int, ...] | CodedTable:
        if isinstance(place, slice):
            return CodedTable(self.codes[place])
        return tuple(self.codes[place].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for first in range(0, len(self), _AT_ONCE):
            yield from map(tuple, self.codes[first : first + _AT_ONCE].tolist())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CodedTable):
            return np.array_equal(self.codes, other.codes)
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        first = ", ".join(map(repr, self[:_SHOWN]))
        return f"({first}{', ...' if len(self) > _SHOWN else ''})"

    def __reduce__(self) -> tuple[Any, ...]:
        return CodedTable, (self.codes,)

    @garbage_waits()
    def lists(self) -> list[list[int]]:
        """Return the rows as lists."""
        found: list[list[int]] = self.codes.tolist()
        return found

    def json(self) -> str:
        """Return the rows as they are in a list of JSON, without blanks.

        Digits are written column by column: an eighth of the time of Python integers.
        """
        if self.codes.ndim != 2 or not self.codes.size:
            return json.dumps(self.lists(), separators=(",", ":"))[1:-1]
        least, most = self.codes.min(axis=0).tolist(), self.codes.max(axis=0).tolist()
        width = [
            len(str(max(-low, high))) for low, high in zip(least, most, strict=True)
        ]
        text = np.empty((sum(width) + 2 * len(width) + 2, len(self)), dtype=np.uint8)
        text[0], at = ord("["), 1
        for column, digits in zip(self.codes.T, width, strict=True):
            text[at] = (column < 0) * ord("-")  # a zero byte is left out in the end
            size = np.abs(column.astype(np.int64))
            left = size.astype(np.uint32 if digits < 10 else np.uint64)
            shown: BoolArray | bool = True
            for place in range(at + digits, at, -1):
                rest = left // 10
                text[place] = (left - 10 * rest + ord("0")) * shown
                left, shown = rest, rest > 0
            at += digits + 2
            text[at - 1] = ord(",")
        text[at - 1], text[at] = ord("]"), ord(",")
        return text.T.tobytes().translate(None, b"\0")[:-1].decode()

    @property
    def numbered(self) -> Int32Array:
        """The table with the values of every column numbered as they appear."""
        each = [self.values(j)[1] for j in range(self.codes.shape[1])]
        if all(np.may_share_memory(column, self.codes) for column in each):
            return self.codes.astype(np.int32, copy=False)  # they are so numbered
        return np.stack(each, axis=1)

    def values(self, column: int) -> tuple[list[int], Int32Array]:
        """Return the values of a column as they appear, and which one each row has."""
        codes = self.codes[:, column]
        if _is_counting(codes):
            known = list(range(int(codes.max(initial=-1)) + 1))
            return known, codes.astype(np.int32, copy=False)
        first, ranks = distinct_places(codes.astype(np.int64) - codes.min())
        order = np.argsort(first)
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        return codes[first[order]].tolist(), number[ranks]


def plain(value: Any) -> Any:
    """Return a value of JSON with lists in place of the tables in it."""
    if isinstance(value, CodedTable):
        return value.lists()
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return [*map(plain, value)] if isinstance(value, list) else value


def _is_counting(codes: Int32Array | IntArray) -> bool:
    """Tell whether numbers are 0, 1, ... in order of first appearance."""
    top, seen = int(codes.max(initial=-1)), -1
    if codes.min(initial=0) < 0:
        return False
    for start in range(0, len(codes), _AT_ONCE):
        if seen == top:  # what follows is there already
            break
        most = np.maximum.accumulate(np.append(seen, codes[start : start + _AT_ONCE]))
        if np.diff(most).max() > 1:
            return False
        seen = int(most[-1])
    return True
