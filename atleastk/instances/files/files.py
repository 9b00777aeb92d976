"""Files: bytes, texts and JSON objects, read within a limit and written reproducibly.

``.json`` holds one object, ``.jsonl`` one object per line; either may be compressed by
gzip, bzip2 or ZIP, in an archive of exactly one file. How, is detected by the content
when a file is read, and chosen by the end of its name when it is written. The path
``-`` is standard input, which is read once and remembered.

The reader of JSON is stricter than parsers usually are, since a silent repair would
change what is solved: duplicate keys are errors, and so are the constants NaN and
Infinity, which are not JSON. Whatever is wrong with a file is one error of one line,
which names the file and, where there is one, the line and the column.

Since a megabyte of compressed data may expand to a gigabyte, bytes are counted as they
are decompressed, and reading ends at a limit: half a gigabyte unless `input_limit` or
the variable ``ATLEASTK_INPUT_LIMIT`` say otherwise.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, Final, NoReturn, TextIO
from weakref import WeakKeyDictionary

from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    OutOfMemoryError,
)
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.files.paths import AnyPath, is_lines, is_standard, reason_of
from atleastk.instances.files.writing import packed, write_bytes

Document = dict[str, Any]

_Source = IO[bytes] | io.BufferedIOBase
"""An open file, compressed or not."""

_BZIP2: Final = (b"1AY&SY", b"\x17rE8P\x90")
"""The magic number of a block, or of the end of an empty file: a text that begins with
``BZh`` has neither."""

_ASIDE: Final = "__MACOSX/"
"""The folder in which macOS puts metadata of the files of an archive."""

BROKEN: Final = (
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,  # an archive may ask for anything
    OSError,
    RuntimeError,  # for a password
    zlib.error,
)
"""What decompressing corrupt data raises."""


_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_CHUNK: Final = 1 << 20
"""Bytes that are read at a time."""

_GIGABYTE: Final = 10**9
"""Bytes."""

_USUAL_LIMIT: Final = 0.5
"""Gigabytes that a file may hold by default, decompressed."""

_CELL: Final = 70
"""Bytes of memory for a cell of a table or a number of an instance, from reading to
writing: a million rows or items took 70 to 350 each, in ten kinds of files."""

LONG: Final = 1 << 20
"""Characters from which on a list of rows of numbers is read as an array: a parser that
makes an object a number takes a hundredth of a second for them."""

_VARIABLE: Final = "ATLEASTK_INPUT_LIMIT"

IN_ITS_FILE: Final = "leave the table in its file: anonymize --engine duckdb"
"""What else to do if a table has no room."""

_limit: ContextVar[float | None] = ContextVar("input_limit", default=None)
_room: ContextVar[float] = ContextVar("memory_limit", default=float("inf"))
_remembered: WeakKeyDictionary[TextIO, bytes | bytearray] = WeakKeyDictionary()


def holds_lines(
    path: AnyPath, error: type[AtleastkError] = InvalidInstanceError
) -> bool:
    """Tell whether a file to be read holds one object per line.

    The name says so, or the content of standard input.
    """
    if not is_standard(path):
        return is_lines(path)
    first, _, others = read_bytes(path, error).strip().partition(b"\n")
    try:
        return bool(others) and isinstance(json.loads(first), dict)
    except (RecursionError, ValueError):
        return False


def documents(
    path: AnyPath, error: type[AtleastkError] = InvalidInstanceError
) -> list[tuple[str, Document]]:
    """Return the JSON objects of a file, each with its place: one, or one per line."""
    if not holds_lines(path, error):
        return [(str(path), read(path, error))]
    lines = read_lines(path, error)
    return [(f"{path}:{line}", document) for line, document in lines]


def read(path: AnyPath, error: type[AtleastkError] = InvalidInstanceError) -> Document:
    """Return the one JSON object of a file; whatever is wrong with it is an `error`."""
    return parse(read_text(path, error), str(path), error)


def read_lines(
    path: AnyPath, error: type[AtleastkError] = InvalidInstanceError
) -> list[tuple[int, Document]]:
    """Return the JSON objects of a file that holds one per line, with their lines.

    Empty lines are passed over; a file without any object is an error.
    """
    lines = read_text(path, error).split("\n")
    documents = [
        (number, parse(line, f"{path}:{number}", error, one_line=True))
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    if not documents:
        raise error(_empty(path))
    return documents


def write(path: AnyPath, document: Mapping[str, Any]) -> None:
    """Write one JSON object."""
    write_lines(path, [document])


def write_lines(path: AnyPath, documents: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON objects, one per line."""
    write_bytes(path, packed(path, b"".join(map(line_of, documents))))


