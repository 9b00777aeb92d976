"""``atleastk anonymize``: a table in which every row has k - 1 equals."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from atleastk.cli.anonymize_large import beyond, run_large
from atleastk.cli.anonymize_wishes import (
    Options,
    calling_options,
    request_of,
    unchecked,
    wishes_of,
)
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import Paths, expect_none
from atleastk.cli.outputs import (
    HIERARCHY,
    beside,
    expect_lines,
    guarded_outputs,
    read_result,
    write_report,
)
from atleastk.cli.print_table import print_table
from atleastk.cli.recipe import recipe_text
from atleastk.cli.table_command import exit_of, note_counted, read_table
from atleastk.doors.anonymizing.anonymize import Anonymized, anonymize_selected
from atleastk.doors.anonymizing.checking import checked_as_it_is
from atleastk.doors.anonymizing.engines import AUTO, is_many, takes
from atleastk.doors.anonymizing.growth import Growth
from atleastk.doors.anonymizing.hierarchies import files_of
from atleastk.doors.anonymizing.report.levels import Generality
from atleastk.doors.anonymizing.report.report import Report
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.csv_frame import TextFrame
from atleastk.frames.duckdb_source import DUCKDB
from atleastk.frames.frame import Frame, Selection
from atleastk.frames.open_frame import FileFrame
from atleastk.frames.other_formats import write_frame
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.fields.visible import visible
from atleastk.instances.files import files
from atleastk.instances.files.digest import digest_lines, filed
from atleastk.instances.files.writing import write_bytes
from atleastk.instances.suppression_names import QUANTITIES, in_words
from atleastk.plots.costs import CostPoint, draw_costs
from atleastk.plots.drawing import save
from atleastk.runs.solving import Outcome

_WRITTEN: Final = ("output", "result", "instance", "row_risk")
"""Outputs of one table or its solution, for which there must be one k."""

_OUTPUTS: Final = (*_WRITTEN, "plot", "report")


def run(options: Options) -> Exit:
    """Anonymise or check a table, and write down what was asked."""
    _expect_sense(options)
    with calling_options(options):
        if vars(options)["average"] and not options.check:
            from atleastk.cli.anonymize_averaged import run_averaged  # few wait for it

            ended = run_averaged(options)
        elif _stays_in_files(options):
            ended = run_large(options)
        else:
            ended = _run_in_memory(options)
    if options.save_recipe is not None:
        files.write_text(options.save_recipe, _recipe_of(options, options.save_recipe))
    return ended


def _recipe_of(options: Options, path: str) -> str:
    return recipe_text(Options, options.asked, path)


def _run_in_memory(options: Options) -> Exit:
    start = None if options.start is None else read_result(options.start)
    ask = options.ask(start=start)
    options.note_idle(options.table)
    frame: Frame = options.frame()
    request = request_of(options, frame, as_it_stands=options.check)
    if options.check:
        return _check(Selection.of(frame, request.columns), request, options)
    options, frame = options.naming(frame, request)
    everybody = None if options.population is None else read_table(options.population)
    if options.write_hierarchies is not None and not request.hierarchies:
        raise AtleastkError(
            "--write-hierarchies needs hierarchies, as of --hierarchies auto"
        )
    selected = Selected.of(frame, request, everybody)
    if options.write_hierarchies is not None:
        sources = _write_hierarchies(options, selected)
        if options.k is None and not any(getattr(options, o) for o in _OUTPUTS):
            _print_hierarchies(options, sources)
            return Exit(OK)
    asked = _asked(options, request)
    outcomes: list[Outcome] = []
    reports: list[Report] = []
    for k in asked:
        running = options.table if k is None else f"{options.table}, k = {k}"
        ask = options.ask() if outcomes else ask
        with options.watching(ask, running) as watched:
            made, outcome = anonymize_selected(selected.asking(k), watched)
        outcomes.append(outcome)
        reports.append(made.report)
        if outcome.signalled is not None:
            break
    if len(asked) == 1:
        options.write(made.instance, made.result, lambda path: _write(made, path))
        if options.row_risk is not None and made.alike is not None:
            alike = enumerate(made.alike.tolist(), 1)
            rows = ([str(row), str(n), f"{1 / n:.6g}"] for row, n in alike)
            risks = TextFrame.of(["row", "alike", "risk"], rows)
            with beside(options.output):
                risks.write(Path(options.row_risk))
    found = options.filed(solved=made.report.cost is not None)
    documents = options.write_report(
        made.to_html, [r.to_dict() for r in reports], found
    )
    if len(asked) == 1:
        options.draw(made.instance, made.result)
    elif options.plot:
        points = [CostPoint(r.k, r.cost, r.bound) for r in reports]
        save(draw_costs(points, reports[0].cells), Path(options.plot))
    if len(reports) > 1 and not options.json:
        _print_table(reports, options.table)
        for line in digest_lines(found):
            print(line)
    else:
        for report, document in zip(reports, documents, strict=True):
            solved = report.cost is not None
            options.print_made(report, document, solved=solved, of=found)
    return options.strictly(exit_of(outcomes), (w for r in reports for w in r.warned))


def _stays_in_files(options: Options) -> bool:
    """Tell whether an engine counts the table; a note says so where it was not named.

    Of its own accord that is for what it takes.
    """
    free = options.engine == AUTO
    found = takes(options.engine, options.table, wishes_of(options))
    if not found or (free and not is_many(options.table) and beyond(options)):
        return False
    if free:
        note_counted(options.table, DUCKDB)
    return True


def _write_hierarchies(options: Options, selected: Selected) -> dict[Path, str]:
    """Write the hierarchies of all columns; return their files and their sources.

    A file of another hierarchy may have been edited: it is not written over.
    """
    known = selected.hierarchies
    made = files_of(Path(options.write_hierarchies or ""), selected.table, known)
    with guarded_outputs(Paths(written=[(path, HIERARCHY) for path in made])):
        for path, data in made.items():
            if path.is_file() and files.read_bytes(path) != data:
                raise AtleastkError(
                    f"{path}: holds another hierarchy than would be written; give "
                    "--write-hierarchies another folder, or delete the file (to use "
                    f"it, give --hierarchies {path.parent})"
                )
        for path, data in made.items():
            write_bytes(path, data)
    if options.k is None:
        for note in (note for one in known.values() for note in one.notes):
            print(f"atleastk: {note}", file=sys.stderr)
    return dict(zip(made, (one.source for one in known.values()), strict=True))


def _print_hierarchies(options: Options, sources: Mapping[Path, str]) -> None:
    if options.json:
        print(json.dumps({str(path): source for path, source in sources.items()}))
        return
    for path, source in sources.items():
        print(visible(f"{path}: {source}"))


def _write(made: Anonymized, path: Path) -> None:
    assert isinstance(made.frame, FileFrame)  # the table was read from a file
    write_frame(made.frame, path)


def _print_table(reports: Sequence[Report], title: str) -> None:
    rows = [*map(_row, reports)]
    print_table([*rows[0]], [[*row.values()] for row in rows], title=title)


def _row(report: Report) -> dict[str, object]:
    """Return the figures of a report by their headings, the same for every k."""
    counted = report if report.weighting is None else report.weighting
    found: dict[str, object] = {"k>": report.k, "status": report.status.lower()}
    if report.generality is not None:
        cells: tuple[object, ...] = _levels(report.generality)
        found |= zip(("levels", "keeps>", "rows off>"), cells, strict=True)
    else:
        share = None if report.suppressed is None else report.share
        found["suppressed>"] = "-" if share is None else report.suppressed
        found["share>"] = "-" if share is None else f"{share:.2%}"
    if (measure := _measure(report)) is not None:
        found[f"{measure}>"] = _shown(counted.cost)
    found["at least>"] = _shown(counted.bound)
    found["gap>"] = "-" if report.gap is None else f"{report.gap:.2%}"
    if report.ambiguous:  # the risk by equal rows, which k does not limit
        risk = report.risk
        found["risk>"] = "-" if risk is None else f"{risk.after.highest:.2%}"
    return found | {"s>": f"{report.seconds:.2f}"}


def _measure(report: Report) -> str | None:
    """Return the name of what was minimised, unless that was the suppressed cells."""
    if report.weighting is not None:
        return "cost"
    if report.generality is not None:
        loss = report.generality.loss
        return "cost" if loss == "precision" else loss  # more precision is better
    if report.quantities is None or report.quantities.minimise == "entries":
        return None
    minimised = report.quantities.minimise
    return in_words(minimised) if minimised in QUANTITIES else "cost"


def _levels(made: Generality) -> tuple[object, ...]:
    """Return the levels above 0, the precision kept, and the rows suppressed."""
    if made.precision is None:
        return ("-", "-", "-")
    levels = {name: made.level(name) for name in made.cells}
    above = ", ".join(f"{name} {level:.3g}" for name, level in levels.items() if level)
    return above or "none", f"{made.precision:.2%}", made.suppressed_rows


def _shown(cost: float | None) -> str:
    return "-" if cost is None else f"{cost:.15g}"


def _asked(options: Options, request: Request) -> tuple[int | None, ...]:
    """Return every k to solve for; None for the largest possible one."""
    if options.k is None and not (request.maximises_k or request.k_map):
        raise AtleastkError("anonymize needs -k, how many rows have to look alike")
    if options.k is None or len(options.k) == 1:
        return options.k or (None,)
    if request.maximises_k:
        raise AtleastkError("a maximised k takes one -k, the least that is accepted")
    if options.plot and (
        request.generalises
        or request.weighs
        or request.minimise not in (None, "entries")
    ):
        raise AtleastkError(
            "--plot of several k draws suppressed cells only: leave it out"
        )
    return options.k


def _check(selection: Selection, request: Request, options: Options) -> Exit:
    request.k = None if options.k is None else options.k[0]
    growth = None
    if options.earlier is not None:
        growth = Growth.of(selection, read_table(options.earlier), request)
    made = checked_as_it_is(
        selection,
        request,
        wildcard=options.wildcard,
        growth=growth,
        table=options.table,
        files=(*options.filed(), *filed("earlier", options.earlier)),
    )
    write_report(options.report, made.to_html, [made.to_dict()])
    print(json.dumps(made.to_dict()) if options.json else made)
    return options.strictly(Exit(OK if made.holds else NO), made.warned)


def _expect_sense(options: Options) -> None:
    """Refuse contradictory options and file names before the work."""
    if options.check:
        why = "--check writes nothing but a report"
        others = ("plot", "write_hierarchies", "save_recipe")
        expect_none(options, why, (*_WRITTEN, *others))
        why = "--check only reports how anonymous a table is"
        expect_none(options, why, unchecked())
    elif options.earlier is not None:
        raise AtleastkError(
            "--earlier goes with --check only: publish, then check both together"
        )
    elif options.wildcard:
        raise AtleastkError(
            "--wildcard goes with --check only: it says how a table is read; a table "
            "of rows that match is made by --ambiguous"
        )
    if options.k is not None and len(options.k) > 1:
        if options.check:
            raise AtleastkError("--check takes one k")
        expect_none(options, "several k give several tables", (*_WRITTEN, "start"))
        expect_lines(options.report, "reports")
    path = options.save_recipe
    is_there = path is not None and Path(path).is_file()
    if path and is_there and files.read_text(path) != _recipe_of(options, path):
        raise AtleastkError(
            f"{path}: holds something else than would be written; give "
            "--save-recipe another name, or delete the file"
        )
