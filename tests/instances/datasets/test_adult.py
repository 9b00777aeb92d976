import gzip

import pytest

from atleastk.instances.datasets.adult import COLUMNS, adult, read_adult
from atleastk.instances.fields.errors import InvalidInstanceError

RAW = """39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, \
Not-in-family, White, Male, 2174, 0, 40, United-States, <=50K
54, ?, 180211, Some-college, 10, Married-civ-spouse, ?, Husband, \
Asian-Pac-Islander, Male, 0, 0, 60, South, >50K

"""
TEST = """|1x3 Cross validator
25, Private, 226802, 11th, 7, Never-married, Machine-op-inspct, Own-child, Black, \
Male, 0, 0, 40, United-States, <=50K.
"""
FIRST = (
    *("39", "State-gov", "Bachelors", "Never-married", "Adm-clerical", "White"),
    *("Male", "United-States", "<=50K"),
)


def test_the_sample():
    instance = adult(5, 9)
    assert (instance.n, instance.m, instance.k) == (1000, 9, 5)
    assert instance.columns == COLUMNS
    assert "CC BY 4.0" in instance.source
    assert not any("?" in row for row in instance.table)
    assert adult(5).columns == COLUMNS[:8]


def test_decades():
    aged, rounded = adult(2), adult(2, decades=True)
    for row, coarse in zip(aged.table, rounded.table, strict=True):
        assert coarse == (str(int(row[0]) // 10 * 10), *row[1:])


def test_published_files(tmp_path):
    (tmp_path / "adult.data").write_text(RAW)
    (tmp_path / "adult.test").write_text(TEST)
    rows = read_adult(tmp_path / "adult.data", tmp_path / "adult.test")
    assert len(rows) == 2
    assert (rows[0], rows[1][-1]) == (FIRST, "<=50K")
    assert adult(1, 8, [tmp_path / "adult.data"]).table == (FIRST[:8],)


def test_files_with_a_header(tmp_path):
    names = ("split", *COLUMNS[::-1])
    text = ",".join(names) + "\n" + ",".join(("train", *FIRST[::-1])) + "\n"
    path = tmp_path / "adult.csv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert read_adult(path) == [FIRST]
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    assert read_adult(empty) == []


def test_what_is_refused(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("age,zip\n30,1\n")
    with pytest.raises(InvalidInstanceError, match=r"other\.csv: .* workclass"):
        read_adult(path)
    path.write_text(RAW + "39, State-gov\n")
    with pytest.raises(InvalidInstanceError, match="15 cells a row, got 2"):
        read_adult(path)
    with pytest.raises(InvalidInstanceError, match=r"columns: expected 1\.\.9, got 10"):
        adult(2, 10)
