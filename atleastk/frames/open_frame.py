"""Frames of any table: of a library, of plain rows, or of a file; and their files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from atleastk.frames.arrow_files import FeatherFrame, ParquetFrame
from atleastk.frames.arrow_frame import ArrowFrame, arrow_frame
from atleastk.frames.csv_frame import TABS, TextFrame, read_text_frame
from atleastk.frames.excel_frame import ExcelFrame, read_excel_frame
from atleastk.frames.frame import Frame, HoldingFrame, written
from atleastk.frames.numpy_frame import NumpyFrame
from atleastk.frames.pandas_frame import PandasFrame
from atleastk.frames.polars_frame import PolarsFrame
from atleastk.frames.rows import RowsFrame
from atleastk.frames.statistics_frame import (
    STATISTICS,
    StatisticsFrame,
    read_statistics_frame,
)
from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    optional,
    within_memory,
)
from atleastk.instances.files.encoding import decode
from atleastk.instances.files.files import read_bytes, within_limit
from atleastk.instances.files.paths import EXCEL, is_standard, plain_name

FileFrame = TextFrame | ParquetFrame | FeatherFrame | ExcelFrame | StatisticsFrame
"""A table that came from a file and can be written to one."""

_ARROW: Final[dict[str, type[ParquetFrame | FeatherFrame]]] = {
    ".parquet": ParquetFrame,
    ".arrow": FeatherFrame,
    ".feather": FeatherFrame,
}
"""Files that pyarrow reads and writes, by suffix."""

_BINARY: Final = (*_ARROW, EXCEL, *STATISTICS)

_LIBRARIES: Final = {
    "pandas": ("DataFrame", PandasFrame),
    "polars": ("DataFrame", PolarsFrame),
    "pyarrow": ("Table", ArrowFrame),
}


def framed(table: Any) -> Frame:
    """Wrap a table of pandas, polars, pyarrow, or a list of dicts, tuples or lists.

    A table of any other library that streams in Arrow's format, as those of duckdb do,
    becomes one of pyarrow; what else is an array becomes one of numpy.
    """
    for library, (kind, frame) in _LIBRARIES.items():
        # The library of a table is imported; others may be only partly so, by a solver
        # in another thread.
        known = getattr(sys.modules.get(library), kind, None)
        if known is not None and isinstance(table, known):
            wrapped: Frame = frame(table)
            return wrapped
    if isinstance(table, TextFrame | HoldingFrame):
        return table
    if isinstance(table, Sequence) and not isinstance(table, str | bytes):
        return RowsFrame.of(table)
    if hasattr(table, "__arrow_c_stream__"):
        return arrow_frame(table)
    if hasattr(table, "__array__"):
        return NumpyFrame.of(table)
    dense = "; of a sparse one .toarray()" if hasattr(table, "toarray") else ""
    raise TypeError(
        "expected a table of pandas, polars or pyarrow, an array, or a list of rows, "
        f"got {type(table).__name__}{dense}"
    )


def format_of(path: Path) -> str | None:
    """Return the format that the name of a file stands for; None for text."""
    end = path.suffix.lower()
    return end if end in _BINARY else None


def read_frame(
    path: Path,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    header: int | None = None,
) -> FileFrame:
    """Read the table of a file, in the format of its name.

    Options of other formats are refused. What is above line `header` of a text, or
    above that row of a sheet, is no part of the table.
    """
    end, plain = format_of(path), Path(plain_name(path))
    packed = plain.suffix.lower()
    if sheet is not None and end != EXCEL:
        raise InvalidInstanceError(
            f"{path}: has no sheets; only files that end in {EXCEL} do"
        )
    if end is None and packed in _BINARY:
        raise InvalidInstanceError(
            f"{path}: a {packed} file cannot be read packed; unpack it first"
        )
    if header is not None and end not in (None, EXCEL):
        raise InvalidInstanceError(f"{path}: a {end} file has no titles to skip")
    if delimiter is not None and end is not None:
        raise InvalidInstanceError(f"{path}: a {end} file has no delimiter")
    encoded = STATISTICS[end].encoded if end in STATISTICS else end is None
    if encoding is not None and not encoded:
        raise InvalidInstanceError(f"{path}: a {end} file has no encoding")
    with within_memory(f"{path}: reading"), within_limit(path) as most:
        if end is None or end in STATISTICS:
            data = read_bytes(path)
            if end is not None:
                return read_statistics_frame(path, data, most, encoding)
            text, written = decode(path, data, encoding)
            del data  # as large as the text, of which rows are made now
            tabs = plain.name.endswith(TABS)
            return read_text_frame(path, text, written, delimiter, tabs, header)
        if end == EXCEL:
            return read_excel_frame(path, most, sheet, header)
        return _ARROW[end].read(path, most)


Told = Callable[[Sequence[Any]], Sequence[Any]]

Cells = dict[str, list[Any]]
"""The cells of every column by its name."""

_MOST_ROWS: Final = 2**20 - 1
"""The rows of a sheet below the names of its columns."""


def write_frame(frame: FileFrame, path: Path) -> None:
    """Write a table in the format that the name of a file stands for.

    Its own format keeps what belongs to it: encodings, names of sheets, labels.
    """
    as_named(frame, path).write(path)


def write_with(frame: FileFrame, more: Mapping[str, Sequence[Any]], path: Path) -> None:
    """Write a table and more columns in the format that the name of a file stands for.

    Nothing but cells is kept of the format that it had.
    """
    end = None if is_standard(path) else format_of(path)
    if end is None:
        texts = {name: list(map(str, cells)) for name, cells in more.items()}
        _text_of(_texts(frame) | texts, path).write(path)
        return
    cells = _cells(frame) | {name: list(each) for name, each in more.items()}
    _binary_of(cells, end, path).write(path)


def as_named(frame: FileFrame, path: Path) -> FileFrame:
    """Return a table as one of the format that a name stands for; itself if it is.

    Standard output stands for none.
    """
    end = format_of(path)
    if is_standard(path):
        return frame
    if end is None:
        return frame if isinstance(frame, TextFrame) else _text_of(_texts(frame), path)
    if isinstance(frame, StatisticsFrame) and end not in (*_ARROW, EXCEL):
        return frame
    own = isinstance(frame, ExcelFrame if end == EXCEL else _ARROW[end])
    return frame if own else _binary_of(_cells(frame), end, path)


def _binary_of(cells: Cells, end: str, path: Path) -> FileFrame:
    if end == EXCEL:
        return _sheet_of(cells, path)
    pyarrow = optional("pyarrow", "frames", f"{end} files")
    return _ARROW[end](ArrowFrame(pyarrow.table(cells)))


def _text_of(cells: Cells, path: Path) -> TextFrame:
    delimiter = "\t" if plain_name(path).endswith(TABS) else ","
    return TextFrame.of([*cells], zip(*cells.values(), strict=True), delimiter)


def _sheet_of(cells: Cells, path: Path) -> ExcelFrame:
    optional("openpyxl", "excel", "Excel files")
    if any(len(each) > _MOST_ROWS for each in cells.values()):
        raise AtleastkError(
            f"{path}: cannot be written: a sheet has {_MOST_ROWS:,} rows at most"
        )
    rows = zip(*cells.values(), strict=True)
    dicts = [dict(zip(cells, row, strict=True)) for row in rows]
    return ExcelFrame(RowsFrame(dicts, [*cells]), "published")


def _texts(frame: FileFrame) -> Cells:
    return _cells(frame, lambda values: [text or "" for text in written(values)])


def _cells(frame: FileFrame, told: Told = list) -> Cells:
    columns = {str(name): frame.column(name) for name in frame.names}
    return {
        name: [*map(told(one.values).__getitem__, one.codes.tolist())]
        for name, one in columns.items()
    }
