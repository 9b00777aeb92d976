"""Tables on standard output, readable on a terminal and in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from atleastk.cli.console import raw_stream
from atleastk.instances.fields.visible import visible

SHOWN: Final = 20
"""The most groups that are shown in a table: about what a screen holds."""

_PIPED_WIDTH: Final = 160
"""Columns of a table that goes into a pipe or a file: not tuned."""


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None
) -> None:
    """Print a table; columns whose name ends in ``>`` are set flush right."""
    table = Table(
        title=title and visible(title),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for column in columns:
        right = column.endswith(">")
        table.add_column(
            visible(column.removesuffix(">")),
            justify="right" if right else "left",
            no_wrap=right,
            overflow="fold",
        )
    for row in rows:
        # Text, since "[Du09]" would be taken for markup.
        table.add_row(*(Text(visible(str(cell))) for cell in row))
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    out = raw_stream(sys.stdout)
    console = Console(file=out, width=width)
    with console.capture() as printed:
        console.print(table)
    # Rich itself would end the process if the reader has left.
    out.writelines(f"{line.rstrip()}\n" for line in printed.get().splitlines())
