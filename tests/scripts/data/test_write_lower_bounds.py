from atleastk.research.lower_bounds.catalogue import LOWER_BOUNDS
from atleastk.runs.registry import PROBLEMS
from scripts.data import write_lower_bounds


def test_the_page_is_what_the_families_say():
    write_lower_bounds.main(["--check"])


def test_every_family_has_ten_values_and_formulas():
    for growth in write_lower_bounds.growths().values():
        assert len(growth.costs) == 10
        assert growth.cost is not None
        assert growth.optimum is not None


def test_no_promise_is_exceeded():
    for growth in write_lower_bounds.growths().values():
        for value, ceiling in growth.ceilings.items():
            assert growth.costs[value] <= ceiling


def test_no_family_is_behind_the_worst_single_find():
    singles = write_lower_bounds.worst_finds()
    for place, growth in write_lower_bounds.growths().items():
        assert growth.limit >= singles[place] - 1e-9, place


def test_an_algorithm_has_one_family_at_most():
    named = [(one.problem, name) for one in LOWER_BOUNDS for name in one.algorithms]
    assert len(set(named)) == len(named)
    known = {(p.name, a.name) for p in PROBLEMS.values() for a in p.algorithms}
    assert {*named} <= known