def line_of(document: Mapping[str, Any]) -> bytes:
    """Return a JSON object as a line of a file."""
    return json.dumps(document).encode() + b"\n"


def write_text(path: AnyPath, text: str) -> None:
    """Write a text in UTF-8, compressed if the name says so."""
    write_bytes(path, packed(path, text.encode()))


@contextmanager
def input_limit(gigabytes: float | None) -> Iterator[None]:
    """In the body of a ``with``, read files of up to this many gigabytes, decompressed.

    None leaves the limit as it is.
    """
    if gigabytes is not None and not gigabytes > 0:
        raise ValueError(
            f"input_limit: expected gigabytes above 0 or None, got {gigabytes}"
        )
    token = _limit.set(_limit.get() if gigabytes is None else gigabytes)
    try:
        yield
    finally:
        _limit.reset(token)


@contextmanager
def memory_limit(size: float) -> Iterator[None]:
    """In the body of a ``with``, the process may take this many bytes of memory."""
    token = _room.set(size)
    try:
        yield
    finally:
        _room.reset(token)


def expect_room(path: AnyPath, cells: int, advice: str) -> None:
    """Refuse a file of so many cells or numbers that its process has no room for them.

    Raise `OutOfMemoryError` before they are loaded; on one line, with what to do.
    """
    need, most = cells * _CELL, _room.get()
    if need > most:
        raise OutOfMemoryError(
            f"{path}: some {cells:,} cells or numbers take {need / _GIGABYTE:.3g} GB "
            f"of memory or more, and the process may take {most / _GIGABYTE:.3g}; "
            f"raise --memory-limit, or {advice}"
        )


def read_bytes(
    path: AnyPath, error: type[AtleastkError] = InvalidInstanceError
) -> bytes | bytearray:
    """Return the decompressed bytes of a file; whatever is wrong is an `error`."""
    with within_limit(path, error) as most, _reading(path, error):
        data = _standard_input(most) if is_standard(path) else _stored(Path(path), most)
        with _decompressing():
            file = _unpacking(data)
            if file is None:
                return data
            with file as opened:
                return _all_of(opened, most)


def read_archive(path: AnyPath, suffixes: tuple[str, ...]) -> dict[str, bytearray]:
    """Return the files of a ZIP archive whose names end like this, by their names."""
    found: dict[str, bytearray] = {}
    with within_limit(path) as most, _reading(path, InvalidInstanceError):
        data = _stored(Path(path), most)
        with _decompressing(), zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in _members_of(archive):
                if member.filename.lower().endswith(suffixes):
                    with archive.open(member) as file:
                        left = most - sum(map(len, found.values()))
                        found[member.filename] = _all_of(file, left)
    return found


def read_text(path: AnyPath, error: type[AtleastkError] = InvalidInstanceError) -> str:
    """Return the text of a file, without a byte-order mark."""
    data = read_bytes(path, error)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        seems = ", it seems to be in UTF-16" if data.startswith(_UTF16_MARKS) else ""
        raise error(
            f"{path}:{line}: not a text in UTF-8 (byte "
            f"0x{data[failure.start]:02x}){seems}; convert the file first"
        ) from failure


def expect_within(path: AnyPath, size: int) -> None:
    """Refuse a file whose decompressed size in bytes is above the limit."""
    with within_limit(path) as most:
        if size > most:
            raise TooMuchError


@contextmanager
def within_limit(
    path: AnyPath, error: type[AtleastkError] = InvalidInstanceError
) -> Iterator[float]:
    """Give the most bytes that a file may hold, decompressed.

    A `TooMuchError` of the body becomes an `error` that names the file.
    """
    most = most_bytes(error)
    try:
        yield most
    except TooMuchError as failure:
        raise error(
            f"{path}: holds more than {most / _GIGABYTE:g} GB, unpacked; if that is "
            f"meant, raise the limit by --input-limit GB or by the variable {_VARIABLE}"
        ) from failure


def most_bytes(error: type[AtleastkError] = InvalidInstanceError) -> float:
    """Return how many bytes a file may hold, decompressed."""
    chosen = _limit.get()
    if chosen is None:
        text = os.environ.get(_VARIABLE) or str(_USUAL_LIMIT)
        try:
            chosen = float(text)
        except ValueError:
            chosen = 0.0
        if not chosen > 0:
            raise error(f'{_VARIABLE}: expected gigabytes above 0, got "{text}"')
    return chosen * _GIGABYTE


class _RefusedError(Exception):
    """What the hooks of the parser object to."""


