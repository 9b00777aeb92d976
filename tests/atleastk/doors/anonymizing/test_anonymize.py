import datetime
import json
import random
import sys
from dataclasses import replace

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from tables import LIBRARIES, NAMED, drawn_rows, rows_of

import atleastk
from atleastk import (
    BackendUnavailableError,
    InvalidInstanceError,
    Status,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.doors.anonymizing.anonymize import anonymity, anonymize
from atleastk.frames.rows import RowsFrame
from atleastk.runs.versions import versions_in_use

pytestmark = pytest.mark.usefixtures("quick")

DAYS = [datetime.date(1990, 1, day) for day in range(1, 5)]
NAMES = ("age", "zip", "income", "member", "born")


def records(n=60, seed=0):
    rng = random.Random(seed)
    draw = {"age": range(30, 34), "zip": ["01067", "01069", None]}
    draw |= {"income": [1.5, 0.0, None], "member": [False, True], "born": DAYS}
    return drawn_rows(rng, n, **draw, note=lambda i: f"row {i}")


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("k", [1, 2, 7, 60])
def test_what_comes_out_is_anonymous_and_the_rest_is_untouched(library, k):
    table = LIBRARIES[library](records())
    before = rows_of(table)
    columns = range(5) if library in ("tuples", "lists") else NAMES
    made = anonymize(table, k, columns)
    assert type(made.frame) is type(table)
    assert rows_of(table) == before
    after = rows_of(made.frame)
    hidden = made.suppressed
    assert hidden.shape == (60, 5)
    assert hidden.sum() == made.report.suppressed == made.result.cost
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        assert old[5] == new[5] == f"row {row}"
        for j in range(5):
            marker = "*" if j == 1 else None
            assert new[j] == (marker if hidden[row, j] else old[j])
    published = [
        tuple("hidden" if h else c for h, c in zip(mask, row, strict=False))
        for mask, row in zip(hidden, after, strict=True)
    ]
    assert min(map(published.count, published)) >= k
    assert anonymity(made.frame, columns).holds(k)
    assert made.report.attained >= k
    assert atleastk.check(made.instance, made.result).feasible


def test_every_library_gives_the_same_instance_and_answer():
    rows = [
        {**row, "income": -0.0 if i % 7 == 0 else row["income"]}
        for i, row in enumerate(records())
    ]
    made = [anonymize(wrap(rows), 3, NAMES) for wrap in NAMED[:3]]
    assert len({m.instance.sha256 for m in made}) == 1
    for other in made[1:]:
        assert (other.suppressed == made[0].suppressed).all()


def test_pandas_keeps_index_and_types():
    frame = pandas.DataFrame(
        {
            "int64": np.array([1, 2, 3, 4], dtype="int64"),
            "uint8": np.array([1, 2, 3, 4], dtype="uint8"),
            "bool": [True, False, True, False],
            "float": [0.5, 1.5, 2.5, 3.5],
            "Int16": pandas.array([1, None, 3, 4], dtype="Int16"),
            "category": pandas.Categorical(["a", "b", "a", "c"]),
            "time": pandas.date_range("2020-01-01", periods=4),
            "str": ["a", "b", "c", "d"],
            "object": np.array(["a", "b", "c", None], dtype=object),
            "mixed": np.array(["a", 1, 2.5, None], dtype=object),
            "arrow": pandas.array(["a", "b", "c", "d"], dtype="string[pyarrow]"),
            "kept": np.array([7, 7, 7, 7], dtype="int32"),
            "other": np.array([1, 2, 3, 4], dtype="int64"),
        },
        index=list("wxyz"),
    )
    made = anonymize(frame, 4, [name for name in frame if name != "other"])
    assert made.suppressed[:, :-1].all()
    assert not made.suppressed[:, -1].any()
    assert list(made.frame.index) == list("wxyz")
    assert list(made.frame.columns) == list(frame.columns)
    changed = {"int64": "Int64", "uint8": "UInt8", "bool": "boolean"}
    for name in frame:
        expected = changed.get(name, str(frame[name].dtype))
        assert str(made.frame[name].dtype) == expected, name
    for name in ("str", "object", "arrow"):
        assert (made.frame[name] == "*").all()
    for name in ("int64", "float", "category", "time", "mixed"):
        assert made.frame[name].isna().all()


def test_polars_and_pyarrow_keep_types():
    columns = {
        "int": [1, 2, 3, 4],
        "float": [0.5, float("nan"), None, 1.0],
        "text": ["a", "b", None, "c"],
        "day": DAYS,
        "flag": [True, False, None, True],
    }
    frame = polars.DataFrame(columns).with_columns(
        polars.col("text").cast(polars.Categorical).alias("category")
    )
    made = anonymize(frame, 4)
    assert made.frame.schema == frame.schema
    assert made.frame["text"].to_list() == ["*"] * 4
    assert made.frame["category"].to_list() == [None] * 4
    table = frame.to_arrow().replace_schema_metadata({"origin": "here"})
    made = anonymize(table, 4)
    assert made.frame.schema.equals(table.schema)
    assert made.frame.schema.metadata is None
    assert made.frame.column("text").to_pylist() == ["*"] * 4
    assert made.frame.column("int").to_pylist() == [None] * 4


@pytest.mark.parametrize("wrap", NAMED)
@pytest.mark.parametrize("cell", [None, float("nan")])
def test_missing_values_are_one_value(wrap, cell):
    table = wrap([{"x": cell, "y": 0.5}] * 3)
    assert anonymity(table).k == 3
    assert anonymize(table, 3).report.suppressed == 0


@pytest.mark.parametrize(
    ("library", "k"), [("pandas", 3), ("polars", 1), ("pyarrow", 1), ("dicts", 1)]
)
def test_missing_or_no_number(library, k):
    """Files tell NaN from null; pandas, and what it writes, does not."""
    rows = [{"x": float("nan")}, {"x": None}, {"x": float("nan")}]
    assert anonymity(LIBRARIES[library](rows)).k == k


def test_an_empty_table_stays_one():
    for wrap in NAMED[:3]:
        made = anonymize(wrap(records(1))[:0], 5)
        assert made.result.status is Status.OPTIMAL
        assert len(made.frame) == 0
    with pytest.raises(InvalidInstanceError, match="columns: none"):
        anonymize([], 5)


def test_nothing_found_in_time_is_a_status(sorted_rows, monkeypatch):
    monkeypatch.setattr(
        atleastk.runs.registry, "PROBLEMS", sorted_rows.registered(sorted_rows.sulk)
    )
    made = anonymize(records(4), 2)
    assert (made.result.status, made.frame) == (Status.UNKNOWN, None)
    assert "no solution was found in time" in str(made)


def test_a_published_table_is_counted_again(monkeypatch):
    monkeypatch.setattr(RowsFrame, "hiding", lambda self, _masks, _marker: self)
    with pytest.raises(WrongAnswerError, match="to be published is not 4-anonymous"):
        anonymize(records(20), 4)


def test_the_marker_must_be_free():
    """Nobody could tell which cells are suppressed; another marker helps."""
    table = [("*", 1), ("b", 2), ("c", 3)]
    with pytest.raises(InvalidInstanceError, match='column "0" holds the marker "\\*"'):
        anonymize(table, 3)
    assert anonymize(table, 3, marker="?").frame == [("?", None)] * 3
    numbers = anonymize(table, 3, columns=[1]).frame
    assert numbers == [("*", None), ("b", None), ("c", None)]


def test_texts_and_numbers_are_told_apart():
    with pytest.raises(UnknownNameError, match='called "1"; did you') as caught:
        anonymize([["a", "b"], ["a", "b"]], 2, ["1"])
    assert str(caught.value).endswith("mean 1? there are 0, 1")
    with pytest.raises(UnknownNameError, match=r'intact: "1" is not among .* mean 1'):
        anonymize([["a", "b"], ["a", "b"]], 2, intact=["1"])


def test_one_name_is_one_column():
    assert anonymize(records(), 2, "age").columns == ("age",)


@pytest.mark.parametrize(
    ("table", "k", "told"),
    [
        ([(1,), [1]], 2, "all dicts, all tuples or all lists"),
        ([(1,), (1, 2)], 2, "row 1: its columns"),
        ([{"a": 1}, {"b": 1}], 2, "row 1: its columns"),
        ([([],), ([],)], 2, "cannot be compared"),
        (pandas.DataFrame({"a": [[], []]}), 2, "cannot be compared"),
        (pandas.DataFrame([[1, 2]], None, [*"aa"]), 1, 'two columns are called "a"'),
        (records(), 0, "k: expected an integer"),
    ],
)
def test_wrong_tables(table, k, told):
    with pytest.raises(InvalidInstanceError, match=told):
        anonymize(table, k)


def test_values_of_different_types_differ():
    """1 is not True, and "1" is neither: a file holds them as different texts."""
    cells = [1, True, "1", 1.0]
    assert anonymity([(cell,) for cell in cells]).k == 1
    assert anonymity(pandas.DataFrame({"x": cells * 2}, dtype=object)).k == 2


def test_ordered_categories_keep_their_order():
    low, high = (
        pandas.Categorical(cells, ["low", "mid", "high"], ordered=True)
        for cells in (["high", "low", "mid"], ["mid", None, "high"])
    )
    frames = [pandas.DataFrame({"x": [1, 2, 3], "c": c}) for c in (low, high)]
    table = pyarrow.concat_tables(map(pyarrow.Table.from_pandas, frames))
    made = anonymize(table, 2, ["c"])
    assert made.frame.schema.equals(table.schema)
    hidden = made.suppressed[:, 0]
    assert 0 < hidden.sum() < 6
    kept = [None if h else c for h, c in zip(hidden, [*low, *high], strict=True)]
    assert made.frame.column("c").to_pylist() == [
        None if pandas.isna(cell) else cell for cell in kept
    ]
    shown = [word for word in ("low", "mid", "high") if word in kept]
    assert made.frame.to_pandas()["c"].dtype == pandas.CategoricalDtype(shown, True)


def test_tables_of_other_libraries_are_streamed(monkeypatch):
    class Foreign:
        def __arrow_c_stream__(self, requested_schema=None):
            table = pyarrow.table({"x": [1, 1, 2], "y": ["a", "a", "b"]})
            return table.__arrow_c_stream__(requested_schema)

    made = anonymize(Foreign(), 3)
    assert isinstance(made.frame, pyarrow.Table)
    assert made.frame.to_pydict() == {"x": [None] * 3, "y": ["*"] * 3}
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BackendUnavailableError, match="need pyarrow: pip install"):
        anonymize(Foreign(), 2)


