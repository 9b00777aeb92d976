"""What ``atleastk anonymize`` does with the table of a file."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.anonymizing.anonymize import (
    MARKER,
    Run,
    anonymity_of,
    anonymize_within,
    sparing,
)
from atleastk.anonymizing.report import Report
from atleastk.anonymizing.report_limits import WORDS
from atleastk.anonymizing.request import Wishes
from atleastk.cli.anonymize_words import (
    Words,
    hierarchy_files,
    listed,
    wishes_of,
)
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import Either, option
from atleastk.cli.outputs import (
    JSON,
    Paths,
    picture,
    table_like,
    through_the_door,
    write_results,
)
from atleastk.cli.progress import watched
from atleastk.cli.readers import levels, seconds_or_none
from atleastk.cli.shared_options import SECONDS, TableRunning, delimited
from atleastk.cli.tables import print_table
from atleastk.frames.frame import Name, chosen
from atleastk.frames.framed import FileFrame, read_frame
from atleastk.instances import files
from atleastk.instances.errors import AtleastkError, UnknownNameError
from atleastk.instances.reading import is_standard
from atleastk.models.anonymity import Anonymity
from atleastk.plots.costs import CostPoint, draw_costs
from atleastk.plots.drawing import axes, save
from atleastk.registry import drawing_of
from atleastk.solvers.budget import Budget

__all__ = ["Options", "run"]

_WHICH: Final = Either("which columns")
_OTHERS: Final = Either("the other columns")

_WRITTEN: Final = ("output", "result", "instance")
"""What holds one table or its solution, so that it needs one k."""


@dataclass(frozen=True, kw_only=True)
class Options(Words, TableRunning):
    """What ``atleastk anonymize`` is asked."""

    epilog: ClassVar = (
        "Only the chosen columns are looked at; all others pass unchanged, names and "
        "identifiers too, unless --drop-unlisted leaves them out."
    )

    table: str = option(
        metavar="TABLE", help=".csv, .tsv (or .gz of them), or .parquet"
    )
    k: tuple[int, ...] | None = option(
        "-k",
        reader=levels,
        metavar="K",
        help="how many rows have to look alike; several, as in 2,5,10, are compared",
    )
    columns: str | None = option(
        "--columns",
        either=_WHICH,
        metavar="NAMES",
        help="columns to anonymise (default: all)",
    )
    exempt: str | None = option(
        "--except", either=_WHICH, metavar="NAMES", help="anonymise all but these"
    )
    output: str | None = option(
        "-o", "--output", metavar="OUT", help="write the table, in TABLE's format"
    )
    keep_unlisted: bool = option(
        "--keep-unlisted",
        either=_OTHERS,
        action="store_true",
        help="write the other columns too, unchanged (default)",
    )
    drop_unlisted: bool = option(
        "--drop-unlisted",
        either=_OTHERS,
        action="store_true",
        help="write the anonymised columns only",
    )
    marker: str = option(
        "--marker",
        default=MARKER,
        metavar="TEXT",
        help=f"what a suppressed text cell holds (default: {MARKER})",
    )
    delimiter: str | None = delimited()
    time_limit: float | None = option(
        "--time-limit",
        reader=seconds_or_none,
        default=SECONDS,
        metavar="S",
        help=f"seconds for every k, or none (default: {SECONDS})",
    )
    plot: str | None = option(
        "--plot",
        metavar="FILE",
        help="draw the suppressed cells; or cells against k",
    )
    report: str | None = option(
        "--report", metavar="FILE", help="write the report (.jsonl: of several k)"
    )
    instance: str | None = option(
        "--instance", metavar="FILE", help="write what was solved, its values numbered"
    )
    check: bool = option(
        "--check", action="store_true", help="only tell how anonymous TABLE is"
    )
    wildcard: bool = option(
        "--wildcard",
        action="store_true",
        help="check: let suppressed and missing cells match anything",
    )
    json: bool = option(
        "--json", action="store_true", help="print reports as one JSON object a line"
    )


def _paths(options: Options) -> Paths:
    hierarchies = [("a hierarchy", path) for path in hierarchy_files(options)]
    return Paths(
        [("the original table", options.table), *hierarchies],
        [
            (options.output, table_like(options.table)),
            (options.result, JSON),
            (options.instance, JSON),
            (options.report, JSON),
            (options.plot, picture(options.plot)),
        ],
    )


@through_the_door(_paths)
def run(options: Options) -> Exit:
    """Suppress or generalise cells of a table such that every row has k - 1 equals."""
    budget, began = options.budget(), time.monotonic()
    _expect_sense(options)
    ax = axes(None) if options.plot else None  # no matplotlib? better told now
    frame = read_frame(Path(options.table), options.delimiter)
    names = _names(options, frame)
    if options.check:
        return _check(
            anonymity_of(frame, names, options.wildcard, options.marker), names, options
        )
    wishes = wishes_of(options, frame, names)
    levels = _levels(options, wishes)
    if options.drop_unlisted:
        frame = frame.only(names)
    budget = sparing(budget, time.monotonic() - began)  # to be written as it was read
    runs: list[Run] = []
    for k in levels:
        left = budget if not runs else options.budget()
        runs.append(_run(frame, names, k, left, options, wishes))
        if runs[-1].outcome.signalled is not None:
            break
    reports = [run.anonymized.report for run in runs]
    if len(levels) == 1:
        _write(runs[0], options)
    if options.report:
        files.write_lines(options.report, [report.to_dict() for report in reports])
    _print(reports, options)
    if ax is not None and options.plot and len(levels) == 1:
        made = runs[0].anonymized
        save(
            drawing_of(made.instance)(made.instance, made.result, ax),
            Path(options.plot),
        )
    elif ax is not None and options.plot:
        points = [CostPoint(r.k, r.cost, r.bound) for r in reports]
        save(draw_costs(points, reports[0].cells, ax), Path(options.plot))
    return Exit(_code(runs), any(run.outcome.abandoned for run in runs))


def _run(
    frame: FileFrame,
    names: tuple[Name, ...],
    k: int | None,
    budget: Budget,
    options: Options,
    wishes: Wishes,
) -> Run:
    running = options.table if k is None else f"{options.table}, k = {k}"
    with watched(running, options.events, options.json) as on_event:
        return anonymize_within(
            frame,
            k,
            names,
            budget,
            wishes=wishes,
            method=options.method,
            marker=options.marker,
            on_event=on_event,
        )


def _write(run: Run, options: Options) -> None:
    """Write the table, if there is one, and what it comes from."""
    if options.output and isinstance(run.frame, FileFrame):
        run.frame.write(Path(options.output))
    if options.result:
        write_results(options.result, [run.anonymized.result])
    if options.instance:
        files.write(options.instance, run.anonymized.instance.to_dict())


def _print(reports: Sequence[Report], options: Options) -> None:
    if options.json:
        for report in reports:
            print(json.dumps(report.to_dict()), flush=True)
        return
    if len(reports) > 1:
        measure = _measure(reports[0])
        more = () if measure is None else (f"{measure}>",)
        columns = ("k>", "status", "suppressed>", "share>", *more, "at least>", "gap>")
        rows = (_row(report, measure is not None) for report in reports)
        print_table((*columns, "s>"), rows, title=options.table)
        return
    print(reports[0])
    if options.output:
        nothing = reports[0].cost is None
        print(f"  written     {'nothing' if nothing else options.output}", flush=True)


def _measure(report: Report) -> str | None:
    """Return the name of what was minimised, unless that was the suppressed cells."""
    if report.generality is not None:
        return report.generality.loss
    if report.quantities is None or report.quantities.minimise == "entries":
        return None
    return WORDS.get(report.quantities.minimise, "cost")


def _row(report: Report, costed: bool) -> tuple[object, ...]:
    return (
        report.k,
        report.status.lower(),
        "-" if report.suppressed is None else report.suppressed,
        "-" if report.share is None else f"{report.share:.2%}",
        *(("-" if report.cost is None else report.cost,) if costed else ()),
        "-" if report.bound is None else report.bound,
        "-" if report.gap is None else f"{report.gap:.2%}",
        f"{report.seconds:.2f}",
    )


def _levels(options: Options, wishes: Wishes) -> tuple[int | None, ...]:
    """Return every k to go through; None for as large a k as can be."""
    if options.k is None and not wishes.maximises_k:
        message = "anonymize needs -k, how many rows have to look alike"
        raise AtleastkError(message)
    if options.k is None or len(options.k) == 1:
        return (None,) if options.k is None else tuple(options.k)
    if wishes.maximises_k:
        message = "a maximised k takes one -k, the least that is accepted"
        raise AtleastkError(message)
    if options.plot and (
        wishes.generalises or wishes.minimise not in (None, "entries")
    ):
        message = "--plot of several k draws suppressed cells: leave it out"
        raise AtleastkError(message)
    return tuple(options.k)


def _code(runs: Sequence[Run]) -> int:
    signalled = runs[-1].outcome.signalled
    if signalled is not None:
        return 128 + signalled
    return OK if all(run.frame is not None for run in runs) else NO


def _check(found: Anonymity, names: tuple[Name, ...], options: Options) -> Exit:
    """Tell how anonymous the table is as it stands."""
    asked = None if options.k is None else options.k[0]
    holds = asked is None or found.holds(asked)
    columns = list(map(str, names))
    if options.json:
        document: dict[str, Any] = {
            "k": found.k,
            "asked": asked,
            "holds": holds,
            "rows": len(found.alike),
            "classes": len(found.classes),
            "below": None if asked is None else found.below(asked),
            "reading": "wildcard" if options.wildcard else "strict",
            "columns": columns,
        }
        print(json.dumps(document))
        return Exit(OK if holds else NO)
    print(f"{options.table}: {found}")
    print(f"  columns     {', '.join(columns)}")
    reading = "matches anything" if options.wildcard else "is a value like others"
    print(f"  reading     a suppressed cell {reading}")
    if asked is not None and holds:
        print(f"  {asked}-anonymous")
    elif asked is not None:
        below = found.below(asked)
        fewer = f"fewer than {asked - 1} others alike, for {below} of the rows"
        print(f"  not {asked}-anonymous: {fewer}")
    return Exit(OK if holds else NO)


def _names(options: Options, frame: FileFrame) -> tuple[Name, ...]:
    """Return the columns to look at, in the order of the table."""
    try:
        if options.exempt is not None:
            exempt = chosen(frame, listed(options.exempt))
            return chosen(frame, [name for name in frame.names if name not in exempt])
        asked = chosen(
            frame, None if options.columns is None else listed(options.columns)
        )
        return tuple(name for name in frame.names if name in asked)
    except (UnknownNameError, ValueError) as error:
        message = f"{options.table}: {error}"
        raise type(error)(message) from error


def _expect_sense(options: Options) -> None:
    """Refuse contradictory options and hopeless files before the work."""
    if options.check:
        why = "--check writes nothing"
        options.expect_none(why, (*_WRITTEN, "plot", "report"))
        why = "--check only tells how anonymous a table is"
        options.expect_none(why, [wish.name for wish in fields(Words)])
    elif options.wildcard:
        message = "--wildcard is a reading of tables for --check only"
        raise AtleastkError(message)
    if options.k is not None and len(options.k) > 1:
        if options.check:
            message = "--check takes one k"
            raise AtleastkError(message)
        options.expect_none("several k give several tables", _WRITTEN)
        if options.report and not _takes_lines(options.report):
            message = (
                f"{options.report}: several reports need a name that ends in .jsonl"
            )
            raise AtleastkError(message)


def _takes_lines(path: str) -> bool:
    return is_standard(path) or files.is_lines(path)
