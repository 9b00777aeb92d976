import csv
import json
from pathlib import Path

import pytest
from map_files import UTM, write_geopackage, write_shapefile

from atleastk.cli import partition
from atleastk.cli.main import main
from atleastk.instances.files import files

NODES = "fips,population\n1,3\n2,4\n3,3\n4,4\n"


@pytest.fixture
def tables(tmp_path):
    nodes, edges = tmp_path / "nodes.csv", tmp_path / "edges.csv"
    nodes.write_text(NODES, encoding="utf-8")
    edges.write_text("fips_u,fips_v\n1,2\n2,3\n3,4\n", encoding="utf-8")
    return str(nodes), str(edges)


def test_tables(tables, tmp_path, capsys, monkeypatch):
    nodes, edges = tables
    out = tmp_path / "out.csv"
    assert main(["partition", nodes, "--edges", edges, "-k", "7", "-o", str(out)]) == 0
    rows = list(csv.reader(out.read_text().splitlines()))
    assert rows[0] == ["fips", "population", "part"]
    assert [row[-1] for row in rows[1:]] == ["1", "1", "2", "2"]
    printed = capsys.readouterr().out
    assert "4 regions, at least 7 a part: optimal (" in printed
    assert "  heaviest    7\n" in printed
    assert f"  written     {out}\n" in printed
    monkeypatch.setattr(partition, "partition_read", None)  # it is not searched for
    words = ["partition", str(out), "--edges", edges, "-k", "7", "-o", f"{out}.csv"]
    assert main(words) == 2
    assert 'is a column "part" already; rename it' in capsys.readouterr().err


def test_a_table_is_written_as_it_was_read(tables, tmp_path):
    nodes, edges = tables
    Path(nodes).write_text(NODES.replace(",", ";"), encoding="utf-8")
    out = tmp_path / "out.csv"
    assert main(["partition", nodes, "--edges", edges, "-k", "7", "-o", str(out)]) == 0
    assert out.read_text().splitlines()[:2] == ["fips;population;part", "1;3;1"]


def test_polygons(squares, tmp_path, capsys):
    out, picture = tmp_path / "out.geojson", tmp_path / "map.png"
    page = tmp_path / "page.html"
    arguments = ["partition", str(squares), "--weight", "people", "--parts", "2"]
    arguments += ["-o", str(out), "--report", str(page)]
    assert main([*arguments, "--plot", str(picture)]) == 0
    assert '<figure><img src="data:image/svg+xml' in page.read_text()
    features = files.read(out)["features"]
    assert [feature["properties"]["part"] for feature in features] == [1, 1, 2, 2]
    assert features[0]["properties"]["called"] == "r0"
    assert picture.stat().st_size > 0


@pytest.mark.parametrize("name", ["map.shp", "map.gpkg"])
def test_maps_of_other_kinds(name, tmp_path, capsys):
    write = write_shapefile if name.endswith("shp") else write_geopackage
    path, out, picture = (
        write(tmp_path / name),
        tmp_path / "o.geojson",
        tmp_path / "p.png",
    )
    arguments = ["partition", str(path), "--weight", "people", "--parts", "2"]
    assert main([*arguments, "-o", str(out), "--plot", str(picture)]) == 0
    features = files.read(out)["features"]
    told = [
        (one["properties"]["called"], one["properties"]["part"]) for one in features
    ]
    assert told == [("r0", 1), ("r1", 1), ("r2", 2), ("r3", 2)]
    assert picture.stat().st_size > 0
    assert main([*arguments, "--layer", "rivers"]) == 2
    assert f'{path}: no layer "rivers"' in capsys.readouterr().err


def test_the_coordinate_system_is_said(tmp_path, capsys):
    """Where it has a code; else a warning says that GeoJSON has no word for it."""
    path, out = write_shapefile(tmp_path / "m.shp", system=UTM), tmp_path / "o.geojson"
    arguments = ["partition", str(path), "--weight", "people", "-k", "7"]
    assert main([*arguments, "-o", str(out)]) == 0
    name = files.read(out)["crs"]["properties"]["name"]
    assert (name, capsys.readouterr().err) == ("urn:ogc:def:crs:EPSG::25832", "")
    write_shapefile(path, system='LOCAL_CS["Some grid"]')
    assert main([*arguments, "-o", str(out)]) == 0
    told = f'atleastk: {out}: coordinates are of "Some grid", which GeoJSON cannot say'
    assert capsys.readouterr().err == told + "\n"


def test_geojson_has_no_layers(squares, capsys):
    assert main(["partition", str(squares), "-k", "7", "--layer", "a"]) == 2
    assert "GeoJSON has no layers" in capsys.readouterr().err


