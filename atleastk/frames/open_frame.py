"""Frames of any table: of a library, of plain rows, or of a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from atleastk.frames.arrow_files import (
    FeatherFrame,
    ParquetFrame,
    read_feather_frame,
    read_parquet_frame,
)
from atleastk.frames.arrow_frame import ArrowFrame, arrow_frame
from atleastk.frames.csv_frame import TABS, TextFrame, read_text_frame
from atleastk.frames.excel_frame import ExcelFrame, read_excel_frame
from atleastk.frames.frame import Frame
from atleastk.frames.holding_frame import HoldingFrame
from atleastk.frames.numpy_frame import NumpyFrame
from atleastk.frames.pandas_frame import PandasFrame
from atleastk.frames.polars_frame import PolarsFrame
from atleastk.frames.rows import RowsFrame
from atleastk.frames.statistics_frame import (
    STATISTICS,
    StatisticsFrame,
    read_statistics_frame,
)
from atleastk.instances.fields.errors import InvalidInstanceError, within_memory
from atleastk.instances.files.encoding import decode
from atleastk.instances.files.files import read_bytes, within_limit
from atleastk.instances.files.paths import EXCEL, plain_name

FileFrame = TextFrame | ParquetFrame | FeatherFrame | ExcelFrame | StatisticsFrame
"""A table that came from a file and can be written to one."""

_READERS: Final[Mapping[str, Callable[[Path, float], FileFrame]]] = {
    ".arrow": read_feather_frame,
    ".feather": read_feather_frame,
    ".parquet": read_parquet_frame,
}
"""Readers of binary files, by suffix: of a path and the most bytes that it may hold."""


_BINARY: Final = (*_READERS, EXCEL, *STATISTICS)

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
        return _READERS[end](path, most)
