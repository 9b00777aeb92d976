import sqlite3
from contextlib import closing

import pytest
from map_files import ROWS, SQUARES, geometry, write_geopackage

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.files import input_limit
from atleastk.instances.foreign.geopackage import read_geopackage


def one(tmp_path, held):
    path = write_geopackage(tmp_path / "one.gpkg", {"a": [(held, "r0", 3)]})
    return read_geopackage(path)["features"]


def test_rows_are_features(tmp_path):
    document = read_geopackage(write_geopackage(tmp_path / "map.gpkg"))
    assert [found["properties"] for found in document["features"]] == ROWS
    found = [feature["geometry"]["coordinates"] for feature in document["features"]]
    assert found == [[square] for square in SQUARES]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("envelope", range(5))
@pytest.mark.parametrize("kind", [3, 1003, 2003, 3003])
def test_all_ways_to_write_a_polygon(tmp_path, order, envelope, kind):
    (feature,) = one(tmp_path, geometry(SQUARES[0], order, envelope, kind))
    assert feature["geometry"]["coordinates"] == [SQUARES[0]]


def test_several_polygons(tmp_path):
    parts = [geometry(square)[8:] for square in SQUARES]
    (feature,) = one(
        tmp_path, b"GP\0\1\0\0\0\0" + b"\1\6\0\0\0\4\0\0\0" + b"".join(parts)
    )
    assert feature["geometry"]["coordinates"] == SQUARES


@pytest.mark.parametrize("held", [None, b"GP\0\x11\0\0\0\0"])
def test_a_region_may_be_nowhere(tmp_path, held):
    (feature,) = one(tmp_path, held)
    assert feature["geometry"] is None


@pytest.mark.parametrize(
    ("held", "message"),
    [
        (b"", "a: row 1: expected a geometry of GeoPackage"),
        (7, "a: row 1: expected a geometry of GeoPackage"),
        (geometry(SQUARES[0])[:-1], "a: row 1: the geometry is cut off"),
        (b"GP\0\1\0\0\0\0\1\3\0\0\0\xff\xff\xff\xff", "the geometry is cut off"),
        (b"GP\0\1\0\0\0\0\1\1\0\0\0", "expected polygons, got a geometry of type 1"),
        (b"GP\0\x0b\0\0\0\0", "no geometry has a box of kind 5"),
    ],
)
def test_errors_name_the_row(tmp_path, held, message):
    with pytest.raises(InvalidInstanceError, match=message):
        one(tmp_path, held)


def test_layers(tmp_path):
    rows = [(geometry(SQUARES[0]), "r0", 3)]
    path = write_geopackage(tmp_path / "map.gpkg", {"a b;": rows, "c": [*rows, *rows]})
    assert len(read_geopackage(path, "c")["features"]) == 2
    assert len(read_geopackage(path, "a b;")["features"]) == 1
    with pytest.raises(InvalidInstanceError, match="say which layer is meant"):
        read_geopackage(path)


def test_what_is_no_geopackage(tmp_path):
    path = tmp_path / "map.gpkg"
    path.write_bytes(b"SQLite format 3\0" + bytes(200))
    with pytest.raises(InvalidInstanceError, match="not a GeoPackage that can be read"):
        read_geopackage(path)
    path.write_bytes(b"{}")
    with pytest.raises(InvalidInstanceError, match="it is no database of SQLite"):
        read_geopackage(path)


def test_a_database_that_is_being_written_is_refused(tmp_path):
    """What is in its log is not in it yet; closed, it is read as any other."""
    path = write_geopackage(tmp_path / "map.gpkg")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        with database:
            database.execute("UPDATE squares SET people = 9")
        with pytest.raises(InvalidInstanceError, match="close the program that has"):
            read_geopackage(path)
    assert read_geopackage(path)["features"][0]["properties"]["people"] == 9


def test_views_that_compute_for_ever_are_stopped(tmp_path):
    path = write_geopackage(tmp_path / "map.gpkg")
    view = (
        "CREATE VIEW squares AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
        "i + 1 FROM n) SELECT NULL AS geom, 'r' AS called, i AS people FROM n"
    )
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TABLE squares")
        database.execute(view)
    with pytest.raises(InvalidInstanceError, match="interrupted"):
        read_geopackage(path)
    with (
        input_limit(2e-5),
        pytest.raises(InvalidInstanceError, match="more than 2e-05"),
    ):
        read_geopackage(path)
