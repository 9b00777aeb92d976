"""The entry point of the command line: exit codes, errors, signals.

Modules of a run are imported only when a command runs.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from signal import SIG_IGN, SIGINT, SIGTERM, signal
from typing import Final

from atleastk.cli.console import BAD_INPUT, CONTRADICTION, Exit, complain, shown_safely
from atleastk.cli.parsing import parsed
from atleastk.instances.fields.errors import (
    AtleastkError,
    WrongAnswerError,
    within_memory,
)
from atleastk.instances.files.files import input_limit, memory_limit
from atleastk.instances.files.paths import reason_of
from atleastk.runs.own_programs import end_programs
from atleastk.solvers.clock import CLOCK

INTERRUPTED: Final = 130
"""Exit code of shells for SIGINT: 128 and the number of the signal."""

BROKEN_PIPE: Final = 141
"""Exit code of shells for SIGPIPE: 128 and the number of the signal."""

_UNWRITABLE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What is wrong with standard output if nothing can be written to it."""


def main(
    argv: Sequence[str] | None = None, begin: Callable[[], object] | None = None
) -> int:
    """Run the command line; return its exit code.

    `begin` is called when all is imported and the command starts.
    """
    if sys.stdout is None or sys.stderr is None:
        # The shell has closed it, as by >&-; whatever is said to it is lost.
        nowhere = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    with shown_safely():
        ended = _run(argv, begin)
    if argv is None:
        signal(SIGTERM, SIG_IGN)  # all is written: the exit code is what it is
    from atleastk.solvers.compiled.compile import end_compiling
    from atleastk.solvers.left_behind import anybody_left_behind

    if CLOCK.stands and sys.stderr.isatty():
        print("preparing loops for all later runs, once", file=sys.stderr)
    if argv is None and (ended.abandoned or anybody_left_behind()):
        # A solver that does not stop would keep the process from ending.
        sys.stdout.flush()
        sys.stderr.flush()
        end_programs()
        end_compiling()
        os._exit(ended.code)
    return ended.code


def _run(argv: Sequence[str] | None, begin: Callable[[], object] | None) -> Exit:
    try:
        try:
            with within_memory("atleastk"):
                ended = _parsed_and_run(argv, begin)
        finally:
            sys.stdout.flush()
    except WrongAnswerError as error:
        complain(error)
        return Exit(CONTRADICTION)
    except AtleastkError as error:
        complain(error)
        return Exit(BAD_INPUT)
    except BrokenPipeError:
        _discard_output()
        return Exit(BROKEN_PIPE)
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            raise
        _discard_output()
        complain(f"standard output: cannot be written: {reason_of(error)}")
        return Exit(BAD_INPUT)
    except KeyboardInterrupt:
        return Exit(INTERRUPTED)
    return ended


def _parsed_and_run(
    argv: Sequence[str] | None, begin: Callable[[], object] | None
) -> Exit:
    run, options = parsed(argv)
    if options.light:
        return run(options)
    from atleastk.cli.outputs import guarded_outputs
    from atleastk.runs.watch import hearing

    if begin is not None:
        begin()
    limit = getattr(options, "input_limit", None)
    room = memory_limit(getattr(options, "room", float("inf")))
    signals, outputs = hearing(SIGINT, SIGTERM), guarded_outputs(options.paths())
    with input_limit(limit), room, signals as kept, outputs:
        ended = run(options)
    return ended._replace(code=128 + kept[0]) if kept else ended


def _discard_output() -> None:
    """Drop unwritten output, so that Python does not fail to flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
