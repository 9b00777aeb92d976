"""``atleastk cluster``: a table in, a table of clusters out."""

import csv
import gzip
import json

import pytest

from atleastk.cli import table_command
from atleastk.cli.main import main

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


def test_published_table(table, tmp_path, capsys):
    """The figures of the paper, in a file and on the page."""
    out = tmp_path / "out.csv.gz"
    arguments = ["cluster", str(table), "-r", "2", "--sensitive", "disease"]
    assert main([*arguments, "--total", "--centres", "any", "-o", str(out)]) == 0
    rows = list(csv.reader(gzip.decompress(out.read_bytes()).decode().splitlines()))
    assert rows == [
        ["age", "place", "points", "radius", "disease"],
        ["31", "50", "2", "1", "Flu; Flu"],
        ["60", "80", "3", "3", "Cold; Flu; Hypertension"],
    ]
    printed = capsys.readouterr().out
    assert "total       11, size times radius" in printed
    assert f"written     {out}" in printed
    assert "Cold; Flu; Hypertension" in printed


def test_result_and_instance_check(table, tmp_path, capsys):
    """What is written holds."""
    result, instance = str(tmp_path / "r.json"), str(tmp_path / "i.json")
    arguments = ["cluster", str(table), "-r", "2", "--columns", "age,place"]
    assert main([*arguments, "--result", result, "--instance", instance]) == 0
    assert main(["check", instance, result]) == 0
    assert "holds: cost 3000" in capsys.readouterr().out


def test_json(table, capsys):
    """One object, with what is published."""
    arguments = ["cluster", str(table), "-r", "2", "--columns", "age,place", "--json"]
    assert main([*arguments, "--units", "place=3"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert main([*arguments, "--unit", "place=3"]) == 0  # another word for it
    assert json.loads(capsys.readouterr().out)["clusters"] == document["clusters"]
    assert (document["radius"], document["status"]) == (2, "OPTIMAL")
    assert [c["points"] for c in document["clusters"]] == [2, 3]


def test_nothing_to_publish(table, tmp_path, capsys):
    """Exit code 1, and no file."""
    out = tmp_path / "out.csv"
    arguments = ["cluster", str(table), "-r", "9", "--columns", "age"]
    assert main([*arguments, "-o", str(out)]) == 1
    assert "written     nothing" in capsys.readouterr().out
    assert not out.exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--units", "place"], '--units: expected NAME=SIZE, got "place"'),
        (["--units", "place=-1"], "expected a number above 0"),
        (["--facility-cost", "2"], "counts in a total only"),
        (["-o", "people.csv"], "is the original table"),
        (["-o", "nowhere/out.csv"], "no such directory"),
        (["--columns", "agee"], 'did you mean "age"'),
        (["--metric", "euclidean", "--columns", "disease"], 'row 1 holds "Flu"'),
    ],
)
def test_errors_are_one_line(table, monkeypatch, capsys, more, message):
    """Exit code 2, no traceback."""
    monkeypatch.chdir(table.parent)
    arguments = ["cluster", "people.csv", "-r", "2", "--columns", "age,place"]
    assert main([*arguments, *more]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_usage_errors(table, capsys):
    """Numbers that are none."""
    for more in (["-r", "0"], ["-r", "2", "--facility-cost", "-1"], []):
        with pytest.raises(SystemExit, match="2"):
            main(["cluster", str(table), *more])
    assert "the following arguments are required: -r" in capsys.readouterr().err


def test_plot(table, tmp_path):
    """A picture of the clusters."""
    pytest.importorskip("matplotlib")
    picture = tmp_path / "clusters.png"
    arguments = ["cluster", str(table), "-r", "2", "--columns", "age,place"]
    assert main([*arguments, "--plot", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("more", [[], ["--total"]])
def test_a_picture_tells_lengths_as_the_report_does(
    table, tmp_path, monkeypatch, capsys, more
):
    """In units of the columns, not in steps of what was solved; on the axes, too."""
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(table_command, "save", lambda ax, path: drawn.append(ax))
    arguments = ["cluster", str(table), "-r", "2", "--columns", "age,place", *more]
    assert main([*arguments, "--json", "--plot", str(tmp_path / "p.png")]) == 0
    report = json.loads(capsys.readouterr().out)
    title = drawn[0].get_title(loc="left")
    told = f"cost {report['total']:g}" if more else f"radius {report['radius']:g}"
    assert f"{told}, " in title
    drawn[0].figure.canvas.draw()
    ages = [label.get_text() for label in drawn[0].get_xticklabels()]
    assert all(float(age.replace("\N{MINUS SIGN}", "-")) < 200 for age in ages)
