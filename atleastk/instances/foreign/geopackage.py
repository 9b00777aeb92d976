"""GeoPackages: maps in a SQLite database, with geometries in well-known binary.

The database is read into memory and stays as it is. Heights and measures are left out,
and so are columns of bytes.

[OGC12-128] OGC GeoPackage Encoding Standard, www.geopackage.org/spec.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from struct import calcsize, unpack_from
from typing import Any, Final

from atleastk.instances.fields.errors import InvalidInstanceError, placed
from atleastk.instances.files.files import expect_within, read_bytes
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.foreign.coordinate_systems import System, system_of_text
from atleastk.instances.foreign.geojson import (
    Document,
    Rings,
    feature,
    feature_collection,
    layer_of,
)

_HEAD: Final = b"SQLite format 3\0"

_MODE: Final = slice(18, 20)
"""The bytes for the journal mode: a database in memory has no log beside it."""

_STEPS: Final = 100
"""Steps of SQLite for every byte of a file: a row of many columns takes one per column,
but a view may compute for ever."""

_MOST_STEPS: Final = 2**31 - 1
"""Steps that SQLite can count to."""

_LAYERS: Final = "SELECT table_name, column_name FROM gpkg_geometry_columns"

_SYSTEM: Final = """
SELECT organization, organization_coordsys_id, definition
FROM gpkg_geometry_columns JOIN gpkg_spatial_ref_sys USING (srs_id)
WHERE table_name = ? AND srs_id > 0
"""

_ENVELOPES: Final = (0, 32, 48, 48, 64)
"""Bytes of the box before a geometry, by its flag."""

_EMPTY: Final = 16
"""The flag of an empty geometry."""

_POLYGON: Final = 3
"""The code of a polygon."""

_MULTIPOLYGON: Final = 6
"""The code of several polygons."""

_ROW: Final = 200
"""Bytes of a row besides its values: a guess."""


def read_geopackage(path: AnyPath, layer: str | None = None) -> Document:
    """Return the polygons of a GeoPackage as features of GeoJSON.

    `layer` is the table that is meant, if there are several.
    """
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        raise InvalidInstanceError(
            f"{path}: is being written; close the program that has opened it"
        )
    data = bytearray(read_bytes(path))
    if not data.startswith(_HEAD):
        raise InvalidInstanceError(
            f"{path}: not a GeoPackage: it is no database of SQLite"
        )
    data[_MODE] = b"\1\1"
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(data)
            database.text_factory = lambda text: text.decode(errors="replace")
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, len(data))
            database.set_progress_handler(
                lambda: True, min(_STEPS * len(data), _MOST_STEPS)
            )
            database.execute("PRAGMA trusted_schema = OFF")
            table, column = _table(path, database, layer)
            features = list(_features(path, database, table, column))
            return feature_collection(features, _system(database, table))
    except sqlite3.Error as error:
        raise InvalidInstanceError(
            f"{path}: not a GeoPackage that can be read: {error}"
        ) from error


def _table(
    path: AnyPath, database: sqlite3.Connection, wanted: str | None
) -> tuple[str, str]:
    """Return the table that is meant, and its column of geometries."""
    layers = {str(table): str(column) for table, column in database.execute(_LAYERS)}
    layer = layer_of(path, layers, wanted)
    return layer, layers[layer]


def _system(database: sqlite3.Connection, table: str) -> System | None:
    """Return the coordinate system of a table, if the file says it."""
    with suppress(sqlite3.OperationalError):  # a file without that table
        for organization, number, definition in database.execute(_SYSTEM, [table]):
            if str(organization).upper() in ("EPSG", "ESRI"):
                return f"{organization}:{number}".upper()
            return system_of_text(str(definition))
    return None


def _features(
    path: AnyPath, database: sqlite3.Connection, layer: str, column: str
) -> Iterator[Document]:
    quoted = layer.replace('"', '""').replace("\0", "")
    cursor = database.execute(f'SELECT * FROM "{quoted}"')
    names = [str(column[0]) for column in cursor.description]
    if column not in names:
        raise InvalidInstanceError(
            f"{path}: {layer}: no column {column!r} of geometries"
        )
    geometry = names.index(column)
    held = 0
    for number, row in enumerate(cursor, 1):
        held += _ROW + sum(len(cell) for cell in row if isinstance(cell, str | bytes))
        expect_within(path, held)
        cells = zip(names, row, strict=True)
        properties = {name: c for name, c in cells if not isinstance(c, bytes)}
        with placed(f"{path}: {layer}: row {number}"):
            region = _region(row[geometry])
        yield feature(properties, region)


def _region(held: Any) -> list[Rings] | None:
    """Return the polygons of a geometry; None if it is empty."""
    if held is None:
        return None
    if not isinstance(held, bytes) or not held.startswith(b"GP") or len(held) < 8:
        raise InvalidInstanceError("expected a geometry of GeoPackage")
    flags = held[3]
    box = flags >> 1 & 7
    if box >= len(_ENVELOPES):
        raise InvalidInstanceError(f"no geometry has a box of kind {box}")
    if flags & _EMPTY:
        return None
    try:
        return _WellKnownBinary(held, 8 + _ENVELOPES[box]).polygons()
    except struct.error as error:
        raise InvalidInstanceError("the geometry is cut off") from error


class _WellKnownBinary:
    """Polygons in well-known binary, read from their beginning."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at
        self._order = "<"
        self._dimensions = 2

    def polygons(self) -> list[Rings]:
        """Return the polygons of a geometry."""
        kind = self._kind()
        if kind == _MULTIPOLYGON:
            return [self._polygon(self._kind()) for _ in range(self._number("I"))]
        return [self._polygon(kind)]

    def _kind(self) -> int:
        """Read the byte order and type of a geometry."""
        self._order = "<" if self._number("B") else ">"
        more, kind = divmod(self._number("I"), 1000)
        self._dimensions = 4 if more == 3 else 3 if more else 2
        return kind

    def _polygon(self, kind: int) -> Rings:
        if kind != _POLYGON:
            raise InvalidInstanceError(
                f"expected polygons, got a geometry of type {kind}"
            )
        return [self._ring() for _ in range(self._number("I"))]

    def _ring(self) -> Sequence[Sequence[float]]:
        places, wide = self._number("I"), self._dimensions
        numbers = unpack_from(f"{self._order}{places * wide}d", self._data, self._at)
        self._at += 8 * places * wide
        return list(zip(numbers[::wide], numbers[1::wide], strict=True))

    def _number(self, form: str) -> int:
        (number,) = unpack_from(f"{self._order}{form}", self._data, self._at)
        self._at += calcsize(f"{self._order}{form}")
        return int(number)
