"""The files of a table that stays where it is, as an engine reads them.

CSV and Parquet files, or folders and patterns of them, are one table. An empty cell of
CSV is an empty text, as in memory.
"""

from __future__ import annotations

import gzip
import os
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Final

from atleastk.frames.csv_frame import TextFrame, read_text_frame
from atleastk.frames.frame import Name
from atleastk.instances.fields.errors import InvalidInstanceError, optional, quoted
from atleastk.instances.files.csv_rows import said_delimiter
from atleastk.instances.files.encoding import decode

_TEXTS: Final = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
FORMATS: Final = (".parquet", *_TEXTS)
"""The ends of the files that it reads."""

_HEAD: Final = 2**20
"""The bytes of a file of text in which the names of its columns are looked for."""


def files_at(path: str | Path) -> list[Path]:
    """Return the files of a table: of a folder, of a pattern, or one file.

    Raises InvalidInstanceError if there are none, or files of several formats.
    """
    place = Path(path)
    if place.is_dir():
        found = [file for file in place.rglob("*") if end_of(file)]
    elif place.exists() or not has_magic(str(path)):
        found = [place]
    else:
        listed = glob(str(path), recursive=True)  # noqa: PTH207 - of any folder
        found = [Path(file) for file in listed]
    if not found or not found[0].exists():
        raise InvalidInstanceError(f"{path}: no such file")
    found.sort()
    ends = Counter(filter(None, map(end_of, found)))
    if not ends:
        raise InvalidInstanceError(f"{path}: expected {', '.join(FORMATS)}")
    ((usual, _),) = ends.most_common(1)
    for file in found:
        end = end_of(file)
        if end is None or (end in _TEXTS) != (usual in _TEXTS):
            folder = place if place.is_dir() else place.parent
            raise InvalidInstanceError(
                f"{path}: {file.name} among {usual} files; give a pattern, as "
                f"'{folder / '*'}{usual}'"
            )
    return found


def expect_outside(path: str | Path, *written: str | os.PathLike[str] | None) -> None:
    """Refuse files and folders that would be, or hold, a part of a table next time."""
    for one in written:
        if one is None:
            continue
        real, table = Path(one).resolve(), Path(path).resolve()
        inside = table.is_dir() and real.is_relative_to(table)
        if has_magic(str(path)) and not table.exists():
            likely = (real, *(real / f"part{end}" for end in FORMATS))
            inside = any(_fits(name.parts, table.parts) for name in likely)
        if inside:
            raise InvalidInstanceError(
                f"{one}: is inside the table {path}, and would be part of it next "
                "time; write it elsewhere"
            )


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Tell whether a path fits a pattern, as `glob` reads it, both in their parts."""
    if not parts or not pattern:
        return not parts and all(one == "**" for one in pattern)
    if pattern[0] == "**":
        return _fits(parts, pattern[1:]) or _fits(parts[1:], pattern)
    return fnmatch(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])


def end_of(file: Path) -> str | None:
    """Return the end of the name of a file that is read; None of others."""
    name = file.name.lower()
    return next((end for end in FORMATS if name.endswith(end)), None)


def is_text(files: Sequence[Path]) -> bool:
    """Tell whether files are of text."""
    return end_of(files[0]) in _TEXTS


def reading(files: Sequence[Path], names: Sequence[Name], delimiter: str | None) -> str:
    """Return the query that reads files as one table."""
    listed = ", ".join(text_in_sql(str(file)) for file in files)
    if delimiter is None:
        return f"SELECT * FROM read_parquet([{listed}], hive_partitioning=false)"
    cells = ", ".join(
        f"coalesce({name_in_sql(x)}, '') AS {name_in_sql(x)}" for x in names
    )
    kinds = ", ".join(f"{text_in_sql(str(name))}: 'VARCHAR'" for name in names)
    return (
        f"SELECT {cells} FROM read_csv([{listed}], auto_detect=false, header=true, "
        f"delim={text_in_sql(delimiter)}, quote='\"', escape='\"', columns={{{kinds}}})"
    )


def names_of(
    path: str, files: Sequence[Path], delimiter: str | None
) -> tuple[tuple[Name, ...], str | None]:
    """Return the names of the columns, which all files have, and the delimiter."""
    if is_text(files):
        heads = [_head(file, delimiter) for file in files]
        names, delimiter = heads[0].names, heads[0].delimiter
        others = [tuple(head.names) for head in heads]
    else:
        if delimiter is not None:
            raise InvalidInstanceError(f"{path}: Parquet files have no delimiter")
        schemas = [_metadata(file).schema.to_arrow_schema() for file in files]
        others = [tuple(schema.names) for schema in schemas]
        names, delimiter = others[0], None
    strange = next((i for i, other in enumerate(others) if other != tuple(names)), None)
    if strange is not None:
        raise InvalidInstanceError(
            f"{files[strange]}: has other columns than {files[0]}: "
            f"{_unlike(names, others[strange])}"
        )
    folded = [str(name).casefold() for name in names]
    twice = next((x for x in names if folded.count(str(x).casefold()) > 1), None)
    if twice is not None:
        raise InvalidInstanceError(
            f'{path}: two columns are called "{twice}", but for large and small '
            "letters; rename one"
        )
    return tuple(names), delimiter


def _unlike(names: Sequence[Name], others: Sequence[Name]) -> str:
    """Return in words how the names of columns differ from the first ones."""
    sides = (names, others, "is missing"), (others, names, "is in this one only")
    for some, rest, how in sides:
        for name in some:
            if name not in rest:
                return f"{quoted(name)} {how}"
    return "they are in another order"


def rows_of_groups(file: Path) -> list[int]:
    """Return how many rows the groups of a Parquet file have."""
    known = _metadata(file)
    return [known.row_group(i).num_rows for i in range(known.num_row_groups)]


def _metadata(file: Path) -> Any:
    pyarrow = optional("pyarrow", "scale", "Parquet files")
    parquet = optional("pyarrow.parquet", "scale", "Parquet files")
    try:
        return parquet.read_metadata(file)
    except (OSError, pyarrow.ArrowException) as error:
        raise InvalidInstanceError(f"{file}: cannot be read: {error}") from error


def _head(file: Path, delimiter: str | None) -> TextFrame:
    """Return the first line of a file of text as a table without rows."""
    opened = gzip.open if file.name.lower().endswith(".gz") else open
    try:
        with opened(file, "rb") as stream:
            data = stream.read(_HEAD).splitlines()
    except (OSError, EOFError) as error:
        raise InvalidInstanceError(f"{file}: cannot be read: {error}") from error
    text, written = decode(file, (data or [b""])[0] + b"\n", "utf-8")
    if said_delimiter(text) is not None:
        raise InvalidInstanceError(
            f"{file}: begins with a line sep=...; delete it, or read it in memory"
        )
    tabs = ".tsv" in file.name.lower()
    return read_text_frame(file, text, written, delimiter, tabs)


def name_in_sql(name: Name) -> str:
    """Return a name of a column in SQL."""
    quoted = str(name).replace('"', '""')
    return f'"{quoted}"'


def text_in_sql(text: str) -> str:
    """Return a text in SQL."""
    quoted = text.replace("'", "''")
    return f"'{quoted}'"
