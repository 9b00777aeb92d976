"""The user's own programs: run with an input, and return the output.

A program has a process group of its own, which is killed as a whole: none of its child
processes outlives it, its time limit, or this process.
"""

from __future__ import annotations

import atexit
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from atleastk.instances.fields.errors import NoAnswerError, UnknownNameError
from atleastk.instances.fields.visible import visible

_MOST_PRINTED: Final = 100_000_000
"""Bytes of an answer: more than the groups of five million items take."""

_MOST_SAID: Final = 65_536
"""Bytes of the end of standard error, whose last line is part of the message."""

_CHUNK: Final = 65_536
"""Bytes that are read or written at once."""

_TICK: Final = 0.02
"""Seconds between two looks at whether a silent program has ended."""

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
    with _started(which, words, folder) as process:
        talk = _Talk(which, process, given, seconds)
        talk.go_on_to_the_end()
        code = process.wait()
        _end(process.pid)
        talk.read_the_rest()
    if code != 0:
        said = talk.said.decode(errors="replace").strip().splitlines()
        message = visible(said[-1]) if said else "no message"
        raise NoAnswerError(f"{which} ended with exit code {code}: {message}")
    return bytes(talk.answer)


def end_programs() -> None:
    """Kill all running programs, when this process ends."""
    with _starting:
        for group in tuple(_groups):
            _end(group)


atexit.register(end_programs)


@contextmanager
def _started(
    which: str, words: Sequence[str], folder: Path | None
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program; kill it and its children at the end of the body."""
    pipe = subprocess.PIPE
    try:
        with _starting:
            process = subprocess.Popen(  # the user's own program
                words,
                cwd=folder,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                bufsize=0,
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
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        process.wait()


def _end(group: int) -> None:
    """Kill the remaining processes of a group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


class _Talk:
    """The pipes to and from a program.

    Attributes
    ----------
    answer, said
        Its standard output so far, and the end of its standard error.
    """

    def __init__(
        self,
        which: str,
        process: subprocess.Popen[bytes],
        given: bytes,
        seconds: float | None,
    ) -> None:
        self.answer, self.said = bytearray(), bytearray()
        self._which, self._process = which, process
        self._left = memoryview(given)
        self._seconds = float("inf") if seconds is None else seconds
        self._deadline = time.monotonic() + self._seconds
        self._selector = selectors.DefaultSelector()
        for stream, event in (
            (process.stdin, selectors.EVENT_WRITE),
            (process.stdout, selectors.EVENT_READ),
            (process.stderr, selectors.EVENT_READ),
        ):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, event)

    def go_on_to_the_end(self) -> None:
        """Write and read until the program has ended."""
        while self._process.poll() is None:
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise NoAnswerError(
                    f"{self._which} has not ended after {self._seconds:g} s"
                )
            if not self._selector.get_map():
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(min(_TICK, left))
            for key, _events in self._selector.select(min(_TICK, left)):
                self._serve(key.fileobj)

    def read_the_rest(self) -> None:
        """Read the rest of the output; other processes may hold the pipe open."""
        for stream in (self._process.stdout, self._process.stderr):
            while stream in self._open and self._read(stream):
                pass
        self._selector.close()

    @property
    def _open(self) -> Sequence[object]:
        return [key.fileobj for key in self._selector.get_map().values()]

    def _serve(self, stream: object) -> None:
        if stream is self._process.stdin:
            self._write(self._process.stdin)
        elif stream is self._process.stdout:
            self._read(self._process.stdout)
        else:
            self._read(self._process.stderr)

    def _write(self, stream: IO[bytes] | None) -> None:
        """Write as much as the pipe takes, and close it after the last byte."""
        assert stream is not None
        try:
            self._left = self._left[os.write(stream.fileno(), self._left[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no further
            self._left = self._left[:0]
        if not self._left:
            self._selector.unregister(stream)
            stream.close()

    def _read(self, stream: IO[bytes] | None) -> bool:
        """Read available bytes; return whether there were any."""
        assert stream is not None
        try:
            found = os.read(stream.fileno(), _CHUNK)
        except BlockingIOError:
            return False
        if not found:
            self._selector.unregister(stream)
            return False
        if stream is self._process.stderr:
            self.said = (self.said + found)[-_MOST_SAID:]
            return True
        self.answer += found
        if len(self.answer) > _MOST_PRINTED:
            raise NoAnswerError(
                f"{self._which} printed more than {_MOST_PRINTED // 10**6} MB"
            )
        return True
