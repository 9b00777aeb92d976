import random
from decimal import Decimal
from fractions import Fraction

import pandas
import pytest
from tables import drawn_rows

import atleastk
from atleastk import InvalidInstanceError, anonymize
from atleastk.doors.anonymizing.row_columns import RowWeights
from atleastk.frames.open_frame import framed
from atleastk.solvers.brute_force.generalization import optimum


def survey(seed, n=6):
    cells = {"age": [23, 25, 34], "town": ["here", "there"], "sex": "mf"}
    weights = ["1234.56", "80", "7.5", "0.25"]
    return drawn_rows(random.Random(seed), n, **cells, weight=weights)


@pytest.mark.parametrize("seed", range(6))
def test_the_cost_is_of_what_is_published(seed):
    rows = survey(seed)
    made = anonymize(rows, 2, row_weights="weight", weights={"age": 2})
    assert made.columns == ("age", "town", "sex")
    assert [row["weight"] for row in made.frame] == [row["weight"] for row in rows]
    prices = [2, 1, 1]
    paid = sum(
        Fraction(row["weight"]) * int(mask @ prices)
        for row, mask in zip(rows, made.suppressed, strict=True)
    )
    part = made.report.weighting
    assert Fraction(made.report.cost, part.scale) == paid
    assert made.report.cost == made.report.bound == optimum(made.instance)
    assert part.cost == part.bound == pytest.approx(float(paid))
    assert made.report.suppressed == made.suppressed.sum()
    assert f"cost        {part.cost:.15g} by weights" in str(made)
    assert "rows by weight" in str(made)
    assert atleastk.check(made.instance, made.result).cost == made.report.cost


@pytest.mark.parametrize("heavy", range(5))
def test_heavy_rows_are_spared(heavy):
    """Of a chain of five rows one has to pay for two columns: not the heavy one."""
    cells = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]
    rows = [(*row, 50 if i == heavy else 1) for i, row in enumerate(cells)]
    made = anonymize(rows, 2, [0, 1], row_weights=2)
    assert made.suppressed[heavy].sum() == 1
    assert made.suppressed.sum() > 5


def test_entries_with_hierarchies_and_columns_without():
    rows = survey(1)
    hierarchies = {"town": [["here", "some", "*"], ["there", "some", "*"]]}
    wish = {"hierarchies": hierarchies, "row_weights": "weight"}
    made = anonymize(rows, 2, on="entries", **wish)
    assert made.report.cost == made.report.bound == optimum(made.instance)
    assert made.report.weighting.rows == "weight"
    made = anonymize(rows, 2, **wish)
    assert made.instance.row_weights is None
    assert made.report.weighting is None
    assert made.report.risk.weighed is not None


def test_weights_are_read_exactly():
    commas = ["0,1", "2", " 1,25 "]
    for values in (["0.1", "2", " 1.25 "], [0.1, 2.0, 1.25], commas):
        found = RowWeights.of(framed(pandas.DataFrame({"w": values})), "w")
        assert (found.counts, found.scale) == ((2, 40, 25), 20)
        assert found.persons.tolist() == [0.1, 2.0, 1.25]
    rows = [{"w": Decimal("3.0")}, {"w": 5}]
    assert RowWeights.of(framed(rows), "w").counts == (3, 5)


@pytest.mark.parametrize("flaw", ["x", "", "0", "-1", "nan", "inf", "1e99", None, True])
def test_what_is_no_weight(flaw):
    rows = [{"a": 1, "w": "1"}, {"a": 1, "w": flaw}]
    with pytest.raises(
        InvalidInstanceError, match=r'column "w" holds .* in row 2; exp'
    ):
        anonymize(rows, 2, row_weights="w")


def test_dear_cells_are_kept():
    rows = [{"age": a, "sex": s} for a in "12" for s in "mf"]
    for dear, cheap in (("age", "sex"), ("sex", "age")):
        made = anonymize(rows, 2, weights={dear: 2})
        assert made.report.by_column == {dear: 0, cheap: 4}
        assert (made.report.cost, made.report.suppressed) == (4, 4)


def test_levels_have_weights():
    rows = [{"age": a, "sex": s} for a in "12" for s in "mf"]
    hierarchies = {"age": [["1", "some", "*"], ["2", "some", "*"]]}
    for on in ("attributes", "entries"):
        made = anonymize(
            rows, 2, hierarchies=hierarchies, on=on, weights={"age": 3, "sex": 4}
        )
        times = 1 if on == "attributes" else 4
        assert made.report.cost == made.report.bound == 3 * times
        assert made.report.generality.bound is None
        assert made.frame[0]["age"] == "some"


def test_the_report_has_the_weights():
    rows, names = survey(1), ["age", "town", "sex"]
    made = anonymize(rows, 2, names, weights={"age": 3})
    part = made.report.to_dict()["weighting"]
    assert part["cost"] == made.report.cost
    assert part["columns"] == {"age": 3, "town": 1, "sex": 1}
    assert "weights     age 3" in str(made)
    assert "by weights" in made.to_html()
    assert "weighting" not in anonymize(rows, 2, names).report.to_dict()
