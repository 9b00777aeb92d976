import contextlib
import datetime
import gzip
import struct
from functools import partial
from pathlib import Path

import numpy as np
import pandas
import pytest

from atleastk import AtleastkError, InvalidInstanceError
from atleastk.cli.main import main
from atleastk.frames.open_frame import read_frame
from atleastk.frames.rows import numbered_cells
from atleastk.instances.files.files import input_limit

pyreadstat = pytest.importorskip("pyreadstat")

DAY = datetime.date(2020, 1, 1)
WRITERS = {
    ".sav": pyreadstat.write_sav,
    ".zsav": partial(pyreadstat.write_sav, compress=True),
    ".por": pyreadstat.write_por,
    ".dta": partial(pyreadstat.write_dta, version=14),
    ".xpt": pyreadstat.write_xport,
}
FIRST = np.array([True, False, False])
PEOPLE = pandas.DataFrame(
    {
        "AGE": [31.0, 42.5, None],
        "NAME": ["ann", "", "bo" + " " * 8],
        "BORN": [DAY, None, DAY],
        "SEX": [1.0, 2.0, 9.0],
    }
)
SAID = {
    "file_label": "people",
    "column_labels": {"AGE": "years", "SEX": "as told"},
    "variable_format": {"AGE": "F5.1"},
}
SEXES = {1.0: "male", 2.0: "female", 9.0: "not told"}


@pytest.fixture(params=WRITERS)
def path(request, tmp_path):
    path = tmp_path / f"t{request.param}"
    said = SAID | ({"variable_format": {"AGE": "%5.1f"}} if _is(path, "dta") else {})
    WRITERS[request.param](PEOPLE, path, **said)
    return path


def _is(path, *ends):
    return path.suffix.removeprefix(".") in ends


def about(path):
    name = {"xpt": "xport", "zsav": "sav"}.get(path.suffix[1:], path.suffix[1:])
    more = {"user_missing": True} if name in ("sav", "dta") else {}
    return getattr(pyreadstat, f"read_{name}")(path, **more)


def test_columns_by_their_values(path):
    frame = read_frame(path)
    assert frame.names == ("AGE", "NAME", "BORN", "SEX")
    assert frame.column("AGE").values == [31.0, 42.5, None]
    padded = "bo" + " " * 8 if _is(path, "dta") else "bo"
    assert frame.column("NAME").values == ["ann", "", padded]
    assert frame.column("BORN").values == [DAY, None]
    assert frame.column("BORN").codes.tolist() == [0, 1, 0]
    assert [frame.column(n).text for n in frame.names] == [False, True, False, False]
    assert frame.note is None


def test_there_and_back(path, tmp_path):
    out = tmp_path / f"out{path.suffix}"
    read_frame(path).write(out)
    (table, said), (again, kept) = about(path), about(out)
    pandas.testing.assert_frame_equal(table, again)
    for name in vars(said):
        if name not in ("creation_time", "modification_time"):
            assert getattr(kept, name) == getattr(said, name), name


def test_cells_are_hidden(path, tmp_path):
    out = tmp_path / f"out{path.suffix}"
    frame = read_frame(path)
    frame.hiding(dict.fromkeys(frame.names, FIRST), "***").write(out)
    again = read_frame(out)
    assert again.column("AGE").values == [None, 42.5]
    assert again.column("NAME").values[:2] == ["***", ""]
    assert again.column("BORN").values == [None, DAY]
    (_, said), (_, kept) = about(path), about(out)
    for name in ("original_variable_types", "readstat_variable_types", "column_labels"):
        assert getattr(kept, name) == getattr(said, name), name


def test_other_cells(path, tmp_path):
    frame = read_frame(path)
    made = frame.refilled({"AGE": [36.8, 36.8, 36.8], "BORN": [DAY, DAY, DAY]})
    made.write(tmp_path / f"o{path.suffix}")
    again = read_frame(tmp_path / f"o{path.suffix}")
    assert list(again.column("AGE").values) == [36.8]
    assert list(again.column("BORN").values) == [DAY]
    for name in ("NAME", "SEX"):
        assert list(again.column(name).values) == list(frame.column(name).values)


