"""What all commands share: exit codes, errors, and printing without control characters.

While a command runs, `shown_safely` replaces standard output and error by streams that
escape control characters: in names and cells of files, errors of libraries, output of
other programs. What draws on a terminal writes to the original stream, `raw_stream`,
and escapes its texts itself.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple, TextIO, cast

from atleastk.instances.fields.visible import visible_lines

OK: Final = 0
"""Exit code: a solution was found, or nothing is false."""

NO: Final = 1
"""Exit code: no solution was found, or something does not hold."""

BAD_INPUT: Final = 2
"""Exit code: bad input or usage."""

CONTRADICTION: Final = 3
"""Exit code: a solver contradicted the checker, another solver, or itself."""


class Exit(NamedTuple):
    """How a command ended."""

    code: int
    abandoned: bool = False
    """Whether a solver that does not stop is still at work in this process."""


class _Escaping:
    """A stream of texts in which control characters are escaped."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        return self.stream.write(visible_lines(text))

    def writelines(self, lines: Iterable[str]) -> None:
        self.stream.writelines(map(visible_lines, lines))


@contextmanager
def shown_safely() -> Iterator[None]:
    """In the body, escape control characters on standard output and error.

    Characters that their encoding lacks are escaped, too.
    """
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = (cast("TextIO", _Escaping(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def raw_stream(stream: TextIO) -> TextIO:
    """Return the original stream, which takes control characters as they are."""
    return stream.stream if isinstance(stream, _Escaping) else stream


def complain(error: object) -> None:
    """Print an error on one line of standard error."""
    with suppress(OSError):  # nobody reads it; the exit code remains
        print("atleastk: error:", " ".join(str(error).split()), file=sys.stderr)
