import json
import sys

import pytest

from atleastk import BackendUnavailableError, InvalidInstanceError
from atleastk.instances.datasets.maps import (
    connected_partition_from_file,
    connected_partition_from_geodataframe,
    polygons_from_file,
)


def box(left, bottom, right, top):
    return [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]


def polygon(*rings):
    return {"type": "Polygon", "coordinates": list(rings)}


def feature(geometry, **properties):
    return {"type": "Feature", "properties": properties, "geometry": geometry}


WEST = feature(polygon(box(0, 0, 2, 4), box(0.5, 0.5, 1, 1)), pop=3, name="West")
EAST = feature(polygon(box(2, 0, 4, 4)), pop=4.0, name="East")
ISLES = feature(
    {"type": "MultiPolygon", "coordinates": [[box(9, 9, 10, 10)], [box(6, 0, 9, 3)]]},
    pop=0,
    name="Isles",
)
MAP = [WEST, EAST, ISLES]


@pytest.fixture
def written(tmp_path):
    def write(features, kind="FeatureCollection"):
        path = tmp_path / "map.geojson"
        path.write_text(json.dumps({"type": kind, "features": features}))
        return path

    return write


def test_files_are_read(written):
    path = written(MAP)
    instance = connected_partition_from_file(path, "pop", 2, name="name")
    assert (instance.weights, instance.edges, instance.k) == ((3, 4, 0), ((0, 1),), 2)
    assert instance.labels == ("West", "East", "Isles")
    assert instance.positions == ((1, 2), (3, 2), (7.5, 1.5))
    assert instance.name == "map.geojson"
    assert "2 pieces" in instance.comment
    assert "Isles" in instance.comment
    assert connected_partition_from_file(path, "pop", 2) == instance


def test_names_are_usual_or_none(written):
    plain = polygon(box(0, 0, 1, 1))
    for key, label in (("NAME", ("A",)), ("Name", ("A",)), ("title", None)):
        path = written([feature(plain, pop=3, **{key: "A"})])
        assert connected_partition_from_file(path, "pop", 2).labels == label
    path = written([WEST, feature(plain, pop=1)])
    assert connected_partition_from_file(path, "pop", 2).labels is None


def test_polygons_are_for_pictures(written):
    west, east, isles = polygons_from_file(written(MAP))
    assert [[len(ring) for ring in face] for face in west] == [[5, 5]]
    assert east == [[[(2, 0), (4, 0), (4, 4), (2, 4), (2, 0)]]]
    assert len(isles) == 2


def test_rings_that_are_open_are_closed(written):
    ring = [[*place, 7] for place in box(0, 0, 1, 1)[:-1]]
    (region,) = polygons_from_file(written([feature(polygon(ring), pop=1)]))
    assert region == [[[(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]]]


def test_regions_may_have_no_area(written):
    line = feature(polygon([[5, 5], [6, 6], [5, 5]]), pop=1)
    instance = connected_partition_from_file(written([line]), "pop", 2)
    assert instance.positions == ((5, 5),)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (
            feature(polygon(box(0, 0, 1, 1)), people=1),
            'no property "pop"; there are pe',
        ),
        (feature(polygon(box(0, 0, 1, 1))), "there are no properties"),
        ({**EAST, "properties": None}, "there are no properties"),
        (feature(polygon(box(0, 0, 1, 1)), pop=-1), "pop: expected a whole .* got -1"),
        (
            feature(polygon(box(0, 0, 1, 1)), pop=1.5),
            "pop: expected a whole .* got 1.5; take a smaller unit",
        ),
        (
            feature(polygon(box(0, 0, 1, 1)), pop="9 a", called="Ash"),
            "pop: expected a whole .* got '9 a' for Ash$",
        ),
        (feature(polygon(box(0, 0, 1, 1)), pop=True), "pop: .* got True"),
        (feature(polygon(box(0, 0, 1, 1)), pop=None), "pop: .* got null; fill it in"),
        (feature(None, pop=1), "expected a Polygon or MultiPolygon, got nothing"),
        (feature({"type": "Point"}, pop=1), "MultiPolygon, got Point"),
        (feature({"type": "Polygon"}, pop=1), "broken coordinates"),
        (feature(polygon(), pop=1), "a polygon without a border"),
        (feature(polygon([[0, 0], [1, 1]]), pop=1), "not a ring"),
        (feature(polygon([[0, 0], [1], [2, 2]]), pop=1), "broken coordinates"),
        (feature(polygon([[0, 0], [1, "x"], [2, 2]]), pop=1), "broken coordinates"),
        (feature(polygon([[0, 0], [1, 1e999], [2, 2]]), pop=1), "Infinity|not a ring"),
        (feature(polygon([[0, 0], [1, 10**400], [2, 2]]), pop=1), "broken coordinates"),
        (feature(polygon([{}, [1, 1], [2, 2]]), pop=1), "broken coordinates"),
        ({**WEST, "properties": [1]}, "properties: expected an object"),
        ([], "expected a Feature"),
    ],
)
def test_broken_features_are_refused(written, broken, message):
    with pytest.raises(InvalidInstanceError, match=message) as error:
        connected_partition_from_file(written([WEST, broken]), "pop", 2)
    assert "\n" not in str(error.value)
    if "Infinity" not in str(error.value):
        assert "map.geojson: features[1]: " in str(error.value)


