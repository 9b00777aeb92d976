"""``atleastk anonymize --average``: means of near rows in place of their numbers.

That is microaggregation: see :mod:`atleastk.doors.anonymizing.averaged`.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from atleastk.cli.anonymize_wishes import Options, every_wish, request_of
from atleastk.cli.console import Exit
from atleastk.cli.options import expect_none
from atleastk.cli.table_command import exit_of
from atleastk.doors.anonymizing.averaged import averaged
from atleastk.doors.anonymizing.engines import AUTO, MEMORY
from atleastk.frames.frame import Frame
from atleastk.frames.open_frame import FileFrame
from atleastk.frames.other_formats import write_frame
from atleastk.instances.fields.errors import AtleastkError

_NO_USE: Final = (
    "population",
    "write_hierarchies",
    "wildcard",
    "earlier",
    "plot",
    "row_risk",
    "start",
)
"""Options that say nothing of means, besides all wishes."""


def run_averaged(options: Options) -> Exit:
    """Publish every row with the means of its group of at least k rows."""
    why = "--average publishes means of k near rows or more, as they are"
    wishes = [n for n in every_wish() if n not in ("average", "shuffle")]
    expect_none(options, why, (*_NO_USE, *wishes))
    if options.engine not in (AUTO, MEMORY):
        raise AtleastkError(f"{why}: --engine {options.engine} counts classes only")
    if options.k is None or len(options.k) != 1:
        raise AtleastkError(f"{why}: give one -k")
    ask = options.ask()
    options.note_idle(options.table)
    frame: Frame = options.frame()
    request = request_of(options, frame)
    request.k = options.k[0]
    options, frame = options.naming(frame, request)
    with options.watching(ask, options.table) as watched:
        made, outcome = averaged(frame, request, watched)
    rows = made.in_rows()
    if rows is not None:
        assert isinstance(rows, FileFrame)  # it was read from a file
        options.write(made.instance, made.result, partial(write_frame, rows))
    of = options.filed(solved=rows is not None)
    (document,) = options.write_report(made.to_html, [made.to_dict()], of)
    report = f"{options.table}: {made.report()}"
    options.print_made(report, document, solved=rows is not None, of=of)
    found = () if made.losses is None else made.losses.singling_out.warnings
    return options.strictly(exit_of([outcome]), found)
