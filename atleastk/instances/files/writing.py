"""Atomic writes: files are written whole or not at all.

What is to be written goes to a file beside the old one, which is then renamed: whatever
happens - a full disk, a signal, a crash - the old file is there or the new one. Links
are followed, and the permissions of the old file are kept. What is no ordinary file (a
terminal, a pipe, a device) is written to directly, and so is the path ``-``, standard
output.
"""

from __future__ import annotations

import os
import re
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from pathlib import Path
from secrets import token_hex
from typing import Final, TextIO

from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files.paths import STANDARD, AnyPath, reason_of

_DESCRIPTOR: Final = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_NAMED: Final = {STANDARD: 1, "/dev/stdout": 1, "/dev/stderr": 2}
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_MOST_OF_A_NAME: Final = 60
"""Characters of the name of a file that are kept in that of the file beside it: systems
take 255 bytes."""

_out: ContextVar[TextIO | None] = ContextVar("standard_output", default=None)


def make_folder(path: AnyPath) -> None:
    """Make a folder, unless it is there; not those that it would be in.

    Raises
    ------
    AtleastkError
        On one line, if it cannot be made.
    """
    try:
        Path(path).mkdir(exist_ok=True)
    except (OSError, ValueError) as failure:
        raise AtleastkError(
            f"{path}: cannot be written: {reason_of(failure)}"
        ) from failure


def write_bytes(path: AnyPath, data: bytes) -> None:
    """Put `data` in the place of what a file holds.

    Raises
    ------
    AtleastkError
        On one line; the file is as it was.
    """
    try:
        descriptor = descriptor_of(path)
        if descriptor is not None:
            _write_to(descriptor, data)
        elif is_plain(target := target_of(path)):
            with _signals_held():
                _replace(target, data)
        else:
            target.write_bytes(data)
    except BrokenPipeError:  # the reader has left, as the exit code will say
        raise
    except (OSError, ValueError) as failure:
        raise AtleastkError(
            f"{path}: cannot be written: {reason_of(failure)}"
        ) from failure


def descriptor_of(path: AnyPath) -> int | None:
    """Return the file descriptor that a path stands for: 1 is standard output."""
    name = os.fspath(path)
    found = _DESCRIPTOR.fullmatch(name)
    return int(found[1]) if found else _NAMED.get(name)


def target_of(path: AnyPath) -> Path:
    """Return the file that a path leads to through all links."""
    return Path(os.path.realpath(path))


def is_plain(target: Path) -> bool:
    """Tell whether there is an ordinary file, or nothing yet."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return True
    if stat.S_ISDIR(mode):
        raise IsADirectoryError
    return stat.S_ISREG(mode)


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


def _replace(target: Path, data: bytes) -> None:
    old = target.stat() if target.exists() else None
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError
    name = f".{target.name[:_MOST_OF_A_NAME]}.{token_hex(4)}.part"
    beside = target.with_name(name)
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            # Only an administrator gives files away, and only where they have owners.
            with suppress(AttributeError, PermissionError):
                os.chown(beside, old.st_uid, old.st_gid)
            beside.chmod(stat.S_IMODE(old.st_mode))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


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