def test_result_and_instance_check(squares, tmp_path, capsys):
    result, instance = str(tmp_path / "r.json"), str(tmp_path / "i.json")
    arguments = ["partition", str(squares), "--weight", "people", "-k", "7"]
    assert main([*arguments, "--result", result, "--instance", instance]) == 0
    assert main(["check", instance, result]) == 0
    assert "holds: cost 7" in capsys.readouterr().out


def test_a_property_of_that_name_is_kept(squares, tmp_path, capsys):
    out = tmp_path / "out.geojson"
    arguments = ["--weight", "people", "-k", "7"]
    assert main(["partition", str(squares), *arguments, "-o", str(out)]) == 0
    again = str(tmp_path / "again.geojson")
    assert main(["partition", str(out), *arguments, "-o", again]) == 2
    assert 'there is a property "part" already' in capsys.readouterr().err


def test_regions_stay_together(squares, tmp_path, capsys):
    """Their polygons are drawn as one, and written as they were."""
    lists, out = tmp_path / "together.csv", tmp_path / "out.geojson"
    lists.write_text("one,other\nr1,r2\n", encoding="utf-8")
    arguments = ["partition", str(squares), "--weight", "people", "-k", "4"]
    arguments += ["--name", "called", "--together", str(lists), "-o", str(out)]
    assert main([*arguments, "--plot", str(tmp_path / "map.png")]) == 0
    features = files.read(out)["features"]
    assert [feature["properties"]["part"] for feature in features] == [1, 1, 1, 2]
    lists.write_text("one,other\nr1,r3\n", encoding="utf-8")
    assert main(arguments) == 2
    assert "together: r1 and r3 share no border" in capsys.readouterr().err


def test_json(squares, capsys):
    arguments = ["partition", str(squares), "--weight", "people", "-k", "7", "--json"]
    assert main(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["part"], document["parts"]) == ([1, 1, 2, 2], [7, 7])
    assert document["cost"] == document["bound"] == 7


def test_regions_may_be_counted(squares, capsys):
    assert main(["partition", str(squares), "-k", "2", "--unweighted", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"] == [2, 2]
    assert main(["partition", str(squares), "-k", "2"]) == 2
    told = 'no property "weight" or "population"; there are called, people'
    assert told in capsys.readouterr().err


def test_another_number_of_parts_is_told(tables, capsys):
    """Three parts of 14 // 3 would be too light."""
    nodes, edges = tables
    arguments = ["partition", nodes, "--edges", edges, "--parts", "3"]
    assert main(arguments) == 0
    assert "  parts       2, where 3 were asked for" in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["asked"] == 3


def test_infeasible(squares, tmp_path, capsys):
    out = tmp_path / "out.geojson"
    arguments = ["partition", str(squares), "--weight", "people", "-k", "99"]
    assert main([*arguments, "-o", str(out)]) == 1
    assert "written     nothing" in capsys.readouterr().out
    assert not out.exists()


def test_a_column_of_that_name_is_kept(tables, tmp_path, capsys):
    nodes, edges = tables
    Path(nodes).write_text(NODES.replace("population", "part"), encoding="utf-8")
    out = str(tmp_path / "out.csv")
    arguments = ["partition", nodes, "--edges", edges, "-k", "7", "--weight", "part"]
    assert main([*arguments, "-o", out]) == 2
    assert 'there is a column "part" already' in capsys.readouterr().err
    assert main(["partition", nodes, "--edges", edges, "-k", "7", "-o", nodes]) == 2
    assert "is the original table" in capsys.readouterr().err


def test_a_page_and_a_table_of_parts(squares, tmp_path, capsys):
    page, table = tmp_path / "parts.html", tmp_path / "parts.csv"
    asked = ["partition", str(squares), "-k", "7", "--weight", "people"]
    assert main([*asked, "--name", "called", "--report", str(page)]) == 0
    assert "<td>yes</td>" in page.read_text()
    assert main([*asked, "--name", "called", "--report", str(table)]) == 0
    assert table.read_text().splitlines() == [
        "part,regions,weight,connected,names",
        '1,2,7,yes,"r0, r1"',
        '2,2,7,yes,"r2, r3"',
    ]


def test_of_no_parts_there_is_no_page(squares, tmp_path, capsys):
    page, plot = tmp_path / "parts.html", tmp_path / "parts.png"
    asked = ["partition", str(squares), "-k", "99", "--weight", "people"]
    assert main([*asked, "--report", str(page), "--plot", str(plot)]) == 1
    assert "written     nothing" in capsys.readouterr().out
    assert not page.exists()
    assert not plot.exists()
