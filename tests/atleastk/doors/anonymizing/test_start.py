"""A looser wish that begins with what a stricter one returned is never dearer."""

import json
import random

import pytest
from tables import drawn_rows

import atleastk
from atleastk import InvalidInstanceError, InvalidResultError, anonymize
from atleastk.cli.main import main

COLUMNS = ["age", "zip", "sex"]
ENTRIES = {"on": "entries", "hierarchies": "auto"}
BY_SIZES = {"hierarchies": "auto", "loss": "discernibility"}

LOOSER = {
    "a smaller k": ({}, {"k": 4}, {"k": 3}),
    "dropped rows": (ENTRIES, {}, {"suppress_rows": "3%"}),
    "more dropped rows": (ENTRIES, {"suppress_rows": 1}, {"suppress_rows": 4}),
    "suppressed rows": (BY_SIZES, {}, {"suppress_rows": 3}),
    "higher levels": (ENTRIES, {"levels": {"sex": 0}}, {}),
    "a limit": ({}, {"limits": {"per_row": 2}}, {}),
    "a higher limit": (
        {"weights": {"sex": 3}},
        *({"limits": {"entries": most}} for most in (150, 160)),
    ),
    "an intact column": ({}, {"intact": ["sex"]}, {}),
    "less diversity": ({"sensitive": "ill"}, {"l": 3}, {"l": 2}),
    "less closeness": ({**ENTRIES, "sensitive": "ill"}, {"t": 0.3}, {"t": 0.5}),
    "a greater mean risk": (ENTRIES, {"mean_risk": 0.2}, {"mean_risk": 0.25}),
    "more rows at risk": ({"small": 5}, {"at_risk": 0.1}, {"at_risk": 0.3}),
}


def people(seed, n=80):
    cells = {"age": [*map(str, range(30, 70))], "sex": "fm"}
    cells |= {"zip": ["13053", "13068", "14850", "14851"]}
    return drawn_rows(random.Random(seed), n, **cells, ill=["flu", "cold", "gout"])


def made(rows, wish, **more):
    return anonymize(
        rows, columns=COLUMNS, workers=1, time_limit=0.2, **{"k": 3, **wish}, **more
    )


@pytest.mark.parametrize("name", LOOSER)
@pytest.mark.parametrize("seed", range(2))
def test_a_looser_wish_is_never_dearer(name, seed):
    both, strict, loose = LOOSER[name]
    rows = people(seed)
    before = made(rows, {**both, **strict})
    if before.frame is None:
        pytest.skip("nothing to begin with")
    after = made(rows, {**both, **loose}, start=before)
    assert after.result.cost <= before.result.cost
    assert atleastk.check(after.instance, after.result).feasible


def test_what_breaks_a_wish_is_no_start():
    rows = people(0)
    before = made(rows, {"k": 3})
    with pytest.raises(InvalidResultError, match="start: not a solution"):
        made(rows, {"k": 20}, start=before)


def test_means_and_files_have_no_start(tmp_path):
    with pytest.raises(InvalidInstanceError, match="start: says nothing of means"):
        anonymize([[1], [2]], 2, average=True, start=[[0, 1]])
    pytest.importorskip("duckdb")
    path = tmp_path / "people.csv"
    path.write_text("age\n1\n1\n", encoding="utf-8")
    with pytest.raises(InvalidInstanceError, match="it does not take start"):
        anonymize(str(path), 2, engine="duckdb", hierarchies="auto", start=[[0, 1]])


def test_the_command_line_begins_with_a_result(here, refused):
    lines = [",".join(COLUMNS), *(",".join(r[n] for n in COLUMNS) for r in people(1))]
    (here / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = ["anonymize", "people.csv", "--workers", "1"]
    main([*asked, "-k", "4", "--time-limit", "1", "--result", "strict.json"])
    strict = json.loads((here / "strict.json").read_text(encoding="utf-8"))
    more = ["--start", "strict.json", "--time-limit", "0.05", "--result", "loose.json"]
    main([*asked, "-k", "3", *more])
    loose = json.loads((here / "loose.json").read_text(encoding="utf-8"))
    assert loose["cost"] <= strict["cost"]
    assert "several k give several tables" in refused(
        *asked, "-k", "2,3", "--start", "strict.json"
    )