def test_labels_take_the_place_of_values(path, tmp_path):
    out = tmp_path / f"out{path.suffix}"
    texts = {"AGE": ["30-39", "40-49", None], "BORN": ["2020", None, "2020-01-01"]}
    labels = {name: numbered_cells(cells) for name, cells in texts.items()}
    read_frame(path).relabelled(labels).only(["BORN", "AGE"]).write(out)
    table, kept = about(out)
    assert table["AGE"].tolist() == ["30-39", "40-49", ""]
    assert table["BORN"].tolist() == ["2020", "", "2020-01-01"]
    assert kept.column_labels == [None, "years"]
    assert set(kept.readstat_variable_types.values()) == {"string"}


def test_spss_keeps_what_its_values_mean(tmp_path):
    path, out = tmp_path / "t.sav", tmp_path / "out.zsav"
    said = {
        "variable_value_labels": {"SEX": SEXES, "NAME": {"ann": "Ann"}},
        "missing_ranges": {
            "SEX": [9.0],
            "AGE": [{"lo": 90.0, "hi": float("inf")}, -1.0],
            "NAME": ["ann"],
        },
        "variable_measure": {"AGE": "scale", "SEX": "nominal"},
        "variable_display_width": {"AGE": 12},
        "note": ["one", "two"],
    }
    pyreadstat.write_sav(PEOPLE, path, **said)
    frame = read_frame(path)
    assert frame.column("SEX").values == [1.0, 2.0, 9.0]
    frame.hiding({"SEX": np.array([False, False, True])}, "*").write(out)
    assert out.read_bytes().startswith(b"$FL3")
    (table, was), (again, kept) = about(path), about(out)
    assert again["SEX"].tolist()[:2] == table["SEX"].tolist()[:2]
    assert np.isnan(again["SEX"][2])
    for name in (*list(said)[:-1], "notes"):
        assert getattr(kept, name) == getattr(was, name), name
    frame.relabelled({"SEX": numbered_cells(["m", "f", None])}).write(out)
    _, kept = about(out)
    assert kept.variable_value_labels == {"NAME": {"ann": "Ann"}}
    assert "SEX" not in kept.missing_ranges


def test_of_values_that_are_gone_nothing_is_said(tmp_path):
    """A label or a missing value that no row has any more tells what was hidden."""
    path, out = tmp_path / "t.sav", tmp_path / "out.sav"
    said = {
        "variable_value_labels": {"SEX": SEXES, "NAME": {"ann": "Ann", "bo": "Bo"}},
        "missing_ranges": {
            "SEX": [9.0, 1.0],
            "AGE": [{"lo": 30.0, "hi": 32.0}, 42.5],
            "NAME": ["ann"],
        },
    }
    pyreadstat.write_sav(PEOPLE, path, **said)
    frame = read_frame(path)
    frame.hiding(dict.fromkeys(frame.names, FIRST), "*").rebuilt().write(out)
    kept = about(out)[1]
    labels = {"SEX": {2.0: "female", 9.0: "not told"}, "NAME": {"bo": "Bo"}}
    assert kept.variable_value_labels == labels
    assert kept.missing_ranges == {
        "SEX": [{"lo": 9.0, "hi": 9.0}],
        "AGE": [{"lo": 42.5, "hi": 42.5}],
    }


def test_of_columns_that_are_gone_nothing_is_said(tmp_path, done):
    path, out = tmp_path / "t.sav", tmp_path / "out.sav"
    pyreadstat.write_sav(PEOPLE, path, variable_value_labels={"SEX": SEXES})
    command = ["anonymize", str(path), "-k", "3", "--columns", "AGE", "-o", str(out)]
    done(*command, "--drop-unlisted")
    assert b"female" in path.read_bytes()
    assert b"female" not in out.read_bytes()


def test_letters_that_are_gone(tmp_path):
    path, out = tmp_path / "t.dta", tmp_path / "out.dta"
    table = pandas.DataFrame({"n": pandas.Series([1, "a", "b"], dtype=object)})
    labels = {"n": {1: "one", "a": "refused", "b": "unknown"}}
    pyreadstat.write_dta(
        table, path, variable_value_labels=labels, missing_user_values={"n": ["a", "b"]}
    )
    read_frame(path).hiding({"n": FIRST | FIRST[::-1]}, "*").rebuilt().write(out)
    kept = about(out)[1]
    assert kept.variable_value_labels == {"n": {"a": "refused"}}
    assert kept.missing_user_values == {"n": ["a"]}


