r"""Escaping of foreign texts: control characters and invisible ones are spelled out.

An escape in the name of a column could colour a terminal, clear it, or rewrite what it
has shown: it becomes ``\x1b``. A line end in a name becomes ``\n``, so that one line
stays one, and characters that turn the direction of writing become ``\u202e``.
"""

from __future__ import annotations

import re
from typing import Final

_ACTING: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
)
"""Control characters but for tabs and line ends, ends of lines of other kinds, and what
turns the direction of writing."""

_HALVES: Final = "\ud800-\udfff"
"""Halves of characters, which no stream can write."""

_IN_LINES: Final = re.compile(f"[{_ACTING}{_HALVES}]")
_IN_LINE: Final = re.compile(f"[{_ACTING}{_HALVES}\t\n]")
_SHORT: Final = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def visible(text: str) -> str:
    """Return a text on one line, with invisible characters escaped."""
    return _IN_LINE.sub(_spelled, text)


def visible_lines(text: str) -> str:
    """Return a text of several lines, escaped but for line ends and tabs."""
    return _IN_LINES.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _SHORT.get(character) or (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    )
