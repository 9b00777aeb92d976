import io
import json

import openpyxl
import pytest

from atleastk.doors.anonymizing import plans

ENGINES = ("memory", "duckdb")
TABLE = "nr,age,city\n" + "".join(f"{i},{30 + i % 3},Bonn\n" for i in range(20))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(TABLE + "20,NA,bonn\n")
    return path


def test_what_is_printed(table, done):
    out = done("inspect", table)
    assert f"{table}: 21 rows, 3 columns" in out
    assert 'column "nr" seems to identify persons' in out
    assert 'city: "Bonn" in 20, "bonn" in 1' in out
    assert 'age: "NA" in 1' in out


def test_an_object_a_line_and_column(run, table):
    code, out, _ = run("inspect", table, "--json")
    columns = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    told = [
        (c["column"], c["type"], c["distinct"], c["missing"], c["identifier"])
        for c in columns
    ]
    assert told == [
        ("nr", "code", 21, 0, True),
        ("age", "number", 3, 1, False),
        ("city", "text", 2, 0, False),
    ]


def test_an_engine_finds_what_memory_does(run, refused, table, tmp_path):
    both = [run("inspect", table, "--json", "--engine", e) for e in ENGINES]
    said = [out for _, out, _ in both]
    assert said[0] == said[1]
    assert both[1][2].endswith("counted by duckdb\n")
    folder = tmp_path / "parts"
    folder.mkdir()
    lines = table.read_text().splitlines()
    for i in range(2):
        part = "\n".join([lines[0], *lines[1 + i :: 2]])
        (folder / f"{i}.csv").write_text(f"{part}\n")
    code, out, err = run("inspect", folder, "--json")
    assert (code, out, err.endswith("counted by duckdb\n")) == (0, said[0], True)
    for words in (("--encoding", "cp1252"), ("--engine", "memory")):
        assert words[0][2:] in refused("inspect", folder, *words)


def test_too_many_different_rows_are_told(table, monkeypatch, refused):
    monkeypatch.setattr(plans, "_BYTES_OF_A_CELL", 10**15)
    told = refused("inspect", table, "--engine", "duckdb")
    assert "choose fewer --columns; --engine memory reads it whole" in told
    assert told.count("; ") == 2


def test_reports_are_written(table, tmp_path, done):
    page, document = tmp_path / "r.html", tmp_path / "r.json"
    done("inspect", table, "--report", page)
    assert "A look at people.csv" in page.read_text()
    done("inspect", table, "--report", document)
    assert json.loads(document.read_text())["rows"] == 21


def test_a_sheet_of_excel(tmp_path, done, refused):
    book = openpyxl.Workbook()
    book.active["A1"] = "Cover"
    sheet = book.create_sheet("data")
    for row in (["age", "zip"], [31, "01067"], [31, 1067], [42, "01067"]):
        sheet.append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    refused("inspect", path)
    out = done("inspect", path, "--sheet", "data")
    assert 'zip: "01067" in 2, "1067" in 1' in out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["people.csv", "--together", "0"], "at least 1"),
        (["people.csv", "--report", "people.csv"], "is the original table"),
        (["people.csv", "--report", "r.txt"], "cannot be written"),
        (["people.csv", "--sheet", "1"], "has no sheets"),
    ],
)
def test_mistakes_are_one_line(table, monkeypatch, words, reason, refused):
    monkeypatch.chdir(table.parent)
    assert reason in refused("inspect", *words)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_says_what_is_done(table, monkeypatch, done):
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", terminal)
    done("inspect", table)
    assert "looking at 21 rows" in terminal.getvalue()
