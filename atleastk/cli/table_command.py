"""What the doors for tables and maps share: they read, make, write, print and draw."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON, picture, write_results
from atleastk.cli.paths import Kind, Paths
from atleastk.cli.readers import delimiter, encoding
from atleastk.cli.shared_options import Running
from atleastk.frames.open_frame import FileFrame, read_frame
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.plots.drawing import save
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import Outcome


@dataclass(frozen=True, kw_only=True)
class Making(Running):
    """What the doors for tables and maps are asked, each of them."""

    output: str | None
    plot: str | None = option("--plot FILE", "draw what was found")
    result: str | None = option("--result FILE", "write the result, as solve -o does")
    instance: str | None = option(
        "--instance FILE", "write what was solved, as solve takes it"
    )

    def _paths(self, kind: Kind, *read: tuple[str, str | Path | None]) -> Paths:
        """Return what is read, and what is written if the output is of this kind."""
        return Paths(
            read,
            [
                (self.output, kind),
                (self.result, JSON),
                (self.instance, JSON),
                (self.plot, picture(self.plot)),
            ],
        )

    @property
    def outputs(self) -> list[str]:
        """What was made is written to these."""
        return [self.output] if self.output else []

    def write(
        self, instance: Instance, result: Result, write: Callable[[Path], object]
    ) -> None:
        """Write what was made, if anything was, and what it comes from."""
        if self.output and result.solution is not None:
            write(Path(self.output))
        if self.result:
            write_results(self.result, [result])
        if self.instance:
            files.write(self.instance, instance.to_dict())

    def draw(self, instance: Instance, result: Result, **how: Any) -> None:
        """Draw what was found, if that is asked for, in the way of its problem."""
        if self.plot:
            save(problem_of(instance).draw(instance, result, **how), Path(self.plot))

    def tell(self, shown: object, document: Mapping[str, Any], *, solved: bool) -> None:
        """Print what was made, in words or as a JSON object."""
        if self.json:
            print(json.dumps(document, default=str), flush=True)
            return
        print(shown)
        if self.outputs:
            written = ", ".join(self.outputs) if solved else "nothing"
            print(f"  written     {written}", flush=True)


@dataclass(frozen=True, kw_only=True)
class TableMaking(Making):
    """What those for tables are asked."""

    table: str = option(
        "TABLE",
        ".csv, .tsv (or .gz, .bz2, .zip of them), .xlsx, .parquet, .arrow, .feather, "
        ".sav, .zsav, .por (SPSS), .dta (Stata), .sas7bdat or .xpt (SAS)",
    )
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
        "--sheet NAME",
        "of an Excel file, by its name or its number (default: the first that holds "
        "something, if it looks like a table)",
    )

    def frame(self) -> FileFrame:
        """Read the table; print its note, if there is one."""
        return read_table(self.table, self.delimiter, self.encoding, self.sheet)


def read_table(path: str, *how: str | None) -> FileFrame:
    """Read the table of a file, see `read_frame`; print its note, if there is one.

    Raises
    ------
    InvalidInstanceError
        If it has no rows: nothing could be said of it but what holds of anything.
    """
    frame = read_frame(Path(path), *how)
    if frame.note is not None:
        print(f"atleastk: {path}: {frame.note}", file=sys.stderr)
    if not frame.n:
        raise InvalidInstanceError(
            f"{path}: the table has names of columns, but no row"
        )
    return frame


def ended(outcomes: Sequence[Outcome]) -> Exit:
    """Return how a command ends whose searches ended like this."""
    code = OK if all(o.result.solution is not None for o in outcomes) else NO
    signalled = outcomes[-1].signalled
    if signalled is not None:
        code = 128 + signalled
    return Exit(code, any(outcome.abandoned for outcome in outcomes))
