"""What the commands for tables and maps share: files and reports."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, Final, TypeVar

from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import Options, given_of, option
from atleastk.cli.outputs import (
    GROUPS,
    JSON,
    beside,
    is_json,
    picture,
    write_report,
    write_results,
)
from atleastk.cli.readers import delimiter, encoding, level
from atleastk.cli.shared_options import Reading, Running
from atleastk.doors.anonymizing.engines import AUTO, MEMORY, engine_named, is_many
from atleastk.doors.made import MadeOfGroups
from atleastk.frames.csv_frame import TextFrame
from atleastk.frames.frame import Frame
from atleastk.frames.open_frame import FileFrame, read_frame, write_with
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files import files
from atleastk.instances.files.digest import Filed, digest_lines
from atleastk.instances.files.paths import plain_name
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.plots.drawing import save
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import Outcome
from atleastk.solvers.budget import bytes_of

R = TypeVar("R")

HOW_TO_READ: Final = ("delimiter", "encoding", "sheet", "header")
"""Options that say how a table is read."""

OF_ONE_FILE: Final = ("encoding", "sheet", "header")
"""Those of them that no engine takes."""

FILES: Final = (
    ".csv, .tsv (or .gz, .bz2, .zip of them), .xlsx, .parquet, .arrow, .feather, "
    ".sav, .zsav, .por (SPSS), .dta (Stata), .sas7bdat or .xpt (SAS)"
)
"""The files of a table."""

_LARGE: Final = ("large tables", "left in their files and counted there")

SOURCES: Final = f"{FILES}; or a folder or a 'pattern' of CSV or Parquet files"
"""The same, and those of tables that stay in their files."""

_ASIDE: Final = ("report", "plot", "result", "instance")
"""Options of what is written beside."""


@dataclass(frozen=True, kw_only=True)
class TableReading(Reading):
    """Options of the commands that read a table."""

    table: str = option("TABLE", FILES, reads="the original table")
    delimiter: str | None = option(
        "--delimiter C",
        "character between cells (default: by the name and the first line)",
        delimiter,
    )

    encoding: str | None = option(
        "--encoding NAME",
        "of the texts of a file, such as cp1252 (default: by its bytes)",
        encoding,
    )
    sheet: str | None = option(
        "--sheet NAME", "of an Excel file, by name or number (default: first)"
    )

    header: int | None = option(
        "--header N",
        "the line, or the row of a sheet, that names the columns, below titles "
        "(default: the first)",
        level,
    )

    @property
    def reading(self) -> list[str]:
        """The words that said how to read it."""
        how = {name: getattr(self, name) for name in HOW_TO_READ}
        return [w for n, value in how.items() if value for w in (f"--{n}", str(value))]

    def frame(self) -> FileFrame:
        """Read the table; print its note, if there is one."""
        return read_table(
            self.table, self.delimiter, self.encoding, self.sheet, self.header
        )


@dataclass(frozen=True, kw_only=True)
class Large(Options):
    """Options of the commands for tables that may stay in their files."""

    engine: str = option(
        "--engine NAME",
        "what counts TABLE: memory reads it whole; duckdb leaves it in its files, CSV "
        "or Parquet; dask://HOST:PORT does so on several machines, and needs --counts; "
        "auto takes duckdb for folders, patterns and large files (default)",
        engine_named,
        heading=_LARGE,
        default=AUTO,
    )
    memory: float | None = option(
        "--memory SIZE",
        "of the process with duckdb, as 8GB or 500MB (default: half of what it may "
        "take)",
        bytes_of,
        heading=_LARGE,
    )
    scratch: str | None = option(
        "--scratch DIR",
        "where duckdb puts what has no room in memory (default: the system's folder)",
        heading=_LARGE,
    )
    counts: str | None = option(
        "--counts DIR",
        "keep the counts of files there: a later run counts only what is new; of "
        "several machines a folder that all of them see",
        heading=_LARGE,
    )

    def note_idle(self, table: str) -> None:
        """Say of a table in memory that options of an engine have no effect."""
        for flag in given_of(self, ("memory", "scratch", "counts"))[:1]:
            why = f"{flag} is for tables that stay in their files, and has no effect"
            print(f"atleastk: {table}: read into memory: {why}", file=sys.stderr)


def note_counted(table: str, engine: str, *, asked: bool = False) -> None:
    """Say that an engine counts a table, and unless it was asked for what else may."""
    end = "" if asked else or_whole(table)
    print(f"atleastk: {table}: counted by {engine}{end}", file=sys.stderr)


def or_whole(table: str) -> str:
    """Return the end of a line that tells of an engine: one file may be read whole."""
    return "" if is_many(table) else f"; --engine {MEMORY} reads it whole"


@dataclass(frozen=True, kw_only=True)
class Making(Running):
    """Options of the commands for tables and maps."""

    output: str | None
    result: str | None = option(
        "--result FILE", "write the result, as solve -o does", writes=JSON
    )
    instance: str | None = option(
        "--instance FILE", "write what was solved, as solve takes it", writes=JSON
    )
    plot: str | None = option(
        "--plot FILE",
        "draw what was found",
        writes=lambda options: picture(options.plot),
    )

    @property
    def outputs(self) -> list[str]:
        return [self.output] if self.output else []

    def write(
        self, instance: Instance, result: Result, write: Callable[[Path], object]
    ) -> None:
        """Write what was made, if there is a solution, and the instance and result."""
        made = None if result.solution is None else self.output
        if made:
            write(Path(made))
        with beside(made):
            if self.result:
                write_results(self.result, [result])
            if self.instance:
                files.write(self.instance, instance.to_dict())

    def draw(self, instance: Instance, result: Result, **how: Any) -> None:
        """Draw the result, if a picture is asked for, as its problem is drawn."""
        if self.plot and result.solution is not None:
            with beside(self.output):
                drawn = problem_of(instance).draw(instance, result, **how)
                save(drawn, Path(self.plot))

    def shows_groups(self, path: str) -> bool:
        """Return whether a file has nothing to show unless something is found."""
        return path == self.plot

    def print_made(
        self,
        report: object,
        to_dict: Callable[[], Mapping[str, Any]],
        *,
        solved: bool,
        of: Sequence[Filed] = (),
    ) -> None:
        """Print the report on what was made, in words or as a JSON object.

        It ends with the SHA-256 of the files that it is `of`.
        """
        if self.json:
            print(json.dumps(to_dict(), default=str), flush=True)
            return
        print(report)
        aside = [path for o in _ASIDE if (path := getattr(self, o, None))]
        void = [] if solved else [path for path in aside if self.shows_groups(path)]
        there = [path for path in aside if path not in void]
        written = ", ".join([*(self.outputs if solved else []), *there])
        lost = "" if solved else ", ".join([*self.outputs, *void])
        if written or lost:
            but = f", but not {lost}" if written and lost else ""
            print(f"  written     {written or 'nothing'}{but}", flush=True)
        for line in digest_lines(of):
            print(line, flush=True)


@dataclass(frozen=True, kw_only=True)
class TableMaking(TableReading, Making):
    """Options of the commands that make something of a table."""


@dataclass(frozen=True, kw_only=True)
class Grouping(Making):
    """Options of the commands that report on groups, one by one."""

    report: str | None = option(
        "--report FILE",
        "write a page of the groups: .html, the table of these: .csv, or .json",
        writes=GROUPS,
    )

    def shows_groups(self, path: str) -> bool:
        shown = path == self.report and not is_json(path)
        return shown or super().shows_groups(path)

    def write_report(
        self, made: MadeOfGroups, source: str, page: Callable[[str], str] | None = None
    ) -> None:
        """Write the report, by its name: a page or table if there are groups."""
        path = self.report
        if path is None or (made.result.solution is None and self.shows_groups(path)):
            return
        with beside(None if made.result.solution is None else self.output):
            if not plain_name(path).lower().endswith(".csv"):
                write = page or made.to_html
                name = Path(source).name
                write_report(path, lambda: write(name), [made.to_dict()])
                return
            headings, rows = made.by_group
            names = [heading.removesuffix(">") for heading in headings]
            TextFrame.of(names, [[*map(str, row)] for row in rows]).write(Path(path))


def read_table(path: str, *how: Any) -> FileFrame:
    """Read the table of a file, see `read_frame`; print its note, if there is one.

    Raises InvalidInstanceError if it has no rows: anything would hold of it.
    """
    from atleastk.cli.progress import reading  # heavy, for those who wait

    with reading(path):
        frame = read_frame(Path(path), *how)
    if frame.note is not None:
        print(f"atleastk: {path}: {frame.note}", file=sys.stderr)
    if not frame.n:
        raise InvalidInstanceError(
            f"{path}: the table has names of columns, but no row"
        )
    return frame


def rows_of(frame: Frame) -> Iterator[list[Any]]:
    """Give the cells of a table, row by row."""
    columns = [frame.column(name) for name in frame.names]
    cells = [map(each.values.__getitem__, each.codes.tolist()) for each in columns]
    return map(list, zip(*cells, strict=True))


def read_lists(path: str | None) -> list[list[Any]]:
    """Return the cells of a file of lists, one a row below its headings."""
    return [] if path is None else list(rows_of(read_frame(Path(path))))


def with_numbers(
    options: TableMaking, frame: FileFrame, column: str
) -> Callable[[Path, Sequence[int] | None], None]:
    """Return what writes a table with a column of numbers, such as of groups.

    Raises InvalidInstanceError if it is to be written and has a column of that name
    already.
    """
    if options.output and column in frame.names:
        raise InvalidInstanceError(
            f'{options.table}: there is a column "{column}" already; rename it'
        )

    def write(path: Path, numbers: Sequence[int] | None) -> None:
        write_with(frame, {column: numbers or (0,) * frame.n}, path)

    return write


def as_request(kind: Callable[..., R], options: Running, **read: Any) -> R:
    """Return the request that options of the same names make; some are `read` first."""
    named = {name: getattr(options, name) for name in signature(kind).parameters}
    return kind(**named | read)


def exit_of(outcomes: Sequence[Outcome]) -> Exit:
    """Return how a command ends after these searches."""
    code = OK if all(o.result.solution is not None for o in outcomes) else NO
    signalled = outcomes[-1].signalled
    if signalled is not None:
        code = 128 + signalled
    return Exit(code, any(outcome.abandoned for outcome in outcomes))
