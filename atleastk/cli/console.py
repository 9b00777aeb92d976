"""What all commands share: how they end and complain."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Final, NamedTuple

__all__ = ["BAD_INPUT", "CONTRADICTION", "NO", "OK", "Exit", "complain"]

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


def complain(error: object) -> None:
    """Print an error as the one line that it is."""
    with suppress(OSError):  # there is nobody left to tell; the exit code does
        print("atleastk: error:", " ".join(str(error).split()), file=sys.stderr)