def test_the_report_adds_up():
    made = anonymize(records(), 4, NAMES)
    report = made.report
    hidden = made.suppressed
    assert report.by_column == dict(
        zip(NAMES, hidden.sum(axis=0).tolist(), strict=True)
    )
    assert sum(report.by_column.values()) == report.suppressed
    assert (report.cells, report.share) == (300, report.suppressed / 300)
    assert report.touched == hidden.any(axis=1).sum()
    assert report.blanked == hidden.all(axis=1).sum()
    assert 4 <= report.smallest <= report.median <= report.largest
    assert report.untouched_columns == ("note",)
    document = json.loads(json.dumps(report.to_dict()))
    assert document["status"] == str(made.result.status)
    assert document["share"] == report.share
    told = str(made)
    assert f"  suppressed  {report.suppressed} of 300 cells" in told
    assert "  unchanged   note" in told
    for name in NAMES:
        assert name in told


def test_the_report_is_well_set():
    made = anonymize([{"ä": 1, "名前": 1}, {"ä": 1, "名前": 2}], 2)
    columns = (
        "  columns     ä     0    0.00%  keeps 100% of its information\n"
        "              名前  2  100.00%  keeps   0% of its information\n"
    )
    assert columns in str(made)
    assert "  classes     1 of 2 equal rows\n" in str(made)
    wide = [(1, *range(28), 5), (1, *range(1, 29), 6)]
    lines = str(anonymize(wide, 2)).split("\n")
    assert sum("100.00%  keeps" in line for line in lines) == 25
    assert sum("100.00%" in line for line in lines) == 27  # the total, and the risk
    assert "              and 5 more of at most 2 each" in lines