def test_stata_keeps_types_and_letters(tmp_path):
    path, out = tmp_path / "t.dta", tmp_path / "out.dta"
    table = pandas.DataFrame(
        {
            "n": pandas.array([1, 2, None], dtype="Int32"),
            "some": pandas.Series([1, "a", None], dtype=object),
            "none": pandas.Series(["a", "b", "a"], dtype=object),
        }
    )
    labels = {"n": {1: "one"}, "some": {1: "one", "a": "refused"}}
    letters = {"some": ["a"], "none": ["a", "b"]}
    pyreadstat.write_dta(
        table, path, variable_value_labels=labels, missing_user_values=letters
    )
    frame = read_frame(path)
    assert list(map(str, frame.column("some").values)) == ["1", ".a", "None"]
    assert frame.column("none").codes.tolist() == [0, 1, 0]
    assert not frame.column("none").text
    frame.hiding(dict.fromkeys(("n", "none"), FIRST), "*").write(out)
    again, kept = read_frame(out), about(out)[1]
    assert again.column("n").values == [None, 2]
    assert list(map(str, again.column("some").values)) == ["1", ".a", "None"]
    assert list(map(str, again.column("none").values)) == ["None", ".b", ".a"]
    assert kept.variable_value_labels == labels
    assert list(kept.readstat_variable_types.values()) == ["int32", "int32", "double"]
    frame.hiding(dict.fromkeys(frame.names, np.ones(3, dtype=bool)), "*").write(out)
    assert read_frame(out).column("some").values == [None]


def test_what_is_lost_is_reported(tmp_path, run):
    path, out = tmp_path / "t.dta", tmp_path / "out.dta"
    pandas.DataFrame({"n": np.array([1, 1], np.int8)}).to_stata(path, write_index=False)
    message = "not written back: narrow types of numbers"
    told = f"atleastk: {path}: {message}\n"
    assert run(f"anonymize {path} -k 2 -o {out}")[::2] == (0, told)
    assert pandas.read_stata(out)["n"].tolist() == [1, 1]


def sas(name):
    """Return a file that only SAS writes: from the tests of pyreadstat (Apache-2.0)."""
    path = Path(__file__).parents[2] / f"helpers/{name}.sas7bdat.gz"
    return gzip.decompress(path.read_bytes())


def test_sas_reads_what_only_sas_writes(tmp_path, refused, done):
    path, out = tmp_path / "t.sas7bdat", tmp_path / "out.xpt"
    path.write_bytes(sas("people"))
    frame = read_frame(path)
    assert frame.column("mydate").values[0] == datetime.date(2018, 5, 6)
    when = datetime.datetime(2018, 5, 6, 10, 10, 10)
    assert frame.column("dtime").values[0] == when
    command = ["anonymize", str(path), "-k", "5", "--columns", "mychar,mydate", "-o"]
    message = "a table of a SAS file is written to one of .xpt"
    assert message in refused(*command, tmp_path / "out.sas7bdat")
    done(*command, out)
    again = read_frame(out)
    assert again.names == frame.names
    assert again.column("mychar").values == ["*"]
    assert again.column("mydate").values == [None]
    assert again.column("dtime").values == frame.column("dtime").values
    assert about(out)[1].table_name == "SAMPLE"
    path.write_bytes(sas("letters"))
    frame = read_frame(path)
    assert frame.note == "not written back: kinds of missing values"
    assert frame.column("var1").values == [None]


@pytest.mark.parametrize("number", [-1e75, 5e-79])
def test_numbers_that_a_transport_file_does_not_hold(tmp_path, number):
    path = tmp_path / "t.sas7bdat"
    whole, old = sas("people"), struct.pack("<d", 1.1)
    assert whole.count(old) == 1
    path.write_bytes(whole.replace(old, struct.pack("<d", number)))
    frame = read_frame(path)
    assert frame.column("mynum").values[0] == number
    assert frame.note == "not written back: numbers beyond 9e74, or within 5e-79 of 0"
    path.write_bytes(whole.replace(old, struct.pack("<d", np.nextafter(2.0**249, 0))))
    frame, out = read_frame(path), tmp_path / "out.xpt"
    assert frame.note is None
    frame.write(out)
    assert read_frame(out).column("mynum").values == frame.column("mynum").values


