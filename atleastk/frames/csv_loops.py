"""Large texts of separated values: their cells numbered, and written, by loops.

A loop over the bytes of a text reads what the reader of :mod:`csv` reads, strictly. Of
the cells of a column each different one is remembered in a hash table with open
addresses, by where it stood first. What is not read in this way - other delimiters than
a byte, lines of another number of cells - is for that reader, and so are all errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray, stable_order
from atleastk.frames.frame import Column, merged
from atleastk.solvers.compiled.compile import compiled, inlined

_QUOTE: Final = ord('"')
_FEED: Final = ord("\n")
_RETURN: Final = ord("\r")
_AT_ONCE: Final = 1 << 16
"""Rows that are written at a time."""

_PLACES: Final = 1 << 12
"""Places of a hash table at first: a power of 2."""

_HASH: Final = 0
_BEGIN: Final = 1
_END: Final = 2
_KIND: Final = 3
_CODE: Final = 4
"""What is known of a cell: its hash, where it begins and ends, twice its column - and
one more if quotes in it are doubled - and its number in the column."""


def numbered_cells_of(
    text: str, start: int, delimiter: str, width: int, end: str
) -> list[Column] | None:
    """Return the columns of a text below its header, or None if a loop cannot.

    The line of the header, or an empty one above it, begins at `start`; it has `width`
    cells, and `end` is what ends it.
    """
    if not delimiter.isascii() or delimiter in '"\r\n':
        return None
    data, alone = _encoded(text), end == "\r"
    cells = np.frombuffer(data, dtype=np.uint8)
    rows = data.count(end[-1].encode()) + 1
    n, codes, known = _numbered(cells, start, ord(delimiter), alone, width, rows)
    if n < 0:
        return None
    columns = known[:, _KIND] >> 1
    order = stable_order(columns)
    ends = np.searchsorted(columns[order], np.arange(1, width))
    each = np.split(known[order], ends)  # columns may be as many as different cells
    return [_column(data, codes[j, :n], cells) for j, cells in enumerate(each)]


def _column(data: bytes, codes: Int32Array, known: IntArray) -> Column:
    places = zip(known[:, _BEGIN].tolist(), known[:, _END].tolist(), strict=True)
    values = [_decoded(data[begin:end]) for begin, end in places]
    doubled = np.flatnonzero(known[:, _KIND] & 1).tolist()
    if not doubled:
        return Column(codes, values, text=True)
    for i in doubled:
        values[i] = values[i].replace('""', '"')
    return merged(codes, values, text=True)


@inlined
def _behind(text: ByteArray, at: int, alone: bool) -> int:
    """Return the place behind an end of a line, or of the text; -1 if none is there.

    A line of other systems ends `alone` with what comes before a line feed elsewhere.
    """
    if at == len(text):
        return at
    if text[at] == _FEED and not alone:
        return at + 1
    if text[at] == _RETURN and alone:
        return at + 1
    if text[at] == _RETURN and at + 1 < len(text) and text[at + 1] == _FEED:
        return at + 2
    return -1


@inlined
def _mixed(mixed: int, byte: int) -> int:
    return (mixed ^ byte) * 1099511628211


@inlined
def _same(text: ByteArray, at: int, other: int, length: int) -> bool:
    i = 0
    while i < length and text[at + i] == text[other + i]:
        i += 1
    return i == length


@inlined
def _larger(known: IntArray, count: int) -> IntArray:
    copy = np.empty((2 * len(known), known.shape[1]), dtype=np.int64)
    for i in range(count):
        for j in range(known.shape[1]):
            copy[i, j] = known[i, j]
    return copy


@compiled
def _numbered(
    text: ByteArray, at: int, mark: int, alone: bool, width: int, rows: int
) -> tuple[int, Int32Array, IntArray]:
    """Return how many rows there are below the first, and their cells.

    These are [column, row] numbers, and what is known of all different ones. -1 rows
    stand for something else than rows of so many cells and empty lines.
    """
    codes = np.empty((width, rows), dtype=np.int32)
    known, count = np.empty((_PLACES // 2, 5), dtype=np.int64), 0
    slots, values = np.full(_PLACES, -1, dtype=np.int32), np.zeros(width, np.int32)
    row, size = -1, len(text)
    while at < size:
        behind = _behind(text, at, alone)
        if width > 1 and behind >= 0:  # an empty line
            at = behind
            continue
        if behind >= 0 or row == rows:
            return -1, codes, known
        for j in range(width):
            # The cell from `begin` to `stop`, and the end of its quotes.
            mixed, kind = j, 2 * j
            if at < size and text[at] == _QUOTE:
                at += 1
                begin = at
                while at < size:
                    if text[at] == _QUOTE:
                        if at + 1 == size or text[at + 1] != _QUOTE:
                            break
                        mixed, kind = _mixed(mixed, _QUOTE), 2 * j + 1
                        at += 1
                    mixed = _mixed(mixed, text[at])
                    at += 1
                if at == size:  # quotes that never close
                    return -1, codes, known
                stop = at
                at += 1
            else:
                begin = at
                while at < size:
                    byte = text[at]
                    if byte in (mark, _FEED, _RETURN):
                        break
                    mixed = _mixed(mixed, byte)
                    at += 1
                stop = at
            # What has to follow.
            if j < width - 1:
                if at == size or text[at] != mark:
                    return -1, codes, known
                at += 1
            else:
                at = _behind(text, at, alone)
                if at < 0:
                    return -1, codes, known
            if row < 0:
                continue
            # The number of the cell.
            mixed ^= mixed >> 32
            mask = len(slots) - 1
            place = mixed & mask
            while True:
                one = slots[place]
                if one < 0:
                    break
                if (
                    known[one, _HASH] == mixed
                    and known[one, _KIND] == kind
                    and known[one, _END] - known[one, _BEGIN] == stop - begin
                    and _same(text, begin, known[one, _BEGIN], stop - begin)
                ):
                    break
                place = (place + 1) & mask
            if one >= 0:
                codes[j, row] = known[one, _CODE]
                continue
            slots[place] = count
            known[count, _HASH], known[count, _KIND] = mixed, kind
            known[count, _BEGIN], known[count, _END] = begin, stop
            known[count, _CODE] = values[j]
            codes[j, row] = values[j]
            values[j] += 1
            count += 1
            if count == len(known):
                known = _larger(known, count)
                slots = np.full(2 * len(slots), -1, dtype=np.int32)
                mask = len(slots) - 1
                for i in range(count):
                    place = known[i, _HASH] & mask
                    while slots[place] >= 0:
                        place = (place + 1) & mask
                    slots[place] = i
        row += 1
    return row, codes, known[:count]


def lines_written(columns: Sequence[Column], told: Iterable[Sequence[str]]) -> str:
    """Return the lines of a table.

    `told` has for every column its values as they are written, with what follows them.
    """
    every = [list(map(_encoded, each)) for each in told]
    cells = [cell for each in every for cell in each]
    first = np.cumsum([0, *map(len, every)], dtype=np.int32)[:-1]
    stops = np.cumsum([0, *map(len, cells)], dtype=np.int64)
    data, lines = np.frombuffer(b"".join(cells), dtype=np.uint8), []
    for start in range(0, len(columns[0].codes), _AT_ONCE):
        codes = [column.codes[start : start + _AT_ONCE] for column in columns]
        numbers = np.stack(codes, axis=1) + first
        lines.append(_decoded(_joined(numbers, data, stops).tobytes()))
    return "".join(lines)


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # some encodings have halves of signs


def _decoded(data: bytes) -> str:
    return data.decode(errors="surrogatepass")


@compiled
def _joined(numbers: Int32Array, cells: ByteArray, stops: IntArray) -> ByteArray:
    """Return the cells of these numbers one behind the other, row by row."""
    size = 0
    for i in range(numbers.shape[0]):
        for j in range(numbers.shape[1]):
            size += stops[numbers[i, j] + 1] - stops[numbers[i, j]]
    text, at = np.empty(size, dtype=np.uint8), 0
    for i in range(numbers.shape[0]):
        for j in range(numbers.shape[1]):
            for place in range(stops[numbers[i, j]], stops[numbers[i, j] + 1]):
                text[at] = cells[place]
                at += 1
    return text