def test_a_memory_limit_reaches_the_search(sorted_rows, monkeypatch):
    seen = []

    def watched(search):
        seen.append(search.budget.memory)
        sorted_rows.cut(search)

    monkeypatch.setattr(
        atleastk.runs.registry, "PROBLEMS", sorted_rows.registered(watched)
    )
    anonymize([(1, 2)] * 3, 2, memory_limit=2)
    atleastk.KAnonymizer(2, memory_limit=0.25).fit([(1, 2)] * 3)
    much, little = seen  # what the process has not taken yet, or a quarter
    assert 0.5e9 <= much < 2e9
    assert 0.0625e9 <= little < 0.25e9
    with pytest.raises(ValueError, match="memory_limit: expected gigabytes above 0"):
        anonymize([(1, 2)] * 3, 2, memory_limit=0)


def test_versions_tell_of_the_libraries_of_tables():
    assert {"pandas", "polars", "pyarrow"} <= versions_in_use().keys()


def test_events_are_told_while_it_runs():
    events = []
    made = anonymize(records(), 4, on_event=events.append)
    assert events[-1].cost == made.result.cost


@pytest.mark.parametrize("wrap", NAMED)
def test_two_readings_of_one_table(wrap):
    rows = [{"x": "a", "y": 1}, {"x": "*", "y": None}, {"x": "b", "y": 2}]
    table = wrap(rows)
    assert anonymity(table).alike.tolist() == [1, 1, 1]
    assert anonymity(table, wildcard=True).alike.tolist() == [2, 3, 2]
    other = anonymity(table, ["x"], wildcard=True, marker="a")
    assert other.alike.tolist() == [3, 2, 2]


def test_a_note_is_told():
    report = anonymize([{"a": 1}, {"a": 1}], 2).report
    assert report.to_dict()["note"] is None
    noted = replace(report, note="it gave up")
    assert str(noted).endswith("\n  note        it gave up")
    assert noted.to_dict()["note"] == "it gave up"
