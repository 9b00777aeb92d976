"""Shapefiles and GeoPackages, written by hand."""

import sqlite3
from contextlib import closing
from pathlib import Path
from struct import pack

SQUARES = [[[(i, 0), (i, 1), (i + 1, 1), (i + 1, 0), (i, 0)]] for i in range(4)]
"""Four squares in a row, clockwise as in shapefiles: a ring each."""

ROWS = [{"called": f"r{i}", "people": 3 + i % 2} for i in range(4)]


def shapes(regions=SQUARES, kind=5):
    records = b""
    for number, rings in enumerate(regions, 1):
        content = pack("<i", 0)
        if rings is not None:
            places = [place for ring in rings for place in ring]
            starts = [sum(map(len, rings[:i])) for i in range(len(rings))]
            content = pack("<i4d", kind, 0, 0, 0, 0)
            content += pack(f"<ii{len(rings)}i", len(rings), len(places), *starts)
            content += b"".join(pack("<2d", *place) for place in places)
        records += pack(">ii", number, len(content) // 2) + content
    head = pack(">i20xi", 9994, 50 + len(records) // 2)
    return head + pack("<ii8d", 1000, kind, *[0] * 8) + records


def table(rows=ROWS, encoding="utf-8", deleted=()):
    columns = b""
    for name, value in rows[0].items():
        kind = b"C" if isinstance(value, str) else b"N"
        columns += pack("<11sc4xBB14x", name.encode(), kind, 12, 0)
    first, width = 33 + len(columns), 1 + 12 * len(rows[0])
    cells = b"".join(
        (b"*" if i in deleted else b" ")
        + b"".join(
            (value if isinstance(value, str) else str(value).rjust(12))
            .encode(encoding)
            .ljust(12)
            for value in row.values()
        )
        for i, row in enumerate(rows)
    )
    head = pack("<B3xIHH20x", 3, len(rows), first, width)
    return head + columns + b"\r" + cells + b"\x1a"


UTM = 'PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",UNIT["Degree",0.017]]]'
"""The beginning and the end of a ``.prj`` of Esri."""


def write_shapefile(path, regions=SQUARES, rows=ROWS, system=None):
    Path(path).write_bytes(shapes(regions))
    Path(path).with_suffix(".dbf").write_bytes(table(rows))
    if system is not None:
        Path(path).with_suffix(".prj").write_text(system, encoding="utf-8")
    return path


def geometry(rings, order="<", envelope=0, kind=3):
    mark = 1 if order == "<" else 0
    wide = 2 + (kind > 1000) + (kind > 3000)
    held = pack(f"{order}BII", mark, kind, len(rings))
    for ring in rings:
        held += pack(f"{order}I", len(ring))
        held += b"".join(pack(f"{order}{wide}d", *p, *[7] * (wide - 2)) for p in ring)
    box = bytes((0, 32, 48, 48, 64)[envelope])
    return b"GP" + pack("<BBi", 0, 1 | envelope << 1, 4326) + box + held


def write_geopackage(path, layers=None, system=("EPSG", 4326, "GEOGCS")):
    squares = [(geometry(s), *r.values()) for s, r in zip(SQUARES, ROWS, strict=True)]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE gpkg_geometry_columns"
            " (table_name TEXT, column_name TEXT, srs_id INTEGER)"
        )
        database.execute(
            "CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization TEXT,"
            " organization_coordsys_id INTEGER, definition TEXT)"
        )
        database.execute("INSERT INTO gpkg_spatial_ref_sys VALUES (7, ?, ?, ?)", system)
        for layer, rows in (layers or {"squares": squares}).items():
            database.execute(
                "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 7)", [layer]
            )
            database.execute(
                f'CREATE TABLE "{layer}" (geom BLOB, called TEXT, people INTEGER)'
            )
            database.executemany(f'INSERT INTO "{layer}" VALUES (?, ?, ?)', rows)
    return path
