"""Tables in another format than that of their file: text, Excel, Parquet or Arrow.

Cells become what the other format has: in text they are written out, a missing one as
an empty text; elsewhere they are the values of a column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from atleastk.frames.arrow_frame import ArrowFrame
from atleastk.frames.csv_frame import TABS, TextFrame
from atleastk.frames.excel_frame import ExcelFrame
from atleastk.frames.feather_frame import FeatherFrame
from atleastk.frames.frame import written
from atleastk.frames.open_frame import FileFrame, format_of
from atleastk.frames.parquet_frame import ParquetFrame
from atleastk.frames.rows import RowsFrame
from atleastk.frames.statistics_frame import StatisticsFrame
from atleastk.instances.fields.errors import AtleastkError, optional
from atleastk.instances.files.paths import is_standard, plain_name

Told = Callable[[Sequence[Any]], Sequence[Any]]

_EXCEL: Final = ".xlsx"
_MOST_ROWS: Final = 2**20 - 1
"""The rows of a sheet below the names of its columns."""

_SHEET: Final = "published"


def write_frame(frame: FileFrame, path: Path) -> None:
    """Write a table in the format that the name of a file stands for.

    Its own format keeps what belongs to it: encodings, names of sheets, labels.
    """
    as_named(frame, path).write(path)


def as_named(frame: FileFrame, path: Path) -> FileFrame:
    """Return a table as one of the format that a name stands for; itself if it is.

    Standard output stands for none.
    """
    end = format_of(path)
    if is_standard(path):
        return frame
    if end is None:
        delimiter = "\t" if plain_name(path).endswith(TABS) else ","
        return frame if isinstance(frame, TextFrame) else _as_text(frame, delimiter)
    if isinstance(frame, StatisticsFrame) and end not in (*_ARROW, _EXCEL):
        return frame
    if end == _EXCEL:
        return frame if isinstance(frame, ExcelFrame) else _as_sheet(frame, path)
    kind = _ARROW[end]
    return frame if isinstance(frame, kind) else kind(_as_arrow(frame, end))


_ARROW: Final[dict[str, type[ParquetFrame | FeatherFrame]]] = {
    ".parquet": ParquetFrame,
    ".arrow": FeatherFrame,
    ".feather": FeatherFrame,
}


def _as_text(frame: FileFrame, delimiter: str) -> TextFrame:
    cells = _cells(frame, lambda values: [text or "" for text in written(values)])
    return TextFrame.of([*cells], zip(*cells.values(), strict=True), delimiter)


def _as_sheet(frame: FileFrame, path: Path) -> ExcelFrame:
    optional("openpyxl", "excel", "Excel files")
    if frame.n > _MOST_ROWS:
        raise AtleastkError(
            f"{path}: cannot be written: a sheet has {_MOST_ROWS:,} rows at most"
        )
    cells = _cells(frame)
    rows = zip(*cells.values(), strict=True)
    dicts = [dict(zip(cells, row, strict=True)) for row in rows]
    return ExcelFrame(RowsFrame(dicts, [*cells]), _SHEET)


def _as_arrow(frame: FileFrame, end: str) -> ArrowFrame:
    pyarrow = optional("pyarrow", "frames", f"{end} files")
    return ArrowFrame(pyarrow.table(_cells(frame)))


def _cells(frame: FileFrame, told: Told = list) -> dict[str, list[Any]]:
    """Return the cells of every column by its name, its values as they are told."""
    columns = {str(name): frame.column(name) for name in frame.names}
    return {
        name: [*map(told(one.values).__getitem__, one.codes.tolist())]
        for name, one in columns.items()
    }
