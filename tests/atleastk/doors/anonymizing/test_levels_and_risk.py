"""Levels within limits and thresholds of risk, counted again in what is published."""

import random
from collections import defaultdict

import pytest
from tables import drawn_rows

from atleastk import InvalidInstanceError, KAnonymizer, anonymize

ZIPS = [[z, z[:3], z[:1], "*"] for z in ("13053", "13068", "14850", "22041")]
AGES = [[str(a), f"{a // 10}0s", "*"] for a in (31, 38, 42, 47)]
HIERARCHIES = {"zip": ZIPS, "age": AGES}


def people(rng, n):
    cells = {"zip": [z for z, *_ in ZIPS], "age": [a for a, *_ in AGES]}
    return drawn_rows(rng, n, **cells, home="abcdef", ill=["flu", "cold", "gout"])


def test_what_was_asked_is_on_the_console_the_page_and_in_json():
    rows = people(random.Random(3), 30)
    wish = {"mean_risk": "40%", "small": 4, "at_risk": 0.5, "household": "home"}
    asked = {**wish, "k_map": 2, "population": rows + people(random.Random(4), 9)}
    made = anonymize(rows, 2, ["zip", "age"], hierarchies=HIERARCHIES, **asked)
    told, page, document = str(made), made.to_html(), made.report.to_dict()
    names = [one.wish for one in made.report.thresholds.each]
    assert names == ["mean_risk", "at_risk", "k_map", "household"]
    for one in made.report.thresholds.each:
        assert one.holds
        assert str(one) in told
        assert document["thresholds"][one.wish]["holds"]
        assert one.words.replace('"', "&quot;") in page
    assert "--household home --mean-risk 40% --small 4 --at-risk 0.5" in page
    wish = {"limits": {"per_column": 150, "per_row": 1}, "mean_risk": 0.01}
    told = str(anonymize([[i, i % 50] for i in range(300)], 4, time_limit=1e-9, **wish))
    assert "UNKNOWN" in told
    assert "asked" not in told  # what was before is not told as after


@pytest.mark.parametrize("on", ["attributes", "entries"])
def test_classes_have_k_households(on):
    wish = {"hierarchies": HIERARCHIES, "on": on, "household": "home"}
    made = anonymize(people(random.Random(1), 12), 3, ["zip", "age"], **wish)
    homes = defaultdict(set)
    for row in made.frame:
        homes[row["zip"], row["age"]].add(row["home"])
    (one,) = made.report.thresholds.each
    assert (one.limit, one.after) == (3, min(map(len, homes.values())))
    assert one.holds


def test_new_rows_join_at_the_levels_that_were_asked():
    rows = people(random.Random(2), 20)
    table = [{n: row[n] for n in ("zip", "age")} for row in rows]
    fitted = KAnonymizer(2, hierarchies=HIERARCHIES, levels={"zip": (2, 3)})
    shown = fitted.fit_transform(table)
    assert {row["zip"] for row in shown} <= {"1", "2", "*"}
    assert {row["zip"] for row in fitted.transform(table[:3])} <= {"1", "2", "*"}


def test_entropy_and_order_are_kept_in_what_is_published():
    rows = [{"zip": ZIPS[i % 4][0], "pay": str(i % 5)} for i in range(20)]
    how = {"hierarchies": {"zip": ZIPS}, "sensitive": "pay", "t": 0.1, "ordered": True}
    made = anonymize(rows, 2, ["zip"], l=4, diversity="entropy", **how)
    assert "l = 4 by entropy, t = 1/10 in order: OPTIMAL (certified)" in str(made)
    assert "--ordered --l 4 --diversity entropy --t 0.1" in made.to_html()
    with pytest.raises(InvalidInstanceError, match="expected a number"):
        anonymize([{**rows[0], "pay": "much"}], 1, ["zip"], **how)


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"limits": {"per_row": 1}},
        {"intact": ["age"]},
        {"weights": {"zip": 3}},
        {"ambiguous": True},
        {"hierarchies": "auto", "on": "attributes"},
        {"sensitive": "ill", "l": 2},
    ],
)
def test_columns_are_recoded_before_all_else(wish):
    rows = people(random.Random(5), 14)
    columns, recode = ["zip", "age"], {"zip": (ZIPS, 2), "age": AGES}
    made = anonymize(rows, 2, columns, recode=recode, **wish)
    coarse = [
        {**row, "zip": row["zip"][:1], "age": f"{row['age'][0]}0s"} for row in rows
    ]
    same = anonymize(coarse, 2, columns, **wish)
    assert made.instance.to_dict() == same.instance.to_dict()
    assert made.frame == same.frame
    assert made.report.risk.after == same.report.risk.after
    assert made.report.risk.before == anonymize(rows, 1, columns).report.risk.before
    assert "recoded     zip, age, before all else" in str(made)


def test_a_population_has_a_line_for_everybody():
    rows = people(random.Random(1), 8)
    others = [*rows, {**rows[0], "zip": "99999"}]
    with pytest.raises(InvalidInstanceError, match="99999"):
        anonymize(
            rows, 1, ["zip"], hierarchies={"zip": ZIPS}, k_map=2, population=others
        )
