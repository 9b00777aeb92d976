import datetime
import json

import pandas
import polars
import pytest

from atleastk import anonymize
from atleastk.frames.frame import Selection
from atleastk.frames.oddities import nearly_equal, oddities
from atleastk.frames.open_frame import framed
from atleastk.frames.rows import column_of


def odd(table, columns=None):
    return oddities(Selection.of(framed(table), columns))


def test_names_that_are_nearly_the_same():
    rows = [{"m": 1, "m ": 2, "M": 3, "n": 4}]
    assert odd(rows, ["n"]) == (
        'columns "m" and "m " have nearly the same name',
        'columns "m" and "M" have nearly the same name',
    )


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([1067, "1067"], '1067 in row 1 and "1067" in row 2'),
        ([1067, "01067"], '1067 in row 1 and "01067" in row 2'),
        ([2.5, 1067.0, "1067"], '1067.0 in row 2 and "1067" in row 3'),
        (["f", "m", "f ", " f"], '"f" in row 1 and "f " in row 3'),
        (["a  b", "a b"], '"a  b" in row 1 and "a b" in row 2'),
        (["Z\u00fcrich", "Zu\u0308rich"], '"Z\u00fcrich" in row 1 and "Zu\u0308rich"'),
    ],
)
def test_values_that_look_alike(cells, message):
    (found,) = odd([{"a": cell} for cell in cells])
    assert found.startswith(f'column "a": {message}')
    assert "look alike and are two values" in found
    assert found.endswith(", and 1 more such pairs") == (len(cells) == 4)


def test_zeros_in_front_tell_texts_apart():
    assert odd([{"a": "01067"}, {"a": "1067"}]) == ()


@pytest.mark.parametrize("wrap", [list, pandas.DataFrame, polars.DataFrame])
def test_names_below_a_title(wrap):
    rows = [("age", "sex"), ("31", "f"), ("42", "m"), ("3,5", "")]
    table = wrap([{"People of 2020": a, "x": b} for a, b in rows])
    (found,) = odd(table)
    assert found.startswith('row 1 ("age", "sex") looks like the names of columns')
    for first in (("30", "sex"), ("NA", "sex"), ("", "sex"), ("unknown", "?")):
        rows[0] = first
        assert odd(wrap([{"a": a, "x": b} for a, b in rows])) == ()


def test_ordinary_tables():
    day = datetime.date(2020, 1, 1)
    rows = [{"a": 1, "b": "x", "c": day}, {"a": None, "b": "y", "c": day}]
    assert odd(rows) == odd(pandas.DataFrame(rows)) == ()
    assert odd([{"a": True, "b": 1.5}, {"a": 1, "b": 1.5}]) == ()
    assert odd([{"b": text} for text in ("f", "F", "10", "10.0")]) == ()


def test_they_are_in_the_report(tmp_path, done):
    made = anonymize([{"m": 1067}, {"m": "1067"}, {"m": 1067}], 2)
    (warning,) = made.report.warnings
    assert f"  warning     {warning}\n" in str(made)
    assert "look alike" in made.to_html()
    path = tmp_path / "t.csv"
    path.write_text("m,m \n1,1\n1,1\n")
    message = 'columns "m" and "m " have nearly the same name'
    for words in (["-k", "2"], ["--check"]):
        assert f"  warning     {message}\n" in done("anonymize", path, *words)
        assert json.loads(done("anonymize", path, *words, "--json"))["warnings"] == [
            message
        ]


@pytest.mark.parametrize("wrap", [pandas.DataFrame, polars.DataFrame])
def test_tables_without_rows(wrap, tmp_path, refused):
    made = anonymize(wrap({"a": []}), 2)
    assert made.report.warnings == ("the table has no rows",)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n")
    full = tmp_path / "full.csv"
    full.write_text("a,b\n1,2\n")
    for words in (
        f"anonymize {path} -k 2",
        f"anonymize {path} --check",
        f"anonymize {full} -k 1 --population {path}",
        f"cluster {path} -r 2",
    ):
        message = f"{path}: the table has names of columns, but no row"
        assert refused(words) == f"atleastk: error: {message}\n"


@pytest.mark.parametrize(
    ("name", "values", "odd"),
    [
        ("zip", [1067.0, 10115.0, None], True),
        ("PLZ", [1067, 10115], True),
        ("zip", ["1067", "10115"], False),
        ("zip", [10115, 20095], False),
        ("cost", [1067, 10115], False),
        ("zip", [7, 10115], False),
    ],
)
def test_postal_codes_that_are_numbers_may_have_lost_a_zero(name, values, odd):
    table = [{name: value} for value in values]
    found = oddities(Selection.of(framed(table), None))
    assert any("zeros in front were lost" in one for one in found) == odd


def groups(*cells):
    column = column_of("c", cells)
    return [dict(g) for g in nearly_equal(column, [str(v) for v in column.values])]


@pytest.mark.parametrize(
    "pair",
    [
        ("Berlin", "berlin "),
        ("Köln", "Koln"),
        ("St. Gallen", "St.Gallen"),
        ("Baden-Baden", "Baden Baden"),
        ("01067", "1067"),
        ("1.50", "1.5"),
        ("A-17", "A17"),
        ("12/5", "12-5"),
    ],
)
def test_these_are_alike(pair):
    assert groups(*pair, pair[0]) == [{pair[0]: 2, pair[1]: 1}]


@pytest.mark.parametrize(
    "pair", [("1.5", "15"), ("A+", "A-"), ("<=50K", ">50K"), ("-1", "1"), ("a", "b")]
)
def test_these_are_not(pair):
    assert groups(*pair) == []


def test_those_of_most_rows_come_first():
    assert [len(group) for group in groups("x", "Y", "X", "y", "y ")] == [3, 2]
