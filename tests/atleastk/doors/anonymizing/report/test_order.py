"""Rows in random order, and what the order of sorted rows says."""

import random
from itertools import permutations
from math import factorial, prod

import numpy
import pandas
import pytest
from tables import NAMED, rows_of

import atleastk
from atleastk import anonymity, anonymize
from atleastk.doors.anonymizing.publish import Published
from atleastk.doors.anonymizing.report.order import Order
from atleastk.frames.frame import Selection
from atleastk.frames.open_frame import framed
from atleastk.frames.rows import column_of

pytestmark = pytest.mark.filterwarnings("ignore:column .*, left unchanged:UserWarning")


def people(n=40, seed=1):
    rng = random.Random(seed)
    return [
        {"id": i, "age": rng.randrange(20, 30), "sex": rng.choice("fm"), "pay": i / 2}
        for i in range(n)
    ]


@pytest.mark.parametrize("wrap", NAMED)
@pytest.mark.parametrize("how", [{}, {"hierarchies": {"age": "bands:5"}}])
def test_the_same_rows_in_another_order(wrap, how):
    named = {"k": 3, "columns": ["age", "sex"], "time_limit": 20, **how}
    plain = anonymize(wrap(people()), **named)
    one, two = (anonymize(wrap(people()), **named, shuffle=7) for _ in range(2))
    other = anonymize(wrap(people()), **named, shuffle=True)
    before, after = rows_of(plain.frame), rows_of(one.frame)
    assert sorted(map(str, before)) == sorted(map(str, after))
    assert after == rows_of(two.frame) != before
    assert sorted(map(str, before)) == sorted(map(str, rows_of(other.frame)))
    assert before != rows_of(other.frame) != after
    assert anonymity(one.frame, ["age", "sex"]).holds(3)
    assert "  order       rows are published in random order" in str(one)
    assert (one.report.order.shuffled, plain.report.order.shuffled) == (True, False)
    for name in ("suppressed", "levels"):
        kept, moved = getattr(plain, name), getattr(one, name)
        if kept is not None:
            of_row = dict(zip((row[0] for row in before), kept.tolist(), strict=True))
            assert moved.tolist() == [of_row[row[0]] for row in after]


def test_arrays_and_tuples():
    cells = [[i % 3, i] for i in range(30)]
    made = anonymize(numpy.array(cells), 3, [0], shuffle=1)
    assert sorted(made.frame.tolist()) == sorted(cells) != made.frame.tolist()
    made = anonymize([tuple(row) for row in cells], 3, [0], shuffle=0)
    assert sorted(made.frame) == sorted(map(tuple, cells))
    assert made.frame != [tuple(row) for row in cells]


def test_numbers_of_rows_are_numbered_anew():
    frame = pandas.DataFrame(people(), index=pandas.RangeIndex(5, 45))
    made = anonymize(frame, 3, ["age"], shuffle=True)
    assert made.frame.index.equals(frame.index)
    named = frame.set_index(pandas.Index([f"r{i}" for i in frame["id"]]))
    made = anonymize(named, 3, ["age"], shuffle=True)
    assert [f"r{i}" for i in made.frame["id"]] == list(made.frame.index)


@pytest.mark.parametrize(
    ("suffix", "name", "how"),
    [
        (".csv", "csv", {"index": False}),
        (".xlsx", "excel", {"index": False}),
        (".parquet", "parquet", {}),
        (".feather", "feather", {}),
        (".dta", "stata", {"write_index": False}),
    ],
)
def test_files(suffix, name, how, tmp_path, done):
    before, after = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    getattr(pandas.DataFrame(people()), f"to_{name}")(before, **how)
    words = ["anonymize", str(before), "-k2", "--columns", "sex", "--shuffle"]
    done(*words, "-o", after)
    ids = getattr(pandas, f"read_{name}")(after)["id"].tolist()
    assert sorted(ids) == list(range(40)) != ids


