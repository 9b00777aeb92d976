import datetime
import sys
import types

import duckdb
import pandas
import polars
import pyarrow
import pytest
from pyarrow import parquet

import atleastk
from atleastk import OutOfMemoryError
from atleastk.frames import csv_frame
from atleastk.frames.open_frame import framed, read_frame
from atleastk.instances.files.files import memory_limit


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_library_may_be_half_imported(library, monkeypatch):
    """A solver in another thread may be at it; the table is then none of its."""
    monkeypatch.setitem(sys.modules, library, types.ModuleType(library))
    assert list(framed([{"a": 1}]).names) == ["a"]


def test_what_is_no_table_is_refused():
    told = "expected a table of pandas, .* or a list of rows, got int"
    for door in (framed, atleastk.inspect, lambda table: atleastk.anonymize(table, 2)):
        with pytest.raises(TypeError, match=told):
            door(7)


@pytest.mark.parametrize(
    "column",
    [pandas.Series([1, 2]), polars.Series([1, 2]), pyarrow.chunked_array([[1, 2]])],
)
def test_a_column_is_no_table(column):
    kind = type(column).__name__
    told = rf"^expected a table, got one column, a {kind}; a Series becomes a table"
    for door in (
        lambda: atleastk.anonymize(column, 2),
        lambda: atleastk.inspect(column),
        lambda: atleastk.cluster(column, 2),
        lambda: atleastk.assign(column, 2),
        lambda: atleastk.KAnonymizer(2).fit(column),
    ):
        with pytest.raises(TypeError, match=told):
            door()


def test_relations_of_duckdb_become_tables_of_pyarrow():
    relation = duckdb.sql(
        "select * from (values (31::tinyint, 'f', date '2020-01-01'), "
        "(31, 'f', null), (55, 'm', date '2020-01-01')) as people(age, sex, since)"
    )
    made = atleastk.anonymize(relation, k=3, columns=["age", "sex"])
    assert isinstance(made.frame, pyarrow.Table)
    assert made.frame.schema.types == relation.to_arrow_table().schema.types
    found = duckdb.from_arrow(made.frame).aggregate(
        "count(*), count(age), min(sex), max(sex), max(since)"
    )
    assert found.fetchall() == [(3, 0, "*", "*", datetime.date(2020, 1, 1))]


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_tables_without_room_are_refused_before_they_are_loaded(
    tmp_path, monkeypatch, end
):
    path = tmp_path / f"t.{end}"
    if end == "csv":
        path.write_text("a;b\n" + "1;2\n" * 9)
        monkeypatch.setattr(csv_frame, "_columns_of", None)  # nobody gets there
    else:
        pyarrow_table = pyarrow.table({"a": [1] * 10, "b": [2] * 10})
        parquet.write_table(pyarrow_table, path)
        monkeypatch.setattr(parquet.ParquetFile, "read", None)
    with memory_limit(1300), pytest.raises(OutOfMemoryError) as raised:
        read_frame(path)
    told = str(raised.value)
    assert "some 20 cells or numbers take 1.4e-06 GB" in told
    assert "or leave the table in its file: anonymize --engine duckdb" in told
