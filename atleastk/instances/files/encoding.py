"""Bytes of text files and their encodings: given, marked, or guessed.

A byte-order mark tells which encoding of Unicode a file has. Without one it is UTF-8 if
that fits: other texts hardly ever look like it. Else it is taken for Windows-1252, or
for Latin-1, in which all bytes are characters. This guess is reported; whatever
the encoding is, tables are written back in the one they were read in, so that a wrong
guess changes no byte of a cell.
"""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Final, NamedTuple

from atleastk.instances.fields.errors import AtleastkError, InvalidInstanceError

_UTF_8: Final = "utf-8"
_MARKS: Final = {
    codecs.BOM_UTF8: _UTF_8,
    codecs.BOM_UTF32_LE: "utf-32-le",  # begins like the mark of UTF-16
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_GUESSES: Final = ("cp1252", "iso8859-1")
_UNMARKED: Final = {"utf-8-sig": _UTF_8, "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
"""Encodings that begin with a mark, and what they are without one."""


class Encoding(NamedTuple):
    """How a text is written."""

    name: str = _UTF_8
    mark: bytes = b""
    """What the file begins with: a byte-order mark, or nothing."""
    doubt: str | None = None
    """Why it is a guess, if it is one."""


USUAL: Final = Encoding()


def encoding_named(name: str) -> str:
    """Return the usual name of an encoding of texts.

    Raise `LookupError` if there is none of this name.
    """
    found = codecs.lookup(name).name
    "".encode(found)  # some are of other things than texts
    return found


def decode(
    path: Path, data: bytes | bytearray, name: str | None
) -> tuple[str, Encoding]:
    """Return the text that a file holds; without a name its encoding is found out.

    Raise `InvalidInstanceError` on one line: the file, the line, and the byte that does
    not fit.
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    marked = _MARKS.get(mark)
    if marked and (name is None or marked.startswith(name.removesuffix("-sig"))):
        encoding = Encoding(marked, mark)
    else:
        encoding = Encoding(_UNMARKED.get(name or _UTF_8, name or _UTF_8))
    try:
        return data[len(encoding.mark) :].decode(encoding.name), encoding
    except UnicodeError as error:
        doubt = _doubt(data, encoding, error)
        if name is None and not marked:
            guess = next(guess for guess in _GUESSES if fits(data, guess))
            return data.decode(guess), Encoding(guess, doubt=doubt)
        raise InvalidInstanceError(
            f"{path}: {doubt}; is the text in another encoding?"
        ) from error


def encode(path: Path, text: str, encoding: Encoding) -> bytes:
    """Return the bytes of a text that is to be written to a file.

    Raise `AtleastkError` if the encoding has no way to write one of the characters.
    """
    try:
        return encoding.mark + text.encode(encoding.name)
    except UnicodeEncodeError as error:
        raise AtleastkError(
            f'{path}: cannot be written: "{text[error.start]}" is no character of '
            f"{encoding.name}, in which the table was read"
        ) from error


def _doubt(data: bytes | bytearray, encoding: Encoding, error: UnicodeError) -> str:
    """Tell what does not fit an encoding."""
    start = error.start if isinstance(error, UnicodeDecodeError) else 0
    start += len(encoding.mark)
    line = data.count(b"\n", 0, start) + 1
    return f"byte 0x{data[start]:02x} in line {line} is not {encoding.name}"


def fits(data: bytes | bytearray, encoding: str) -> bool:
    """Tell whether bytes are a text in an encoding."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
