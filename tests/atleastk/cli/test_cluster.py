import csv
import gzip
import io
import json
from pathlib import Path

import pandas as pd
import pytest

from atleastk.cli import table_command
from atleastk.frames.open_frame import read_frame

TABLE = """\
age,place,disease
30,50,Flu
32,50,Flu
60,83,Hypertension
60,80,Flu
60,77,Cold
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def arguments(table):
    return ["cluster", str(table), "-r", "2", "--columns", "age,place"]


def test_decimal_commas_are_read_and_written(tmp_path, done):
    table, out = tmp_path / "shops.csv", tmp_path / "out.csv"
    table.write_text("shop;x\nA;0,5\nB;1\nC;7,25\nD;8\n")
    plan, rows = tmp_path / "plan.csv", tmp_path / "rows.csv"
    what = ("cluster", table, "-k", "2", "--columns", "x", "--centres", "any")
    done(*what, "-o", out, "--rows", rows, "--assign", plan)
    assert out.read_text().splitlines() == [
        "cluster;x;points;radius",
        "1;0,75;2;0,25",
        "2;7,625;2;0,375",
    ]
    assert rows.read_text() == "shop;x\nA;0,75\nB;0,75\nC;7,625\nD;7,625\n"
    assert plan.read_text().splitlines()[1] == "A;0,5;1;0,75;0,25"
    table.write_text("town;x\nSt. A;1,5\nSt. A;2\n")
    done("cluster", table, "-k", "2", "--centres", "any", "--assign", plan)
    assert plan.read_text().splitlines()[1] == 'St. A;1,5;1;"St. A; 1,75";0,25'


def test_published_table(table, tmp_path, done):
    out = tmp_path / "out.csv.gz"
    arguments = ["cluster", str(table), "-k", "2", "--sensitive", "disease"]
    printed = done(*arguments, "--total", "--centres", "any", "-o", out)
    rows = list(csv.reader(gzip.decompress(out.read_bytes()).decode().splitlines()))
    assert rows == [
        ["cluster", "age", "place", "points", "radius", "disease"],
        ["1", "31", "50", "2", "1", "Flu; Flu"],
        ["2", "60", "80", "3", "3", "Cold; Flu; Hypertension"],
    ]
    assert "total       11, size times radius" in printed
    assert f"written     {out}" in printed
    assert "Cold; Flu; Hypertension" in printed


@pytest.mark.parametrize("end", ["csv", "csv.gz", "parquet", "xlsx"])
def test_rows_with_their_centres(tmp_path, end, done):
    people = pd.read_csv(io.StringIO(TABLE))
    write = {"parquet": people.to_parquet, "xlsx": people.to_excel}
    write.get(end, people.to_csv)(tmp_path / f"people.{end}", index=False)
    table, out = tmp_path / f"people.{end}", tmp_path / f"rows.{end}"
    clusters = tmp_path / "clusters.csv"
    arguments = ["cluster", str(table), "-r", "2", "--columns", "age,place"]
    arguments += ["--centres", "mean", "--rows", str(out), "-o", str(clusters)]
    assert f"written     {clusters}, {out}" in done(*arguments)
    read = {"parquet": pd.read_parquet, "xlsx": pd.read_excel}.get(end, pd.read_csv)
    made = read(out)
    expected = people.assign(age=[31, 31, 60, 60, 60], place=[50, 50, 80, 80, 80])
    pd.testing.assert_frame_equal(made, expected)
    assert clusters.read_text().count("\n") == 3
    checked = ["anonymize", str(out), "--check", "-k", "2", "--columns", "age,place"]
    done(*checked)


def test_rows_that_are_left_out_have_no_centre(arguments, tmp_path, refused):
    out = tmp_path / "rows.csv"
    assert "--max-outliers leaves out" in refused(
        *arguments, "--max-outliers", "1", "--rows", out
    )
    assert not out.exists()
    assert "a table of a text file" in refused(
        *arguments, "--rows", tmp_path / "rows.dta"
    )


@pytest.mark.parametrize("end", ["csv", "xlsx", "parquet", "arrow"])
def test_all_tables_are_written_in_the_format_of_their_names(
    table, arguments, tmp_path, end, done
):
    names = [f"{what}.{end}" for what in ("clusters", "rows", "assigned")]
    paths = [str(tmp_path / name) for name in names]
    done(*arguments, "-o", paths[0], "--rows", paths[1], "--assign", paths[2])
    made = [read_frame(Path(path)) for path in paths]
    n = read_frame(table).n
    assert [frame.n for frame in made[1:]] == [n, n]
    assert "cluster" in made[0].names
    assert "cluster" in made[2].names


PLACES = """\
town,lat,lon
Ulm,48.40,9.99
Neu-Ulm,48.39,10.00
Mainz,50.00,8.27
Wiesbaden,50.08,8.24
Rügen,54.4,13.4
"""


def test_who_belongs_where(tmp_path, done, refused):
    """All columns stay; an outlier has no cluster; lengths are in kilometres."""
    path, out = tmp_path / "towns.csv", tmp_path / "plan.csv"
    path.write_text(PLACES, encoding="utf-8")
    arguments = ["cluster", str(path), "-r", "2", "--columns", "lat,lon"]
    arguments += ["--metric", "great-circle", "--minimise", "radius"]
    arguments += ["--max-outliers", "20%", "--assign", str(out)]
    table = tmp_path / "centres.csv"
    printed = done(*arguments, "--name", "town", "-o", table)
    header, *rows = csv.reader(out.read_text(encoding="utf-8").splitlines())
    assert header == ["town", "lat", "lon", "cluster", "centre", "distance_km"]
    assert rows[-1] == ["Rügen", "54.4", "13.4", "", "", ""]
    known = {row[0]: row[3:] for row in rows}
    for one, other in (("Ulm", "Neu-Ulm"), ("Mainz", "Wiesbaden")):
        assert known[one][:2] == known[other][:2]
        assert known[one][1] in (one, other)
        assert {known[one][2], known[other][2]} > {"0.000"}
    head, *centres = csv.reader(table.read_text(encoding="utf-8").splitlines())
    assert head == ["cluster", "centre", "lat", "lon", "points", "radius_km"]
    for cluster, centre, *place, points, radius in centres:
        own = [row for row in rows if row[3] == cluster]
        assert (len(own), {row[4] for row in own}) == (int(points), {centre})
        assert radius == max((row[5] for row in own), key=float)
        assert list(map(float, place)) in [list(map(float, row[1:3])) for row in own]
    assert "  outliers    1 of 1 at most" in printed
    assert "  radius      9150 m at most, median" in printed
    assert "identif" not in printed
    refused(*arguments, "--name", "nam")
    assert 'there is a column "cluster" already' in refused(
        f"cluster {out} -r 2 --assign {path}"
    )


def test_places_between_rows_are_centres_too(arguments, tmp_path, done):
    out = tmp_path / "plan.csv"
    done(*arguments, "--centres", "mean", "--assign", out)
    rows = list(csv.reader(out.read_text().splitlines()))
    assert rows[0][3:] == ["cluster", "centre", "distance"]
    assert rows[1] == ["30", "50", "Flu", "1", "31, 50", "1"]


def test_texts_that_are_all_different_are_told(tmp_path, done):
    path = tmp_path / "towns.csv"
    path.write_text(PLACES, encoding="utf-8")
    assert "town: texts, all different; see columns" in done("cluster", path, "-r", "2")


def test_json(arguments, done):
    document = json.loads(done(*arguments, "--json", "--units", "place=3"))
    other = json.loads(done(*arguments, "--json", "--unit", "place=3"))  # the same
    assert other["clusters"] == document["clusters"]
    assert (document["radius"], document["status"]) == (2, "OPTIMAL")
    assert [c["points"] for c in document["clusters"]] == [2, 3]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--units", "place"], '--units: expected NAME=SIZE, got "place"'),
        (["--units", "place=-1"], "expected a number above 0"),
        (["-o", "nowhere/out.csv"], "no such directory"),
    ],
)
def test_errors_are_one_line(arguments, tmp_path, monkeypatch, more, message, refused):
    monkeypatch.chdir(tmp_path)
    assert message in refused(*arguments, *more)


def test_usage_errors(table, refused):
    for more in ("-r 0", "-r 2 --facility-cost -1"):
        refused(f"cluster {table} {more}")
    assert "arguments are required: -r" in refused(f"cluster {table}")


@pytest.mark.parametrize("more", [["--minimise", "radius"], ["--total"]])
def test_a_picture_tells_lengths_as_the_report_does(
    arguments, tmp_path, monkeypatch, more, done
):
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(table_command, "save", lambda ax, path: drawn.append(ax))
    words = (*arguments, *more, "--json", "--plot", tmp_path / "p.png")
    report = json.loads(done(*words))
    title = drawn[0].get_title(loc="left")
    least = report["minimise"]
    told = f"{'cost' if least == 'total' else least} {report[least]:g}"
    assert f"{told}, " in title
    drawn[0].figure.canvas.draw()
    ages = [label.get_text() for label in drawn[0].get_xticklabels()]
    assert all(float(age.replace("\N{MINUS SIGN}", "-")) < 200 for age in ages)
