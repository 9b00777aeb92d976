"""Tables of text in files: CSV and its relatives.

The first line names the columns. Cells are texts and stay as they are, in their order;
delimiter, line endings and encoding are those of the file. Quotes are written where
needed. An empty cell is an empty text, a value like others.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Self

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.frames.csv_loops import lines_written, numbered_cells_of
from atleastk.frames.frame import Column, Name, in_order, merged
from atleastk.frames.rows import numbered_cells
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.files.csv_rows import (
    DELIMITERS,
    begin_of,
    below_titles,
    best_delimiter,
    each_of_text,
    line_end_of,
    line_of_names,
    said_delimiter,
)
from atleastk.instances.files.encoding import USUAL, Encoding, encode
from atleastk.instances.files.files import IN_ITS_FILE, expect_room
from atleastk.instances.files.paths import plain_name
from atleastk.instances.files.writing import packed, write_bytes

TABS: Final = ".tsv"
"""The end of the names of files in which tabs separate the cells."""

_LARGE: Final = 1 << 20
_MANY_ROWS: Final = 1 << 15
"""Characters of a text that a loop reads, and rows that one writes: it takes half a
second to load."""

_AT_ONCE: Final = 1 << 14
"""Rows that exist as lists at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class TextFrame:
    """A table of texts."""

    names: Sequence[Name]
    columns: Sequence[Column]
    """Those of these names; what a cell holds is in memory once."""
    delimiter: str = ","
    line_end: str = "\n"
    """The line ending of the file."""
    said: bool = False
    """Whether a line before the names declares the delimiter."""
    encoding: Encoding = USUAL
    other: str | None = None
    """What splits the first line, if the delimiter that was given does not."""

    @classmethod
    def of(
        cls, names: Sequence[Name], rows: Iterable[Sequence[str]], delimiter: str = ","
    ) -> Self:
        return cls(names, _columns_of(rows, len(names)), delimiter)

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
        return len(self.columns[0].codes)

    def each_row(self) -> Iterator[tuple[str, ...]]:
        """Yield the cells, row by row."""
        for start in range(0, self.n, _AT_ONCE):
            block = slice(start, start + _AT_ONCE)
            cells = [
                map(column.values.__getitem__, column.codes[block].tolist())
                for column in self.columns
            ]
            yield from zip(*cells, strict=True)

    def column(self, name: Name) -> Column:
        return self.columns[self.names.index(name)]

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        hidden = {}
        for name, mask in masks.items():
            column = self.column(name)
            values = [*column.values, marker]
            codes = np.where(mask, values.index(marker), column.codes)
            hidden[name] = in_order(codes, values, text=True)
        return self._having(hidden)

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        made = {}
        for name, texts in labels.items():
            values = [text or "" for text in texts.values]
            made[name] = merged(texts.codes, values, text=True)
        return self._having(made)

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        return self._having(
            {name: numbered_cells(map(str, listed)) for name, listed in cells.items()}
        )

    def only(self, names: Sequence[Name]) -> Self:
        return replace(self, names=tuple(names), columns=[*map(self.column, names)])

    def taking(self, rows: IntArray) -> Self:
        taken = [in_order(c.codes[rows], c.values, c.text) for c in self.columns]
        return replace(self, columns=taken)

    def _having(self, columns: Mapping[Name, Column]) -> Self:
        both = zip(self.names, self.columns, strict=True)
        return replace(self, columns=[columns.get(name, old) for name, old in both])

    def rebuilt(self) -> Self:
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
        odd = any(
            other in cell
            for cells in (names, *(column.values for column in self.columns))
            for cell in cells
        )
        how: dict[str, Any] = {
            "delimiter": delimiter,
            "lineterminator": self.line_end,
            "quoting": csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL,
        }
        writer = csv.writer(text, **how)
        writer.writerow(names)
        if self.n < _MANY_ROWS:
            writer.writerows(self.each_row())
        else:
            text.write(lines_written(self.columns, self._told(how)))
        data = encode(path, text.getvalue(), self.encoding)
        write_bytes(path, packed(path, data))

    def _told(self, how: Mapping[str, Any]) -> Iterator[list[str]]:
        """Yield the values of every column as lines have them, with what follows."""
        between, end = how["delimiter"], how["lineterminator"]
        last, alone = self.columns[-1], len(self.columns) == 1
        for column in self.columns:
            lines: list[str] = []
            writer = csv.writer(SimpleNamespace(write=lines.append), **how)
            if alone:  # an empty cell is not nothing there
                writer.writerows([value] for value in column.values)
                yield lines
                continue
            writer.writerows([value, value] for value in column.values)
            behind = end if column is last else between
            yield [line[: (len(line) - len(end)) // 2] + behind for line in lines]


@garbage_waits()
def read_text_frame(
    path: Path,
    text: str,
    encoding: Encoding,
    delimiter: str | None,
    tabs: bool,
    header: int | None = None,
) -> TextFrame:
    """Return the table that the text of a file holds, which was encoded like this.

    The delimiter is one character; None for that of a first line like ``sep=;``, a tab
    if the name of the file says so (`tabs`), else the one of comma, semicolon, tab and
    bar that splits the first line most. Line `header` names the columns, if not the
    first.

    Raises InvalidInstanceError on one line: the file, the line, and what is wrong
    there.
    """
    if header is not None:
        text = below_titles(text, header)
        if not text or text.isspace():
            raise InvalidInstanceError(
                f"{path}: is empty from line {header} on, where the columns' names "
                "are expected"
            )
    said, other, end = said_delimiter(text), None, line_end_of(text)
    best = best_delimiter(text, "\t" if tabs else DELIMITERS)
    if delimiter is None:
        delimiter = best
    elif said not in (None, delimiter):
        raise InvalidInstanceError(
            f"{path}:1: says that the delimiter is {said!r}, not {delimiter!r}"
        )
    expect_room(path, text.count(delimiter) + text.count("\n"), IN_ITS_FILE)
    with closing(each_of_text(text, str(path), delimiter)) as each:
        try:
            _, names = next(each)
            columns, width = None, len(names)
            if len(text) >= _LARGE and len(set(names)) == width:
                start = begin_of(text)
                columns = numbered_cells_of(text, start, delimiter, width, end)
            if columns is None:  # a small text, or one with something to tell of
                columns = _columns_of((cells for _, cells in each), width)
        except InvalidInstanceError as error:
            likely = None if header else line_of_names(text)
            if likely is None:
                raise
            raise InvalidInstanceError(
                f"{error}; line {likely} looks like the names of columns, and "
                f"--header {likely} begins there"
            ) from error
    if len(names) == 1 and best in names[0]:
        other = best
    return TextFrame(
        tuple(names), columns, delimiter, end, said is not None, encoding, other
    )


def _columns_of(rows: Iterable[Sequence[str]], width: int) -> list[Column]:
    """Return the columns of so many cells a row; values are numbered as they appear."""
    each = iter(rows)
    numbers: list[defaultdict[str, int]] = [defaultdict() for _ in range(width)]
    for known in numbers:
        known.default_factory = known.__len__
    parts: list[list[Int32Array]] = [[np.empty(0, dtype=np.int32)] for _ in numbers]
    while block := list(islice(each, _AT_ONCE)):
        for known, part, cells in zip(
            numbers, parts, zip(*block, strict=True), strict=True
        ):
            codes = map(known.__getitem__, cells)
            part.append(np.fromiter(codes, np.int32, len(block)))
    return [
        Column(np.concatenate(part), list(known), text=True)
        for part, known in zip(parts, numbers, strict=True)
    ]
