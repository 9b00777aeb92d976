import pandas
import pytest
from tables import of_columns

import atleastk
from atleastk import InvalidInstanceError, KAnonymizer, anonymize

HIERARCHIES = {
    "age": [
        *([age, "20s", "young", "?"] for age in ("23", "25")),
        ["47", "40s", "old", "?"],
    ],
    "town": [["13053", "130*", "*"], ["13067", "130*", "*"]],
}


def few(n=9):
    rows = [{"age": 23 + 2 * (i % 2), "town": "13053"} for i in range(n - 1)]
    return [*rows, {"age": 47, "town": "13067"}]


@pytest.mark.parametrize(
    ("wish", "allowed"), [(2, 2), ("2", 2), ("25%", 2), (0.25, 2), ("33.3%", 2)]
)
def test_a_few_rows_are_suppressed(wish, allowed):
    made = anonymize(few(), 2, hierarchies=HIERARCHIES, suppress_rows=wish)
    assert (made.instance.suppress_rows, made.result.cost) == (allowed, 0)
    assert made.result.status == "OPTIMAL"
    part = made.report.generality
    assert (part.rows, part.suppress_rows, part.suppressed_rows) == (9, 2, 2)
    assert (part.precision, part.discernibility) == (1.0, 4 * 4 + 3 * 4 + 2 * 9)
    assert part.class_size == 9 / (2 * 2)
    assert sum(row == {"age": "?", "town": "*"} for row in made.frame) == 2
    assert made.frame[-1]["age"] == "?"
    assert made.suppressed.all(axis=1).tolist() == [
        row["age"] == "?" for row in made.frame
    ]
    assert atleastk.anonymity(made.frame).k == 2
    assert "  suppressed  2 of 9 rows, 22.22%; at most 2 allowed\n" in str(made)


@pytest.mark.parametrize("wish", [1, "22%", 0.22, "0%", None])
def test_an_allowance_that_is_too_small_changes_nothing(wish):
    made = anonymize(few(), 2, hierarchies=HIERARCHIES, suppress_rows=wish)
    assert (made.result.cost, made.report.generality.suppressed_rows) == (4, 0)