def parse(
    text: str, place: str, error: type[AtleastkError], one_line: bool = False
) -> Document:
    """Return the JSON object in a text; whatever is wrong with it is an `error`."""
    if not text or text.isspace():
        raise error(_empty(place))
    expect_room(place, text.count(","), "take a smaller instance")
    try:
        with garbage_waits():
            document = _parsed(text)
    except json.JSONDecodeError as failure:
        column = failure.colno if one_line else f"{failure.lineno}:{failure.colno}"
        raise error(f"{place}:{column}: broken JSON: {failure.msg}") from failure
    except RecursionError as failure:
        raise error(f"{place}: nested too deeply") from failure
    except _RefusedError as failure:
        raise error(f"{place}: {failure}") from failure
    except ValueError as failure:
        raise error(f"{place}: an integer has too many digits ({failure})") from failure
    if not isinstance(document, dict):
        kind = {list: "a list", str: "a text", type(None): "null"}.get(
            type(document), "a number or a truth value"
        )
        raise error(f"{place}: expected a JSON object {{...}}, got {kind}")
    return document


def _parsed(text: str) -> Any:
    """Return the value of a text; long lists of rows of numbers are arrays."""
    if len(text) >= LONG:
        from atleastk.instances.files import number_rows  # numpy, for long texts

        body, tables = number_rows.taken_out(text)
        left = iter(tables)

        def table_of(constant: str) -> Any:
            found = next(left, None) if constant == number_rows.STAND_IN else None
            return found or _no_constant(constant)

        with suppress(_RefusedError, ValueError):  # the whole text says where
            document = _value(body, table_of)
            if not any(True for _ in left):
                return document
    return _value(text, _no_constant)


def _value(text: str, constant: Callable[[str], Any]) -> Any:
    return json.loads(
        text, object_pairs_hook=_without_duplicates, parse_constant=constant
    )


def _without_duplicates(pairs: list[tuple[str, Any]]) -> Document:
    document = dict(pairs)
    if len(document) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise _RefusedError(f"the key {json.dumps(twice)} occurs twice in one object")
    return document


def _no_constant(constant: str) -> NoReturn:
    raise _RefusedError(f"{constant} is not JSON")


def _empty(place: AnyPath) -> str:
    return f"{place}: the file is empty; expected a JSON object"


class TooMuchError(Exception):
    """There is more than the limit allows."""


class _BrokenError(Exception):
    """Compressed data cannot be decompressed."""


@contextmanager
def _reading(path: AnyPath, error: type[AtleastkError]) -> Iterator[None]:
    """Turn all failures of the system to read a file into an `error` that names it."""
    try:
        yield
    except _BrokenError as failure:
        raise error(f"{path}: cannot be read: {failure}") from failure
    except (FileNotFoundError, PermissionError) as failure:
        raise error(f"{path}: {reason_of(failure)}") from failure
    except (OSError, ValueError) as failure:
        raise error(f"{path}: cannot be read: {reason_of(failure)}") from failure


@contextmanager
def _decompressing() -> Iterator[None]:
    """Turn all failures to decompress data into one."""
    try:
        yield
    except BROKEN as failure:
        raise _BrokenError(
            f"the packed data are truncated or corrupt ({failure})"
        ) from failure


def _unpacking(data: bytes | bytearray) -> _Source | None:
    """Open compressed data; None if they are not compressed.

    Raise `zipfile.BadZipFile` if an archive has no file, or several.
    """
    if data.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=io.BytesIO(data))
    if data.startswith(b"BZh") and data[4:10] in _BZIP2:
        return bz2.BZ2File(io.BytesIO(data))
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return None
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = _members_of(archive)
    if len(members) != 1:
        raise zipfile.BadZipFile(
            f"the archive holds {len(members)} files, expected one"
        )
    return archive.open(members[0])


def _members_of(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files of an archive."""
    return [
        member
        for member in archive.infolist()
        if not (member.is_dir() or member.filename.startswith(_ASIDE))
    ]


def _standard_input(most: float) -> bytes | bytearray:
    stream = sys.stdin
    if stream is None:  # the shell has closed it, as by <&-
        return b""
    if stream not in _remembered:
        _remembered[stream] = _all_of(stream.buffer, most)
    return _remembered[stream]


def _stored(path: Path, most: float) -> bytearray:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > most:
            raise TooMuchError
        return _all_of(file, most)


def _all_of(file: _Source, most: float) -> bytearray:
    """Return the rest of an open file; raise an error above the limit."""
    data = bytearray()
    while chunk := file.read(_CHUNK):
        if len(data) + len(chunk) > most:
            raise TooMuchError
        data += chunk
    return data
