"""Tables are written to text, Excel, Parquet and Arrow, whatever they came from."""

from pathlib import Path

import pandas
import pytest

from atleastk.cli.main import main
from atleastk.frames.open_frame import read_frame
from atleastk.frames.other_formats import as_named, write_frame

CELLS = {"age": [31, None, 31], "zip": ["01067", "*", "x,y"], "pay": [1.5, 2.0, 2.5]}
ENDS = (".csv", ".tsv", ".xlsx", ".parquet", ".arrow", ".feather")


@pytest.fixture
def tables(tmp_path):
    """The same table in files of every format."""
    data = pandas.DataFrame(CELLS).astype({"age": "Int64"})
    data.to_csv(tmp_path / "t.csv", index=False)
    data.to_excel(tmp_path / "t.xlsx", index=False)
    data.to_parquet(tmp_path / "t.parquet")
    data.to_feather(tmp_path / "t.feather")
    return tmp_path


def texts(path):
    frame = read_frame(path)
    columns = map(frame.column, frame.names)
    return [
        ["" if c.values[code] is None else str(c.values[code]) for code in c.codes]
        for c in columns
    ]


@pytest.mark.parametrize("start", [".csv", ".xlsx", ".parquet", ".feather"])
@pytest.mark.parametrize("end", ENDS)
def test_cells_are_the_same_in_every_format(tables, start, end):
    path, out = tables / f"t{start}", tables / f"out{end}"
    write_frame(read_frame(path), out)
    columns = texts(out)
    assert columns[0] == ["31", "", "31"]
    assert columns[1] == CELLS["zip"]
    assert [float(cell) for cell in columns[2]] == CELLS["pay"]


def test_a_table_of_its_own_format_stays_what_it_is(tables):
    for end in (".csv", ".xlsx", ".parquet", ".feather"):
        frame = read_frame(tables / f"t{end}")
        assert as_named(frame, Path(f"other{end}")) is frame


def test_statistics_files_become_text(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    pyreadstat.write_sav(pandas.DataFrame({"A": [1.0, 2.0]}), tmp_path / "t.sav")
    write_frame(read_frame(tmp_path / "t.sav"), tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text() == "A\n1\n2\n"
    frame = read_frame(tmp_path / "t.sav")
    assert as_named(frame, Path("o.zsav")) is frame


def test_a_packed_sheet_and_other_names_are_refused(tables, capsys):
    for name in ("o.xlsx.gz", "o.dta"):
        words = ["anonymize", str(tables / "t.csv"), "-k", "1", "--marker", "?"]
        assert main([*words, "-o", str(tables / name)]) == 2
        assert ".csv, .tsv, .txt, .xlsx, .parquet" in capsys.readouterr().err


def test_suppressed_cells_on_the_command_line(tables):
    words = ["anonymize", str(tables / "t.csv"), "-k", "3", "--marker", "?"]
    assert main([*words, "--drop", "pay", "-o", str(tables / "o.xlsx")]) == 0
    assert texts(tables / "o.xlsx") == [["?"] * 3] * 2
    assert main(["anonymize", str(tables / "o.xlsx"), "--check", "-k", "3"]) == 0


def test_duckdb_writes_what_it_read(tables, capsys):
    pytest.importorskip("duckdb")
    words = ["anonymize", str(tables / "t.csv"), "-k", "2", "--hierarchies", "auto"]
    more = ["--engine", "duckdb", "-o", str(tables / "o.xlsx")]
    assert main([*words, *more]) == 2
    assert "duckdb writes the format that it read" in capsys.readouterr().err
