import pytest

from atleastk.frames.oddities import nearly_equal
from atleastk.frames.rows import column_of


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
