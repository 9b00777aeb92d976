import pytest
from map_files import UTM, write_geopackage, write_shapefile

from atleastk.instances.foreign import coordinate_systems
from atleastk.instances.foreign.coordinate_systems import (
    crs_of,
    misread,
    system_of_text,
)
from atleastk.instances.foreign.geopackage import read_geopackage
from atleastk.instances.foreign.shapefile import read_shapefile

CODED = 'PROJCS["Some grid",UNIT["metre",1,AUTHORITY["EPSG","9001"]]{}]'


@pytest.mark.parametrize(
    ("text", "system"),
    [
        (UTM, "EPSG:25832"),
        (CODED.format(',AUTHORITY["EPSG","31370"]'), "EPSG:31370"),
        (CODED.format(',ID["ESRI",102014]'), "ESRI:102014"),
        (CODED.format(""), "Some grid"),
        ('GEOGCRS["WGS 84 (CRS84)",ID["OGC","CRS84"]]', "OGC:CRS84"),
        ('PROJCS["WGS_1984_UTM_Zone_61N"]', "WGS_1984_UTM_Zone_61N"),
        ('PROJCS["DHDN_3_Degree_Gauss_Zone_3"]', "EPSG:31467"),
        ("", None),
        ("metres", None),
    ],
)
def test_well_known_text(text, system):
    assert system_of_text(text) == system


def test_the_codes_are_those_of_the_names():
    """As the data base of PROJ has them."""
    crs = pytest.importorskip("pyproj", reason="it comes with geopandas").CRS
    codes = dict(coordinate_systems._CODES)
    for pattern, before, zones in coordinate_systems._ZONES:
        for zone in zones:
            name = pattern.pattern.replace(r"(\d+)", str(zone))
            codes[name] = before + zone
    for name, code in codes.items():
        text = crs.from_epsg(code).to_wkt("WKT1_ESRI")
        assert system_of_text(text) == f"EPSG:{code}", name
        assert text.split('"')[1] == name


def named(name):
    return {"crs": {"type": "name", "properties": {"name": name}}}


@pytest.mark.parametrize(
    ("system", "member"),
    [
        (None, {}),
        ("EPSG:4326", {}),
        ("OGC:CRS84", {}),
        ("EPSG:25832", named("urn:ogc:def:crs:EPSG::25832")),
        ("Some grid", named("Some grid")),
    ],
)
def test_members_of_geojson(system, member):
    assert crs_of(system) == member


def test_other_programs_are_misled_by_what_has_no_code():
    here, far = [(9.5, 50.0)], [(513504.0, 5538000.0)]
    assert misread({}, here) == misread({"crs": None}, here) == ""
    assert "no degrees" in misread({}, far)
    assert misread(crs_of("EPSG:25832"), far) == misread(named("EPSG:25832"), far) == ""
    told = misread(crs_of("Some grid"), here)
    assert told == 'coordinates are of "Some grid", which GeoJSON cannot say'


@pytest.mark.parametrize(
    ("system", "member"),
    [
        (("EPSG", 25832, "undefined"), crs_of("EPSG:25832")),
        (("epsg", 4326, "undefined"), {}),
        (("NONE", 100_000, CODED.format("")), crs_of("Some grid")),
        (("NONE", -1, "undefined"), {}),
    ],
)
def test_geopackages(tmp_path, system, member):
    found = read_geopackage(write_geopackage(tmp_path / "m.gpkg", system=system))
    assert found.keys() - {"type", "features"} == member.keys()
    assert found.get("crs") == member.get("crs")


def test_shapefiles(tmp_path):
    path = write_shapefile(tmp_path / "m.shp")
    assert "crs" not in read_shapefile(path)
    write_shapefile(path, system=UTM)
    assert read_shapefile(path)["crs"] == crs_of("EPSG:25832")["crs"]
