"""``python -m atleastk`` is the command ``atleastk``: both begin here.

All that is needed is imported in `main`, so that Ctrl-C ends the command quietly as
long as it has not begun, and once it is over.
"""

import os
import signal
import sys
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130
"""Exit code of shells for SIGINT: 128 and the number of the signal."""


def main() -> int:
    """Run the command line; return its exit code."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return _run()  # interrupts are somebody else's business
    signal.signal(signal.SIGINT, _leave)
    try:
        return _run()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, _leave)


def _run() -> int:
    from atleastk.cli.main import main as run

    return run(begin=_begin)


def _begin() -> None:
    """Let Ctrl-C interrupt what is going on, and not just end it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End without a word: imports may take an exception for something else."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
