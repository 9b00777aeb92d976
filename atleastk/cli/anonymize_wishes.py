"""What ``atleastk anonymize`` can be asked beyond k: limits and hierarchies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.anonymizing.report_limits import WORDS
from atleastk.anonymizing.request import Request, rows_in_order
from atleastk.cli.options import Options, option
from atleastk.cli.readers import classes, count, names
from atleastk.frames.frame import Frame, Name
from atleastk.instances.errors import AtleastkError, UnknownNameError
from atleastk.instances.generalization import LOSSES

__all__ = ["MINIMISED", "Wishes", "hierarchy_files", "request_of"]

MINIMISED: Final = {
    **{word.replace(" ", "-"): quantity for quantity, word in WORDS.items()},
    "k": "k",
    "nothing": "none",
}
"""What to minimise by its word; k is maximised."""


@dataclass(frozen=True, kw_only=True)
class _Limits(Options):
    """What may be asked of suppression."""

    heading: ClassVar = (
        "limits",
        "what may be suppressed at most; nothing else is suppressed",
    )

    max_rows: int | None = option("--max-rows N", "rows with a suppressed cell", count)
    max_columns: int | None = option(
        "--max-columns N",
        "columns with a suppressed cell; of rows and columns, the union",
        count,
    )
    max_entries: int | None = option("--max-cells N", "suppressed cells in all", count)
    max_per_row: int | None = option(
        "--max-per-row N", "suppressed cells in a row", count
    )
    max_per_column: int | None = option(
        "--max-per-column N", "suppressed cells in a column", count
    )
    intact: Sequence[str] | None = option(
        "--intact NAMES", "columns of which nothing is suppressed", names
    )
    importance: Sequence[Sequence[str]] | None = option(
        "--importance CLASSES",
        "of columns, as in 'age > zip,sex': no more suppressed than in the next",
        classes,
    )
    row_importance: str | None = option(
        "--row-importance NAME",
        "of rows: a column of numbers, 1 first; or 'NAME: high > low'",
    )
    minimise: str | None = option(
        "--minimise WHAT",
        f"{', '.join(MINIMISED)} (default: cells)",
        choices=sorted(MINIMISED),
    )
    deletion: bool = option(
        "--delete",
        "suppress limited (or minimised) rows and columns as a whole only",
    )
    problem: str | None = option(
        "--problem NAME",
        "of [Chaytor06], as r-MIN-c-DEL, in place of --minimise and --delete",
    )


@dataclass(frozen=True, kw_only=True)
class _Hierarchies(Options):
    """What generalisation takes."""

    heading: ClassVar = (
        "hierarchies",
        "generalise cells; columns without a hierarchy are suppressed",
    )

    hierarchy: Sequence[str] = option(
        "--hierarchy NAME=FILE",
        "a column's hierarchy: lines like 34;30-39;*",
        action="append",
        default=[],
    )
    hierarchies: str | None = option(
        "--hierarchies DIR",
        "of all columns for which DIR has NAME.csv (or *_NAME.csv)",
    )
    on: str | None = option(
        "--on",
        "one level per column (default), or per cell",
        choices=("attributes", "entries"),
    )
    loss: str | None = option(
        "--loss", "what to minimise (default: height)", choices=LOSSES
    )


@dataclass(frozen=True, kw_only=True)
class Wishes(_Limits, _Hierarchies):
    """What can be asked of a table beyond k."""

    ambiguous: bool = option(
        "--ambiguous",
        "let suppressed cells match anything: rows match, and need not be equal",
    )


def request_of(options: Wishes, frame: Frame, columns: tuple[Name, ...]) -> Request:
    """Return what is asked of these columns, for no k yet."""
    limits = {
        "rows": options.max_rows,
        "columns": options.max_columns,
        "entries": options.max_entries,
        "per_row": options.max_per_row,
        "per_column": options.max_per_column,
    }
    row_order = options.row_importance
    return Request(
        columns=columns,
        limits={q: most for q, most in limits.items() if most is not None} or None,
        intact=options.intact,
        column_order=options.importance,
        row_order=None if row_order is None else _row_order(frame, row_order),
        minimise=None if options.minimise is None else MINIMISED[options.minimise],
        deletion=options.deletion,
        problem=options.problem,
        hierarchies=_hierarchies(options, columns) or None,
        on=options.on,
        loss=options.loss,
        ambiguous=options.ambiguous,
    )


def hierarchy_files(options: Wishes) -> list[Path]:
    """Return all files that may be read for hierarchies, before columns are known."""
    named = [
        Path("=".join(words[i:]))
        for text in options.hierarchy
        for words in [text.split("=")]
        for i in range(1, len(words))
    ]
    beside = (
        [] if options.hierarchies is None else Path(options.hierarchies).glob("*.csv")
    )
    return [*named, *sorted(beside)]


def _row_order(frame: Frame, text: str) -> Sequence[Sequence[int]]:
    """Read ``NAME`` or ``NAME: high > low``."""
    name, colon, values = text.partition(":")
    if text in frame.names or not colon:
        return rows_in_order(frame, text)
    return rows_in_order(frame, {name.strip(): classes(values)})


def _hierarchies(options: Wishes, columns: tuple[Name, ...]) -> dict[Name, Any]:
    """Return the files of hierarchies by column; those named go before those found."""
    found: dict[Name, Any] = {}
    for text in options.hierarchy:
        known = [str(name) for name in columns if text.startswith(f"{name}=")]
        name = max(known, key=len, default=text.partition("=")[0])
        file = text.removeprefix(f"{name}=")
        if file == text or not file:
            message = f"--hierarchy {text}: expected NAME=FILE"
            raise AtleastkError(message)
        if name in found:
            message = f'--hierarchy: "{name}" twice'
            raise AtleastkError(message)
        found[name] = file
    if options.hierarchies is None:
        return found
    folder = Path(options.hierarchies)
    if not folder.is_dir():
        message = f"{folder}: no such directory"
        raise AtleastkError(message)
    beside = {name: path for name in columns if (path := _file_of(folder, str(name)))}
    if not beside:
        message = f"{folder}: has no NAME.csv of a column to anonymise"
        raise UnknownNameError(message)
    return {**beside, **found}


def _file_of(folder: Path, name: str) -> Path | None:
    """Return the file of a column's hierarchy in a folder, if it has one."""
    plain = folder / f"{name}.csv"
    if plain.is_file():
        return plain
    # As ARX's own are called: adult_hierarchy_age.csv.
    ends = sorted(p for p in folder.glob("*.csv") if p.stem.endswith(f"_{name}"))
    if len(ends) > 1:
        message = f"{folder}: {ends[0].name} and {ends[1].name} are both of {name}"
        raise AtleastkError(message)
    return ends[0] if ends else None
