import random

from atleastk import anonymize


def people(seed, n=6):
    rng = random.Random(seed)
    cells = ["23", "25", "34"], ["here", "there"], ["m", "f"]
    return [tuple(map(rng.choice, cells)) for _ in range(n)]


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
