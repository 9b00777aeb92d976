"""Formats of lines of words, as most older ones are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shapes import MOST_DIGITS, shown
from atleastk.instances.files.files import read_text
from atleastk.instances.files.paths import AnyPath

Line = tuple[str, Sequence[str]]
"""Where a line is, and its words."""

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


def lines_of(path: AnyPath) -> Iterator[Line]:
    """Yield the lines of a file that are not empty."""
    for line, text in enumerate(read_text(path).splitlines(), 1):
        words = text.split()
        if words:
            yield f"{path}:{line}", words


def number(place: str, word: str) -> float:
    """Read a number; a whole one exactly, also if it is written as 7.0."""
    if len(word) > MOST_DIGITS or not _NUMBER.fullmatch(word):
        raise InvalidInstanceError(f"{place}: expected a number, got {shown(word)}")
    digits, _, rest = word.partition(".")
    if digits.lstrip("+-").isdecimal() and not rest.strip("0"):
        return int(digits)
    return float(word)


def integer(place: str, word: str) -> int:
    """Read a whole number."""
    found = number(place, word)
    if not isinstance(found, int):
        raise InvalidInstanceError(
            f"{place}: expected a whole number, got {shown(word)}"
        )
    return found
