"""Tables of Excel files, through openpyxl.

The first sheet is the table, its first row the names of the columns. What is written
has the values of that sheet and nothing else: no formulas, formats or other sheets, in
which what is suppressed could be left.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from atleastk.frames.holding_frame import HoldingFrame
from atleastk.frames.rows import RowsFrame
from atleastk.instances.errors import AtleastkError, InvalidInstanceError, optional
from atleastk.instances.packing import BROKEN
from atleastk.instances.reading import expect_within, reason_of
from atleastk.instances.writing import write_bytes

__all__ = ["ExcelFrame", "read_excel_frame"]

_BROKEN: Final = (
    *BROKEN,
    ElementTree.ParseError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)
"""What openpyxl raises of archives that are something else, or damaged."""


@dataclass(frozen=True, slots=True, eq=False)
class ExcelFrame(HoldingFrame):
    """The table of a sheet.

    Attributes
    ----------
    title
        The name of the sheet.
    note
        What the reader of the file has to be told.
    """

    title: str
    note: str | None = None

    def write(self, path: Path) -> None:
        """Write the table to an Excel file of one sheet."""
        import openpyxl
        from openpyxl.utils.exceptions import IllegalCharacterError

        book = openpyxl.Workbook()
        sheet = book.active
        sheet.title = self.title
        rows = (self.names, *(row.values() for row in self.table.native))
        try:
            for i, row in enumerate(rows, start=1):
                for j, value in enumerate(row, start=1):
                    cell = sheet.cell(i, j, value)
                    if isinstance(value, str):
                        cell.data_type = "s"  # though it may look like a formula
        except IllegalCharacterError as error:
            message = f"{path}: cannot be written: a text holds a control character"
            raise AtleastkError(message) from error
        data = io.BytesIO()
        book.save(data)
        write_bytes(path, data.getvalue())


def read_excel_frame(path: Path) -> ExcelFrame:
    """Read the first sheet of an Excel file.

    Raises
    ------
    InvalidInstanceError
        On one line: the file, the cell or row, and what is wrong there.
    """
    optional("openpyxl", "excel", "Excel files")
    try:
        with zipfile.ZipFile(path) as packed:
            expect_within(path, sum(file.file_size for file in packed.infolist()))
        sheets = _sheets(path)
        sheet = sheets[0]
        formulas = [c for row in sheet.iter_rows() for c in row if c.data_type == "f"]
        if formulas:
            sheet = _sheets(path, data_only=True)[0]
    except OSError as error:
        message = f"{path}: cannot be read: {reason_of(error)}"
        raise InvalidInstanceError(message) from error
    except _BROKEN as error:
        message = f"{path}: cannot be read: it is no Excel file with a sheet ({error})"
        raise InvalidInstanceError(message) from error
    for cell in formulas:
        if sheet[cell.coordinate].value is None:
            message = (
                f"{path}: {cell.coordinate}: the value of the formula was not saved; "
                "save the file in a spreadsheet program first"
            )
            raise InvalidInstanceError(message)
    names, *rows = _table(path, sheet)
    note = None
    if len(sheets) > 1:
        note = f'the first sheet, "{sheet.title}", is read, and no other'
    dicts = [dict(zip(names, row, strict=True)) for row in rows]
    return ExcelFrame(RowsFrame(dicts, names), sheet.title, note)


def _sheets(path: Path, *, data_only: bool = False) -> list[Any]:
    """Return the sheets of a file: with formulas, or with the values saved of them."""
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what is not going to be written
        return list(openpyxl.load_workbook(path, data_only=data_only).worksheets)


def _table(path: Path, sheet: Any) -> Iterator[tuple[Any, ...]]:
    """Give the names of the columns, then the rows, without what is empty behind."""
    rows = list(sheet.iter_rows(values_only=True))
    while rows and not _filled(rows[-1]):
        rows.pop()
    width = max(map(_filled, rows), default=0)
    if not width:
        message = f"{path}: the file is empty; expected a row with the columns' names"
        raise InvalidInstanceError(message)
    names = [None if name is None else str(name) for name in rows[0][:width]]
    for j, name in enumerate(names):
        if name is None or name in names[:j]:
            where = sheet.cell(1, j + 1).coordinate
            what = "no name of a column" if name is None else f'"{name}" once more'
            message = f"{path}: {where}: {what}; name all columns, each differently"
            raise InvalidInstanceError(message)
    yield tuple(names)
    for number, row in enumerate(rows[1:], start=2):
        if not _filled(row):
            message = f"{path}: row {number}: an empty row; delete it"
            raise InvalidInstanceError(message)
        yield row[:width]


def _filled(row: Sequence[Any]) -> int:
    """Return how many cells a row has up to the last that is not empty."""
    return max((j + 1 for j, cell in enumerate(row) if cell is not None), default=0)
