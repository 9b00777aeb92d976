"""What the command line asks of an anonymised table beyond k."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.anonymizing.report_limits import WORDS
from atleastk.anonymizing.request import Wishes, rows_in_order
from atleastk.cli.options import Options, option
from atleastk.cli.readers import count
from atleastk.frames.frame import Frame, Name
from atleastk.instances.errors import AtleastkError, UnknownNameError
from atleastk.instances.generalization import LOSSES
from atleastk.instances.separated import rows_of

__all__ = [
    "Hierarchies",
    "Limits",
    "Words",
    "hierarchy_files",
    "listed",
    "wishes_of",
]

MINIMISED: Final = {
    **{word.replace(" ", "-"): quantity for quantity, word in WORDS.items()},
    "k": "k",
    "nothing": "none",
}
"""What to minimise by its word; k is maximised."""

_NEXT_CLASS: Final = re.compile(r'>(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""A ``>`` that is not between quotes."""


@dataclass(frozen=True, kw_only=True)
class Limits(Options):
    """What may be asked of suppression beyond k."""

    heading: ClassVar = (
        "limits",
        "what may be suppressed at most; nothing else is suppressed",
    )

    max_rows: int | None = option(
        "--max-rows", reader=count, metavar="N", help="rows with a suppressed cell"
    )
    max_columns: int | None = option(
        "--max-columns",
        reader=count,
        metavar="N",
        help="columns with a suppressed cell; of rows and columns, the union",
    )
    max_entries: int | None = option(
        "--max-cells", reader=count, metavar="N", help="suppressed cells in all"
    )
    max_per_row: int | None = option(
        "--max-per-row", reader=count, metavar="N", help="suppressed cells in a row"
    )
    max_per_column: int | None = option(
        "--max-per-column",
        reader=count,
        metavar="N",
        help="suppressed cells in a column",
    )
    intact: str | None = option(
        "--intact", metavar="NAMES", help="columns of which nothing is suppressed"
    )
    importance: str | None = option(
        "--importance",
        metavar="CLASSES",
        help="of columns, as in 'age > zip,sex': no more suppressed than in the next",
    )
    row_importance: str | None = option(
        "--row-importance",
        metavar="NAME",
        help="of rows: a column of numbers, 1 first; or 'NAME: high > low'",
    )
    minimise: str | None = option(
        "--minimise",
        metavar="WHAT",
        choices=sorted(MINIMISED),
        help=f"{', '.join(MINIMISED)} (default: cells)",
    )
    deletion: bool = option(
        "--delete",
        action="store_true",
        help="suppress limited (or minimised) rows and columns as a whole only",
    )
    problem: str | None = option(
        "--problem",
        metavar="NAME",
        help="of [Chaytor06], as r-MIN-c-DEL, in place of --minimise and --delete",
    )


@dataclass(frozen=True, kw_only=True)
class Hierarchies(Options):
    """What generalisation takes."""

    heading: ClassVar = (
        "hierarchies",
        "generalise cells; columns without a hierarchy are suppressed",
    )

    hierarchy: Sequence[str] = option(
        "--hierarchy",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a column's hierarchy: lines like 34;30-39;*",
    )
    hierarchies: str | None = option(
        "--hierarchies",
        metavar="DIR",
        help="of all columns for which DIR has NAME.csv (or *_NAME.csv)",
    )
    on: str | None = option(
        "--on",
        choices=("attributes", "entries"),
        help="one level per column (default), or per cell",
    )
    loss: str | None = option(
        "--loss", choices=LOSSES, help="what to minimise (default: height)"
    )


@dataclass(frozen=True, kw_only=True)
class Words(Limits, Hierarchies):
    """What is asked of a table beyond k."""

    ambiguous: bool = option(
        "--ambiguous",
        action="store_true",
        help="let suppressed cells match anything: rows match, and need not be equal",
    )


def wishes_of(options: Words, frame: Frame, names: tuple[Name, ...]) -> Wishes:
    """Return what is asked for; `names` are the columns to anonymise."""
    limits = {quantity: getattr(options, f"max_{quantity}") for quantity in WORDS}
    given = {q: limit for q, limit in limits.items() if limit is not None}
    return Wishes(
        limits=given or None,
        intact=None if options.intact is None else listed(options.intact),
        column_order=None
        if options.importance is None
        else _classes(options.importance),
        row_order=None
        if options.row_importance is None
        else _row_order(frame, options.row_importance),
        minimise=None if options.minimise is None else MINIMISED[options.minimise],
        deletion=options.deletion,
        problem=options.problem,
        hierarchies=_hierarchies(options, names) or None,
        on=options.on,
        loss=options.loss,
        ambiguous=options.ambiguous,
    )


def hierarchy_files(options: Words) -> list[Path]:
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


def listed(text: str) -> list[str]:
    """Read ``age,zip``; a name with a comma in it goes in double quotes."""
    rows = rows_of(text, f"names {text!r}", trimmed=True)
    if len(rows) > 1:
        message = f"names {text!r}: expected one line"
        raise AtleastkError(message)
    return rows[0][1] if rows else []


def _classes(text: str) -> list[list[str]]:
    """Read ``age > zip,sex``."""
    return [listed(members.strip()) for members in _NEXT_CLASS.split(text)]


def _row_order(frame: Frame, text: str) -> Sequence[Sequence[int]]:
    """Read ``NAME`` or ``NAME: high > low``."""
    name, colon, values = text.partition(":")
    if text in frame.names or not colon:
        return rows_in_order(frame, text)
    return rows_in_order(frame, {name.strip(): _classes(values)})


def _hierarchies(options: Words, names: tuple[Name, ...]) -> dict[Name, Any]:
    """Return the files of hierarchies by column; those named go before those found."""
    found: dict[Name, Any] = {}
    for text in options.hierarchy:
        known = [str(name) for name in names if text.startswith(f"{name}=")]
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
    beside = {name: path for name in names if (path := _file_of(folder, str(name)))}
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
