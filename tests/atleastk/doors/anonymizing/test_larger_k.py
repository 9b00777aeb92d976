"""Thresholds of risk that no search knows: kept by a larger k, with a bound."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from tables import drawn_rows

from atleastk import InvalidInstanceError, anonymize, tradeoff
from atleastk.doors.anonymizing.larger_k import enough
from atleastk.doors.anonymizing.request import Request

COLUMNS = ["age", "zip"]


def people(seed, n=24):
    ages = [f"{tens}{ones}" for tens in "3456" for ones in "0123"]
    cells = {"age": ages, "zip": ["13053", "13068", "14850"]}
    return drawn_rows(random.Random(seed), n, **cells, ill=["flu", "cold", "gout"])


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"on": "entries", "hierarchies": "auto"},
        {"sensitive": "ill", "l": 2},
        {"limits": {"per_row": 1}},
        {"suppress_rows": 2, "on": "entries"},
        {"weights": {"age": 2}},
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_thresholds_hold_and_the_bound_is_that_of_k(wish, seed):
    rows = people(seed)
    alone = anonymize(rows, 2, COLUMNS, workers=1, **wish)
    made = anonymize(rows, 2, COLUMNS, mean_risk="20%", workers=1, **wish)
    assert made.result.bound == alone.result.bound
    if made.frame is None:
        assert "limits" in wish  # of which no larger k has a table
        return
    sizes = Counter(tuple(row[name] for name in COLUMNS) for row in made.frame)
    assert Fraction(len(sizes), len(made.frame)) <= Fraction(1, 5)
    assert made.result.cost >= alone.result.cost
    (one,) = made.report.thresholds.each
    assert one.after == Fraction(len(sizes), len(made.frame))
    if made.result.cost > alone.result.cost:
        assert str(made.result.status) == "FEASIBLE"
        assert made.result.stopped_because == "gave up"
        assert "the bound is that of k = 2" in str(made)
    again = anonymize(rows, 2, COLUMNS, mean_risk="20%", workers=1, start=made, **wish)
    assert again.result.bound <= again.result.cost <= made.result.cost


def test_an_optimum_that_keeps_the_thresholds_is_one():
    made = anonymize(people(1), 3, COLUMNS, mean_risk="40%", workers=1)
    assert str(made.result.status) == "OPTIMAL"


def test_no_row_is_in_a_small_class():
    rows = people(2)
    wish = {"small": 5, "at_risk": 0, "suppress_rows": 2}
    made = anonymize(rows, 2, COLUMNS, hierarchies="auto", workers=1, **wish)
    sizes = Counter(tuple(row[name] for name in COLUMNS) for row in made.frame)
    assert min(sizes.values()) >= 5


def test_every_row_may_be_so_many_persons():
    rows = people(3)
    made = anonymize(rows, columns=COLUMNS, k_map=4, population=rows * 2, workers=1)
    assert made.report.risk.least[1] >= 4
    assert made.result.cost > 0


def test_what_no_table_keeps_is_infeasible():
    rows = people(4, n=10)
    for wish in ({"mean_risk": "5%"}, {"small": 11, "at_risk": 0.5}):
        made = anonymize(rows, 2, COLUMNS, workers=1, **wish)
        assert str(made.result.status) == "INFEASIBLE"
        assert "no table of 10 rows is 2-anonymous with" in str(made)
    open_ = anonymize(rows, 2, COLUMNS, k_map=11, population=rows, workers=1)
    assert str(open_.result.status) == "UNKNOWN"


def test_a_table_that_may_lose_all_rows_is_not_refuted():
    wish = {"on": "entries", "suppress_rows": 2, "small": 3, "at_risk": 0}
    made = anonymize(people(7, n=2), 1, COLUMNS, workers=1, **wish)
    assert (str(made.result.status), list(made.frame)) == ("OPTIMAL", [])


def test_the_k_that_is_enough():
    assert enough(Request(2, mean_risk="3%")) == 34
    assert enough(Request(2, small=7, at_risk=0.1, k_map=9)) == 9


def test_several_k_tell_the_risk_of_each():
    with pytest.raises(InvalidInstanceError, match="the risk of every k is told"):
        tradeoff(people(1), [2, 3], columns=COLUMNS, mean_risk=0.5)


def test_households_and_sensitive_values_on_levels():
    rows = [{**row, "home": f"h{i // 2}"} for i, row in enumerate(people(5))]
    wish = {"hierarchies": "auto", "household": "home", "sensitive": "ill", "l": 2}
    made = anonymize(rows, 3, COLUMNS, workers=1, **wish)
    classes = {}
    for row in made.frame:
        found = classes.setdefault(tuple(row[name] for name in COLUMNS), (set(), set()))
        found[0].add(row["home"])
        found[1].add(row["ill"])
    assert all(len(homes) >= 3 and len(ills) >= 2 for homes, ills in classes.values())
    assert made.result.trust.name == "CERTIFIED"


def test_other_columns_are_recoded_too():
    rows = people(6)
    made = anonymize(rows, 2, ["age"], recode={"zip": "prefix", "ill": "suppression"})
    assert {row["zip"] for row in made.frame} <= {"1305*", "1306*", "1485*"}
    assert {row["ill"] for row in made.frame} == {"*"}
    assert made.report.untouched_columns == ()
    assert made.report.recoded == ("zip", "ill")
