"""``atleastk inspect``: a look at a table before it is anonymised."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import REPORT, write_report
from atleastk.cli.progress import refreshed
from atleastk.cli.readers import level, names
from atleastk.cli.shared_options import printed
from atleastk.cli.table_command import TableReading
from atleastk.doors.inspecting.inspect import LOOKS, TOGETHER, inspected
from atleastk.instances.files.digest import digest_lines, digest_object, filed
from atleastk.models.wording import counted
from atleastk.solvers.clock import CLOCK


@dataclass(frozen=True, kw_only=True)
class Options(TableReading):
    """The options of ``atleastk inspect``."""

    epilog: ClassVar = (
        "Rows are singled out by columns if no other row has the same values there; "
        "missing values are none. Example: atleastk inspect people.csv --report r.html"
    )

    columns: Sequence[str] | None = option(
        "--columns NAMES", "columns to look at (default: all)", names
    )
    together: int = option(
        "--together N",
        f"look at sets of up to N columns (default: {TOGETHER})",
        level,
        default=TOGETHER,
    )
    looks: int = option(
        "--looks N",
        f"looks at records for sets of columns, at most (default: {LOOKS})",
        level,
        default=LOOKS,
    )
    report: str | None = option(
        "--report FILE",
        "write the report: a page to be filed (.html), or .json",
        writes=REPORT,
    )
    json: bool = printed()


def run(options: Options) -> Exit:
    """Look at a table: print what was found, or an object for every column."""
    frame, began = options.frame(), CLOCK.now()
    doing = f"{options.table}   looking at {counted(frame.n, 'row', ',')}"
    with refreshed(lambda: f"{doing}   {CLOCK.now() - began:.0f} s"):
        found = inspected(frame, options.columns, options.together, options.looks)
    of = filed("table", options.table)
    write_report(
        options.report,
        lambda: found.to_html(Path(options.table).name, of, options.reading),
        [{**found.to_dict(), "files": digest_object(of)}],
    )
    if options.json:
        for column in found.columns:
            print(json.dumps(column.to_dict()))
    else:
        print(f"{options.table}: {found}")
        for line in digest_lines(of):
            print(line)
    return Exit(OK)
