"""Texts of separated values: CSV and its relatives, read in one way wherever they come.

Lines may end as on any system; what ends the first one ends all of them. Cells may be
quoted, hold line ends then, and be of any length. A first line like ``sep=;``, which
spreadsheets write, says what is between cells and is no row. What no reader could be
sure of is an error that says where: quotes that never close, a line end of another kind
in a cell without quotes, characters of value 0.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice, pairwise
from typing import Final

from atleastk.instances.fields.errors import InvalidInstanceError

Numbered = tuple[int, list[str]]
"""The number of the line on which a row begins, and the cells of the row."""

DELIMITERS: Final = ",;\t|"
"""What may be between the cells of a file; the first if nothing is."""

_ANY_LENGTH: Final = 2**31 - 1
"""Characters of a cell: the greatest limit that `csv` takes on every system."""

_AT_ONCE: Final = 1 << 20
"""Characters that are cut into lines at a time."""

_MOST_CELLS: Final = 2**20
"""Cells of a line: packed delimiters take a ten-thousandth of what their list takes."""

_TITLES: Final = 50
"""Lines among which the names of the columns are looked for, below titles."""

_ENDS: Final = re.compile(r'"|\r\n?|\n')
_PLAIN: Final = re.compile(r'[^\s",][^",\r\n]*')
_SAYS: Final = re.compile(r'"?sep=([^"\r\n])"?(?=[\r\n])')


def line_end_of(text: str) -> str:
    r"""Return what ends the first row: ``\r\n``, ``\r``, or else ``\n``."""
    quoted = False
    for mark in _ENDS.finditer(text):
        if mark[0] == '"':
            quoted = not quoted
        elif not quoted:
            return mark[0]
    return "\n"


def said_delimiter(text: str) -> str | None:
    """Return the delimiter if the first line is no row, but says which it is."""
    said = _SAYS.match(text)
    return said[1] if said else None


def begin_of(text: str) -> int:
    """Return where the rows begin: behind the words that say the delimiter."""
    said = _SAYS.match(text)
    return said.end() if said else 0


def best_delimiter(text: str, among: Sequence[str]) -> str:
    """Return what splits the first line with any text most, unless that line says it.

    If nothing splits it this is the first of those that it may be.
    """
    said = said_delimiter(text)
    if said is not None:
        return said
    end = line_end_of(text)[-1]
    first = next((line for line in lines_of(text, end) if line.strip()), "")
    with _cells_of_any_length():
        return max(among, key=lambda mark: _cells_in(first, mark))


def rows_of(
    text: str, source: str, delimiter: str = ",", *, trimmed: bool = False
) -> list[Numbered]:
    """Return the rows of a text, empty ones too; errors name its source and the line.

    If it is `trimmed`, spaces after a delimiter are left out of the cell.
    """
    return list(_rows(text, source, delimiter, trimmed))


def _rows(
    text: str, source: str, delimiter: str, trimmed: bool = False
) -> Generator[Numbered, None, None]:
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InvalidInstanceError(
            f"{source}:{line}: holds the character 0, which no table has; a text in "
            "UTF-16 has to be converted first"
        )
    if said_delimiter(text) == delimiter:
        text = text[begin_of(text) :]
    lines = lines_of(text, line_end_of(text)[-1])
    reader = csv.reader(
        _narrow(lines, source, delimiter),
        delimiter=delimiter,
        strict=True,
        skipinitialspace=trimmed,
    )
    line = 1
    with _cells_of_any_length():
        try:
            for cells in reader:
                yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            raise InvalidInstanceError(
                f"{source}:{line}: broken CSV: {_plain(error)}"
            ) from error


def _narrow(lines: Iterable[str], source: str, delimiter: str) -> Iterator[str]:
    """Give lines, and refuse one of so many cells that their list would be too long."""
    for number, line in enumerate(lines, start=1):
        if len(line) >= _MOST_CELLS <= line.count(delimiter):
            raise InvalidInstanceError(
                f"{source}:{number}: a line of more than {_MOST_CELLS} cells"
            )
        yield line


def line_of(cells: Iterable[str]) -> str:
    """Return the line that :func:`rows_of`, trimmed, reads as these cells."""
    return ",".join(
        cell if _PLAIN.fullmatch(cell) else '"' + cell.replace('"', '""') + '"'
        for cell in cells
    )


def table_of_text(text: str, source: str, delimiter: str = ",") -> list[Numbered]:
    """Return the header and the rows of a text, all of one length, with their lines."""
    return list(each_of_text(text, source, delimiter))


def each_of_text(
    text: str, source: str, delimiter: str
) -> Generator[Numbered, None, None]:
    """Give the header and the rows of a text, all of one length, with their lines.

    Empty lines are nothing; but between rows of one column, where a cell could be lost.
    Lines of spaces below a header of several columns are empty.
    """
    header: list[str] = []
    top = below = blank = 0
    # Closed at an error, since reading has lifted the limit of a cell's length.
    with closing(_rows(text, source, delimiter)) as rows:
        for line, cells in rows:
            wide = len(header) > 1
            if wide and len(cells) == len(header):
                below += 1
                yield line, cells
                continue
            if not cells or (wide and len(cells) == 1 and not cells[0].strip()):
                blank = blank or line
                continue
            if blank and header and not wide:
                raise InvalidInstanceError(
                    f'{source}:{blank}: an empty line; an empty cell is written ""'
                )
            if not header:
                header, top = cells, line
            elif len(cells) != len(header):
                title = "" if below else f", or line {top} a title"
                raise InvalidInstanceError(
                    f"{source}:{line}: {len(cells)} cells where the header has "
                    f"{len(header)}; is the delimiter {delimiter!r}{title}?"
                )
            else:
                below += 1
            yield line, cells
            blank = 0
    if not header:
        raise InvalidInstanceError(
            f"{source}: the file is empty; expected a line with the columns' names"
        )
    twice, times = Counter(header).most_common(1)[0]
    if times > 1:
        raise InvalidInstanceError(
            f'{source}:{top}: two columns are called "{twice}"; rename one'
        )


def below_titles(text: str, header: int) -> str:
    """Return a text with empty lines in place of those above its header."""
    end = line_end_of(text)
    lines = lines_of(text, end[-1])
    for _ in range(header - 1):
        next(lines, None)
    return "".join([end * (header - 1), *lines])


def line_of_names(text: str) -> int | None:
    """Return the line that seems to name the columns, below titles; None without one.

    It is one of the first lines, not the first, whose cells could be names, and the
    next line has as many.
    """
    end = line_end_of(text)[-1]
    lines = list(islice(lines_of(text, end), _TITLES))
    for number, (line, below) in enumerate(pairwise(lines), start=1):
        mark = max(DELIMITERS, key=lambda mark: _cells_in(line, mark))
        cells, more = _split(line, mark), _split(below, mark)
        if number > 1 and len(cells) == len(more) > 1 and are_names(cells):
            return number
    return None


def are_names(cells: Sequence[str]) -> bool:
    """Tell whether cells could name columns: all different, none empty or a number."""
    texts = [cell.strip() for cell in cells]
    numbers = (text.replace(".", "", 1).isdecimal() for text in texts)
    return all(texts) and len({*texts}) == len(texts) and not any(numbers)


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # the reader will say where in the text
        return []


def lines_of(text: str, end: str) -> Iterator[str]:
    """Give the lines of a text with their ends."""
    start = 0
    while start < len(text):
        stop = text.rfind(end, start, start + _AT_ONCE) + 1
        stop = stop or text.find(end, start) + 1 or len(text)
        *whole, last = text[start:stop].split(end)
        yield from [line + end for line in whole]
        if last:
            yield last
        start = stop


def _cells_in(line: str, delimiter: str) -> int:
    if (cells := line.count(delimiter)) >= _MOST_CELLS:
        return cells
    return len(_split(line, delimiter))


def _plain(error: csv.Error) -> str:
    if "new-line character" in str(error):
        return "a line end of another kind in a cell without quotes"
    return str(error)


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    """Lift the limit of the module `csv`, 131,072 characters, for a moment."""
    before = csv.field_size_limit(_ANY_LENGTH)
    try:
        yield
    finally:
        csv.field_size_limit(before)