def test_columns_without_hierarchies_keep_their_type_where_rows_are_suppressed():
    rows = [{"x": i // 2, "y": "a"} for i in range(6)] + [{"x": 9, "y": "b"}]
    made = anonymize(pandas.DataFrame(rows), 2, suppress_rows=3)
    assert made.result.cost == 0
    gone = made.suppressed.all(axis=1)
    assert gone.sum() == made.suppressed.sum() / 2 == 3
    assert made.frame["x"].isna().tolist() == gone.tolist()
    assert pandas.api.types.is_integer_dtype(made.frame["x"].dtype)


def test_all_rows_may_be_suppressed():
    rows = [{"x": i, "y": i % 2} for i in range(4)]
    part = anonymize(rows, 3, hierarchies="suppression", suppress_rows=4).report
    made = part.generality
    assert (made.suppressed_rows, made.height, made.precision) == (4, 0, 1.0)
    assert (made.levels, made.cells) == ({"x": 0, "y": 0}, {"x": (0, 4), "y": (0, 4)})
    assert "  suppressed  4 of 4 rows, 100.00%" in str(part)
    assert 'nothing is left of columns "x", "y"' in str(part)


@pytest.mark.parametrize("loss", ["discernibility", "average-class-size"])
def test_losses_with_suppressed_rows_are_proved_in_their_own_terms(loss):
    wish = {"hierarchies": HIERARCHIES, "loss": loss, "suppress_rows": 2}
    part = anonymize(few(), 2, **wish).report.generality
    sizes = loss == "average-class-size"
    told = part.class_size if sizes else part.discernibility
    assert part.bound == pytest.approx(told)


def test_suppressed_rows_keep_sensitive_values_apart_as_others_do():
    ages = [23] * 5 + [25] * 5 + [47] * 2
    ills = ["flu", "flu", "flu", "cold", "cold"] * 2 + ["flu", "flu"]
    rows = of_columns(age=ages, town=["13053"] * 12, ill=ills)
    wish = {"hierarchies": HIERARCHIES, "columns": ["age", "town"], "sensitive": "ill"}
    made = anonymize(rows, 2, **wish, l=2, suppress_rows="25%")
    gone = [row["ill"] for row in made.frame if row["age"] == "?"]
    assert sorted(gone) == ["cold", "flu", "flu"]
    assert (made.result.cost, made.report.generality.suppressed_rows) == (0, 3)
    after = made.report.sensitive.after["ill"]
    assert (after.classes, after.single, after.least) == (3, 0, 2)
    assert "  suppressed  3 of 12 rows, 25.00%; at most 3 allowed\n" in str(made)
    assert anonymize(rows, 2, **wish, l=2, suppress_rows=2).result.cost > 0


def test_new_rows_join_the_suppressed_ones_if_nothing_else_fits():
    made = atleastk.KAnonymizer(2, hierarchies=HIERARCHIES, suppress_rows=2).fit(few())
    rows = [{"age": 23, "town": "13053"}, {"age": 25, "town": "13067"}]
    assert made.transform(rows) == [
        {"age": "23", "town": "13053"},
        {"age": "?", "town": "*"},
    ]


AGES = [31, 42, 55, 31, 42, 31, 55]
PEOPLE = of_columns(age=AGES, sex="fmfffff", row=range(7))


def dropping(k, most):
    return anonymize(PEOPLE, k, ["age", "sex"], on="entries", suppress_rows=most)


def test_rows_are_dropped_on_entries_and_the_others_published_in_their_order():
    made = dropping(3, 1)
    assert [row["row"] for row in made.frame] == [0, 2, 3, 4, 5, 6]
    assert made.result.solution.suppressed_rows == (1,)
    assert made.suppressed.shape == made.levels.shape == (6, 2)
    assert (made.report.cost, made.report.rows, made.report.attained) == (3, 7, 3)
    assert made.report.generality.suppressed_rows == 1
    assert "  dropped     1 of 7 rows, 14.29%; at most 1 allowed" in str(made.report)
    assert made.report.cost == made.levels.sum() == made.report.generality.height
    assert dropping(3, 0).report.cost > made.report.cost


def test_what_is_published_is_shuffled_and_weighed_without_dropped_rows():
    rows = [{**row, "persons": 2 if row["sex"] == "m" else 1} for row in PEOPLE]
    wish = {"on": "entries", "suppress_rows": "20%", "row_weights": "persons"}
    made = anonymize(rows, 3, ["age", "sex"], shuffle=1, population=rows, **wish)
    assert sorted(row["row"] for row in made.frame) == [0, 2, 3, 4, 5, 6]
    assert made.report.cost == made.levels.sum() == 3
    assert made.report.risk.least[1] >= 3


def test_nothing_is_published_of_too_few_rows():
    made = dropping(8, 7)
    assert (len(made.frame), made.report.cost, made.report.classes) == (0, 0, 0)


def test_a_transformer_drops_no_rows():
    with pytest.raises(InvalidInstanceError, match="a transformer returns all; leave"):
        KAnonymizer(k=3, on="entries", suppress_rows=1).fit(PEOPLE)


@pytest.mark.parametrize("wish", [{"intact": ["sex"]}, {"levels": {"sex": 0}}])
def test_columns_stay_intact_on_entries(wish):
    rows = [{**row, "sex": "f" if row["row"] < 3 else "m"} for row in PEOPLE]
    made = anonymize(rows, 3, ["age", "sex"], on="entries", **wish)
    assert [row["sex"] for row in made.frame] == [row["sex"] for row in rows]
    assert not made.levels[:, 1].any()
    assert made.report.cost == 7
    assert "sex  7 at 0 of 1 (asked)" in str(made.report)
