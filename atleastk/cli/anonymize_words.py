"""What the command line asks of an anonymised table beyond k."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from atleastk.anonymizing.report_limits import WORDS
from atleastk.anonymizing.request import Wishes, rows_in_order
from atleastk.frames.frame import Frame, Name
from atleastk.instances.errors import AtleastkError, UnknownNameError
from atleastk.instances.separated import rows_of

__all__ = [
    "MINIMISED",
    "expect_no_wishes",
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

_OPTIONS: Final = (
    *(f"max_{quantity}" for quantity in WORDS),
    *("intact", "importance", "row_importance", "minimise", "deletion", "problem"),
    *("hierarchy", "hierarchies", "on", "loss", "ambiguous"),
)


def wishes_of(args: Namespace, frame: Frame, names: tuple[Name, ...]) -> Wishes:
    """Return what is asked for; `names` are the columns to anonymise."""
    limits = {quantity: getattr(args, f"max_{quantity}") for quantity in WORDS}
    given = {q: limit for q, limit in limits.items() if limit is not None}
    return Wishes(
        limits=given or None,
        intact=None if args.intact is None else listed(args.intact),
        column_order=None if args.importance is None else _classes(args.importance),
        row_order=None
        if args.row_importance is None
        else _row_order(frame, args.row_importance),
        minimise=None if args.minimise is None else MINIMISED[args.minimise],
        deletion=args.deletion,
        problem=args.problem,
        hierarchies=_hierarchies(args, names) or None,
        on=args.on,
        loss=args.loss,
        ambiguous=args.ambiguous,
    )


def hierarchy_files(args: Namespace) -> list[Path]:
    """Return all files that may be read for hierarchies, before columns are known."""
    named = [
        Path("=".join(words[i:]))
        for text in args.hierarchy
        for words in [text.split("=")]
        for i in range(1, len(words))
    ]
    beside = [] if args.hierarchies is None else Path(args.hierarchies).glob("*.csv")
    return [*named, *sorted(beside)]


def expect_no_wishes(args: Namespace) -> None:
    """Refuse wishes where a table is only read."""
    for option in _OPTIONS:
        if getattr(args, option) not in (None, False, []):
            word = "delete" if option == "deletion" else option.replace("_", "-")
            word = word.replace("max-entries", "max-cells")
            message = f"--check only tells how anonymous a table is: leave out --{word}"
            raise AtleastkError(message)


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


def _hierarchies(args: Namespace, names: tuple[Name, ...]) -> dict[Name, Any]:
    """Return the files of hierarchies by column; those named go before those found."""
    found: dict[Name, Any] = {}
    for text in args.hierarchy:
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
    if args.hierarchies is None:
        return found
    folder = Path(args.hierarchies)
    if not folder.is_dir():
        message = f"{folder}: no such directory"
        raise AtleastkError(message)
    beside = {name: file for name in names if (file := _file_of(folder, str(name)))}
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
