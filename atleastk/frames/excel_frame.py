"""Tables of Excel files, through openpyxl.

A sheet is the table, its first row the names of the columns. Where several sheets hold
something and none is chosen, the first is read if it looks like a table. What is
written has the values of that sheet and nothing else: no formulas, formats or other
sheets, which could still contain suppressed values.

Cells are streamed from the file, and only existing ones: a single cell far away costs
nothing.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NoReturn
from xml.etree import ElementTree

from atleastk.frames.frame import HoldingFrame
from atleastk.frames.rows import RowsFrame
from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    UnknownNameError,
    meant,
    optional,
    quoted,
)
from atleastk.instances.files.csv_rows import are_names
from atleastk.instances.files.files import BROKEN, TooMuchError
from atleastk.instances.files.paths import reason_of
from atleastk.instances.files.writing import write_bytes

_BROKEN: Final = (*BROKEN, ElementTree.ParseError, LookupError, TypeError, ValueError)
"""Errors of openpyxl for archives of other kinds, or damaged ones."""

_PADDED: Final = re.compile("00+")
"""Formats of codes, whose zeros in front are shown but not held."""

_MOST_ROWS: Final = 2**20
"""The most rows of a sheet, as in Excel."""

_CHUNK: Final = 1 << 20
"""Bytes of a search step."""

_MERGED: Final = re.compile(
    rb"""<(?:[\w.-]+:)?mergeCell\s[^>]*?ref=["']([A-Z]+\d+:[A-Z]+\d+)["']"""
)
"""An element of the XML of a sheet; texts have no ``<``."""


@dataclass(frozen=True, slots=True, eq=False)
class ExcelFrame(HoldingFrame):
    """The table of a sheet."""

    title: str
    """The name of the sheet."""
    note: str | None = None
    """A note for the reader of the file."""

    def write(self, path: Path) -> None:
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
            raise AtleastkError(
                f"{path}: cannot be written: a text holds a control character"
            ) from error
        data = io.BytesIO()
        book.save(data)
        write_bytes(path, data.getvalue())


def read_excel_frame(
    path: Path, most: float, sheet: str | None = None, header: int | None = None
) -> ExcelFrame:
    """Read a sheet of an Excel file, which may hold `most` bytes, unpacked.

    The sheet is known by its name, or its number, the first being 1; by default it is
    the first that holds something, if it looks like a table or is the only one. Row
    `header` names the columns, if not the first.

    Raises InvalidInstanceError on one line: the file, the cell or row, and what is
    wrong there; TooMuchError if it holds more than that.
    """
    optional("openpyxl", "excel", "Excel files")
    try:
        with zipfile.ZipFile(path) as packed:
            if sum(file.file_size for file in packed.infolist()) > most:
                raise TooMuchError
        with _opened(path) as book:
            titles = [one.title for one in book.worksheets]
            if sheet is not None:
                return _table(path, book, _title(path, titles, sheet), header)
            sheets = book.worksheets
            filled = [x.title for x in sheets if any(_filled_rows(path, x))]
            return _first_table(path, book, filled or titles, header)
    except OSError as error:
        raise InvalidInstanceError(
            f"{path}: cannot be read: {reason_of(error)}"
        ) from error
    except AtleastkError:
        raise
    except _BROKEN as error:
        raise InvalidInstanceError(
            f"{path}: cannot be read: it is no Excel file with a sheet ({error})"
        ) from error


@contextmanager
def _opened(path: Path, *, data_only: bool = False) -> Iterator[Any]:
    """Open a file: with formulas, or with the values saved of them."""
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about parts that are not written
        book = openpyxl.load_workbook(path, read_only=True, data_only=data_only)
        try:
            yield book
        finally:
            book.close()


def _title(path: Path, titles: Sequence[str], asked: str) -> str:
    if asked in titles:
        return asked
    if asked.isdecimal() and 1 <= int(asked) <= len(titles):
        return titles[int(asked) - 1]
    there = ", ".join(map(quoted, titles))
    raise UnknownNameError(
        f"{path}: no sheet is called {quoted(asked)}; {meant(asked, titles)}there are "
        f"{there}"
    )


def _first_table(
    path: Path, book: Any, titles: Sequence[str], header: int | None
) -> ExcelFrame:
    first, *others = titles
    if not others:
        return _table(path, book, first, header)
    there = ", ".join(map(quoted, others))
    try:
        found = _table(path, book, first, header)
        why = None if len(found.names) > 1 and found.n else "it has no rows of cells"
    except InvalidInstanceError as error:
        why = str(error).removeprefix(f"{path}: ")
    if why is not None:
        raise InvalidInstanceError(
            f"{path}: the first sheet, {quoted(first)}, looks like no table ({why}); "
            f"say --sheet NAME: there are also {there}"
        )
    note = f"the first sheet, {quoted(first)}, is read; --sheet takes another: {there}"
    return replace(found, note=note)


def _table(path: Path, book: Any, title: str, header: int | None) -> ExcelFrame:
    """Return the table of a sheet; if it is none, say where it may begin."""
    try:
        return _table_from(path, book, title, header or 1)
    except InvalidInstanceError as error:
        likely = None if header else _row_of_names(path, book[title])
        if likely is None:
            raise
        raise InvalidInstanceError(
            f"{error}; row {likely} looks like the names of columns, and --header "
            f"{likely} begins there"
        ) from error


