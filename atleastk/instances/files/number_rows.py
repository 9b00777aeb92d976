"""Long lists of rows of whole numbers, read from JSON without a Python object a number.

The parser of Python takes a quarter of a microsecond for a number, and those who check
what it found as much again; numpy takes a tenth of that. So long lists of rows, such as
``[[3, 1], [4, 1]]``, are taken out of a text before it is parsed, and stand there as a
constant, for which the parser asks. What is not written as JSON wants it stays in the
text, and the parser says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import numpy as np

from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.files.files import LONG

STAND_IN: Final = "-Infinity"
"""What stands in the text for a list that was taken out of it."""

_TOO_GREAT: Final = 10**18
"""Numbers from here on may be others in 64 bits."""

_OPENS: Final = re.compile(r"\[\s*\[\s*-?[0-9]")
_NO_NUMBER: Final = re.compile(rb"-(?![0-9])")
_NUMBERS: Final = b"-0123456789"
_BLANKS: Final = b" \t\r\n"
_UNBRACKETED: Final = bytes.maketrans(b"[]", b"  ")
_KINDS: Final = bytes.maketrans(b"-0123456789[],", b"\0" * 11 + b"\1\2\3")
"""Odd before a cell, and above 1 behind it."""


def taken_out(text: str) -> tuple[str, list[CodedTable]]:
    """Return a text with stand-ins for its long lists of rows, and these in order."""
    parts, tables, done = list[str](), list[CodedTable](), 0
    if STAND_IN not in text:
        for first, last in _long_lists(text):
            with suppress(ValueError):  # it stays in the text
                tables.append(_table(text[first:last].encode("ascii")))
                parts += text[done:first], STAND_IN
                done = last
    return "".join((*parts, text[done:])), tables


def _long_lists(text: str) -> Iterator[tuple[int, int]]:
    """Yield where there may be a long list of rows: up to a name or a brace."""
    at, ends = 0, dict.fromkeys('"}', 0)
    while found := _OPENS.search(text, at):
        for mark, end in ends.items():  # each part of the text is looked at once
            if end < found.end():
                behind = text.find(mark, found.end())
                ends[mark] = len(text) if behind < 0 else behind
        at = min(ends.values())
        last = text.rfind("]", found.end(), at) + 1
        if last - found.start() >= LONG:
            yield found.start(), last


def _table(text: bytes) -> CodedTable:
    """Return the rows of a list; raise `ValueError` unless all is as JSON wants it."""
    width = text[: text.index(b"]")].count(b",") + 1
    marks = text.translate(None, _NUMBERS + _BLANKS)
    row = b"[" + b"," * (width - 1) + b"],"
    n = len(marks) // len(row)
    if marks != b"[" + (row * n)[:-1] + b"]" or _NO_NUMBER.search(text):
        raise ValueError("no rows of one length")
    if _has_empty_cells(text):
        raise ValueError("numpy takes no number for a zero")
    plain = text.translate(_UNBRACKETED)
    found = np.fromstring(plain, np.int64, n * width, sep=",")  # no array that grows
    most = max(int(found.max()), -int(found.min()))
    if most >= _TOO_GREAT:
        raise ValueError("a number has too many digits")
    digits, sizes = np.count_nonzero(found < 0) + len(found), np.abs(found)
    for power in range(1, len(str(most))):
        digits += np.count_nonzero(sizes >= 10**power)
    # A blank in a number, and a zero before one, change their count.
    if digits != len(text) - len(text.translate(None, _NUMBERS)):
        raise ValueError("not written as JSON wants it")
    return CodedTable(found.reshape(n, width))


def _has_empty_cells(text: bytes) -> bool:
    kinds = np.frombuffer(text.translate(_KINDS, _BLANKS), np.uint8)
    return bool(((kinds[:-1] & 1) & (kinds[1:] > 1)).any())
