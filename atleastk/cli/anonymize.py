"""``atleastk anonymize``: a table in which every row has k - 1 equals."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from atleastk.cli.anonymize_wishes import (
    Options,
    calling_options,
    every_wish,
    request_of,
    unchecked,
    wish_options,
    wishes_of,
)
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import Paths, expect_none, given_of
from atleastk.cli.outputs import (
    HIERARCHY,
    beside,
    expect_lines,
    guarded_outputs,
    is_json,
    read_result,
    write_report,
)
from atleastk.cli.print_table import print_table
from atleastk.cli.recipe import recipe_text
from atleastk.cli.table_command import OF_ONE_FILE, exit_of, note_counted, read_table
from atleastk.doors.anonymizing.anonymize import anonymize_selected
from atleastk.doors.anonymizing.averaged import averaged
from atleastk.doors.anonymizing.checking import checked_as_it_is, checked_elsewhere
from atleastk.doors.anonymizing.engines import (
    AUTO,
    MEMORY,
    is_cluster,
    is_many,
    opened,
    takes,
)
from atleastk.doors.anonymizing.growth import Growth
from atleastk.doors.anonymizing.hierarchies import files_of
from atleastk.doors.anonymizing.release import release
from atleastk.doors.anonymizing.report.checked import Checked, CheckedElsewhere
from atleastk.doors.anonymizing.report.report import Report
from atleastk.doors.anonymizing.request import SENSITIVE, Request
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.csv_frame import TextFrame
from atleastk.frames.duckdb_source import DUCKDB
from atleastk.frames.frame import Frame, Selection
from atleastk.frames.open_frame import FileFrame, write_frame
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.fields.visible import visible
from atleastk.instances.files import files
from atleastk.instances.files.digest import Filed, digest_lines, filed, parts_of
from atleastk.instances.files.writing import write_bytes
from atleastk.instances.suppression_names import QUANTITIES, in_words
from atleastk.models.wording import Warned
from atleastk.plots.costs import CostPoint, draw_costs
from atleastk.plots.drawing import save
from atleastk.runs.solving import Outcome
from atleastk.solvers.budget import bytes_of

_WRITTEN: Final = ("output", "result", "instance", "row_risk")
"""Outputs of one table or its solution, for which there must be one k."""

_OUTPUTS: Final = (*_WRITTEN, "plot", "report")

_OF_CLASSES: Final = (
    *("population", "write_hierarchies", "wildcard", "earlier", "plot", "row_risk"),
    "start",
)
"""Options that say nothing of means, besides all wishes."""

_IN_MEMORY: Final = (
    *("plot", "population", "write_hierarchies", "wildcard", "shuffle", "row_risk"),
    *("start", *OF_ONE_FILE, "row_weight"),
)
"""Options of tables in memory, besides those on sensitive values."""


def run(options: Options) -> Exit:
    """Anonymise or check a table, and write down what was asked."""
    _expect_sense(options)
    with calling_options(options):
        if vars(options)["average"] and not options.check:
            ended = _averaged(options)
        elif _stays_in_files(options):
            ended = _elsewhere(options)
        else:
            ended = _in_memory(options)
    if options.save_recipe is not None:
        text = recipe_text(Options, options.asked, options.save_recipe)
        files.write_text(options.save_recipe, text)
    return ended


def _in_memory(options: Options) -> Exit:
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
    selected = Selected.of(frame, request, everybody, ask.budget)
    if options.write_hierarchies is not None:
        sources = _write_hierarchies(options, selected)
        if options.k is None and not any(getattr(options, o) for o in _OUTPUTS):
            lines = [visible(f"{path}: {of}") for path, of in sources.items()]
            if options.json:
                lines = [json.dumps({str(path): of for path, of in sources.items()})]
            for line in lines:
                print(line)
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
        options.write(made.instance, made.result, lambda path: _write(made.frame, path))
        if options.row_risk is not None and made.alike is not None:
            alike = enumerate(made.alike.tolist(), 1)
            rows = ([str(row), str(n), f"{1 / n:.6g}"] for row, n in alike)
            risks = TextFrame.of(["row", "alike", "risk"], rows)
            with beside(options.output):
                risks.write(Path(options.row_risk))
        options.draw(made.instance, made.result)
    elif options.plot:
        points = [CostPoint(r.k, r.cost, r.bound) for r in reports]
        save(draw_costs(points, reports[0].cells), Path(options.plot))
    told = [_Told(r, r.to_dict(), r.warned, r.cost is not None) for r in reports]
    return _reported(options, told, outcomes, made.to_html)


def _averaged(options: Options) -> Exit:
    """Publish every row with the means of its group of at least k rows."""
    why = "--average publishes means of k near rows or more, as they are"
    wishes = [n for n in every_wish() if n not in ("average", "shuffle")]
    expect_none(options, why, (*_OF_CLASSES, *wishes))
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
    options.write(made.instance, made.result, lambda path: _write(rows, path))
    report = f"{options.table}: {made.report()}"
    warned = () if made.losses is None else made.losses.singling_out.warnings
    told = _Told(report, made.to_dict(), warned, rows is not None)
    return _reported(options, [told], [outcome], made.to_html)


def _elsewhere(options: Options) -> Exit:
    """Anonymise or check a table that stays in its files, where an engine counts it."""
    ask = options.ask()
    engine = options.engine if is_cluster(options.engine) else DUCKDB
    if (reason := _beyond(options)) is not None:
        remedy = f"see --engine {MEMORY}"
        if is_many(options.table):
            remedy = "it needs a table of one file"
        raise AtleastkError(
            f"--engine {engine} suppresses cells or counts levels of columns, and does "
            f"not take this ({remedy}): {reason}"
        )
    memory = options.memory or bytes_of(None)
    where = options.scratch, options.delimiter, engine, options.counts
    with opened(options.table, memory, options.workers, *where) as source:
        source = options.kept(source)
        request = request_of(options, cast(Frame, source))  # it is asked for names only
        options, source = options.naming(source, request)
        request.k = (options.k or (None,))[0]
        if options.check:
            of = (*options.filed(), *filed("earlier", options.earlier))
            found = checked_elsewhere(source, request, ask, options.earlier, of)
            warned = found.singling_out.warnings
            return _told_of_check(options, found, None, warned)
        output = None if options.output is None else Path(options.output)
        with options.watching(ask, options.table) as watched:
            made, outcome = release(source, request, watched, output, memory)
    options.write(made.instance, made.result, lambda _: None)  # the table is there
    report = made.report
    solved = report.cost is not None
    parts = parts_of("published", output) if options.report and output else ()
    told = _Told(report, report.to_dict(), report.warned, solved)
    return _reported(options, [told], [outcome], None, parts)


def _beyond(options: Options) -> str | None:
    """Say which options no engine takes, since they are of tables in memory."""
    given = given_of(options, (*_IN_MEMORY, *wish_options(SENSITIVE)))
    if given:
        return f"leave out {', '.join(given)}"
    if options.report and not is_json(options.report):
        return f"{options.report}: a report is JSON here"
    if not options.check and len(options.k or ()) != 1:
        return "give one -k"
    return None


def _stays_in_files(options: Options) -> bool:
    """Tell whether an engine counts the table; a note says so where it was not named.

    Of its own accord that is for what it takes.
    """
    free = options.engine == AUTO
    found = takes(options.engine, options.table, wishes_of(options))
    if not found or (free and not is_many(options.table) and _beyond(options)):
        return False
    if free:
        note_counted(options.table, DUCKDB)
    return True


class _Told(NamedTuple):
    """The report on a table that was anonymised for one k."""

    report: object
    """This is what is printed."""
    document: Mapping[str, Any]
    """Its JSON object."""
    warned: Iterable[Warned]
    solved: bool


def _reported(
    options: Options,
    told: Sequence[_Told],
    outcomes: Sequence[Outcome],
    page: Callable[..., str] | None,
    parts: Sequence[Filed] = (),
) -> Exit:
    """Write and print reports; return how the command ends.

    Without a page they are written as JSON. `parts` are files of what is published, if
    that is a folder.
    """
    found = options.filed(solved=told[-1].solved)
    each = [one.document for one in told]
    documents = options.write_report(page, each, (*found, *parts))
    if len(told) > 1 and not options.json:
        rows = [_row(cast(Report, one.report)) for one in told]
        cells = [[*row.values()] for row in rows]
        print_table([*rows[0]], cells, title=options.table)
        for line in digest_lines(found):
            print(line)
    else:
        for one, document in zip(told, documents, strict=True):
            to_dict, solved = document.copy, one.solved
            options.print_made(one.report, to_dict, solved=solved, of=found)
    return options.strictly(exit_of(outcomes), (w for one in told for w in one.warned))


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


def _write(frame: Any, path: Path) -> None:
    assert isinstance(frame, FileFrame)  # the table was read from a file
    write_frame(frame, path)


def _row(report: Report) -> dict[str, object]:
    """Return the figures of a report by their headings, the same for every k."""
    counted = report if report.weighting is None else report.weighting
    found: dict[str, object] = {"k>": report.k, "status": report.status.lower()}
    made, risk = report.generality, report.risk
    if made is None:
        none = report.suppressed is None
        found["suppressed>"] = "-" if none else report.suppressed
        found["share>"] = "-" if none else f"{report.share:.2%}"
    else:
        levels = {name: made.level(name) for name in made.cells}
        above = ", ".join(f"{name} {x:.3g}" for name, x in levels.items() if x)
        none = made.precision is None
        found["levels"] = "-" if none else above or "none"
        found["keeps>"] = "-" if none else f"{made.precision:.2%}"
        found["rows off>"] = "-" if none else made.suppressed_rows
    if (measure := _measure(report)) is not None:
        found[f"{measure}>"] = _shown(counted.cost)
    found["at least>"] = _shown(counted.bound)
    found["gap>"] = "-" if report.gap is None else f"{report.gap:.2%}"
    if report.ambiguous:  # the risk by equal rows, which k does not limit
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


def _shown(cost: float | None) -> str:
    return "-" if cost is None else f"{cost:.15g}"


def _asked(options: Options, request: Request) -> tuple[int | None, ...]:
    if options.k is None and not (request.maximises_k or request.k_map):
        raise AtleastkError("anonymize needs -k, how many rows have to look alike")
    if options.k is None or len(options.k) == 1:
        return options.k or (None,)
    if request.maximises_k:
        raise AtleastkError("a maximised k takes one -k, the least that is accepted")
    cells = request.minimise in (None, "entries")
    if options.plot and (request.generalises or request.weighs or not cells):
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
    return _told_of_check(options, made, made.to_html, made.warned)


def _told_of_check(
    options: Options,
    made: Checked | CheckedElsewhere,
    page: Callable[[], str] | None,
    warned: Iterable[Warned],
) -> Exit:
    write_report(options.report, page, [made.to_dict()])
    print(json.dumps(made.to_dict()) if options.json else made)
    return options.strictly(Exit(OK if made.holds else NO), warned)


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
    if path is None or not Path(path).is_file():
        return
    if files.read_text(path) != recipe_text(Options, options.asked, path):
        raise AtleastkError(
            f"{path}: holds something else than would be written; give "
            "--save-recipe another name, or delete the file"
        )
