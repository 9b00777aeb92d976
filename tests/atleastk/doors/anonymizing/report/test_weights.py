import random

import pytest

import atleastk
from atleastk import InvalidInstanceError, UnknownNameError, anonymize
from atleastk.solvers.brute_force.generalization import optimum


def people(seed, n=6):
    rng = random.Random(seed)
    cells = ["23", "25", "34"], ["here", "there"], ["m", "f"]
    return [tuple(map(rng.choice, cells)) for _ in range(n)]


@pytest.mark.parametrize("seed", range(5))
def test_the_cost_is_of_what_is_published(seed):
    made = anonymize(people(seed), 2, weights={0: 30, 2: 20})
    hidden = [[cell == "*" for cell in row] for row in made.frame]
    report = made.report
    assert made.suppressed.tolist() == hidden
    assert report.suppressed == sum(map(sum, hidden))
    assert report.cost == sum(30 * a + b + 20 * c for a, b, c in hidden)
    assert report.cost == report.bound == optimum(made.instance)
    assert report.weighting.columns == {"0": 30, "1": 1, "2": 20}
    assert f"cost        {report.cost} by weights" in str(report)
    assert atleastk.check(made.instance, made.result).cost == report.cost


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
    made = anonymize(people(1), 2, weights={0: 3})
    part = made.report.to_dict()["weighting"]
    assert part["cost"] == made.report.cost
    assert part["columns"] == {"0": 3, "1": 1, "2": 1}
    assert "weights     0 3" in str(made)
    assert "by weights" in made.to_html()
    assert "weighting" not in anonymize(people(1), 2).report.to_dict()


@pytest.mark.parametrize(
    ("weights", "wish", "message"),
    [
        ({0: 0}, {}, '"0" has 0; expected an integer'),
        ({0: 1.5}, {}, '"0" has 1.5; expected'),
        ({0: 10**10}, {}, "above 1000000000; take sma"),
        (
            {0: 10**9},
            {"hierarchies": "auto", "loss": "precision"},
            "take smaller weights, or the loss height",
        ),
        (
            {0: 2},
            {"loss": "discernibility"},
            "column_weights: discernibility counts no levels",
        ),
    ],
)
def test_what_is_refused(weights, wish, message):
    with pytest.raises(InvalidInstanceError, match=message):
        anonymize(people(0), 2, weights=weights, **wish)
    with pytest.raises(UnknownNameError, match='weights: "zip" is not among'):
        anonymize(people(0), 2, weights={"zip": 2})
