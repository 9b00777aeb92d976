"""Shapefiles of polygons: ``.shp`` with the ``.dbf`` beside it, or a ZIP of both.

An archive may hold several; each is a layer, by its name. Heights and measures are left
out, and so are shapes whose row of the table is deleted. A file ``.cpg`` has the
encoding of the texts, and ``.prj`` the coordinate system.

The table is one of dBASE III. Its columns are of numbers (``N``, ``F``), texts (``C``),
dates (``D``) or truth values (``L``); others are left out.

[ESRI98] ESRI Shapefile Technical Description, ESRI White Paper, July 1998.
"""

from __future__ import annotations

import codecs
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from struct import unpack_from
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.fields.errors import InvalidInstanceError, placed
from atleastk.instances.fields.shapes import shown
from atleastk.instances.files.encoding import fits
from atleastk.instances.files.files import read_archive, read_bytes
from atleastk.instances.files.paths import AnyPath, plain_name
from atleastk.instances.foreign.coordinate_systems import system_of_text
from atleastk.instances.foreign.geojson import (
    Document,
    Rings,
    feature,
    feature_collection,
    layer_of,
)
from atleastk.instances.foreign.words import number

_CODE: Final = 9994
"""The first number of a file of shapes."""

_HEAD: Final = 100
"""Bytes of the head of a file of shapes."""

_POLYGONS: Final = (5, 15, 25)
"""Types of shapes: polygons, with heights, with measures."""

_SUFFIXES: Final = (".shp", ".dbf", ".cpg", ".prj")

_ENCODINGS: Final = ("utf-8", "cp", "iso8859", "big5", "euc", "gb", "koi8", "shift")
"""Prefixes of the names of encodings of tables."""

_HEAD_OF_TABLE: Final = 32
"""Bytes of the header of a file, and of the description of a column."""

_LAST: Final = 13
"""The byte that ends the columns."""

_DELETED: Final = b"*"
_EMPTY: Final = " \0*"
"""The padding of a missing number."""

Parts = dict[str, tuple[str, bytes | bytearray]]
"""The name and the content of the files of a shapefile, by suffix."""


def read_shapefile(path: AnyPath, layer: str | None = None) -> Document:
    """Return the polygons of a shapefile as features of GeoJSON.

    `layer` is the shapefile that is meant, of an archive that holds several.
    """
    is_archive = Path(path).suffix.lower() == ".zip"
    layers = _archived(path) if is_archive else _beside(Path(path))
    parts = layers[layer_of(path, layers, layer)]
    place, shapes = parts[".shp"]
    if ".dbf" not in parts:
        raise InvalidInstanceError(
            f"{place}: there is no .dbf beside it, the table of its shapes"
        )
    table_place, table = parts[".dbf"]
    _, code_page = parts.get(".cpg", ("", b""))
    rows = _rows(table_place, table, _encoding(code_page))
    regions = list(_regions(place, shapes))
    if len(rows) != len(regions):
        raise InvalidInstanceError(
            f"{table_place}: {len(rows)} rows, but {place} has {len(regions)} shapes"
        )
    pairs = zip(rows, regions, strict=True)
    _, system = parts.get(".prj", ("", b""))
    return feature_collection(
        [feature(row, region) for row, region in pairs if row is not None],
        system_of_text(system.decode("utf-8", "replace")),
    )


def _archived(path: AnyPath) -> dict[str, Parts]:
    layers: dict[str, Parts] = defaultdict(dict)
    for name, data in read_archive(path, _SUFFIXES).items():
        layers[name[:-4]][name[-4:].lower()] = (f"{path}: {name}", data)
    return {layer: parts for layer, parts in layers.items() if ".shp" in parts}


def _beside(path: Path) -> dict[str, Parts]:
    """Return the shapefile of this name, with the files beside it."""
    stem = Path(plain_name(path)).stem
    parts: Parts = {".shp": (str(path), read_bytes(path))}
    for suffix in _SUFFIXES[1:]:
        for spelled in (suffix, suffix.upper()):
            found = path.with_name(stem + spelled)
            if found.exists():
                parts[suffix] = (str(found), read_bytes(found))
    return {stem: parts}


def _encoding(code_page: bytes | bytearray) -> str | None:
    """Return the encoding of texts, if a ``.cpg`` file names it, as ``ANSI 1252``."""
    name_in_file = code_page.decode("ascii", "replace").strip()
    for name in (name_in_file, f"cp{name_in_file.rpartition(' ')[2]}"):
        with suppress(LookupError, ValueError):
            found = codecs.lookup(name).name
            if found.startswith(_ENCODINGS):
                return found
    return None


