import contextlib
import datetime
import re
import zipfile

import numpy as np
import pytest

from atleastk import AtleastkError, InvalidInstanceError, UnknownNameError
from atleastk.frames.open_frame import read_frame
from atleastk.frames.rows import numbered_cells

openpyxl = pytest.importorskip("openpyxl")
from openpyxl.worksheet._read_only import ReadOnlyWorksheet  # noqa: E402

NOON = datetime.datetime(2020, 1, 1, 12)
ROWS = [
    ("age", "name", "born", "member", 2020),
    (31, "a", NOON, True, 0.5),
    (42, "=1+1", NOON, False, None),
    (31, "#N/A", None, True, 1.5),
]


@pytest.fixture
def path(tmp_path):
    return saved(tmp_path / "t.xlsx", ROWS)


def saved(path, *sheets):
    book = openpyxl.Workbook()
    for number, rows in enumerate(sheets):
        sheet = book.active if number == 0 else book.create_sheet()
        sheet.title = f"sheet {number}"
        for row in rows:
            sheet.append(row)
        for cell in [cell for row in sheet.iter_rows() for cell in row]:
            if cell.value in ("=1+1", "#N/A"):
                cell.data_type = "s"
    book.save(path)
    return path


def held(path):
    (sheet,) = openpyxl.load_workbook(path).worksheets
    return [tuple(cell.value for cell in row) for row in sheet.iter_rows()]


def test_values_keep_their_types(path, tmp_path):
    frame = read_frame(path)
    assert frame.names == ("age", "name", "born", "member", "2020")
    assert frame.column("age").codes.tolist() == [0, 1, 0]
    assert frame.column("name").text
    assert frame.column("born").values == [NOON, None]
    assert frame.note is None
    frame.write(tmp_path / "out.xlsx")
    assert held(tmp_path / "out.xlsx") == [(*ROWS[0][:4], "2020"), *ROWS[1:]]
    again = openpyxl.load_workbook(tmp_path / "out.xlsx").active
    assert (again["B3"].data_type, again["B4"].data_type) == ("s", "s")


def test_cells_are_hidden(path, tmp_path):
    mask = np.array([True, False, False])
    frame = read_frame(path).hiding({"age": mask, "name": mask}, "*")
    frame = frame.relabelled({"2020": numbered_cells(["0-1", None, "1-2"])}).only(
        ["name", "2020", "age"]
    )
    frame.write(tmp_path / "out.xlsx")
    assert held(tmp_path / "out.xlsx") == [
        ("name", "2020", "age"),
        ("*", "0-1", None),
        ("=1+1", None, 42),
        ("#N/A", "1-2", 31),
    ]


def test_nothing_but_the_table_is_published(tmp_path, run, refused):
    rows = [("age", "sex"), (31, "f"), (31, "f"), (55, "m")]
    path, out = saved(tmp_path / "t.xlsx", rows, ROWS), tmp_path / "out.xlsx"
    message = 'the first sheet, "sheet 0", is read; --sheet takes another: "sheet 1"'
    _, _, err = run(f"anonymize {path} -k 3 -o {out}")
    assert err == f"atleastk: {path}: {message}\n"
    assert held(out) == [("age", "sex"), (None, "*"), (None, "*"), (None, "*")]
    for wrong in ("out.sav", "out", "out.xlsx.gz"):
        told = refused(f"anonymize {path} -k 3 -o {tmp_path / wrong}")
        assert "a table of an Excel file is written to one of .xlsx" in told


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    frame = read_frame(saved(tmp_path / "t.xlsx", [("a", "b")])).only(["b"])
    frame.write(tmp_path / "out.xlsx")
    assert held(tmp_path / "out.xlsx") == [("b",)]


def test_empty_cells_around_the_table_are_nothing(tmp_path):
    rows = [("a", "b", None), (1, None, None), (None, None, None)]
    frame = read_frame(saved(tmp_path / "t.xlsx", rows))
    assert (frame.names, frame.n) == (("a", "b"), 1)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "the file is empty"),
        ([("a", None, "b")], "B1: no name of a column"),
        ([("a", "b"), (1, 2, 3)], "C1: no name of a column"),
        ([("a", "b", "a")], 'C1: "a" once more'),
        ([("a", "b"), (None, None), (1, 2)], "row 2: an empty row"),
        ([("a", "b"), (1, "=A2*2")], "B2: the value of the formula was not saved"),
        (
            [("People of 2020",), ("a", "b"), (1, 2)],
            "B1: no name of a column, but B2 is",
        ),
        ([(None,), ("a", "b"), (1, 2)], "A1: no name of a column, but A2 is not empty"),
    ],
)
def test_what_is_no_table(tmp_path, rows, message):
    with pytest.raises(InvalidInstanceError) as caught:
        read_frame(saved(tmp_path / "t.xlsx", rows))
    assert str(caught.value).startswith(f"{tmp_path / 't.xlsx'}: {message}")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("XFD1048576", "row 5: an empty row, above row 1048576"),
        ("XFD1", "F1: no name of a column"),
        ("XFD2", "XFD1: no name of a column, but XFD2 is not empty"),
    ],
)
def test_only_cells_that_are_there_are_read(path, monkeypatch, place, message):
    """A lone cell far away made a list of 17,179,869,184: rows have what they hold."""
    book = openpyxl.load_workbook(path)
    book.active[place] = "stray"
    book.save(path)
    widths = []
    whole = ReadOnlyWorksheet._get_row

    def counted(self, row, *more):
        made = whole(self, row, *more)
        widths.append(len(made))
        return made

    monkeypatch.setattr(ReadOnlyWorksheet, "_get_row", counted)
    with pytest.raises(InvalidInstanceError, match=message):
        read_frame(path)
    assert sum(widths) < 2**16


