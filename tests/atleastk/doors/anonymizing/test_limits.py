import random

import pandas
import polars
import pytest
from tables import drawn_rows

import atleastk
from atleastk import InvalidInstanceError, KAnonymizer, Status
from atleastk.doors.anonymizing.anonymize import anonymize
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression

NAMES = ("age", "town", "sex")


def people(seed, n=6):
    cells = {"age": "345", "town": "xyz", "sex": "mf", "rank": lambda i: i % 3}
    return drawn_rows(random.Random(seed), n, **cells)


def stars(made):
    return [{name for name in NAMES if row[name] == "*"} for row in made.frame]


def counted(made):
    hidden = stars(made)
    columns = [sum(name in row for row in hidden) for name in NAMES]
    return {
        "rows": sum(map(bool, hidden)),
        "columns": sum(map(bool, columns)),
        "entries": sum(columns),
        "per_row": max(map(len, hidden)),
        "per_column": max(columns),
    }


def least_class(made):
    rows = [tuple(row[name] for name in NAMES) for row in made.frame]
    return min(map(rows.count, rows))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "limits",
    [
        {"per_row": 2},
        {"rows": 4},
        {"columns": 2},
        {"entries": 9, "per_column": 4},
        {"rows": 5, "entries": 10, "per_row": 2, "per_column": 5},
    ],
)
def test_limits_hold_in_what_is_published(seed, limits):
    made = anonymize(people(seed), 2, NAMES, limits=limits)
    quantities = made.report.quantities
    verdict = atleastk.check(made.instance, made.result)
    assert verdict.feasible
    assert (verdict.cost is not None) == (made.frame is not None)
    assert quantities.limits == limits
    told = made.report.to_dict()["quantities"]
    assert (told["limits"], told["measures"]) == (limits, quantities.measures)
    if made.frame is None:
        assert made.result.status is Status.INFEASIBLE
        assert "no table of these 6 rows is 2-anonymous" in str(made)
        return
    found = counted(made)
    assert least_class(made) >= 2
    assert all(found[quantity] <= limit for quantity, limit in limits.items())
    assert {q: quantities.measures[q] for q in found} == found
    assert set(quantities.reached) == {q for q in limits if found[q] == limits[q]}
    assert made.report.suppressed == made.report.cost == found["entries"]
    for quantity in quantities.reached:
        assert f"limit {limits[quantity]}, reached" in str(made)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "quantity", ["rows", "columns", "entries", "per_row", "per_column"]
)
def test_each_quantity_can_be_minimised(seed, quantity):
    made = anonymize(people(seed), 3, NAMES, minimise=quantity, limits={"per_row": 3})
    assert made.result.cost == counted(made)[quantity]
    plain = anonymize(people(seed), 3, NAMES, minimise=quantity)
    assert ("minimised" in str(plain)) == (quantity != "entries")
    assert plain.result.cost == made.result.cost
    assert isinstance(plain.instance, Suppression) == (quantity != "entries")


@pytest.mark.parametrize("wish", [{}, {"limits": {}}, {"minimise": "entries"}])
def test_nothing_more_is_plain_anonymity(wish):
    made = anonymize(people(1), 2, NAMES, **wish)
    assert type(made.instance) is KAnonymity
    assert made.report.quantities is None
    assert "quantities" not in made.report.to_dict()


def test_k_can_be_made_as_large_as_limits_allow():
    made = anonymize(people(2), columns=NAMES, minimise="k", limits={"entries": 12})
    assert -made.result.cost == least_class(made) == made.report.attained
    assert f"k = {least_class(made)}" in str(made)
    assert f"  at most     k = {least_class(made)}" in str(made)
    more = made.report.attained + 1
    wish = {"minimise": "k", "limits": {"entries": 12}}
    assert anonymize(people(2), more, NAMES, **wish).frame is None
    with pytest.raises(InvalidInstanceError, match="how many rows have to look alike"):
        anonymize(people(2), columns=NAMES)


@pytest.mark.parametrize("seed", range(5))
def test_intact_columns_and_orders_hold(seed):
    made = anonymize(people(seed), 2, NAMES, intact="sex")
    assert made.frame is None or not any("sex" in row for row in stars(made))
    made = anonymize(people(seed), 2, NAMES, column_order=[["age"], ["town", "sex"]])
    totals = {name: sum(name in row for row in stars(made)) for name in NAMES}
    assert totals["age"] <= min(totals["town"], totals["sex"])
    made = anonymize(people(seed), 2, NAMES, row_order="rank")
    rows = list(zip(people(seed), stars(made), strict=True))
    worst = [max(len(s) for r, s in rows if r["rank"] == rank) for rank in range(3)]
    best = [min(len(s) for r, s in rows if r["rank"] == rank) for rank in range(3)]
    assert worst[0] <= best[1]
    assert worst[1] <= best[2]


