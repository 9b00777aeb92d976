import csv
import json
from pathlib import Path

import pytest
from map_files import UTM, write_geopackage, write_shapefile

from atleastk.cli import partition
from atleastk.instances.files import files

NODES = "fips,population\n1,3\n2,4\n3,3\n4,4\n"


@pytest.fixture
def tables(tmp_path):
    nodes, edges = tmp_path / "nodes.csv", tmp_path / "edges.csv"
    nodes.write_text(NODES, encoding="utf-8")
    edges.write_text("fips_u,fips_v\n1,2\n2,3\n3,4\n", encoding="utf-8")
    return str(nodes), str(edges)


def test_tables(tables, tmp_path, done, refused, monkeypatch):
    nodes, edges = tables
    out = tmp_path / "out.csv"
    printed = done("partition", nodes, "--edges", edges, "-k", "7", "-o", out)
    rows = list(csv.reader(out.read_text().splitlines()))
    assert rows[0] == ["fips", "population", "part"]
    assert [row[-1] for row in rows[1:]] == ["1", "1", "2", "2"]
    assert "4 regions, at least 7 a part: optimal (" in printed
    assert "  heaviest    7\n" in printed
    assert f"  written     {out}\n" in printed
    monkeypatch.setattr(partition, "partition_read", None)  # it is not searched for
    words = ["partition", str(out), "--edges", edges, "-k", "7", "-o", f"{out}.csv"]
    assert 'is a column "part" already; rename it' in refused(*words)


def test_a_table_is_written_as_it_was_read(tables, tmp_path, done):
    nodes, edges = tables
    Path(nodes).write_text(NODES.replace(",", ";"), encoding="utf-8")
    out = tmp_path / "out.csv"
    done("partition", nodes, "--edges", edges, "-k", "7", "-o", out)
    assert out.read_text().splitlines()[:2] == ["fips;population;part", "1;3;1"]


def test_polygons(squares, tmp_path, done):
    out, picture = tmp_path / "out.geojson", tmp_path / "map.png"
    page = tmp_path / "page.html"
    arguments = ["partition", str(squares), "--weight", "people", "--parts", "2"]
    arguments += ["-o", str(out), "--report", str(page)]
    done(*arguments, "--plot", picture)
    assert '<figure><img src="data:image/svg+xml' in page.read_text()
    features = files.read(out)["features"]
    assert [feature["properties"]["part"] for feature in features] == [1, 1, 2, 2]
    assert features[0]["properties"]["called"] == "r0"
    assert picture.stat().st_size > 0


@pytest.mark.parametrize("name", ["map.shp", "map.gpkg"])
def test_maps_of_other_kinds(name, tmp_path, done, refused):
    write = write_shapefile if name.endswith("shp") else write_geopackage
    path, out, picture = (
        write(tmp_path / name),
        tmp_path / "o.geojson",
        tmp_path / "p.png",
    )
    arguments = ["partition", str(path), "--weight", "people", "--parts", "2"]
    done(*arguments, "-o", out, "--plot", picture)
    features = files.read(out)["features"]
    told = [
        (one["properties"]["called"], one["properties"]["part"]) for one in features
    ]
    assert told == [("r0", 1), ("r1", 1), ("r2", 2), ("r3", 2)]
    assert picture.stat().st_size > 0
    assert f'{path}: no layer "rivers"' in refused(*arguments, "--layer", "rivers")


def test_the_coordinate_system_is_said(tmp_path, run, done):
    """Where it has a code; else a warning says that GeoJSON has no word for it."""
    path, out = write_shapefile(tmp_path / "m.shp", system=UTM), tmp_path / "o.geojson"
    arguments = ["partition", str(path), "--weight", "people", "-k", "7"]
    done(*arguments, "-o", out)
    name = files.read(out)["crs"]["properties"]["name"]
    assert name == "urn:ogc:def:crs:EPSG::25832"
    write_shapefile(path, system='LOCAL_CS["Some grid"]')
    told = f'atleastk: {out}: coordinates are of "Some grid", which GeoJSON cannot say'
    assert run(*arguments, "-o", out)[::2] == (0, f"{told}\n")


def test_a_property_of_that_name_is_kept(squares, tmp_path, done, refused):
    out = tmp_path / "out.geojson"
    arguments = ["--weight", "people", "-k", "7"]
    done("partition", squares, *arguments, "-o", out)
    again = str(tmp_path / "again.geojson")
    assert 'there is a property "part" already' in refused(
        f"partition {out}", *arguments, "-o", again
    )
    assert "GeoJSON has no layers" in refused(f"partition {squares} -k 7 --layer a")


def test_regions_stay_together(squares, tmp_path, done, refused):
    """Their polygons are drawn as one, and written as they were."""
    lists, out = tmp_path / "together.csv", tmp_path / "out.geojson"
    lists.write_text("one,other\nr1,r2\n", encoding="utf-8")
    arguments = ["partition", str(squares), "--weight", "people", "-k", "4"]
    arguments += ["--name", "called", "--together", str(lists), "-o", str(out)]
    done(*arguments, "--plot", tmp_path / "map.png")
    features = files.read(out)["features"]
    assert [feature["properties"]["part"] for feature in features] == [1, 1, 1, 2]
    lists.write_text("one,other\nr1,r3\n", encoding="utf-8")
    assert "together: r1 and r3 share no border" in refused(*arguments)


def test_json(squares, done):
    arguments = ["partition", str(squares), "--weight", "people", "-k", "7", "--json"]
    document = json.loads(done(*arguments))
    assert (document["part"], document["parts"]) == ([1, 1, 2, 2], [7, 7])
    assert document["cost"] == document["bound"] == 7


def test_regions_may_be_counted(squares, done, refused):
    document = json.loads(done(f"partition {squares} -k 2 --unweighted --json"))
    assert document["parts"] == [2, 2]
    told = 'no property "weight" or "population"; there are called, people'
    assert told in refused(f"partition {squares} -k 2")


def test_a_column_of_that_name_is_kept(tables, tmp_path, refused):
    nodes, edges = tables
    Path(nodes).write_text(NODES.replace("population", "part"), encoding="utf-8")
    out = str(tmp_path / "out.csv")
    arguments = ["partition", nodes, "--edges", edges, "-k", "7", "--weight", "part"]
    assert 'there is a column "part" already' in refused(*arguments, "-o", out)
    assert "is the original table" in refused(
        f"partition {nodes} --edges {edges} -k 7 -o {nodes}"
    )


def test_a_page_and_a_table_of_parts(squares, tmp_path, done):
    page, table = tmp_path / "parts.html", tmp_path / "parts.csv"
    asked = ["partition", str(squares), "-k", "7", "--weight", "people"]
    done(*asked, "--name", "called", "--report", page)
    assert "<td>yes</td>" in page.read_text()
    done(*asked, "--name", "called", "--report", table)
    assert table.read_text().splitlines() == [
        "part,regions,weight,connected,names",
        '1,2,7,yes,"r0, r1"',
        '2,2,7,yes,"r2, r3"',
    ]