@pytest.mark.parametrize("version", [5, 8])
def test_versions_of_transport_files_stay(tmp_path, version):
    """The older one is asked for by offices."""
    path, out = tmp_path / "t.xpt", tmp_path / "out.xpt"
    pyreadstat.write_xport(PEOPLE, path, file_format_version=version)
    read_frame(path).write(out)
    assert out.read_bytes()[:48] == path.read_bytes()[:48]


@pytest.mark.parametrize("end", WRITERS)
def test_odd_tables(tmp_path, end):
    path, out = tmp_path / f"t{end}", tmp_path / f"out{end}"
    name = "A" if end in (".por", ".xpt") else "größe年"
    wide = {f"V{i}": [1.0, None] for i in range(300)}
    for table in (
        PEOPLE.assign(NAME=pandas.array(["a", "b", "c"], dtype="string"), BORN=1.0)[:0],
        pandas.DataFrame(wide),
        pandas.DataFrame({"X": [None, None], "Y": ["", ""]}, dtype=object).astype(
            {"X": float}
        ),
        pandas.DataFrame({name: [1.0, 2.0]}),
    ):
        WRITERS[end](table, path)
        frame = read_frame(path)
        assert list(frame.names) == list(table)
        nothing = dict.fromkeys(frame.names, np.zeros(frame.n, dtype=bool))
        frame.hiding(nothing, "*").write(out)
        pandas.testing.assert_frame_equal(about(path)[0], about(out)[0])


def test_broken_files(path, capsys):
    whole = path.read_bytes()
    for size in (0, 5, 100, len(whole) // 2):
        path.write_bytes(whole[:size])
        assert main(["anonymize", str(path), "--check"]) == 2, size
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"atleastk: error: {path}: cannot be read: "), line


