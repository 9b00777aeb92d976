"""What all commands share: how they end and complain, and the door of what they print.

All that a command prints goes through `shown_safely`, which spells out control
characters: names and cells of files, errors of libraries, what programs of others say.
What draws on a terminal itself writes to the stream behind that door, `drawn_on`, and
spells out the texts that it is given.
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
    """How a command ended.

    Attributes
    ----------
    abandoned
        Whether a solver that does not stop is still at work in this process.
    """

    code: int
    abandoned: bool = False


class _Door:
    """A stream of texts of which control characters are spelled out."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text, lines and all."""
        return self.stream.write(visible_lines(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        self.stream.writelines(map(visible_lines, lines))


@contextmanager
def shown_safely() -> Iterator[None]:
    """In the body of a ``with``, let standard output and error show what is printed.

    What their encoding has not is spelled out, too.
    """
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = (cast("TextIO", _Door(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def drawn_on(stream: TextIO) -> TextIO:
    """Return the stream behind the door, which takes escapes as they are."""
    return stream.stream if isinstance(stream, _Door) else stream


def complain(error: object) -> None:
    """Print an error as the one line that it is."""
    with suppress(OSError):  # there is nobody left to tell; the exit code does
        print("atleastk: error:", " ".join(str(error).split()), file=sys.stderr)
