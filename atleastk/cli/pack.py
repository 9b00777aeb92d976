"""``atleastk pack``: rows of a table in batches of at least so much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atleastk.cli.console import Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import table_named
from atleastk.cli.table_command import (
    Grouping,
    TableMaking,
    as_request,
    exit_of,
    with_numbers,
)
from atleastk.doors.packing.pack import MAXIMISED, PackRequest, pack_frame


@dataclass(frozen=True, kw_only=True)
class Options(Grouping, TableMaking):
    epilog: ClassVar = (
        "How many batches there are follows from K. Example: atleastk pack orders.csv "
        "--weight kg -k 1000 -o batches.csv"
    )

    k: str = option("-k K", "least weight of a batch", required=True)
    weight: str = option("--weight COLUMN", "what rows weigh", required=True)
    name: str | None = option(
        "--name COLUMN", "what rows are called on a page (default: 1, 2, ...)"
    )
    maximise: str | None = option(
        "--maximise GOAL",
        "batches: as many batches of at least K as possible (default: the heaviest as "
        "light as possible)",
        choices=MAXIMISED,
    )
    output: str | None = option(
        "-o --output OUT",
        'write the table with a column "batch", in the format of the name',
        writes=lambda options: table_named(options.output),
    )


def run(options: Options) -> Exit:
    ask, frame = options.ask(), options.frame()
    write = with_numbers(options, frame, "batch")
    request = as_request(PackRequest, options)
    with options.watching(ask, options.table) as watched:
        made, outcome = pack_frame(frame, request, watched)
    options.write(made.instance, made.result, lambda path: write(path, made.batch))
    options.write_report(made, options.table)
    report = f"{options.table}: {made}"
    options.print_made(report, made.to_dict, solved=made.batch is not None)
    options.draw(made.instance, made.result, digits=made.digits)
    return exit_of([outcome])
