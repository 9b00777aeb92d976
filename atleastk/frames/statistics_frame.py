"""Files of SPSS, Stata and SAS, through pyreadstat.

Numbers and texts are read as they are stored. Dates are numbers in these files: they
stay numbers, and the values of a column are dates. User-defined missing values (99 in
SPSS, ``.a`` in Stata) are values like others; a suppressed number is the system missing
value.

A table is written back with all metadata that pyreadstat can write; a note lists the
others when the table is read. Only SAS writes ``.sas7bdat``: such a table is written to
an ``.xpt``.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, Self

import numpy as np

from atleastk.frames.frame import Column, HoldingFrame, Name
from atleastk.frames.pandas_frame import PandasFrame
from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    optional,
)
from atleastk.instances.files.files import TooMuchError
from atleastk.instances.files.writing import write_bytes


class _Clock(NamedTuple):
    """The meaning of numbers of some formats: units of time since a moment."""

    formats: str
    """A regular expression."""
    first: datetime
    unit: str


_SIXTIES: Final = datetime(1960, 1, 1)
_LATIN: Final = datetime(1582, 10, 14)
"""The calendar of today begins with the next day."""

_SPSS: Final = (_Clock(r"([AEJS]?DATE|DATETIME|YMDHMS)[\d.]*", _LATIN, "seconds"),)
_STATA: Final = (
    _Clock(r"%-?t?d.*", _SIXTIES, "days"),
    _Clock(r"%-?t[cC].*", _SIXTIES, "milliseconds"),
)
_ISO: Final = "(E8601|IS8601|B8601)"
_OF_DAYS: Final = rf"(DATE|(DDMMYY|MMDDYY|YYMMDD)[BCDNPS]?|WEEKDAT[EX]|{_ISO}DA)[\d.]*"
_SAS: Final = (
    _Clock(_OF_DAYS, _SIXTIES, "days"),
    _Clock(rf"(DATETIME|DATEAMPM|MDYAMPM|{_ISO}DT)[\d.]*", _SIXTIES, "seconds"),
)


class _Format(NamedTuple):
    """Reading and writing of the files of one suffix."""

    read: str
    write: str
    """`read`, `write`: the name of the format in pyreadstat."""
    clocks: Sequence[_Clock]
    """The formats of numbers that are dates."""
    options: Mapping[str, Any]
    """Options of pyreadstat for writing."""
    filled: bool = True
    """Whether texts are padded with blanks, to the width of their column."""
    encoded: bool = True
    """Whether the reader takes an encoding."""


STATISTICS: Final = {
    ".sav": _Format("sav", "sav", _SPSS, {"row_compress": True}),
    ".zsav": _Format("sav", "sav", _SPSS, {"compress": True}),
    ".por": _Format("por", "por", _SPSS, {}, encoded=False),
    ".dta": _Format("dta", "dta", _STATA, {"version": 14}, filled=False),
    ".sas7bdat": _Format("sas7bdat", "xport", _SAS, {}),
    ".xpt": _Format("xport", "xport", _SAS, {}),
}
"""The formats by the end of a name."""

_OF_VALUES: Final = {
    "missing_ranges": "missing_ranges",
    "missing_user_values": "missing_user_values",
    "variable_format": "original_variable_types",
    "variable_informat": "original_variable_informats",
    "variable_measure": "variable_measure",
    "variable_value_labels": "variable_value_labels",
}
"""Metadata on the values of columns; dropped for columns that get labels."""

_METADATA: Final = {
    **_OF_VALUES,
    "column_labels": "column_names_to_labels",
    "file_label": "file_label",
    "mr_sets": "mr_sets",
    "note": "notes",
    "table_name": "table_name",
    "variable_display_width": "variable_display_width",
}
"""Metadata of files: its name for writing, and for reading."""

_LOST: Final = {
    "missing_ranges": "which values are missing ones",
    "missing_user_values": "kinds of missing values",
    "mr_sets": "multiple response sets",
    "note": "notes",
    "variable_value_labels": "labels of values",
}
"""Metadata that some formats cannot write, in words."""

_WIDENED: Final = ("int8", "int16", "float")
"""Types for which pyreadstat writes wider ones."""

_RANGE: Final = (2.0**-260, 2.0**249)
"""The range of absolute values that pyreadstat writes to an ``.xpt``, found by trying:
larger ones become infinite, smaller ones 0."""

_BLOCK: Final = 80
"""Bytes of a block: an ``.xpt`` has a whole number of them."""

_ROWS: Final = re.compile(
    rb"HEADER RECORD\*{7}OBS(V8)? +HEADER RECORD!{7}(?P<rows>[ \d]{15})"
)
"""The header before the rows of an ``.xpt``, with their number; blank or 0 if that is
not given."""


@dataclass(frozen=True, slots=True)
class _Letter:
    """A missing value with a letter, as Stata and SAS write it."""

    letter: str

    def __str__(self) -> str:
        return f".{self.letter}"


@dataclass(frozen=True, slots=True, eq=False)
class StatisticsFrame(HoldingFrame):
    """The table of a file of SPSS, Stata or SAS."""

    end: str
    """The end of the name of the file."""
    metadata: Mapping[str, Any]
    """Written besides the cells, by the names of pyreadstat."""
    widths: Mapping[str, int]
    """The bytes of text columns, where they are padded."""
    note: str | None = None
    """A note for the reader of the file."""

    def column(self, name: Name) -> Column:
        """Return a column with its values numbered; dates are dates."""
        column = self.table.column(name)
        written = self.metadata.get("variable_format", {}).get(name, "")
        for clock in STATISTICS[self.end].clocks:
            if re.fullmatch(clock.formats, written):
                return replace(column, values=_dates(column.values, clock))
        return column

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        metadata = dict(self.metadata)
        for word in _OF_VALUES.keys() & metadata.keys():
            metadata[word] = {
                n: x for n, x in metadata[word].items() if n not in labels
            }
        return replace(self, table=self.table.relabelled(labels), metadata=metadata)

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        """Return the table with other cells in some columns; dates are its own."""
        stored = {}
        for name, column in cells.items():
            shown, numbers = self.column(name).values, self.table.column(name).values
            number_of = dict(zip(shown, numbers, strict=True))
            stored[name] = [number_of.get(cell, cell) for cell in column]
        return replace(self, table=self.table.refilled(stored))

    def rebuilt(self) -> Self:
        """Return the table rebuilt, without metadata of unused values."""
        metadata = dict(self.metadata)
        for word, used in _USED.items():
            left = {}
            for name, said in metadata.get(word, {}).items():
                if name in self.names:
                    values = set(map(_stored, self.table.column(name).values))
                    left[name] = used(said, values)
            metadata[word] = _given(left)
        metadata = {word: one for word, one in metadata.items() if one}
        return replace(self, table=self.table.rebuilt(), metadata=metadata)

    def write(self, path: Path) -> None:
        write_bytes(path, self._written(path))

    def _written(self, path: Path) -> bytes:
        import pyreadstat

        form = STATISTICS.get(path.suffix.lower(), STATISTICS[self.end])
        write = getattr(pyreadstat, f"write_{form.write}")
        cells = self.table.native.copy(deep=False)
        for name in cells:
            cells[name] = _storable(cells[name], self.widths.get(name, 0))
        with TemporaryDirectory() as folder:
            target = Path(folder, "table")
            try:
                write(cells, target, **self.metadata, **form.options)
            except _failures() as error:
                raise AtleastkError(
                    f"{path}: cannot be written: {_reason(error)}"
                ) from error
            return target.read_bytes()


def _ranges_in_use(ranges: Sequence[Any], values: set[Any]) -> list[Any]:
    """Return the ranges of missing values, or single ones, that some value is in."""
    texts = {value for value in values if isinstance(value, str)}
    numbers = values - texts - {None}
    used_ranges = []
    for one in ranges:
        low, high = (one["lo"], one["hi"]) if isinstance(one, dict) else (one, one)
        alike = texts if isinstance(low, str) else numbers
        if any(low <= value <= high for value in alike):
            used_ranges.append(one)
    return used_ranges


_USED: Final[Mapping[str, Callable[[Any, set[Any]], Any]]] = {
    "missing_ranges": _ranges_in_use,
    "missing_user_values": lambda letters, used: [x for x in letters if x in used],
    "variable_value_labels": lambda labels, used: {
        value: label for value, label in labels.items() if _stored(value) in used
    },
}
"""Selects the metadata of used values."""

_SURPRISES: Final = (ArithmeticError, LookupError, TypeError, ValueError, UserWarning)
"""Errors of pyreadstat for broken files."""


def read_statistics_frame(
    path: Path, data: bytes | bytearray, most: float, encoding: str | None = None
) -> StatisticsFrame:
    """Read the table of a file of SPSS, Stata or SAS, that holds these data.

    Texts are in the encoding that the file says, if none is given.

    Raises InvalidInstanceError on one line: the file, and what is wrong with it;
    TooMuchError if its rows take more than `most` bytes.
    """
    pyreadstat = optional("pyreadstat", "statistics", "files of SPSS, Stata and SAS")
    optional("pandas", "statistics", "files of SPSS, Stata and SAS")
    end = path.suffix.lower()
    read = getattr(pyreadstat, f"read_{STATISTICS[end].read}")
    known = signature(read).parameters
    truncated = f"{path}: cannot be read: the file is truncated"
    if end == ".xpt" and len(data) % _BLOCK:
        raise InvalidInstanceError(truncated)
    wishes = {"user_missing": True, "encoding": encoding}
    wishes = {word: wish for word, wish in wishes.items() if word in known}
    wishes |= {"disable_datetime_conversion": True, "output_format": "dict"}
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", ".* is duplicated", UserWarning)
            _, about = read(io.BytesIO(data), metadataonly=True, **wishes)
            width = sum(about.variable_storage_width.values())
            size = width * (about.number_rows or 0)
            if size > most:
                raise TooMuchError
            if end == ".dta" and size > len(data):
                raise InvalidInstanceError(truncated)
            # Some files do not have the number of their rows.
            enough = int(most // max(1, width)) + 1
            cells, about = read(io.BytesIO(data), row_limit=enough, **wishes)
            if width * max(map(len, cells.values()), default=0) > most:
                raise TooMuchError
    except AtleastkError:
        raise
    except _failures() as error:
        raise InvalidInstanceError(
            f"{path}: cannot be read: {_reason(error)}"
        ) from error
    except _SURPRISES as error:
        raise InvalidInstanceError(
            f"{path}: cannot be read: the file is broken ({_reason(error)})"
        ) from error
    if end == ".xpt" and _is_cut(data, width):
        raise InvalidInstanceError(truncated)
    if not all(isinstance(name, str) for name in cells):
        raise InvalidInstanceError(
            f"{path}: cannot be read: the file is broken (a nameless variable)"
        )
    return _frame(path, cells, about, data)


def _is_cut(data: bytes | bytearray, width: int) -> bool:
    """Tell whether the rows of an ``.xpt``, of `width` bytes each, end too early.

    Version 8 has their number; blanks follow the last one, less than a block. In
    version 5 a file that is cut between two rows looks whole.
    """
    header = _ROWS.search(data)
    if header is None or not width:
        return False
    length = len(data) - header.start() - _BLOCK
    if rows := int(header["rows"].strip() or 0):
        return length < width * rows
    rest = length % width
    return rest >= _BLOCK or bool(data[len(data) - rest :].strip(b" "))


def _frame(
    path: Path, cells: Any, about: Any, data: bytes | bytearray
) -> StatisticsFrame:
    import pandas
    import pyreadstat

    end = path.suffix.lower()
    form = STATISTICS[end]
    known = signature(getattr(pyreadstat, f"write_{form.write}")).parameters
    said = {word: _given(getattr(about, name)) for word, name in _METADATA.items()}
    lost = [what for word, what in _LOST.items() if said[word] and word not in known]
    metadata = {word: one for word, one in said.items() if one and word in known}
    if end == ".xpt":
        metadata["file_format_version"] = 8 if b"LIBV8" in data[:_BLOCK] else 5
    types = about.readstat_variable_types
    if end == ".dta" and not set(_WIDENED).isdisjoint(types.values()):
        lost.append("narrow types of numbers")
    if form.write == "xport" and any(map(_is_beyond, cells.values())):
        lost.append("numbers beyond 9e74, or within 5e-79 of 0")
    lettered = said["missing_user_values"] if "missing_user_values" in known else {}
    columns = {
        name: _column(cells[name], kind, lettered=name in lettered)
        for name, kind in types.items()
    }
    widths = {
        name: about.variable_storage_width[name]
        for name, kind in types.items()
        if form.filled and kind.startswith("string")
    }
    table = PandasFrame(pandas.DataFrame(columns))
    note = f"not written back: {', '.join(lost)}" if lost else None
    frame = StatisticsFrame(table, end, metadata, widths, note)
    try:
        replace(frame, table=PandasFrame(table.native.head(1)))._written(path)
    except AtleastkError as error:
        return replace(frame, note=str(error).removeprefix(f"{path}: "))
    return frame


def _column(values: Sequence[Any], kind: str, *, lettered: bool) -> Any:
    import pandas

    if kind.startswith("string"):
        return pandas.array(values, dtype="string")
    if lettered:
        cells = [_Letter(v) if isinstance(v, str) else v for v in values]
        return pandas.Series(cells, dtype=object)
    values = [None if isinstance(v, str) else v for v in values]
    return pandas.array(values, dtype="Int32" if "int" in kind else np.float64)


def _is_beyond(values: Sequence[Any]) -> bool:
    sizes = [abs(value) for value in values if isinstance(value, float) and value]
    return bool(sizes) and not _RANGE[0] <= min(sizes) <= max(sizes) < _RANGE[1]


def _storable(column: Any, width: int) -> Any:
    """Return a column of pandas as pyreadstat takes it, of no fewer bytes."""
    import pandas

    if column.dtype == object:
        cells = [v.letter if isinstance(v, _Letter) else v for v in column]
        column = pandas.Series(cells, dtype=object)
    if width and len(column):
        first = "" if pandas.isna(column.iloc[0]) else column.iloc[0]
        column = column.copy()
        column.iloc[0] = first + " " * (width - len(first.encode()))
    return column


def _stored(value: Any) -> Any:
    """Return a value as it is labelled: texts without the blanks that fill them."""
    if isinstance(value, _Letter):
        return value.letter
    return value.rstrip() if isinstance(value, str) else value


def _given(said: Any) -> Any:
    if isinstance(said, dict):
        return {name: one for name, one in said.items() if one}
    return said


def _dates(values: Sequence[Any], clock: _Clock) -> Sequence[Any]:
    """Return dates in place of numbers: of days, if no time of day is another."""
    moments = [_moment(value, clock) for value in values]
    known = [moment for moment in moments if isinstance(moment, datetime)]
    if any(moment.time() != time() for moment in known):
        return moments
    return [m.date() if isinstance(m, datetime) else m for m in moments]


def _moment(value: Any, clock: _Clock) -> Any:
    if value is None or isinstance(value, _Letter):
        return value
    try:
        return clock.first + timedelta(**{clock.unit: float(value)})
    except OverflowError:  # beyond all years that have four digits
        return value


def _failures() -> tuple[type[Exception], ...]:
    """Return the errors of pyreadstat for files, and for tables that do not fit one."""
    import pyreadstat

    return pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeError


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeError):
        return f"a text is in another encoding ({error})"
    words = " ".join(str(error).split())
    return words[:1].lower() + words[1:]
