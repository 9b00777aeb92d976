from dataclasses import replace

import pytest

from atleastk.research.lower_bounds.lower_bound import LOWER_BOUNDS
from atleastk.runs.registry import PROBLEMS
from scripts.data import write_lower_bounds

WHOLE = {"worst-spider", "worst-balls", "worst-places", "worst-strays", "tight-kd"}
SHORT = [
    each if each.family in WHOLE else replace(each, values=each.values[:7])
    for each in LOWER_BOUNDS
]
"""Seven values are enough for lines, if all optima are proved in one way."""


@pytest.mark.parametrize(
    "families", [SHORT, pytest.param(LOWER_BOUNDS, marks=pytest.mark.sweep)]
)
def test_the_page_is_what_the_families_say(families, monkeypatch):
    """They are measured once, for all that is asked of them."""
    monkeypatch.setattr(write_lower_bounds, "LOWER_BOUNDS", families)
    write_lower_bounds.growths.cache_clear()
    write_lower_bounds.main(["--check"])
    singles = write_lower_bounds.worst_finds()
    for place, growth in write_lower_bounds.growths().items():
        for value, ceiling in growth.ceilings.items():
            assert growth.costs[value] <= ceiling
        find, k = singles[place], growth.bound.fixed.get("k")
        if k is None or find["instance"]["k"] <= k:  # finds of greater k may be worse
            assert growth.limit >= find["ratio"] - 1e-9, place
        assert growth.gap is None or growth.gap >= 1


def test_records_say_who_found_them():
    search = {"date": "2026-11-29", "seed": 31, "seconds": 3.9, "plants": 7}
    told = write_lower_bounds.finder
    assert told({**search, "instance": {}}) == "2026-11-29, seed 31, 4 s"
    search["plants"] = 0
    assert told({**search, "instance": {}}) == "2026-11-29, another algorithm"
    known = {"source": "generated: family tight-fold, seed 0"}
    assert told({**search, "instance": known}) == "2026-11-29, a study"


def test_families_have_ten_values():
    assert {len(each.values) for each in LOWER_BOUNDS} == {10}


def test_an_algorithm_has_one_family_at_most():
    named = [(one.problem, name) for one in LOWER_BOUNDS for name in one.algorithms]
    assert len(set(named)) == len(named)
    known = {(p.name, a.name) for p in PROBLEMS.values() for a in p.algorithms}
    assert {*named} <= known
