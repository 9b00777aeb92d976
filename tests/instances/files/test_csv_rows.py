import csv

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files import csv_rows
from atleastk.instances.files.csv_rows import (
    best_delimiter,
    line_end_of,
    rows_of,
    table_of_text,
)

END = pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])


@END
def test_lines_end_as_on_any_system(end):
    for last in ("", end):
        text = f'a,b{end}"1{end}2",3{end}4,5{last}'
        assert rows_of(text, "t") == [
            (1, ["a", "b"]),
            (2, [f"1{end}2", "3"]),
            (4, ["4", "5"]),
        ]
        assert line_end_of(text) == end
        assert best_delimiter(text.replace(",", ";"), ",;") == ";"


@END
def test_a_quoted_line_end_of_another_kind(end):
    other = "\n" if end == "\r" else "\r"
    text = f'"a{other}b",c{end}1,2{end}'
    assert rows_of(text, "t") == [
        (1, [f"a{other}b", "c"]),
        (rows_of(text, "t")[1][0], ["1", "2"]),
    ]
    assert line_end_of(text) == end


def test_other_separators_of_lines_are_characters():
    assert rows_of("a\x0cb,c\x85d\n\u2028,e\n", "t") == [
        (1, ["a\x0cb", "c\x85d"]),
        (2, ["\u2028", "e"]),
    ]


def test_cells_of_any_length():
    """The module csv stops at 131,072 characters; its own limit stays as it is."""
    before = csv.field_size_limit()
    long = "x" * 200_000
    assert rows_of(f"a,b\n{long},1\n", "t")[1] == (2, [long, "1"])
    assert best_delimiter(f"{long};b\n", ",;") == ";"
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('a,b\n1,2\n3,"4\n5,6\n', "t:3: broken CSV: unexpected end of data"),
        ("a,b\n1,2\r3,4\n", "t:2: broken CSV: a line end of another kind in a cell"),
        ("a,b\r1,2\n3,4\r", "t:2: broken CSV: a line end of another kind in a cell"),
        ("a,b\n1,\0\n", "t:2: holds the character 0"),
        ("a\0,\0b\0\n\0", "t:1: holds the character 0, .* UTF-16"),
        ("a\n1\n\n3\n", "t:3: an empty line"),
        ("a,b\n1,2,3\n", "t:2: 3 cells where the header has 2"),
        ("\n\na,a\n", 't:3: two columns are called "a"'),
        (" \n", None),
        ("\n", "t: the file is empty"),
    ],
)
def test_what_is_no_table_is_told_with_its_line(text, told):
    if told is None:
        assert table_of_text(text, "t") == [(1, [" "])]
        return
    with pytest.raises(InvalidInstanceError, match=told) as caught:
        table_of_text(text, "t")
    assert "\n" not in str(caught.value)


def test_lines_of_spaces_are_empty_below_several_columns():
    """Nobody sees them; they were rows of one cell, and an error."""
    rows = [(1, ["a", "b"]), (3, ["1", "2"])]
    assert table_of_text("a,b\n  \n1,2\n \t\n", "t") == rows
    assert table_of_text("a\n  \n", "t") == [(1, ["a"]), (2, ["  "])]
    with pytest.raises(InvalidInstanceError, match="t:2: 1 cells where"):
        table_of_text("a,b\n x\n", "t")


def test_lines_of_too_many_cells_are_refused_before_they_are_split(monkeypatch):
    """Their list takes eight times the text; what is read before is not held."""
    monkeypatch.setattr(csv_rows, "_MOST_CELLS", 5)
    assert len(csv_rows.table_of_text("a,b,c,d,e\n1,2,3,4,5\n", "t")) == 2
    for text, line in (("a,b\n1,2\n,,,,,\n", 3), (",,,,,\n", 1)):
        told = rf"t:{line}: a line of more than 5 cells"
        with pytest.raises(InvalidInstanceError, match=told):
            csv_rows.table_of_text(text, "t")
    assert csv_rows.best_delimiter(";;;;;;;;\n", ",;") == ";"


def test_a_row_of_another_length_ends_reading_at_once():
    before = csv.field_size_limit()
    with pytest.raises(
        InvalidInstanceError, match="t:2: 3 cells where the header has 2"
    ):
        csv_rows.table_of_text('a,b\n1,2,3\n"\n', "t")
    assert csv.field_size_limit() == before


def test_a_title_is_thought_of():
    with pytest.raises(
        InvalidInstanceError, match=r"t:2: 2 cells .* or line 1 a title"
    ):
        csv_rows.table_of_text("People\na,b\n1,2\n", "t")
