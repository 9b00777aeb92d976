"""What ``atleastk anonymize`` does with the table of a file."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from atleastk import api
from atleastk.anonymizing.anonymize import Run, anonymity_of, anonymize_within, sparing
from atleastk.anonymizing.report import Report
from atleastk.anonymizing.report_limits import WORDS
from atleastk.anonymizing.request import Wishes
from atleastk.cli.anonymize_words import (
    expect_no_wishes,
    hierarchy_files,
    listed,
    wishes_of,
)
from atleastk.cli.console import NO, OK, Exit, watched
from atleastk.cli.outputs import (
    JSON,
    Paths,
    picture,
    table_like,
    through_the_door,
    write_results,
)
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

__all__ = ["anonymize"]

_WRITTEN = ("output", "result", "instance")
"""What holds one table or its solution, so that it needs one k."""


def _paths(args: Namespace) -> Paths:
    hierarchies = [("a hierarchy", path) for path in hierarchy_files(args)]
    return Paths(
        [("the original table", args.table), *hierarchies],
        [
            (args.output, table_like(args.table)),
            (args.result, JSON),
            (args.instance, JSON),
            (args.report, JSON),
            (args.plot, picture(args.plot)),
        ],
    )


@through_the_door(_paths)
def anonymize(args: Namespace) -> Exit:
    """Suppress or generalise cells of a table such that every row has k - 1 equals."""
    budget, began = _budget(args), time.monotonic()
    _expect_sense(args)
    ax = axes(None) if args.plot else None  # no matplotlib? better told now
    frame = read_frame(Path(args.table), args.delimiter)
    names = _names(args, frame)
    if args.check:
        return _check(
            anonymity_of(frame, names, args.wildcard, args.marker), names, args
        )
    wishes = wishes_of(args, frame, names)
    levels = _levels(args, wishes)
    if args.drop_unlisted:
        frame = frame.only(names)
    budget = sparing(budget, time.monotonic() - began)  # to be written as it was read
    runs: list[Run] = []
    for k in levels:
        left = budget if not runs else _budget(args)
        runs.append(_run(frame, names, k, left, args, wishes))
        if runs[-1].outcome.signalled is not None:
            break
    reports = [run.anonymized.report for run in runs]
    if len(levels) == 1:
        _write(runs[0], args)
    if args.report:
        files.write_lines(args.report, [report.to_dict() for report in reports])
    _print(reports, args)
    if ax is not None and len(levels) == 1:
        made = runs[0].anonymized
        save(drawing_of(made.instance)(made.instance, made.result, ax), Path(args.plot))
    elif ax is not None:
        points = [CostPoint(r.k, r.cost, r.bound) for r in reports]
        save(draw_costs(points, reports[0].cells, ax), Path(args.plot))
    return Exit(_code(runs), any(run.outcome.abandoned for run in runs))


def _run(
    frame: FileFrame,
    names: tuple[Name, ...],
    k: int | None,
    budget: Budget,
    args: Namespace,
    wishes: Wishes,
) -> Run:
    running = args.table if k is None else f"{args.table}, k = {k}"
    with watched(running, args.events, args.json) as on_event:
        return anonymize_within(
            frame,
            k,
            names,
            budget,
            wishes=wishes,
            method=args.method,
            marker=args.marker,
            on_event=on_event,
        )


def _write(run: Run, args: Namespace) -> None:
    """Write the table, if there is one, and what it comes from."""
    if args.output and isinstance(run.frame, FileFrame):
        run.frame.write(Path(args.output))
    if args.result:
        write_results(args.result, [run.anonymized.result])
    if args.instance:
        files.write(args.instance, run.anonymized.instance.to_dict())


def _print(reports: Sequence[Report], args: Namespace) -> None:
    if args.json:
        for report in reports:
            print(json.dumps(report.to_dict()), flush=True)
        return
    if len(reports) > 1:
        measure = _measure(reports[0])
        more = () if measure is None else (f"{measure}>",)
        columns = ("k>", "status", "suppressed>", "share>", *more, "at least>", "gap>")
        rows = (_row(report, measure is not None) for report in reports)
        print_table((*columns, "s>"), rows, title=args.table)
        return
    print(reports[0])
    if args.output:
        nothing = reports[0].cost is None
        print(f"  written     {'nothing' if nothing else args.output}", flush=True)


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


def _levels(args: Namespace, wishes: Wishes) -> tuple[int | None, ...]:
    """Return every k to go through; None for as large a k as can be."""
    if args.k is None and not wishes.maximises_k:
        message = "anonymize needs -k, how many rows have to look alike"
        raise AtleastkError(message)
    if args.k is None or len(args.k) == 1:
        return (None,) if args.k is None else tuple(args.k)
    if wishes.maximises_k:
        message = "a maximised k takes one -k, the least that is accepted"
        raise AtleastkError(message)
    if args.plot and (wishes.generalises or wishes.minimise not in (None, "entries")):
        message = "--plot of several k draws suppressed cells: leave it out"
        raise AtleastkError(message)
    return tuple(args.k)


def _code(runs: Sequence[Run]) -> int:
    signalled = runs[-1].outcome.signalled
    if signalled is not None:
        return 128 + signalled
    return OK if all(run.frame is not None for run in runs) else NO


def _check(found: Anonymity, names: tuple[Name, ...], args: Namespace) -> Exit:
    """Tell how anonymous the table is as it stands."""
    asked = None if args.k is None else args.k[0]
    holds = asked is None or found.holds(asked)
    columns = list(map(str, names))
    if args.json:
        document: dict[str, Any] = {
            "k": found.k,
            "asked": asked,
            "holds": holds,
            "rows": len(found.alike),
            "classes": len(found.classes),
            "below": None if asked is None else found.below(asked),
            "reading": "wildcard" if args.wildcard else "strict",
            "columns": columns,
        }
        print(json.dumps(document))
        return Exit(OK if holds else NO)
    print(f"{args.table}: {found}")
    print(f"  columns     {', '.join(columns)}")
    reading = "matches anything" if args.wildcard else "is a value like others"
    print(f"  reading     a suppressed cell {reading}")
    if asked is not None and holds:
        print(f"  {asked}-anonymous")
    elif asked is not None:
        below = found.below(asked)
        fewer = f"fewer than {asked - 1} others alike, for {below} of the rows"
        print(f"  not {asked}-anonymous: {fewer}")
    return Exit(OK if holds else NO)


def _names(args: Namespace, frame: FileFrame) -> tuple[Name, ...]:
    """Return the columns to look at, in the order of the table."""
    try:
        if args.exempt is not None:
            exempt = chosen(frame, listed(args.exempt))
            return chosen(frame, [name for name in frame.names if name not in exempt])
        asked = chosen(frame, None if args.columns is None else listed(args.columns))
        return tuple(name for name in frame.names if name in asked)
    except (UnknownNameError, ValueError) as error:
        message = f"{args.table}: {error}"
        raise type(error)(message) from error


def _budget(args: Namespace) -> Budget:
    return api.budget_of(args.time_limit, args.workers, args.seed, args.memory_limit)


def _expect_sense(args: Namespace) -> None:
    """Refuse contradictory options and hopeless files before the work."""
    if args.check:
        why = "--check writes nothing: leave out"
        _expect_nothing(args, why, *_WRITTEN, "plot", "report")
        expect_no_wishes(args)
    elif args.wildcard:
        message = "--wildcard is a reading of tables for --check only"
        raise AtleastkError(message)
    if args.k is not None and len(args.k) > 1:
        if args.check:
            message = "--check takes one k"
            raise AtleastkError(message)
        _expect_nothing(args, "several k give several tables: leave out", *_WRITTEN)
        if args.report and not _takes_lines(args.report):
            message = f"{args.report}: several reports need a name that ends in .jsonl"
            raise AtleastkError(message)


def _takes_lines(path: str) -> bool:
    return is_standard(path) or files.is_lines(path)


def _expect_nothing(args: Namespace, why: str, *options: str) -> None:
    for name in options:
        if getattr(args, name):
            message = f"{why} --{name}"
            raise AtleastkError(message)