def _regions(place: str, data: bytes | bytearray) -> Iterator[Sequence[Rings] | None]:
    """Yield the polygons of every shape; None for a shape without geometry."""
    if len(data) < _HEAD or unpack_from(">i", data)[0] != _CODE:
        raise InvalidInstanceError(
            f"{place}: not a shapefile: it does not begin with {_CODE}"
        )
    end = 2 * unpack_from(">i", data, 24)[0]
    if end > len(data):
        raise InvalidInstanceError(
            f"{place}: is cut off: it has {len(data)} bytes of {end}"
        )
    at, shape = _HEAD, 1
    while at + 8 <= end:
        size = 2 * unpack_from(">i", data, at + 4)[0]
        with placed(f"{place}: shape {shape}"):
            if not 4 <= size <= end - at - 8:
                raise InvalidInstanceError(f"a length of {size} bytes does not fit")
            region = _polygons(data[at + 8 : at + 8 + size])
        yield region
        at, shape = at + 8 + size, shape + 1


def _polygons(shape: bytes | bytearray) -> Sequence[Rings] | None:
    """Return the polygons of a shape: outer rings go clockwise, holes do not."""
    kind = unpack_from("<i", shape)[0]
    if kind == 0:
        return None
    if kind not in _POLYGONS:
        raise InvalidInstanceError(f"expected polygons, got a shape of type {kind}")
    parts, points = unpack_from("<ii", shape, 36) if len(shape) >= 44 else (-1, -1)
    first = 44 + 4 * parts
    if parts < 0 or points < 0 or first + 16 * points > len(shape):
        raise InvalidInstanceError(f"{parts} rings of {points} places do not fit")
    cuts = [*unpack_from(f"<{parts}i", shape, 44), points]
    if not parts or cuts[0] or any(a >= b for a, b in pairwise(cuts)):
        raise InvalidInstanceError(
            f"rings begin at {shown(cuts)}: not one after the other"
        )
    places = np.frombuffer(shape, "<f8", 2 * points, first).reshape(-1, 2)
    if not np.isfinite(places).all():
        raise InvalidInstanceError("a place is not finite")
    return _nested([places[a:b] for a, b in pairwise(cuts)])


@np.errstate(all="ignore")
def _nested(rings: Sequence[FloatArray]) -> Sequence[Rings]:
    """Return polygons: every outer ring with the holes within it."""
    turns = [_turn(ring) for ring in rings]
    outer = [ring for ring, turn in zip(rings, turns, strict=True) if turn <= 0]
    holes = [ring for ring, turn in zip(rings, turns, strict=True) if turn > 0]
    boxes = np.array([[*ring.min(0), *(-ring.max(0))] for ring in outer])
    polygons: list[list[Any]] = [[ring.tolist()] for ring in outer]
    for hole in holes:
        fits = (boxes <= [*hole.min(0), *(-hole.max(0))]).all(1) if outer else ()
        around = [i for i in np.flatnonzero(fits) if _holds(outer[i], hole[:2].mean(0))]
        if around:
            polygons[around[0]].append(hole.tolist())
        else:  # some programs write outer rings in the other direction
            polygons.append([hole.tolist()])
    return polygons


def _turn(ring: FloatArray) -> float:
    """Return twice the area of a ring: negative if it goes clockwise."""
    x, y = (ring - ring[0]).T
    return float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1]))


def _holds(ring: FloatArray, place: FloatArray) -> bool:
    """Tell whether a place is within a ring: a ray crosses an odd number of sides."""
    x, y = (ring - place).T
    crossed = (y[:-1] > 0) != (y[1:] > 0)
    right = x[:-1] - y[:-1] * (x[1:] - x[:-1]) / (y[1:] - y[:-1]) > 0
    return bool((crossed & right).sum() % 2)


class _Column(NamedTuple):
    name: str
    kind: str
    start: int
    end: int


def _rows(
    place: str, data: bytes | bytearray, encoding: str | None
) -> list[dict[str, Any] | None]:
    """Return the rows of the table, by the names of the columns; None if deleted.

    Without an encoding texts are UTF-8 if all of them can be, else Windows-1252.
    """
    if len(data) <= _HEAD_OF_TABLE:
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
    at, start = _HEAD_OF_TABLE, 1
    while at + _HEAD_OF_TABLE <= min(first, len(data)) and data[at] != _LAST:
        name, kind = bytes(data[at : at + 11]), chr(data[at + 11])
        end = start + data[at + 16]
        if kind in "NFCDL":
            title = name.partition(b"\0")[0].decode(encoding, "replace")
            columns.append(_Column(title, kind, start, end))
        at, start = at + _HEAD_OF_TABLE, end
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