def test_rows_beyond_those_of_excel_are_refused(path, tmp_path):
    """A row of number 2,000,000,000 would be waited for."""
    far = tmp_path / "far.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(far, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                data = re.sub(rb'r="([A-E]?)4"', rb'r="\g<1>2000000000"', data)
            new.writestr(name, data)
    with pytest.raises(InvalidInstanceError, match="a row beyond 1048576"):
        read_frame(far)


def test_a_sheet_is_chosen_by_its_name_or_number(tmp_path):
    path = saved(tmp_path / "t.xlsx", [("x",), (1,)], ROWS)
    for sheet in ("sheet 1", "2"):
        frame = read_frame(path, sheet=sheet)
        assert (frame.n, frame.title, frame.note) == (3, "sheet 1", None)
    message = r't\.xlsx: no sheet is called "3"; there are "sheet 0", "sheet 1"'
    with pytest.raises(UnknownNameError, match=message):
        read_frame(path, sheet="3")
    with pytest.raises(InvalidInstanceError, match=r"only files that end in \.xlsx do"):
        read_frame(tmp_path / "t.csv", sheet="1")


@pytest.mark.parametrize(
    ("cover", "why"),
    [
        ([("People",)], "it has no rows of cells"),
        ([("People",), (2020,)], "it has no rows of cells"),
        ([("People",), (None,), ("of", 2020)], "row 2: an empty row"),
        ([("a", "b")], "it has no rows of cells"),
    ],
)
def test_a_cover_is_no_table(tmp_path, cover, why, done, refused):
    """It was published as a table without rows; the sheets are listed."""
    path = saved(tmp_path / "t.xlsx", cover, ROWS, ROWS)
    err = refused("anonymize", path, "-k", 2)
    assert f'the first sheet, "sheet 0", looks like no table ({why}' in err
    assert err.endswith('say --sheet NAME: there are also "sheet 1", "sheet 2"\n')
    words = ("--check", "--columns", "age", "--sheet", "sheet 1")
    done("anonymize", path, *words)


def test_empty_sheets_are_not_counted(tmp_path):
    frame = read_frame(saved(tmp_path / "t.xlsx", [], ROWS, []))
    assert (frame.n, frame.title, frame.note) == (3, "sheet 1", None)


@pytest.mark.parametrize("cells", ["A2:A3", "A1:B1", "B4:C9"])
def test_merged_cells_are_refused(path, cells):
    """All but the first would be missing values; beside the table they are nothing."""
    book = openpyxl.load_workbook(path)
    book.active.merge_cells("J2:K3")
    book.save(path)
    assert read_frame(path).n == 3
    book.active.merge_cells(cells)
    book.save(path)
    message = f"{cells}: merged cells, of which only the first has a value"
    with pytest.raises(InvalidInstanceError, match=message):
        read_frame(path)


def test_what_is_no_excel_file(tmp_path, path):
    broken = tmp_path / "x.xlsx"
    with zipfile.ZipFile(path) as packed:
        names = packed.namelist()
    for data in (b"a,b\n", b"", path.read_bytes()[:999]):
        broken.write_bytes(data)
        with pytest.raises(InvalidInstanceError, match="it is no Excel file"):
            read_frame(broken)
    for damaged in names:
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(broken, "w") as new:
            for name in names:
                new.writestr(name, b"<" if name == damaged else old.read(name))
        with contextlib.suppress(InvalidInstanceError):  # if it is needed
            assert read_frame(broken).n == 3


def test_characters_that_excel_has_not(path, tmp_path):
    frame = read_frame(path).hiding({"name": np.array([True, False, False])}, "\x01")
    with pytest.raises(AtleastkError, match="a text holds a control character"):
        frame.write(tmp_path / "out.xlsx")
    assert not (tmp_path / "out.xlsx").exists()


def test_zeros_that_a_format_shows_are_read(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["plz", "n"])
    book.active.append([1067, 1067])
    book.active["A2"].number_format = "00000"
    book.save(tmp_path / "t.xlsx")
    frame = read_frame(tmp_path / "t.xlsx")
    assert frame.column("plz").values == ["01067"]
    assert frame.column("n").values == [1067]
