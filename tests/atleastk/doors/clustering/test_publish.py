import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import atleastk
from atleastk.instances.fields.errors import InvalidInstanceError

PEOPLE = pd.DataFrame(
    {
        "age": [30, 33, 60, 61, 61],
        "pay": [1.25, 1.5, 7.0, 8.25, 8.5],
        "size": ["low", "low", "high", "high", "mid"],
        "ill": ["flu", "cold", "flu", None, "cold"],
    },
    index=list("abcde"),
)
NAMED = ["age", "pay", "size"]
AGES, PAYS = [32, 32, 61, 61, 61], [1.38, 1.38, 7.92, 7.92, 7.92]
SIZES = ["low", "low", "high", "high", "high"]


def rows_of(table, **wish):
    return atleastk.cluster(table, 2, NAMED, centres="mean", **wish).frame


def test_pandas():
    made = rows_of(PEOPLE)
    pd.testing.assert_frame_equal(made, PEOPLE.assign(age=AGES, pay=PAYS, size=SIZES))
    assert atleastk.anonymity(made, NAMED).k == 2


def test_categories_of_pandas_keep_their_order():
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    made = rows_of(PEOPLE.astype({"size": kind, "age": "Int16", "pay": "float32"}))
    assert list(made["size"]) == SIZES
    assert made.dtypes[NAMED].astype(str).tolist() == ["Int16", "float32", "category"]
    assert made["size"].dtype == pd.CategoricalDtype(["low", "high"], ordered=True)
    numbers = rows_of(PEOPLE.astype({"age": "category"}))
    assert list(numbers["age"]) == AGES  # no category is called 32


def test_polars():
    table = pl.from_pandas(PEOPLE).with_columns(
        pl.col("size").cast(pl.Enum(["low", "mid", "high"]))
    )
    made = rows_of(table)
    shown = pl.Enum(["low", "high"])  # no row is in the middle any more
    assert made.schema == {**table.schema, "size": shown}
    assert made["age"].to_list() == AGES
    assert made["size"].to_list() == SIZES
    assert made["ill"].to_list() == table["ill"].to_list()


def test_arrow_with_ordered_categories():
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    table = pa.Table.from_pandas(PEOPLE.astype({"size": kind}))
    made = rows_of(table)
    assert made.schema == table.schema
    assert made["size"].type.ordered
    assert made["size"].chunk(0).dictionary.to_pylist() == ["low", "high"]
    assert made["size"].to_pylist() == SIZES
    assert made["pay"].to_pylist() == PAYS


@pytest.mark.parametrize("kind", [dict, tuple, list])
def test_plain_rows(kind):
    records = PEOPLE.to_dict("records")
    rows = records if kind is dict else [kind(row.values()) for row in records]
    columns = NAMED if kind is dict else [0, 1, 2]
    made = atleastk.cluster(rows, 2, columns, centres="mean").frame
    assert {type(row) for row in made} == {kind}
    assert [row[columns[0]] for row in made] == AGES


@pytest.mark.parametrize("table", [PEOPLE, pl.from_pandas(PEOPLE)])
def test_middles_need_another_type(table):
    """The middle of 30 and 33 is no integer, and nothing is rounded by stealth."""
    made = atleastk.cluster(table, 2, ["age"], centres="any").frame
    assert made["age"].to_list() == [31.5, 31.5, 60.5, 60.5, 60.5]
    arrow = pa.Table.from_pandas(PEOPLE)
    again = atleastk.cluster(arrow, 2, ["age"], centres="any").frame
    assert again["age"].to_pylist() == [31.5, 31.5, 60.5, 60.5, 60.5]


@pytest.mark.parametrize("centres", ["input", "member"])
def test_centres_that_are_rows(centres):
    """Either end of a cluster is as good as the other."""
    made = atleastk.cluster(PEOPLE, 2, ["age"], centres=centres).frame
    young, old = made["age"][:2].tolist(), made["age"][2:].tolist()
    assert young in ([30] * 2, [33] * 2)
    assert old in ([60] * 3, [61] * 3)
    assert made["age"].dtype == PEOPLE["age"].dtype


def test_means_of_equal_numbers_are_as_they_are_written():
    rows = [{"x": x} for x in ("1e300", "1e300", "1e300")]
    made = atleastk.cluster(rows, 3, centres="mean").frame
    assert {row["x"] for row in made} == {f"{10**300}"}
    rows = [{"x": x} for x in ("0.10", "0.2", "0.25")]
    made = atleastk.cluster(rows, 3, centres="mean").frame
    assert {row["x"] for row in made} == {"0.18"}


def test_equal_numbers_that_are_written_differently_are_one_place():
    rows = [{"x": x} for x in ("1.0", "1.00", "3", "3.0", "4.00", "5")]
    made = atleastk.cluster(rows, 2, centres="mean")
    assert [member.distance for member in made.members()] == [0, 0, 0, 0, 0.5, 0.5]


def test_rows_without_a_centre():
    made = atleastk.cluster([{"x": x} for x in (1, 2, 99)], 2, max_outliers=1)
    with pytest.raises(InvalidInstanceError, match="1 row left out without a centre"):
        _ = made.frame
