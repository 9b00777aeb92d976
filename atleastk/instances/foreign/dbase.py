"""dBASE III: the table of a shapefile.

Columns are of numbers (``N``, ``F``), texts (``C``), dates (``D``) or truth values
(``L``); others are left out.
"""

from __future__ import annotations

from struct import unpack_from
from typing import Any, Final, NamedTuple

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.encoding import fits
from atleastk.instances.foreign.words import number

_HEAD: Final = 32
"""Bytes of the header of a file, and of the description of a column."""

_LAST: Final = 13
"""The byte that ends the columns."""

_DELETED: Final = b"*"
_EMPTY: Final = " \0*"
"""The padding of a missing number."""


class _Column(NamedTuple):
    name: str
    kind: str
    start: int
    end: int


def read_dbase(
    place: str, data: bytes | bytearray, encoding: str | None
) -> list[dict[str, Any] | None]:
    """Return the rows of a table by the names of the columns; None if deleted.

    Without an encoding texts are UTF-8 if all of them can be, else Windows-1252.
    """
    if len(data) <= _HEAD:
        raise InvalidInstanceError(
            f"{place}: not a table of dBASE: it has {len(data)} bytes"
        )
    count, first, width = unpack_from("<IHH", data, 4)
    encoding = encoding or ("utf-8" if fits(data[first:], "utf-8") else "cp1252")
    columns = _columns(place, data, first, encoding)
    if width < 1 or any(column.end > width for column in columns):
        raise InvalidInstanceError(
            f"{place}: not a table of dBASE: rows have {width} bytes"
        )
    if first + count * width > len(data):
        raise InvalidInstanceError(
            f"{place}: is cut off: {count} rows of {width} bytes do not fit"
        )
    rows: list[dict[str, Any] | None] = []
    for i in range(count):
        row = bytes(data[first + i * width : first + (i + 1) * width])
        if row.startswith(_DELETED):
            rows.append(None)
            continue
        where = f"{place}: row {i + 1}"
        rows.append(
            {c.name: _value(where, c, row[c.start : c.end], encoding) for c in columns}
        )
    return rows


def _columns(
    place: str, data: bytes | bytearray, first: int, encoding: str
) -> list[_Column]:
    columns = []
    at, start = _HEAD, 1
    while at + _HEAD <= min(first, len(data)) and data[at] != _LAST:
        name, kind = bytes(data[at : at + 11]), chr(data[at + 11])
        end = start + data[at + 16]
        if kind in "NFCDL":
            title = name.partition(b"\0")[0].decode(encoding, "replace")
            columns.append(_Column(title, kind, start, end))
        at, start = at + _HEAD, end
    if not columns:
        raise InvalidInstanceError(f"{place}: not a table of dBASE: it has no columns")
    return columns


def _value(where: str, column: _Column, cell: bytes, encoding: str) -> Any:
    text = cell.decode(encoding, "replace").partition("\0")[0].strip()
    match column.kind:
        case "C":
            return text
        case "D":
            return text or None
        case "L":
            return {"T": True, "Y": True, "F": False, "N": False}.get(text.upper())
    if not text.strip(_EMPTY):
        return None
    return number(f"{where}: {column.name}", text)
