"""Tables of text in files: CSV and its relatives.

The first line names the columns. Cells are texts and stay as they are, in their order;
delimiter, line endings and encoding are those of the file. Quotes are written where
needed. An empty cell is an empty text, a value like others.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.frames.frame import Column, Labels, Name
from atleastk.frames.rows import numbered_cells
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.files.csv_rows import (
    DELIMITERS,
    best_delimiter,
    line_end_of,
    said_delimiter,
    table_of_text,
)
from atleastk.instances.files.encoding import USUAL, Encoding, encode
from atleastk.instances.files.paths import plain_name
from atleastk.instances.files.writing import packed, write_bytes

TABS: Final = ".tsv"
"""The end of the names of files in which tabs separate the cells."""


@dataclass(frozen=True, slots=True, eq=False)
class TextFrame:
    """A table of texts.

    Attributes
    ----------
    line_end
        The line ending of the file.
    said
        Whether a line before the names declares the delimiter.
    other
        What splits the first line, if the delimiter that was given does not.
    """

    names: Sequence[Name]
    rows: Sequence[Sequence[str]]
    delimiter: str = ","
    line_end: str = "\n"
    said: bool = False
    encoding: Encoding = USUAL
    other: str | None = None

    @property
    def note(self) -> str | None:
        """A note for the reader: a guessed encoding, or a delimiter not there."""
        name, _, doubt = self.encoding
        notes = []
        if doubt is not None:
            notes.append(f"{doubt}; read as {name}, which is a guess: see --encoding")
        if self.other is not None:
            notes.append(
                f"one column, since no {self.delimiter!r} is in its first line; "
                f"{self.other!r} would split it: see --delimiter"
            )
        return "; ".join(notes) or None

    @property
    def native(self) -> Self:
        return self

    @property
    def n(self) -> int:
        return len(self.rows)

    def column(self, name: Name) -> Column:
        j = self.names.index(name)
        return numbered_cells(row[j] for row in self.rows)

    @garbage_waits()
    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        hidden = {self.names.index(name): mask for name, mask in masks.items()}
        touched = np.logical_or.reduce([np.zeros(self.n, np.bool_), *hidden.values()])
        made = {i: list(self.rows[i]) for i in np.flatnonzero(touched).tolist()}
        for j, mask in hidden.items():
            for i in np.flatnonzero(mask).tolist():
                made[i][j] = marker
        return replace(self, rows=[made.get(i, row) for i, row in enumerate(self.rows)])

    @garbage_waits()
    def relabelled(self, labels: Mapping[Name, Labels]) -> Self:
        rows = [list(row) for row in self.rows]
        for name, texts in labels.items():
            j = self.names.index(name)
            for row, text in zip(rows, texts, strict=True):
                row[j] = "" if text is None else text
        return replace(self, rows=rows)

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        """Return the table with other cells, as texts, in some columns."""
        return self.relabelled({name: list(map(str, cells[name])) for name in cells})

    def only(self, names: Sequence[Name]) -> Self:
        places = [self.names.index(name) for name in names]
        rows = [[row[j] for j in places] for row in self.rows]
        return replace(self, names=tuple(names), rows=rows)

    def taking(self, rows: IntArray) -> Self:
        return replace(self, rows=[self.rows[i] for i in rows.tolist()])

    def rebuilt(self) -> Self:
        """Return the table itself: it has nothing but cells."""
        return self

    def write(self, path: Path) -> None:
        """Write the table; packed if the name says so.

        Tabs separate the cells of a ``.tsv``, since readers go by the name.
        """
        text = io.StringIO(newline="")
        delimiter = "\t" if plain_name(path).endswith(TABS) else self.delimiter
        if self.said:
            text.write(f"sep={delimiter}{self.line_end}")
        names = list(map(str, self.names))
        # Before 3.13 other line endings are only quoted if everything is.
        other = "\n" if self.line_end == "\r" else "\r"
        odd = any(other in cell for row in (names, *self.rows) for cell in row)
        writer = csv.writer(
            text,
            delimiter=delimiter,
            lineterminator=self.line_end,
            quoting=csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL,
        )
        writer.writerow(names)
        writer.writerows(self.rows)
        data = encode(path, text.getvalue(), self.encoding)
        write_bytes(path, packed(path, data))


@garbage_waits()
def read_text_frame(
    path: Path, text: str, encoding: Encoding, delimiter: str | None, tabs: bool
) -> TextFrame:
    """Return the table that the text of a file holds.

    Parameters
    ----------
    encoding
        How the text was written.
    delimiter
        One character; None for that of a first line like ``sep=;``, a tab if the name
        of the file says so, else the one of comma, semicolon, tab and bar that splits
        the first line most.
    tabs
        Whether the name of the file says that tabs separate its cells.

    Raises
    ------
    InvalidInstanceError
        On one line: the file, the line, and what is wrong there.
    """
    said, other = said_delimiter(text), None
    best = best_delimiter(text, "\t" if tabs else DELIMITERS)
    if delimiter is None:
        delimiter = best
    elif said not in (None, delimiter):
        raise InvalidInstanceError(
            f"{path}:1: says that the delimiter is {said!r}, not {delimiter!r}"
        )
    (_, header), *rows = table_of_text(text, str(path), delimiter)
    cells = [row for _, row in rows]
    end = line_end_of(text)
    if len(header) == 1 and best in header[0]:
        other = best
    return TextFrame(
        tuple(header), cells, delimiter, end, said is not None, encoding, other
    )
