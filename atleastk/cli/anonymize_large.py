"""``atleastk anonymize`` of a table that stays in its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, cast

from atleastk.cli.anonymize_wishes import Options, request_of, wish_options
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import given_of
from atleastk.cli.outputs import beside, is_json
from atleastk.cli.table_command import OF_ONE_FILE, exit_of
from atleastk.doors.anonymizing.checked_elsewhere import CheckedElsewhere
from atleastk.doors.anonymizing.engines import MEMORY, is_cluster, is_many, opened
from atleastk.doors.anonymizing.release import release
from atleastk.doors.anonymizing.request import SENSITIVE, Request
from atleastk.frames.duckdb_source import DUCKDB, DuckSource
from atleastk.frames.frame import Frame
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files import files
from atleastk.instances.files.digest import filed, parts_of
from atleastk.runs.ask import Ask
from atleastk.solvers.budget import bytes_of

_NOT_YET: Final = (
    *("plot", "population", "write_hierarchies", "wildcard", "shuffle", "row_risk"),
    *("start", *OF_ONE_FILE),
)
"""Options of tables in memory."""


def beyond(options: Options) -> str | None:
    """Say which options no engine takes, since they are of tables in memory."""
    wishes = wish_options(SENSITIVE)
    given = given_of(options, (*_NOT_YET, "row_weight", *wishes))
    if given:
        return f"leave out {', '.join(given)}"
    if options.report and not is_json(options.report):
        return f"{options.report}: a report is JSON here"
    if not options.check and len(options.k or ()) != 1:
        return "give one -k"
    return None


def run_large(options: Options) -> Exit:
    """Anonymise or check a table that duckdb counts."""
    ask = options.ask()
    engine = options.engine if is_cluster(options.engine) else DUCKDB
    if (reason := beyond(options)) is not None:
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
            return _check(source, request, ask, options)
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


def _check(source: DuckSource, request: Request, ask: Ask, options: Options) -> Exit:
    of = (*options.filed(), *filed("earlier", options.earlier))
    made = CheckedElsewhere.of(source, request, ask, options.earlier, of)
    if options.report:
        files.write_lines(options.report, [made.to_dict()])
    print(json.dumps(made.to_dict()) if options.json else made)
    return options.strictly(Exit(OK if made.holds else NO), made.singling_out.warnings)