def _row_of_names(path: Path, sheet: Any) -> int | None:
    """Return the row that seems to name the columns, below titles; None without one."""
    for (one, cells), (other, below) in pairwise(_filled_rows(path, sheet)):
        values = [cell.value for cell in cells]
        texts = [value for value in values if isinstance(value, str)]
        wide = cells[-1].column == len(values) == len(texts) > 1
        if one > 1 and other == one + 1 and wide and are_names(texts):
            return one if below[-1].column <= len(values) else None
    return None


def _table_from(path: Path, book: Any, title: str, top: int) -> ExcelFrame:
    """Return the table of a sheet, with the names of the columns in the top row."""
    table: list[list[Any]] = []
    formulas: dict[tuple[int, int], str] = {}
    for number, cells in _filled_rows(path, book[title]):
        if number < top:
            continue
        due = len(table) + top
        if table and number > due:
            raise InvalidInstanceError(
                f"{path}: row {due}: an empty row, above row {number}; delete it, "
                "and titles above the names of the columns"
            )
        row = [None] * (len(table[0]) if table else cells[-1].column)
        if number > due or cells[-1].column > len(row):
            stray = cells[0] if number > due else cells[-1]
            _refuse_name(path, f"{stray.column_letter}{top}", stray.coordinate)
        for cell in cells:
            row[cell.column - 1] = _cell(cell)
            if cell.data_type == "f":
                formulas[len(table), cell.column - 1] = cell.coordinate
        table.append(row)
    if not table:
        what = "the file is empty" if top == 1 else f"is empty from row {top} on"
        raise InvalidInstanceError(
            f"{path}: {what}; expected a row with the columns' names"
        )
    _expect_unmerged(path, book, book[title], table, top)
    if formulas:
        saved = _saved(path, title, formulas, top)
        for (i, j), value in saved.items():
            table[i][j] = value
    names = _names(path, table[0], top)
    rows = [dict(zip(names, row, strict=True)) for row in table[1:]]
    return ExcelFrame(RowsFrame(rows, names), title)


def _cell(cell: Any) -> Any:
    value = cell.value
    if type(value) is int and value >= 0 and _PADDED.fullmatch(cell.number_format):
        return str(value).zfill(len(cell.number_format))
    return value


def _filled_rows(path: Path, sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """Yield the numbers of the rows that are not empty, with their nonempty cells."""
    sheet.reset_dimensions()  # the size that a file declares may be wrong
    for number, row in enumerate(sheet.iter_rows(), start=1):
        if number > _MOST_ROWS:
            raise InvalidInstanceError(
                f"{path}: cannot be read: a row beyond {_MOST_ROWS}"
            )
        cells = [cell for cell in row if cell.value is not None]
        if cells:
            yield number, cells


def _saved(
    path: Path, title: str, formulas: Mapping[tuple[int, int], str], top: int
) -> dict[tuple[int, int], Any]:
    """Return the values that were saved of formulas, by their places."""
    with _opened(path, data_only=True) as book:
        found = {
            (number - top, cell.column - 1): cell.value
            for number, cells in _filled_rows(path, book[title])
            for cell in cells
            if (number - top, cell.column - 1) in formulas
        }
    for place, coordinate in formulas.items():
        if place not in found:
            raise InvalidInstanceError(
                f"{path}: {coordinate}: the value of the formula was not saved; save "
                "the file in a spreadsheet program first"
            )
    return found


def _names(path: Path, cells: Sequence[Any], top: int) -> tuple[str, ...]:
    from openpyxl.utils import get_column_letter

    names = [None if cell is None else str(cell) for cell in cells]
    lacking = next((j for j, name in enumerate(names) if name is None), None)
    if lacking is not None:
        _refuse_name(path, f"{get_column_letter(lacking + 1)}{top}")
    for j, name in enumerate(names):
        if name in names[:j]:
            raise InvalidInstanceError(
                f"{path}: {get_column_letter(j + 1)}{top}: {quoted(name)} once more; "
                "name all columns, each differently"
            )
    return tuple(map(str, names))


def _refuse_name(path: Path, place: str, cell: str | None = None) -> NoReturn:
    """Refuse a column without a name there; if it is known, a cell that is in it."""
    there = "" if cell is None else f", but {cell} is not empty"
    raise InvalidInstanceError(
        f"{path}: {place}: no name of a column{there}; the first row has to name all "
        "columns, each differently: is it a title? delete it"
    )


def _expect_unmerged(
    path: Path, book: Any, sheet: Any, table: Sequence[Sequence[Any]], first: int
) -> None:
    """Refuse merged cells of a table, all but one of which are empty in the file."""
    from openpyxl.utils import range_boundaries

    for merged in _merged(book, sheet):
        left, top, right, bottom = range_boundaries(merged)
        if (
            (left, top) != (right, bottom)
            and left <= len(table[0])
            and top < first + len(table)
            and bottom >= first
        ):
            raise InvalidInstanceError(
                f"{path}: {merged}: merged cells, of which only the first has a value; "
                "unmerge them and fill in the others"
            )


def _merged(book: Any, sheet: Any) -> Iterator[str]:
    """Yield the merged ranges of a sheet; openpyxl has none when streaming."""
    with book._archive.open(sheet._worksheet_path) as file:
        tail = b""
        while chunk := file.read(_CHUNK):
            data = tail + chunk
            for found in _MERGED.finditer(data):
                yield found[1].decode()
            # A tag that may continue in the next chunk.
            tail = data[max(data.rfind(b"<"), 0) :]
