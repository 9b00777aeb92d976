"""Tables of text in files: comma-separated values and their relatives.

The first line names the columns. Cells are texts and stay as they are, in their order;
the delimiter, the kind of line ends and a byte-order mark are those of the file. Quotes
are written where they are needed. An empty cell is an empty text, a value like others.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import numpy as np

from atleastk.frames.frame import Column, Labels, Mask, Name
from atleastk.frames.rows import numbered_cells
from atleastk.instances.errors import AtleastkError, InvalidInstanceError

__all__ = ["TextFrame", "read_text_frame"]

_DELIMITERS: Final = ",;\t|"
_GZIP_MAGIC: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True, eq=False)
class TextFrame:
    """A table of texts.

    Attributes
    ----------
    line_end
        What ends a line of the file.
    mark
        What the file begins with: a byte-order mark, or nothing.
    """

    names: Sequence[Name]
    rows: Sequence[Sequence[str]]
    delimiter: str = ","
    line_end: str = "\n"
    mark: bytes = b""

    @property
    def native(self) -> Self:
        """The table itself."""
        return self

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def column(self, name: Name) -> Column:
        """Return a column with its texts numbered."""
        j = self.names.index(name)
        return numbered_cells(row[j] for row in self.rows)

    def hiding(self, masks: Mapping[Name, Mask], marker: str) -> Self:
        """Return the table with the marker in the hidden cells of some columns."""
        rows = [list(row) for row in self.rows]
        for name, mask in masks.items():
            j = self.names.index(name)
            for i in np.flatnonzero(mask):
                rows[i][j] = marker
        return replace(self, rows=rows)

    def relabelled(self, labels: Mapping[Name, Labels]) -> Self:
        """Return the table with other texts in place of some columns."""
        rows = [list(row) for row in self.rows]
        for name, texts in labels.items():
            j = self.names.index(name)
            for row, text in zip(rows, texts, strict=True):
                row[j] = "" if text is None else text
        return replace(self, rows=rows)

    def only(self, names: Sequence[Name]) -> Self:
        """Return the table of these columns only."""
        places = [self.names.index(name) for name in names]
        rows = [[row[j] for j in places] for row in self.rows]
        return replace(self, names=tuple(names), rows=rows)

    def write(self, path: Path) -> None:
        """Write the table; compressed if the name ends in ``.gz``."""
        text = io.StringIO(newline="")
        # Before 3.13 a lone carriage return is not quoted unless all is.
        odd = any("\r" in cell for row in self.rows for cell in row)
        writer = csv.writer(
            text,
            delimiter=self.delimiter,
            lineterminator=self.line_end,
            quoting=csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL,
        )
        writer.writerow(self.names)
        writer.writerows(self.rows)
        data = self.mark + text.getvalue().encode()
        if path.suffix == ".gz":
            data = gzip.compress(data, mtime=0)
        try:
            path.write_bytes(data)
        except OSError as failure:
            message = f"{path}: cannot be written: {failure.strerror}"
            raise AtleastkError(message) from failure


def read_text_frame(path: Path, delimiter: str | None = None) -> TextFrame:
    """Read a table of texts, compressed or not.

    Parameters
    ----------
    delimiter
        One character; by default a tab if the name says ``.tsv``, else whichever of
        comma, semicolon, tab and bar splits the first line most.

    Raises
    ------
    InvalidInstanceError
        On one line: the file, the line, and what is wrong there.
    """
    text, mark = _text_of(path)
    if delimiter is None:
        tabs = path.name.removesuffix(".gz").endswith(".tsv")
        delimiter = "\t" if tabs else _delimiter_of(text)
    header, *rows = _parsed(path, text, delimiter)
    twice, times = Counter(header).most_common(1)[0]
    if times > 1:
        message = f'{path}:1: two columns are called "{twice}"; rename one'
        raise InvalidInstanceError(message)
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    return TextFrame(tuple(header), rows, delimiter, end, mark)


def _text_of(path: Path) -> tuple[str, bytes]:
    """Return the text of a file, and its byte-order mark if it has one."""
    try:
        data = path.read_bytes()
        if data.startswith(_GZIP_MAGIC):
            data = gzip.decompress(data)
    except FileNotFoundError as failure:
        message = f"{path}: no such file"
        raise InvalidInstanceError(message) from failure
    except (EOFError, OSError, zlib.error) as failure:
        message = f"{path}: cannot be read: {failure}"
        raise InvalidInstanceError(message) from failure
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return data.decode("utf-8-sig"), mark
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        message = (
            f"{path}:{line}: not a text in UTF-8 (byte 0x{data[failure.start]:02x}); "
            "convert the file first"
        )
        raise InvalidInstanceError(message) from failure


def _delimiter_of(text: str) -> str:
    """Return the delimiter that splits the first line most, a comma if none does."""
    first = text[: text.find("\n") + 1] or text
    return max(
        _DELIMITERS, key=lambda d: len(next(csv.reader([first], delimiter=d), []))
    )


def _parsed(path: Path, text: str, delimiter: str) -> list[list[str]]:
    """Return the header and the rows, all of one length."""
    table: list[list[str]] = []
    blank = 0
    lines = _lines(path, text, delimiter)
    for line, cells in lines:
        if not cells:
            blank = blank or line
            continue
        if blank and table:
            message = f'{path}:{blank}: an empty line; an empty cell is written ""'
            raise InvalidInstanceError(message)
        if table and len(cells) != len(table[0]):
            message = (
                f"{path}:{line}: {len(cells)} cells where the header has "
                f"{len(table[0])}; is the delimiter {delimiter!r}?"
            )
            raise InvalidInstanceError(message)
        table.append(cells)
        blank = 0
    if not table:
        message = f"{path}: the file is empty; expected a line with the columns' names"
        raise InvalidInstanceError(message)
    return table


def _lines(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Give the number of the first line of every row, and its cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        message = f"{path}:{line}: broken CSV: {error}"
        raise InvalidInstanceError(message) from error
