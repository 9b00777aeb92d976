"""``atleastk warm-up``: compiling ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.options import option
from atleastk.cli.progress import shown
from atleastk.runs.warming import warm_up_each


@dataclass(frozen=True, kw_only=True)
class Options(CommandOptions):
    problems: Sequence[str] = option(
        "PROBLEM", "problems whose loops to compile (default: all)", nargs="*"
    )


def run(options: Options) -> Exit:
    with shown("loops"):
        for name, compiled in warm_up_each(options.problems):
            print(f"{name}: {compiled} loops compiled", flush=True)
    return Exit(OK)
