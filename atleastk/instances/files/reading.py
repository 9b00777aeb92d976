"""What files hold: bytes and texts, never more of them than a limit allows.

A file may be packed, see :mod:`atleastk.instances.files.packing`. Since a megabyte of
that may unpack to a thousand, what is read is counted as it is unpacked, and reading
ends at a limit: half a gigabyte unless `input_limit` or the variable
``ATLEASTK_INPUT_LIMIT`` say otherwise. The path ``-`` is standard input, which is read
once and remembered.
"""

from __future__ import annotations

import io
import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from typing import Final, TextIO
from weakref import WeakKeyDictionary

from atleastk.instances.fields.errors import AtleastkError, InvalidInstanceError
from atleastk.instances.files.packing import BROKEN, Source, members_of, unpacking

AnyPath = str | PathLike[str]

STANDARD: Final = "-"
"""The path that is standard input, or standard output."""

_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_CHUNK: Final = 1 << 20
"""Bytes that are read at a time."""

_GIGABYTE: Final = 10**9
"""Bytes."""

_USUAL_LIMIT: Final = 0.5
"""Gigabytes that a file may hold, unpacked, unless told otherwise."""

_VARIABLE: Final = "ATLEASTK_INPUT_LIMIT"

_limit: ContextVar[float | None] = ContextVar("input_limit", default=None)
_remembered: WeakKeyDictionary[TextIO, bytes | bytearray] = WeakKeyDictionary()


@contextmanager
def input_limit(gigabytes: float | None) -> Iterator[None]:
    """In the body of a ``with``, read files of up to this many gigabytes, unpacked.

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


def is_standard(path: AnyPath) -> bool:
    """Tell whether a path is standard input or output."""
    return os.fspath(path) == STANDARD


def read_bytes(
    path: AnyPath, error: type[AtleastkError] = InvalidInstanceError
) -> bytes | bytearray:
    """Return what a file holds, unpacked; whatever is wrong with it is an `error`."""
    most = most_bytes(error)
    with _told(path, most, error):
        data = _standard_input(most) if is_standard(path) else _held(Path(path), most)
        with _unbroken():
            file = unpacking(data)
            if file is None:
                return data
            with file as unpacked:
                return _gathered(unpacked, most)


def read_archive(path: AnyPath, suffixes: tuple[str, ...]) -> dict[str, bytearray]:
    """Return the files of a ZIP archive whose names end like this, by their names."""
    most = most_bytes()
    found: dict[str, bytearray] = {}
    with _told(path, most, InvalidInstanceError):
        data = _held(Path(path), most)
        with _unbroken(), zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in members_of(archive):
                if member.filename.lower().endswith(suffixes):
                    with archive.open(member) as file:
                        left = most - sum(map(len, found.values()))
                        found[member.filename] = _gathered(file, left)
    return found


def read_text(path: AnyPath, error: type[AtleastkError] = InvalidInstanceError) -> str:
    """Return the text of a file, without a byte-order mark."""
    return decoded(path, read_bytes(path, error), error)


def decoded(
    path: AnyPath,
    data: bytes | bytearray,
    error: type[AtleastkError] = InvalidInstanceError,
) -> str:
    """Return the text that bytes of a file are, without a byte-order mark."""
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
    """Refuse a file of so many bytes, unpacked, if that is above the limit."""
    most = most_bytes()
    if size > most:
        raise InvalidInstanceError(_too_much(path, most))


def reason_of(failure: OSError | ValueError) -> str:
    """Return why a file cannot be read or written, in few words."""
    match failure:
        case FileNotFoundError():
            return "no such file"
        case IsADirectoryError():
            return "is a directory, not a file"
        case PermissionError():
            return "no permission"
        case OSError():
            return (failure.strerror or str(failure)).lower()
        case _:
            return f"not a file name ({failure})"


class _TooMuchError(Exception):
    """There is more than the limit allows."""


class _BrokenError(Exception):
    """Packed data cannot be unpacked."""


@contextmanager
def _told(path: AnyPath, most: float, error: type[AtleastkError]) -> Iterator[None]:
    """Let whatever goes wrong as a file is read be an `error` that names it."""
    try:
        yield
    except _TooMuchError as failure:
        raise error(_too_much(path, most)) from failure
    except _BrokenError as failure:
        raise error(f"{path}: cannot be read: {failure}") from failure
    except (FileNotFoundError, PermissionError) as failure:
        raise error(f"{path}: {reason_of(failure)}") from failure
    except (OSError, ValueError) as failure:
        raise error(f"{path}: cannot be read: {reason_of(failure)}") from failure


@contextmanager
def _unbroken() -> Iterator[None]:
    """Let whatever goes wrong as data are unpacked be told."""
    try:
        yield
    except BROKEN as failure:
        raise _BrokenError(
            f"the packed data are truncated or corrupt ({failure})"
        ) from failure


def most_bytes(error: type[AtleastkError] = InvalidInstanceError) -> float:
    """Return how many bytes a file may hold, unpacked."""
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


def _too_much(path: AnyPath, most: float) -> str:
    return (
        f"{path}: holds more than {most / _GIGABYTE:g} GB, unpacked; if that is meant, "
        f"raise the limit by --input-limit GB or by the variable {_VARIABLE}"
    )


def _standard_input(most: float) -> bytes | bytearray:
    stream = sys.stdin
    if stream is None:  # the shell has closed it, as by <&-
        return b""
    if stream not in _remembered:
        _remembered[stream] = _gathered(stream.buffer, most)
    return _remembered[stream]


def _held(path: Path, most: float) -> bytearray:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > most:
            raise _TooMuchError
        return _gathered(file, most)


def _gathered(file: Source, most: float) -> bytearray:
    """Return all that is left of a file."""
    data = bytearray()
    for chunk in _chunks(file, most):
        data += chunk
    return data


def _chunks(file: Source, most: float) -> Iterator[bytes]:
    """Give what is left of a file, and end with an error once it is too much."""
    size = 0
    while chunk := file.read(_CHUNK):
        size += len(chunk)
        if size > most:
            raise _TooMuchError
        yield chunk
