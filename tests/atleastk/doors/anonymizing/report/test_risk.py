import json
import random

import pandas
import polars
import pyarrow
import pytest
from pages import Reader
from tables import of_columns

from atleastk import anonymize, cluster
from atleastk.models.tables.risk import Risk

pytestmark = pytest.mark.usefixtures("quick")

ROWS = of_columns(age=[34, 34, 36, 37], zip="aabb", ill=["flu", "flu", "flu", "cold"])


def test_risk_falls_and_what_is_learnt_is_told():
    made = anonymize(ROWS, 2, ["age", "zip"])
    risk = made.report.risk
    assert (risk.before.unique, risk.before.highest, risk.before.mean) == (2, 1.0, 0.75)
    assert (risk.after.unique, risk.after.highest, risk.after.mean) == (0, 0.5, 0.5)
    assert risk.shared == {"ill": 1}
    told = str(made)
    assert (
        "  risk        at most 50.00% a row, 50.00% on average\n"
        "              before 100.00% and 75.00%, 2 rows like no other\n"
        "  learnt      ill: one value in 1 of 2 classes\n"
    ) in told
    document = json.loads(json.dumps(made.report.to_dict()))["risk"]
    assert document["after"] == {"unique": 0, "highest": 0.5, "mean": 0.5}
    assert document["shared"] == {"ill": 1}


def test_columns_that_tell_nothing_are_not_listed():
    made = anonymize([{"a": 1, "x": i} for i in range(4)], 2, ["a"])
    assert made.report.risk.shared == {"x": 0}
    assert "learnt" not in str(made)


@pytest.mark.parametrize("seed", range(10))
def test_the_risk_is_that_of_equal_rows_whatever_matches(seed):
    rng = random.Random(seed)
    rows = [{"a": rng.randrange(4), "b": rng.choice("xy")} for _ in range(6)]
    made = anonymize(rows, 2, ambiguous=True, population=rows)
    published = [tuple(row.values()) for row in made.frame]
    counts = [published.count(row) for row in published]
    risk = made.report.risk
    assert (risk.after.unique, risk.after.highest) == (counts.count(1), 1 / min(counts))
    assert risk.after.mean == pytest.approx(sum(1 / c for c in counts) / 6)
    assert risk.sizes == {c: counts.count(c) // c for c in sorted(set(counts))}
    assert risk.matching.highest <= 0.5
    assert risk.mapped[1].highest == 1 / risk.least[1]
    document = json.loads(json.dumps(made.report.to_dict()))
    assert document["risk"]["after"]["highest"] == risk.after.highest
    assert document["risk"]["matching"]["highest"] == risk.matching.highest
    found = f"right with up to {risk.after.highest:.2%}"
    for told in (str(made), made.to_html()):
        assert (found in told) == (risk.after.highest > risk.matching.highest)
    assert str(made).startswith("k = 2 by matching: OPTIMAL")


def test_untouched_rows_that_equal_no_other_are_certain():
    made = anonymize([(i, i) for i in range(40)], 2, ambiguous=True, time_limit=60)
    assert (made.report.suppressed, made.report.risk.after) == (2, Risk(40, 1.0, 1.0))
    assert made.report.risk.matching.highest == 0.5
    told = str(made)
    lines = """
  risk        at most 100.00% a row, 100.00% on average, 40 rows like no other
              before 100.00% and 100.00%, 40 rows like no other
  matches     every row matches at least 1 other row
              as if these were equal: at most 50.00% a row, 48.81% on average
  WARNING     k-ambiguity is no protection from whoever looks for equal rows:
              a guess is then right with up to 100.00%
"""
    assert lines in told
    page = " ".join("".join(Reader(made.to_html()).texts).split())
    summary = page[page.index("Summary") : page.index("What was asked")]
    assert "WARNING: k-ambiguity is no protection" in summary
    assert "(k = 2 by matching, counted again" in summary
    assert "rows like no other4040" in page


def test_cells_hidden_and_missing_before_look_the_same():
    rows = [{"a": a} for a in (None, None, 1, 2, 2)]
    made = anonymize(rows, 3, ambiguous=True, time_limit=60)
    published = [row["a"] for row in made.frame]
    counts = [published.count(value) for value in published]
    assert made.report.risk.sizes == {
        c: counts.count(c) // c for c in sorted(set(counts))
    }
    assert made.report.smallest == min(counts)


def test_without_a_table_there_is_no_risk():
    report = anonymize(ROWS[:1], 2).report
    assert report.risk is None
    assert report.use is None
    assert "risk" not in report.to_dict()


def test_the_risk_in_a_population_that_rows_stand_for():
    weights = [10, 30, 4, 0.5]
    rows = [{**row, "w": w} for row, w in zip(ROWS, weights, strict=True)]
    made = anonymize(rows, 2, ["age", "zip"], row_weights="w")
    before, after = made.report.risk.weighed
    assert (before.unique, before.highest) == (1.25, 1.0)
    assert before.mean == pytest.approx((1 / 40 + 1 / 40 + 1 / 4 + 1) / 4)
    assert (after.unique, after.highest) == (0, pytest.approx(1 / 4.5))
    assert after.mean == pytest.approx((2 / 40 + 2 / 4.5) / 4)
    told = str(made)
    assert "  by weights  at most 22.22% a row, 12.36% on average\n" in told
    assert "before 100.00% and 32.50%, about 1.2 of these like no other person" in told
    assert made.report.to_dict()["risk"]["weighed"]["before"]["unique"] == 1.25
    assert "as their weights say" in made.to_html()
    assert made.report.risk.shared == {"ill": 1}


@pytest.mark.parametrize("kind", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_columns_that_cannot_be_compared_stay(kind):
    """Nobody asks of lists beside the table whether a class shares them."""
    visits = [[1], [1], [], [2]]
    table = kind({"age": [1, 1, 2, 2], "ill": list("abcc"), "visits": visits})
    made = anonymize(table, 2, ["age"])
    assert made.report.risk.shared == {"ill": 1}
    assert [*map(str, made.frame["visits"])] == [*map(str, table["visits"])]
    assert cluster(table, 2, ["age"]).losses.shared == {"ill": 1}
