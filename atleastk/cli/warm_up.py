"""``atleastk warm-up``: compiling ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.options import option
from atleastk.cli.progress import shown
from atleastk.registry import PROBLEMS, problem_named
from atleastk.warming import warm_up

__all__ = ["Options", "run"]


@dataclass(frozen=True, kw_only=True)
class Options(CommandOptions):
    """What ``atleastk warm-up`` is asked."""

    problems: Sequence[str] = option(
        "PROBLEM", "problems whose loops to compile (default: all)", nargs="*"
    )


def run(options: Options) -> Exit:
    """Compile the loops of every problem, and tell how many there were."""
    for name in [problem_named(name).name for name in options.problems] or PROBLEMS:
        with shown(name):
            compiled = warm_up(name)
        print(f"{name}: {compiled} loops compiled", flush=True)
    return Exit(OK)
