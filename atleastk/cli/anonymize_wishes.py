"""What ``atleastk anonymize`` can be asked beyond k: limits and hierarchies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from atleastk.cli.options import Options, option
from atleastk.cli.readers import allowance, classes, cost, count, level, names
from atleastk.doors.anonymizing.hierarchies import file_of, for_all
from atleastk.doors.anonymizing.request import Request, rows_in_order
from atleastk.frames.frame import Frame, Name
from atleastk.instances.diversity import READINGS
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.generalization import LOSSES
from atleastk.instances.hierarchies.words import is_rule
from atleastk.instances.suppression import COSTS


@dataclass(frozen=True, kw_only=True)
class _Limits(Options):
    """What may be asked of suppression."""

    heading: ClassVar = (
        "limits",
        "how much may be suppressed at most",
    )

    max_rows: int | None = option("--max-rows N", "rows with a suppressed cell", count)
    max_columns: int | None = option(
        "--max-columns N",
        "columns with a suppressed cell; with --max-rows, outside those rows",
        count,
    )
    max_entries: int | None = option(
        "--max-entries N", "suppressed cells in all", count
    )
    max_per_row: int | None = option(
        "--max-per-row N", "suppressed cells in a row", count
    )
    max_per_column: int | None = option(
        "--max-per-column N", "suppressed cells in a column", count
    )
    intact: Sequence[str] | None = option(
        "--intact NAMES", "columns of which nothing is suppressed", names
    )
    column_order: Sequence[Sequence[str]] | None = option(
        "--column-order CLASSES",
        "importance of columns, as in 'age > zip,sex': no column has more suppressed "
        "cells than one of the next class",
        classes,
    )
    row_order: str | None = option(
        "--row-order NAME",
        "importance of rows: a column of numbers, 1 the most important; or 'NAME: high "
        "> low'",
    )
    minimise: str | None = option(
        "--minimise WHAT",
        f"{', '.join(COSTS).replace('_', '-')} (default: entries); k is maximised",
        cost,
    )
    deletion: bool = option(
        "--deletion",
        "suppress the limited (or minimised) rows and columns as a whole, and nothing "
        "else",
    )
    problem: str | None = option(
        "--problem NAME",
        "a problem of [Chaytor06] such as r-MIN-c-DEL, in place of --minimise and "
        "--deletion",
    )


@dataclass(frozen=True, kw_only=True)
class _Hierarchies(Options):
    """What generalisation takes."""

    heading: ClassVar = (
        "hierarchies",
        "generalise cells; a column without a hierarchy is suppressed",
    )

    hierarchies: Sequence[str] = option(
        "--hierarchies WHAT",
        "of a column NAME=FILE, of lines like 34;30-39;*, or NAME=RULE, as age=auto or "
        "age=bands:5,10; of all columns a rule, or a folder that has NAME.csv (or "
        "*_NAME.csv) of some; may be repeated: what is named goes first, then files",
        action="append",
        default=[],
    )
    on: str | None = option(
        "--on",
        "one level per column (default), or per cell",
        choices=("attributes", "entries"),
    )
    loss: str | None = option(
        "--loss", "what to minimise (default: height)", choices=LOSSES
    )
    suppress_rows: str | None = option(
        "--suppress-rows N",
        "suppress at most so many rows altogether, so that the others lose less; or a "
        "share of them, as in 5%%, rounded down",
        allowance,
    )


@dataclass(frozen=True, kw_only=True)
class _Weights(Options):
    """What costs more than other cells."""

    heading: ClassVar = ("weights", "which cells cost more than others")

    weight: Sequence[str] = option(
        "--weight NAME=W",
        "what a suppressed cell of a column costs, or one level of it (default: 1)",
        action="append",
        default=[],
    )
    row_weight: str | None = option(
        "--row-weight COLUMN",
        "how many persons a row stands for: its cells count as many times (k still "
        "counts rows)",
    )


@dataclass(frozen=True, kw_only=True)
class Protection(Options):
    """What may be asked of sensitive values."""

    heading: ClassVar = (
        "sensitive values",
        "nobody learns them of a person who is known to be in a class of equal rows",
    )

    sensitive: Sequence[str] | None = option(
        "--sensitive NAMES",
        "columns to protect: published unchanged, and not among those to anonymise",
        names,
    )
    l: int | None = option(  # noqa: E741 - as in the papers
        "--l L", "how diverse the values of every class are", level
    )
    diversity: str | None = option(
        "--diversity",
        "at least L different values (default), or no more than 1/L of one value",
        choices=READINGS,
    )
    t: str | None = option(
        "--t T",
        "how far the values of a class may be from those of the table, as in 0.2",
    )


@dataclass(frozen=True, kw_only=True)
class Wishes(_Limits, _Hierarchies, _Weights, Protection):
    """What can be asked of a table beyond k."""

    ambiguous: bool = option(
        "--ambiguous",
        "let suppressed cells match anything: rows have to match, not to be equal",
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
    row_order = options.row_order
    return Request(
        columns=columns,
        limits={q: most for q, most in limits.items() if most is not None} or None,
        intact=options.intact,
        column_order=options.column_order,
        row_order=None if row_order is None else _row_order(frame, row_order),
        minimise=options.minimise,
        deletion=options.deletion,
        problem=options.problem,
        hierarchies=_hierarchies(options, columns) or None,
        on=options.on,
        loss=options.loss,
        suppress_rows=options.suppress_rows,
        weights=_weights(options, columns) or None,
        row_weights=options.row_weight,
        ambiguous=options.ambiguous,
        sensitive=options.sensitive,
        l=options.l,
        diversity=options.diversity,
        t=options.t,
    )


def hierarchy_files(options: Wishes, columns: Sequence[str] | None) -> list[Path]:
    """Return all files that may be read for hierarchies of these columns.

    Without columns, as long as those of the table are not known, of any.
    """
    return [
        path
        for text in options.hierarchies
        for words in [text.split("=")]
        for path in (
            *(Path("=".join(words[i:])) for i in range(1, len(words))),
            *_files_for(Path(text), columns),
        )
    ]


def _files_for(folder: Path, columns: Sequence[str] | None) -> list[Path]:
    if columns is None:
        return sorted(folder.glob("*.csv"))
    return [path for name in columns if (path := file_of(folder, name))]


def _row_order(frame: Frame, text: str) -> Sequence[Sequence[int]]:
    """Read ``NAME`` or ``NAME: high > low``."""
    name, colon, values = text.partition(":")
    if text in frame.names or not colon:
        return rows_in_order(frame, text)
    return rows_in_order(frame, {name.strip(): classes(values)})


def _hierarchies(options: Wishes, columns: tuple[Name, ...]) -> dict[Name, Any]:
    """Return files and rules by column, in any order that they are given in.

    What is named goes before the files of a folder, and these before a rule for all.
    """
    given = options.hierarchies
    rules = [text for text in given if _is_for_all(text) and is_rule(text)]
    folders = [text for text in given if _is_for_all(text) and text not in rules]
    if len(rules) > 1:
        raise AtleastkError(
            f"--hierarchies: {rules[0]} and {rules[1]} are both for all columns"
        )
    found: dict[Name, Any] = {}
    for text in folders:
        for name, path in for_all(columns, text).items():
            if name in found:
                raise AtleastkError(
                    f"--hierarchies: {found[name]} and {path} are both of {name}"
                )
            found[name] = path
    named = [text for text in given if text not in (*rules, *folders)]
    by_rule = for_all(columns, rules[0]) if rules else {}
    what = "FILE or NAME=RULE"
    return by_rule | found | _by_column("--hierarchies", what, named, columns)


def _is_for_all(text: str) -> bool:
    return "=" not in text or Path(text).is_dir()


def _weights(options: Wishes, columns: tuple[Name, ...]) -> dict[Name, int]:
    """Return the weights by column."""
    found: dict[Name, int] = {}
    for name, text in _by_column("--weight", "W", options.weight, columns).items():
        try:
            found[name] = level(text)
        except ValueError as error:
            raise AtleastkError(f"--weight {name}: {error}") from error
    return found


def _by_column(
    option: str, what: str, texts: Sequence[str], columns: tuple[Name, ...]
) -> dict[Name, str]:
    """Read each ``NAME=...``; of names that fit, the longest is meant."""
    found: dict[Name, str] = {}
    for text in texts:
        known = [str(name) for name in columns if text.startswith(f"{name}=")]
        name = max(known, key=len, default=text.partition("=")[0])
        given = text.removeprefix(f"{name}=")
        if given == text or not given:
            raise AtleastkError(f"{option} {text}: expected NAME={what}")
        if name in found:
            raise AtleastkError(f'{option}: "{name}" twice')
        found[name] = given
    return found
