"""The user's own programs: run with an input, and return the output.

Both are temporary files, so that nobody waits for the other, nor for a child process
that a program leaves behind. A program has a process group of its own, which is killed
as a whole: none of its child processes outlives it, its time limit, or this process.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from atleastk.instances.fields.errors import NoAnswerError, UnknownNameError
from atleastk.instances.fields.visible import visible

_MOST: Final = 100_000_000
"""Bytes that are printed: more than the groups of five million items take. Of what is
said of errors, what comes after so many takes the place of these."""

_MOST_SAID: Final = 65_536
"""Bytes of the end of standard error, whose last line is part of the message."""

_TICK: Final = 0.02
"""Seconds between two looks at the clock, and at how much is printed."""

_groups: Final = set[int]()
"""The process groups of the programs that run now."""

_starting: Final = threading.Lock()
"""Held while a program starts, until its group is among them."""


def output_of(
    which: str,
    words: Sequence[str],
    given: bytes,
    folder: Path | None = None,
    seconds: float | None = None,
) -> bytes:
    """Run a program and return its standard output.

    Raise `NoAnswerError` if it does not end in time, prints far more than an answer, or
    fails, and `UnknownNameError` if there is no such program. `which` names the program
    in messages, `words` are the program and its arguments, `given` is its standard
    input; it runs in `folder` for at most `seconds`.
    """
    from fcntl import F_GETFL, F_SETFL, fcntl  # not there on Windows

    limit = float("inf") if seconds is None else seconds
    deadline = time.monotonic() + limit
    with TemporaryFile() as asked, TemporaryFile() as answer, TemporaryFile() as said:
        asked.write(given)
        asked.seek(0)
        fcntl(said, F_SETFL, fcntl(said, F_GETFL) | os.O_APPEND)
        with _started(which, words, folder, (asked, answer, said)) as process:
            code = None
            while code is None:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise NoAnswerError(f"{which} has not ended after {limit:g} s")
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(min(_TICK, left))
                if os.fstat(answer.fileno()).st_size > _MOST:
                    told = f"more than {_MOST // 10**6} MB"
                    raise NoAnswerError(f"{which} printed {told}")
                if code is None and os.fstat(said.fileno()).st_size > _MOST:
                    os.truncate(said.fileno(), 0)  # what comes is appended
        if code != 0:
            said.seek(max(0, said.seek(0, os.SEEK_END) - _MOST_SAID))
            lines = said.read().decode(errors="replace").strip().splitlines()
            message = visible(lines[-1]) if lines else "no message"
            raise NoAnswerError(f"{which} ended with exit code {code}: {message}")
        answer.seek(0)
        return answer.read()


def end_programs() -> None:
    """Kill all running programs, when this process ends."""
    with _starting:
        for group in tuple(_groups):
            _end(group)


atexit.register(end_programs)


@contextmanager
def _started(
    which: str, words: Sequence[str], folder: Path | None, files: Sequence[IO[bytes]]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program with such standard files.

    At the end of the body it is killed, and its children.
    """
    given, answer, said = files
    try:
        with _starting:
            process = subprocess.Popen(  # the user's own program
                words,
                cwd=folder,
                stdin=given,
                stdout=answer,
                stderr=said,
                start_new_session=True,
            )
            _groups.add(process.pid)
    except OSError as error:
        raise UnknownNameError(
            f"{which}: cannot be run: {error.strerror or error}"
        ) from error
    try:
        yield process
    finally:
        _end(process.pid)
        _groups.discard(process.pid)
        process.wait()


def _end(group: int) -> None:
    """Kill the remaining processes of a group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
