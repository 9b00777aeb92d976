"""Titles above the names of the columns: told, and skipped by --header."""

import openpyxl
import pytest

from atleastk import InvalidInstanceError
from atleastk.frames.open_frame import read_frame

ROWS = [["age", "zip"], [31, 13053], [31, 13053], [42, 13068]]
TITLES = [["Survey of persons"], ["made in 2024"], []]


def text_file(path, rows, mark=","):
    lines = (mark.join(map(str, row)) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def sheet(path, rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("make", [text_file, sheet])
@pytest.mark.parametrize("titles", [TITLES, TITLES[:1], [["Survey", ""], *TITLES]])
def test_a_title_is_told_with_the_row_of_the_names(tmp_path, make, titles):
    end = ".csv" if make is text_file else ".xlsx"
    path = make(tmp_path / f"t{end}", [*titles, *ROWS])
    names = len(titles) + 1
    with pytest.raises(InvalidInstanceError, match=f"--header {names} begins there"):
        read_frame(path)
    frame = read_frame(path, header=names)
    assert (frame.names, frame.n) == (("age", "zip"), 3)
    assert list(map(str, frame.column("zip").values)) == ["13053", "13068"]


@pytest.mark.parametrize(("make", "end"), [(text_file, "csv"), (sheet, "xlsx")])
def test_names_below_the_end_are_told(tmp_path, make, end):
    path = make(tmp_path / f"t.{end}", ROWS)
    with pytest.raises(InvalidInstanceError, match=r"is empty from (line|row) 9 on"):
        read_frame(path, header=9)


def test_delimiters_are_those_of_the_table(tmp_path):
    path = text_file(tmp_path / "t.csv", [["a, b, c and d"], *ROWS], ";")
    assert read_frame(path, header=2).names == ("age", "zip")


def test_formulas_below_a_title_are_read_in_their_place(tmp_path):
    path = sheet(tmp_path / "t.xlsx", [["Title"], ["a", "b"], [1, "=A3"]])
    with pytest.raises(InvalidInstanceError, match="B3: the value of the formula"):
        read_frame(path, header=2)


def test_merged_titles_are_no_part_of_the_table(tmp_path):
    path = sheet(tmp_path / "t.xlsx", [["Title", None], *ROWS])
    book = openpyxl.load_workbook(path)
    book.active.merge_cells("A1:B1")
    book.save(path)
    assert read_frame(path, header=2).n == 3
    book.active.merge_cells("A3:A4")
    book.save(path)
    with pytest.raises(InvalidInstanceError, match="A3:A4: merged cells"):
        read_frame(path, header=2)


def test_lines_of_errors_are_those_of_the_file(tmp_path):
    path = text_file(tmp_path / "t.csv", [*TITLES, *ROWS, [1]])
    with pytest.raises(InvalidInstanceError, match=r"t\.csv:8: 1 cells where the"):
        read_frame(path, header=4)


def test_what_is_no_title_is_an_error_as_before(tmp_path):
    path = text_file(tmp_path / "t.csv", [*ROWS, [1], [2]])
    with pytest.raises(InvalidInstanceError) as caught:
        read_frame(path)
    assert "--header" not in str(caught.value)


def test_on_the_command_line(tmp_path, done, refused):
    path = text_file(tmp_path / "t.csv", [*TITLES, *ROWS, ROWS[3]])
    words = ["anonymize", str(path), "-k", "2", "-o", str(tmp_path / "o.csv")]
    assert "--header 4 begins there" in refused(*words)
    done(*words, "--header", "4")
    assert (tmp_path / "o.csv").read_text().startswith("age,zip\n31,13053\n")
    assert "at least 1" in refused(*words, "--header", "0")
    told = refused("anonymize t.parquet -k 2 --header 2")
    assert "has no titles to skip" in told