def test_files_with_bytes_too_few_or_too_many(path, capsys):
    """An answer, or one line and exit code 2: pyreadstat stumbles in many ways."""
    whole = path.read_bytes()
    for start in range(0, len(whole), max(1, len(whole) // 20)):
        for shift in (whole[start + 3 :], whole[start - 8 :], bytes(9) + whole[start:]):
            path.write_bytes(whole[:start] + shift)
            code = main(["anonymize", str(path), "--check"])
            errors = capsys.readouterr().err.splitlines()
            assert code in (0, 1, 2), start
            assert (code == 2) == any("atleastk: error: " in line for line in errors)


def test_no_row_is_lost_unseen(path):
    whole = path.read_bytes()
    frame = read_frame(path)
    for size in range(1, len(whole), 37):
        path.write_bytes(whole[:size])
        with contextlib.suppress(InvalidInstanceError):
            again = read_frame(path)
            assert (again.names, again.n) == (frame.names, frame.n), size


@pytest.mark.parametrize("version", [5, 8])
def test_blocks_that_are_missing(tmp_path, version):
    """Rows of 13 bytes never end with a block before the last one does."""
    path = tmp_path / "t.xpt"
    table = pandas.DataFrame(
        {"A": np.arange(40.0), "B": [f"b{i:04}" for i in range(40)]}
    )
    pyreadstat.write_xport(table, path, file_format_version=version)
    whole = path.read_bytes()
    assert read_frame(path).n == 40
    for blocks in range(1, 7):
        path.write_bytes(whole[: -80 * blocks])
        with pytest.raises(InvalidInstanceError, match="the file is truncated"):
            read_frame(path)


def test_no_columns(tmp_path, refused):
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(pandas.DataFrame(index=range(3)), path)
    assert refused("anonymize", path, "-k", "2").count("\n") == 1


def test_what_does_not_go_with_the_format(path, tmp_path, refused):
    packed = tmp_path / f"{path.name}.gz"
    packed.write_bytes(path.read_bytes())
    for words, told in (
        ((path, "--delimiter", ";"), f"a {path.suffix} file has no delimiter"),
        ((path, "-o", tmp_path / "out.zip"), "file is written to one of ."),
        ((packed,), "cannot be read packed; unpack it first"),
    ):
        assert told in refused("anonymize -k 2", *words)


def test_encodings(tmp_path):
    path = tmp_path / "t.xpt"
    pyreadstat.write_xport(pandas.DataFrame({"A": ["Köln ", "Bonn"]}), path)
    utf_8, latin = ("Köln".encode(name) for name in ("utf-8", "latin-1"))
    path.write_bytes(path.read_bytes().replace(utf_8, latin + b" "))
    with pytest.raises(InvalidInstanceError, match="a text is in another encoding"):
        read_frame(path)
    assert read_frame(path, encoding="cp1252").column("A").values == ["Köln", "Bonn"]
    with pytest.raises(InvalidInstanceError, match="has an unsupported character set"):
        read_frame(path, encoding="rot13")
    with pytest.raises(InvalidInstanceError, match=r"a \.por file has no encoding"):
        read_frame(tmp_path / "t.por", encoding="cp1252")


def test_what_cannot_be_written_is_reported_first(tmp_path):
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(pandas.DataFrame({"QQQ": [1.0]}), path)
    path.write_bytes(path.read_bytes().replace(b"QQQ", b"@QQ"))
    frame = read_frame(path)
    assert frame.names == ("@QQ",)
    assert frame.note is not None
    assert frame.note.startswith("cannot be written: variable name '@QQ' starts with")
    with pytest.raises(AtleastkError, match="cannot be written: variable name '@QQ'"):
        frame.write(path)


def test_dates_of_odd_times(tmp_path):
    path = tmp_path / "t.sav"
    seconds = [13797216000.0, 1e18, None]
    table = pandas.DataFrame({"a": seconds, "b": [86400.0, 90000.5, None]})
    formats = {"a": "DATE11", "b": "DATETIME20"}
    pyreadstat.write_sav(table, path, variable_format=formats)
    frame = read_frame(path)
    assert frame.column("a").values == [DAY, 1e18, None]
    assert [str(value) for value in frame.column("b").values] == [
        "1582-10-15 00:00:00",
        "1582-10-15 01:00:00.500000",
        "None",
    ]


def test_hierarchies_know_dates(path, tmp_path, done):
    out, lines = tmp_path / f"out{path.suffix}", tmp_path / "born.csv"
    lines.write_text(f"{DAY};2020\n;2020\n", encoding="utf-8")
    command = ["anonymize", str(path), "-k", "3", "--columns", "BORN", "-o", str(out)]
    done(*command, "--hierarchy", f"BORN={lines}")
    assert about(out)[0]["BORN"].tolist() == ["2020"] * 3
    assert about(out)[0]["AGE"].equals(about(path)[0]["AGE"])


@pytest.mark.parametrize("end", [".sav", ".zsav"])
def test_rows_that_a_file_does_not_count_are_counted(tmp_path, end):
    """SPSS may leave their number out, and a packed file holds many."""
    path = tmp_path / f"t{end}"
    how = {"compress": True} if end == ".zsav" else {"row_compress": True}
    pyreadstat.write_sav(pandas.DataFrame({"a": [1.0] * 5000}), path, **how)
    data = bytearray(path.read_bytes())
    data[80:84] = struct.pack("<i", -1)
    path.write_bytes(data)
    assert read_frame(path).n == 5000
    with (
        input_limit(39_999e-9),
        pytest.raises(InvalidInstanceError, match="holds more"),
    ):
        read_frame(path)


def test_rows_that_a_stata_file_cannot_hold_are_not_waited_for(tmp_path):
    """Room is made for as many as it says there are."""
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(pandas.DataFrame({"a": [1.0, 2.0]}), path, version=14)
    data = path.read_bytes()
    at = data.index(b"<N>") + 3
    path.write_bytes(data[:at] + struct.pack("<q", 60_000_000) + data[at + 8 :])
    message = "cannot be read: the file is truncated"
    with pytest.raises(InvalidInstanceError, match=message):
        read_frame(path)
