import zipfile
from random import Random

import pytest
from map_files import ROWS, SQUARES, shapes, table, write_shapefile

from atleastk.instances.datasets.map_files import read_map_file
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.files import input_limit
from atleastk.instances.foreign.shapefile import read_shapefile


@pytest.fixture
def squares(tmp_path):
    return write_shapefile(tmp_path / "map.shp")


def polygons(document):
    return [found["geometry"]["coordinates"] for found in document["features"]]


def test_shapes_and_rows_are_features(squares):
    document = read_shapefile(squares)
    assert [found["properties"] for found in document["features"]] == ROWS
    assert polygons(document) == [[[[[*p] for p in r] for r in s]] for s in SQUARES]


def test_holes_are_within_the_rings_around_them(squares):
    corner = [(0, 0), (0, 9), (9, 9), (9, 8), (1, 8), (1, 0), (0, 0)]
    box = [(2, 1), (2, 7), (8, 7), (8, 1), (2, 1)]
    hole = [(3, 3), (4, 3), (4, 4), (3, 4), (3, 3)]
    squares.write_bytes(shapes([[corner, box, hole], *SQUARES[1:]]))
    first = polygons(read_shapefile(squares))[0]
    assert [len(polygon) for polygon in first] == [1, 2]
    assert first[1][1] == [[*place] for place in hole]


def test_rings_that_all_go_the_other_way_are_outer_ones(squares):
    squares.write_bytes(shapes([[ring[::-1] for ring in s] for s in SQUARES]))
    assert [len(found) for found in polygons(read_shapefile(squares))] == [1] * 4


def test_rows_that_are_deleted_have_no_region(squares):
    squares.with_suffix(".dbf").write_bytes(table(ROWS, deleted=[1]))
    document = read_shapefile(squares)
    assert [one["properties"]["called"] for one in document["features"]] == [
        *("r0", "r2", "r3")
    ]


def test_a_shape_may_be_nowhere(squares):
    squares.write_bytes(shapes([None, *SQUARES[1:]]))
    assert read_shapefile(squares)["features"][0]["geometry"] is None


@pytest.mark.parametrize(
    ("code_page", "encoding"),
    [(None, "utf-8"), (None, "cp1252"), ("ANSI 1253", "cp1253"), ("UTF-8", "utf-8")],
)
def test_encodings(squares, code_page, encoding):
    name = "Ωa" if encoding == "cp1253" else "Häßlo"
    rows = [{**row, "called": name} for row in ROWS]
    squares.with_suffix(".dbf").write_bytes(table(rows, encoding))
    if code_page:
        squares.with_suffix(".CPG").write_text(code_page)
    assert read_shapefile(squares)["features"][0]["properties"]["called"] == name


def test_archives_hold_layers(squares):
    path = squares.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for layer in ("a", "sub/b"):
            archive.writestr(f"{layer}.shp", shapes())
            archive.writestr(f"{layer}.dbf", table())
        archive.writestr("read.me", "")
    assert len(read_shapefile(path, "sub/b")["features"]) == 4
    with pytest.raises(InvalidInstanceError, match="meant; there are a, sub/b"):
        read_shapefile(path)
    with pytest.raises(InvalidInstanceError, match='no layer "c"'):
        read_shapefile(path, "c")
    with input_limit(1e-6), pytest.raises(InvalidInstanceError, match="more than 1e-0"):
        read_shapefile(path, "a")


def changed(at, what):
    return lambda data: data[:at] + what + data[at + len(what) :]


@pytest.mark.parametrize(
    ("suffix", "change", "message"),
    [
        (".shp", lambda data: data[:-1], "map.shp: is cut off: it has 643 bytes of"),
        (".shp", lambda data: data[:7], "map.shp: not a shapefile"),
        (".shp", changed(104, b"\0\1\0\0"), "shape 1: a length of 131072 bytes"),
        (".shp", changed(108, b"\3"), "shape 1: expected polygons, got a shape of"),
        (".shp", changed(144, b"\xff\xff\xff\x7f"), "shape 1: 2147483647 rings of 5"),
        (".shp", changed(152, b"\1"), r"shape 1: rings begin at \[1, 5\]"),
        (".shp", changed(156, b"\xff" * 8), "shape 1: a place is not finite"),
        (".dbf", lambda data: data[:20], "map.dbf: not a table of dBASE: it has 20"),
        (".dbf", changed(4, b"\xff"), "map.dbf: is cut off: 255 rows of 25 bytes"),
        (".dbf", changed(4, b"\3"), "map.dbf: 3 rows, but .*map.shp has 4 shapes"),
        (".dbf", changed(10, b"\3"), "map.dbf: not a table of dBASE: rows have 3 "),
        (".dbf", changed(32, b"\r"), "map.dbf: not a table of dBASE: it has no col"),
        (".dbf", changed(119, b"x"), "map.dbf: row 1: people: expected a number, got"),
    ],
)
def test_errors_name_the_place(squares, suffix, change, message):
    path = squares.with_suffix(suffix)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InvalidInstanceError, match=message) as raised:
        read_shapefile(squares)
    assert "\n" not in str(raised.value)


def test_missing_files(squares):
    squares.with_suffix(".dbf").unlink()
    with pytest.raises(InvalidInstanceError, match=r"there is no \.dbf beside it"):
        read_shapefile(squares)
    squares.unlink()
    with pytest.raises(InvalidInstanceError, match="no such file"):
        read_shapefile(squares)


@pytest.mark.parametrize("driver", ["ESRI Shapefile", "GPKG"])
def test_what_gdal_writes(driver, tmp_path):
    geopandas = pytest.importorskip("geopandas")
    shapely = pytest.importorskip("shapely")
    rng = Random(3)
    regions = []
    for i in range(12):
        corners = [(rng.random() * 9 + 10 * i, rng.random() * 9) for _ in range(6)]
        ring = shapely.MultiPoint(corners).convex_hull
        hole = shapely.affinity.scale(ring, 0.5, 0.5)
        island = shapely.affinity.translate(hole, 0, 20)
        regions.append(ring.difference(hole).union(island))
    numbers = [rng.randrange(10**9) for _ in regions]
    called = [f"Ñ{i}" for i in range(12)]
    frame = geopandas.GeoDataFrame(
        {"people": numbers, "called": called}, geometry=regions, crs=4326
    )
    path = tmp_path / ("map.gpkg" if driver == "GPKG" else "map.shp")
    frame.to_file(path, driver=driver, encoding="utf-8", index=False)
    document = read_map_file(path)
    rows = [found["properties"] for found in document["features"]]
    assert [one["people"] for one in rows] == numbers
    assert [one["called"] for one in rows] == called
    read = [shapely.geometry.shape(one["geometry"]) for one in document["features"]]
    assert all(a.equals(b) for a, b in zip(read, regions, strict=True))
