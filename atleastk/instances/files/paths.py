"""Paths of files: what their names say, and why they cannot be read or written."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import Final

AnyPath = str | PathLike[str]

STANDARD: Final = "-"
"""The path of standard input and standard output."""

TEXTS: Final = (".csv", ".tsv", ".txt")
EXCEL: Final = ".xlsx"
ANYHOW: Final = (EXCEL, ".parquet", ".arrow", ".feather")
"""The ends of names of texts, and of the other formats that any table is written to."""

PACKED: Final = (".gz", ".bz2", ".zip")
"""How names of compressed files end."""


def is_standard(path: AnyPath) -> bool:
    """Tell whether a path is standard input or output."""
    return os.fspath(path) == STANDARD


def plain_name(path: AnyPath) -> str:
    """Return the name of a file without the suffix of its compression."""
    name = Path(path).name
    end = Path(name).suffix
    return name.removesuffix(end) if end in PACKED else name


def is_lines(path: AnyPath) -> bool:
    """Tell whether a file of this name holds one JSON object per line."""
    return plain_name(path).endswith(".jsonl")


def reason_of(failure: OSError | ValueError) -> str:
    """Return why a file cannot be read or written, in few words."""
    match failure:
        case FileNotFoundError():
            return "no such file"
        case IsADirectoryError():
            return "is a directory, not a file"
        case PermissionError():
            return "no permission"
        case OSError():
            return (failure.strerror or str(failure)).lower()
        case _:
            return f"not a file name ({failure})"
