"""Tables are written to text, Excel, Parquet and Arrow, whatever they came from."""

import sys
from pathlib import Path

import pandas
import pytest

from atleastk import BackendUnavailableError, InvalidInstanceError
from atleastk.frames.open_frame import as_named, read_frame, write_frame

pyreadstat = pytest.importorskip("pyreadstat")

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
    pyreadstat.write_sav(data.astype({"age": float}), tmp_path / "t.sav")
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
    pyreadstat.write_sav(pandas.DataFrame({"A": [1.0, 2.0]}), tmp_path / "t.sav")
    write_frame(read_frame(tmp_path / "t.sav"), tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text() == "A\n1\n2\n"
    frame = read_frame(tmp_path / "t.sav")
    assert as_named(frame, Path("o.zsav")) is frame


@pytest.mark.parametrize("end", [".xlsx", ".parquet", ".feather", ".sav"])
def test_what_is_not_there_and_what_a_format_has_not(tables, end):
    with pytest.raises(InvalidInstanceError, match=rf"none\{end}: .*no such file"):
        read_frame(tables / f"none{end}")
    with pytest.raises(
        InvalidInstanceError, match=rf"an? \{end} file has no delimiter"
    ):
        read_frame(tables / f"t{end}", ";")


@pytest.mark.parametrize(
    ("end", "package", "extra"),
    [
        (".xlsx", "openpyxl", "excel"),
        (".parquet", "pyarrow", "frames"),
        (".sav", "pyreadstat", "statistics"),
        (".sav", "pandas", "statistics"),
    ],
)
def test_without_a_package_its_extra_is_named(tables, monkeypatch, end, package, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(BackendUnavailableError, match=rf"'atleastk\[{extra}\]'"):
        read_frame(tables / f"t{end}")


def test_a_packed_sheet_and_other_names_are_refused(tables, refused):
    for name in ("o.xlsx.gz", "o.dta"):
        words = ["anonymize", str(tables / "t.csv"), "-k", "1", "--marker", "?"]
        assert ".csv, .tsv, .txt, .xlsx, .parquet" in refused(
            *words, "-o", tables / name
        )


def test_suppressed_cells_on_the_command_line(tables, done):
    words = ["anonymize", str(tables / "t.csv"), "-k", "3", "--marker", "?"]
    done(*words, "--drop", "pay", "-o", tables / "o.xlsx")
    assert texts(tables / "o.xlsx") == [["?"] * 3] * 2
    done("anonymize", tables / "o.xlsx", "--check", "-k", "3")


def test_duckdb_writes_what_it_read(tables, refused):
    pytest.importorskip("duckdb")
    words = ["anonymize", str(tables / "t.csv"), "-k", "2", "--hierarchies", "auto"]
    more = ["--engine", "duckdb", "-o", str(tables / "o.xlsx")]
    assert "duckdb writes the format that it read" in refused(*words, *more)
