"""Tables in another format than that of their file: text, Excel, Parquet or Arrow.

Cells become what the other format has: in text they are written out, a missing one as
an empty text; elsewhere they are the values of a column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from atleastk.frames.arrow_files import FeatherFrame, ParquetFrame
from atleastk.frames.arrow_frame import ArrowFrame
from atleastk.frames.csv_frame import TABS, TextFrame
from atleastk.frames.excel_frame import ExcelFrame
from atleastk.frames.frame import written
from atleastk.frames.open_frame import FileFrame, format_of
from atleastk.frames.rows import RowsFrame
from atleastk.frames.statistics_frame import StatisticsFrame
from atleastk.instances.fields.errors import AtleastkError, optional
from atleastk.instances.files.paths import EXCEL, is_standard, plain_name

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


_ARROW: Final[dict[str, type[ParquetFrame | FeatherFrame]]] = {
    ".parquet": ParquetFrame,
    ".arrow": FeatherFrame,
    ".feather": FeatherFrame,
}


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
    """Return the cells of every column by its name, its values as they are told."""
    columns = {str(name): frame.column(name) for name in frame.names}
    return {
        name: [*map(told(one.values).__getitem__, one.codes.tolist())]
        for name, one in columns.items()
    }