def test_broken_files_are_refused(written):
    with pytest.raises(InvalidInstanceError, match=r"none\.geojson"):
        connected_partition_from_file("none.geojson", "pop", 2)
    with pytest.raises(InvalidInstanceError, match="expected a FeatureCollection"):
        connected_partition_from_file(written(MAP, "Topology"), "pop", 2)
    with pytest.raises(InvalidInstanceError, match="expected a FeatureCollection"):
        connected_partition_from_file(written(3), "pop", 2)
    with pytest.raises(InvalidInstanceError, match="features: the map has no region"):
        connected_partition_from_file(written([]), "pop", 2)
    for wrong in (-1, float("nan")):
        with pytest.raises(InvalidInstanceError, match="tolerance: expected at least"):
            connected_partition_from_file(written(MAP), "pop", 2, tolerance=wrong)


def test_a_tolerance_needs_the_extra(written, monkeypatch):
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(BackendUnavailableError, match=r"atleastk\[maps\]"):
        connected_partition_from_file(written(MAP), "pop", 2, tolerance=0)


def test_a_tolerance(written):
    pytest.importorskip("shapely")
    path = written([WEST, feature(polygon(box(2.001, 0, 4, 4)), pop=1)])
    assert connected_partition_from_file(path, "pop", 2).edges == ()
    near = connected_partition_from_file(path, "pop", 2, tolerance=0.01)
    assert near.edges == ((0, 1),)


class Frame:
    def __init__(self, features):
        self.__geo_interface__ = {"type": "FeatureCollection", "features": features}


def test_frames_are_read():
    frame = Frame(MAP)
    instance = connected_partition_from_geodataframe(
        frame, "pop", 2, name="name", tolerance=None
    )
    assert (instance.edges, instance.labels) == (((0, 1),), ("West", "East", "Isles"))
    with pytest.raises(
        InvalidInstanceError, match=r"frame: features\[0\]: no property"
    ):
        connected_partition_from_geodataframe(frame, "people", 2)
    with pytest.raises(
        InvalidInstanceError, match=r"expected a GeoDataFrame .* a list"
    ):
        connected_partition_from_geodataframe([1], "pop", 2)


def test_geodataframes(written):
    frame = pytest.importorskip("geopandas").GeoDataFrame.from_features(MAP)
    instance = connected_partition_from_geodataframe(frame, "pop", 2, name="name")
    expected = connected_partition_from_file(written(MAP), "pop", 2)
    assert instance == expected
    assert instance.positions == expected.positions
    frame.loc[1, "pop"] = float("nan")
    with pytest.raises(InvalidInstanceError, match=r"features\[1\]: pop: .* got null"):
        connected_partition_from_geodataframe(frame, "pop", 2)
