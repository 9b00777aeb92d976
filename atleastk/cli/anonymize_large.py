"""``atleastk anonymize`` of a table that stays in its files."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, cast

from atleastk.cli.anonymize_wishes import Options, request_of, wish_options
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import expect_none, given_of
from atleastk.cli.outputs import beside, is_json
from atleastk.cli.table_command import OF_ONE_FILE, exit_of
from atleastk.doors.anonymizing.engines import (
    MEMORY,
    is_cluster,
    is_many,
    opened,
)
from atleastk.doors.anonymizing.release import counted_for, release
from atleastk.doors.anonymizing.report.unchanged import singling_out_elsewhere
from atleastk.doors.anonymizing.request import RISK, SENSITIVE
from atleastk.frames.duckdb_source import DUCKDB, DuckSource, as_it_is
from atleastk.frames.frame import Frame
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.fields.visible import visible
from atleastk.instances.files import files
from atleastk.instances.files.digest import digest_lines, digest_object, parts_of
from atleastk.solvers.budget import bytes_of

_NOT_YET: Final = (
    *("plot", "population", "write_hierarchies", "wildcard", "shuffle", "row_risk"),
    *("start", "earlier", *OF_ONE_FILE),
)
"""Options of tables in memory."""


def beyond(options: Options) -> bool:
    """Tell whether options are of tables in memory, so that no engine takes them."""
    page = bool(options.report) and not is_json(options.report or "")
    tables = not options.check and len(options.k or ()) != 1
    return page or tables or bool(given_of(options, _in_memory(options)))


def _in_memory(options: Options) -> list[str]:
    wishes = wish_options(SENSITIVE, *([RISK] if options.check else []))
    return [*_NOT_YET, "row_weight", *wishes]


def run_large(options: Options) -> Exit:
    """Anonymise or check a table that duckdb counts."""
    ask = options.ask()
    engine = options.engine if is_cluster(options.engine) else DUCKDB
    remedy = f"see --engine {MEMORY}"
    if is_many(options.table):
        remedy = "it needs a table of one file"
    why = (
        f"--engine {engine} suppresses cells or counts levels of columns, and does "
        f"not take this ({remedy})"
    )
    expect_none(options, why, _in_memory(options))
    if options.report and not is_json(options.report):
        raise AtleastkError(f"{options.report}: {why}: a report is JSON here")
    if not options.check and len(options.k or ()) != 1:
        raise AtleastkError(f"--engine {engine} takes one -k")
    memory = options.memory or bytes_of(None)
    where = options.scratch, options.delimiter, engine, options.counts
    with opened(options.table, memory, options.workers, *where) as source:
        source = options.kept(source)
        request = request_of(options, cast(Frame, source))  # it is asked for names only
        options, source = options.naming(source, request)
        if options.check:
            return _check(counted_for(source, request, ask), options)
        request.k = (options.k or (None,))[0]
        output = None if options.output is None else Path(options.output)
        with options.watching(ask, options.table) as watched:
            made, outcome = release(source, request, watched, output, memory)
    options.write(made.instance, made.result, lambda _: None)  # the table is there
    solved = made.report.cost is not None
    found = options.filed(solved=solved)
    parts = parts_of("published", output) if options.report and output else ()
    document = options.document(made.report.to_dict(), (*found, *parts))
    if options.report:
        with beside(options.output if solved else None):
            files.write_lines(options.report, [document])
    options.print_made(made.report, document, solved=solved, of=found)
    return options.strictly(exit_of([outcome]), made.report.warned)


def _check(source: DuckSource, options: Options) -> Exit:
    asked = None if options.k is None else options.k[0]
    found = as_it_is(source, asked or 1)
    holds, names = asked is None or not found.below, list(map(str, source.chosen))
    apart = singling_out_elsewhere(source)
    document: dict[str, Any] = {
        "k": found.smallest,
        "asked": asked,
        "holds": holds,
        "columns": names,
        **asdict(found),
        **apart.to_dict(),
        "files": digest_object(options.filed()),
    }
    if options.report:
        files.write_lines(options.report, [document])
    ended = options.strictly(Exit(OK if holds else NO), apart.warnings)
    if options.json:
        print(json.dumps(document))
        return ended
    print(
        f"{options.table}: {found.rows} rows, {found.classes} classes of "
        f"{found.smallest} to {found.largest} equal rows, median {found.median:g}"
    )
    print(visible(f"  columns     {', '.join(names)}"))
    print(f"  counted     by {source.counted_by}")
    for line in apart.lines():
        print(visible(line))
    for line in digest_lines(options.filed()):
        print(line)
    if asked is not None:
        few = f": {found.below} rows are in smaller classes"
        no = "" if holds else "not "
        print(f"  {no}{asked}-anonymous{'' if holds else few}")
    return ended
