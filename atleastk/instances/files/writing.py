"""Atomic writes: files are written whole or not at all.

What is to be written goes to a file beside the old one, which is then renamed: whatever
happens - a full disk, a signal, a crash - the old file is there or the new one. Links
are followed, and the permissions of the old file are kept. What is no ordinary file (a
terminal, a pipe, a device) is written to directly, and so is the path ``-``, standard
output.
"""

from __future__ import annotations

import bz2
import gzip
import io
import os
import re
import signal
import stat
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple, TextIO

from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files.paths import STANDARD, AnyPath, reason_of

_DESCRIPTOR: Final = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_NAMED: Final = {STANDARD: 1, "/dev/stdout": 1, "/dev/stderr": 2}
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_MOST_OF_A_NAME: Final = 60
"""Characters of the name of a file that are kept in that of the file beside it: systems
take 255 bytes."""

_out: ContextVar[TextIO | None] = ContextVar("standard_output", default=None)


class Target(NamedTuple):
    """What an output path leads to, as it is now."""

    file: Path
    """The file, through all links."""
    descriptor: int | None
    """The file descriptor that the path stands for, if it does: 1 is standard
    output."""
    status: os.stat_result | None
    """What ``stat`` returns; None of standard output and where nothing is yet."""

    @property
    def is_plain(self) -> bool:
        """Whether there is an ordinary file, or nothing yet."""
        return self.status is None or stat.S_ISREG(self.status.st_mode)


def target_of(path: AnyPath) -> Target:
    """Find out what an output path leads to.

    Raise `OSError` or `ValueError` if that is a folder, or nothing that there can be.
    """
    name = os.fspath(path)
    found = _DESCRIPTOR.fullmatch(name)
    descriptor = int(found[1]) if found else _NAMED.get(name)
    if descriptor is not None:
        status = None if descriptor == 1 else os.fstat(descriptor)
        return Target(Path(name), descriptor, status)
    file = Path(os.path.realpath(name))
    try:
        status = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Target(file, None, None)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError
    return Target(file, None, status)


def make_folder(path: AnyPath) -> None:
    """Make a folder, unless it is there; not those that it would be in.

    Raise `AtleastkError` on one line, if it cannot be made.
    """
    with _failures_told(path):
        Path(path).mkdir(exist_ok=True)


def packed(path: AnyPath, data: bytes) -> bytes:
    """Return data compressed as the name of the file says, always alike."""
    match Path(path).suffix:
        case ".gz":
            return gzip.compress(data, mtime=0)
        case ".bz2":
            return bz2.compress(data)
        case ".zip":
            archive = io.BytesIO()
            member = zipfile.ZipInfo(Path(path).stem)
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr(member, data, zipfile.ZIP_DEFLATED)
            return archive.getvalue()
    return data


def write_bytes(path: AnyPath, data: bytes) -> None:
    """Put `data` in the place of what a file holds.

    Raise `AtleastkError` on one line; the file is as it was.
    """
    with _failures_told(path):
        target = target_of(path)
        if target.descriptor is not None:
            _write_to(target.descriptor, data)
        elif target.is_plain:
            with _signals_held():
                _replace(target, data)
        else:
            target.file.write_bytes(data)


def append_bytes(path: AnyPath, data: bytes) -> None:
    """Add `data` to the end of a file, at once.

    Raise `AtleastkError` on one line.
    """
    with _failures_told(path), _signals_held(), Path(path).open("ab") as file:
        file.write(data)


@contextmanager
def printing_aside() -> Iterator[None]:
    """In the body, keep standard output for what is written to ``-``.

    What is printed goes to standard error.
    """
    token = _out.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _out.reset(token)


def _write_to(descriptor: int, data: bytes) -> None:
    if descriptor != 1:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(data)
        return
    stream = _out.get() or sys.stdout
    stream.flush()
    stream.buffer.write(data)
    stream.buffer.flush()


def _replace(target: Target, data: bytes) -> None:
    file, old = target.file, target.status
    if old is not None and not os.access(file, os.W_OK):
        raise PermissionError
    name = f".{file.name[:_MOST_OF_A_NAME]}.{token_hex(4)}.part"
    beside = file.with_name(name)
    try:
        with beside.open("xb") as part:
            part.write(data)
            part.flush()
            os.fsync(part.fileno())
        if old is not None:
            # Only an administrator gives files away, and only where they have owners.
            with suppress(AttributeError, PermissionError):
                os.chown(beside, old.st_uid, old.st_gid)
            beside.chmod(stat.S_IMODE(old.st_mode))
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@contextmanager
def _failures_told(path: AnyPath) -> Iterator[None]:
    """Raise `AtleastkError` on one line where the body cannot write a file."""
    try:
        yield
    except BrokenPipeError:  # the reader has left, as the exit code will say
        raise
    except (OSError, ValueError) as failure:
        raise AtleastkError(
            f"{path}: cannot be written: {reason_of(failure)}"
        ) from failure


@contextmanager
def _signals_held() -> Iterator[None]:
    """Let SIGINT and SIGTERM wait until the body is done, in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _frame: heard.append(number))
        for number in _SIGNALS
    }
    try:
        yield
    finally:
        for held, handler in before.items():
            signal.signal(held, signal.SIG_DFL if handler is None else handler)
        for number in heard:
            signal.raise_signal(number)