def test_the_estimator_leaves_rows_beside_their_targets():
    with pytest.raises(TypeError, match="shuffle"):
        atleastk.KAnonymizer(2, shuffle=True)


def order_of(cells, changed):
    """Return what the order says of a column with these cells changed."""
    table = framed([{"x": cell} for cell in cells])
    mask = numpy.array([[bool(c)] for c in changed])
    made = Published(hidden=mask)
    return Order.of(Selection.of(table, None), made, shuffled=False).sorted_by


SORTED = [20, 20, 21, 21, 21, 25, 30, 30, 31, 40]


@pytest.mark.parametrize(
    "cells",
    [
        SORTED,
        SORTED[::-1],
        [float(x) for x in SORTED],
        list(map(str, [5, 5, 6, 6, 10, 11, 100, 100, 101, 103])),
        [f"{x}-x" for x in SORTED],
        [None, *SORTED[:5], None, *SORTED[5:]],
    ],
)
def test_sorted_rows_are_warned_of(cells):
    n = len(cells)
    assert order_of(cells, [0] * n) == {}
    assert order_of(cells, [1] * n) == {"x": (n, 0)}
    mixed = cells[3:] + cells[:3]
    assert order_of(mixed, [1] * n) == {}


def test_cells_between_equal_ones_are_plain():
    changed = [0, 1, 0, 1, 0, 1, 0, 0, 1, 1]
    assert order_of(SORTED, changed) == {"x": (5, 1)}


@pytest.mark.parametrize("seed", range(50))
def test_plain_cells_are_those_of_one_possible_value(seed):
    """By definition: every sorted filling of the gaps has the value there."""
    rng = random.Random(seed)
    cells = sorted(rng.choices(range(4), k=9), reverse=rng.random() < 0.5)
    changed = [rng.random() < 0.4 for _ in cells]
    found = order_of(cells, changed)
    ways = factorial(9) / prod(factorial(cells.count(v)) for v in set(cells))
    if not any(changed) or 2 / ways >= 1 / 1000:
        assert found == {}
        return
    down = cells[0] > cells[-1]
    plain = 0
    for i, gone in enumerate(changed):
        above = [v for v, c in zip(cells[:i], changed[:i], strict=True) if not c]
        below = [
            v for v, c in zip(cells[i + 1 :], changed[i + 1 :], strict=True) if not c
        ]
        if gone and above and below:
            low, high = sorted((above[-1], below[0]))
            plain += low == high
            assert (above[-1] >= below[0]) == down or low == high
    assert found == {"x": (sum(changed), plain)}


def test_what_is_sorted_by_chance_is_not_called_sorted():
    few = [1, 2, 3, 4, 5, 6]  # 2 of 720 orders
    assert order_of(few, [1] * 6) == {}
    assert sum(p in (tuple(few), tuple(few[::-1])) for p in permutations(few)) == 2
    assert order_of([*few, 7], [1] * 7) == {"x": (7, 0)}  # 2 of 5040
    assert order_of(["f"] * 5 + ["m"], [1] * 6) == {}


def test_values_that_cannot_be_compared_have_no_order():
    assert column_of("x", [1, "a", (2,)]).values
    assert order_of([1, (2,), 3, (4,), 5, (6,), 7, (8,)], [1] * 8) == {}


def test_the_report_and_the_page_warn(here, capsys):
    rows = sorted(people(), key=lambda row: row["age"])
    made = anonymize(rows, 3, ["age", "sex"])
    changed, plain = made.report.order.sorted_by["age"]
    assert changed == made.suppressed[:, 0].sum()
    assert 'WARNING     the rows are sorted by column "age":' in str(made)
    assert f"{plain} of {changed} changed cells are plain" in str(made) or not plain
    assert "the rows are sorted by column &quot;age&quot;" in made.to_html()
    assert made.report.to_dict()["order"] == {
        "shuffled": False,
        "sorted_by": {"age": (changed, plain)},
    }