def test_intact_columns_need_no_place_in_an_order():
    rows = people(3)
    wish = {"intact": ["sex"], "column_order": [["town"], ["age"]]}
    made = anonymize(rows, 2, NAMES, **wish)
    assert (made.instance.column_order, made.instance.intact) == (((2, 1), (0,)), (2,))


@pytest.mark.parametrize("order", [[["age"], ["town"]], [["age"], ["town"], ["sex"]]])
def test_columns_that_are_not_named_come_last(order):
    made = anonymize(people(1), 2, NAMES, column_order=order)
    ranked = [[made.columns[j] for j in c] for c in made.instance.column_order]
    assert ranked == [["age"], ["town"], ["sex"]]


@pytest.mark.parametrize("wrap", [pandas.DataFrame, polars.DataFrame, list])
def test_rows_are_ranked_by_a_column_or_by_hand(wrap):
    table = wrap(people(4))
    by_hand = [[0, 3], [1, 4], [2, 5]]
    orders = [by_hand, "rank", {"rank": [0, 1, 2]}, {"rank": ["0", "1", ["2"]]}]
    made = [anonymize(table, 2, NAMES, row_order=order) for order in orders]
    assert len({m.instance.sha256 for m in made}) == 1
    assert [list(c) for c in made[0].instance.row_order] == by_hand
    turned = anonymize(table, 2, NAMES, row_order={"rank": [[2, 1], 0]})
    assert [list(c) for c in turned.instance.row_order] == [[1, 2, 4, 5], [0, 3]]


def test_numbers_rank_by_size_in_texts_too():
    rows = [("a", "10"), ("a", "9"), ("b", "9.0"), ("b", "10")]
    assert anonymize(rows, 2, [0], row_order=1).instance.row_order == ((1, 2), (0, 3))


@pytest.mark.parametrize(
    ("problem", "wish", "fields"),
    [
        ("r-MIN-e-SUP", {"limits": {"rows": 4}}, {"minimise": "entries"}),
        (
            "c-MIN-r-DEL",
            {"limits": {"columns": 1}},
            {"minimise": "rows", "deletion": True},
        ),
        ("e-MAX-k-SUP", {"limits": {"entries": 9}}, {"minimise": "k"}),
        ("r'-SUP", {"limits": {"per_row": 2}}, {"minimise": "none"}),
        (
            "MIN-c'-PART",
            {"column_order": [["sex"], ["age", "town"]]},
            {"minimise": "per_column"},
        ),
    ],
)
def test_problems_have_names(problem, wish, fields):
    made = anonymize(people(5), 2, NAMES, problem=problem, **wish)
    same = anonymize(people(5), 2, NAMES, **fields, **wish)
    assert (made.instance, made.report.quantities.problem) == (same.instance, problem)
    assert f", {problem}: {made.result.status}" in str(made)


def test_the_region_is_told():
    wish = {"limits": {"rows": 2, "columns": 1}, "minimise": "none"}
    rows = [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 4), ("a", 5)]
    made = anonymize(rows, 2, **wish)
    quantities = made.report.quantities
    assert (quantities.region, quantities.measures["rows"]) == (("1",), 2)
    assert "  region      1; and 2 rows\n" in str(made)
    assert "at least" not in str(made)


def test_what_is_in_the_way_is_told(monkeypatch):
    told = ("rows: 2 -> 5", "per_row: 1 -> 3")
    monkeypatch.setattr(
        atleastk.doors.anonymizing.anonymize,
        "relaxed_limits",
        lambda _i, outcome, _b: (told, outcome),
    )
    made = anonymize(people(0), 4, NAMES, limits={"rows": 1})
    assert (made.frame, made.report.relaxations) == (None, told)
    assert str(made) == (
        "k = 4, r-MIN-e-SUP: INFEASIBLE (proved)\n"
        "  no table of these 6 rows is 4-anonymous within what is asked\n"
        "  limits      rows 1\n"
        "  relax       rows: 2 -> 5\n"
        "              per_row: 1 -> 3"
    )
    few = anonymize(people(0), 7, NAMES, limits={"rows": 1})
    assert "no table of 6 rows is 7-anonymous" in str(few)
    assert "limits      rows 1" in str(few)


def test_anonymizers_keep_limits():
    wish = {"limits": {"per_row": 2}, "intact": ["sex"]}
    anonymizer = KAnonymizer(2, NAMES, **wish).fit(people(3, 7))
    assert isinstance(anonymizer.anonymized_.instance, Suppression)
    joined = anonymizer.transform(people(3, 7))
    assert all(row["sex"] != "*" for row in joined)
    assert all(sum(row[n] == "*" for n in NAMES) <= 2 for row in joined)
    assert anonymizer.get_params()["limits"] == {"per_row": 2}
