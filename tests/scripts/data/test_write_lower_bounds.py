from atleastk.research.lower_bounds.catalogue import LOWER_BOUNDS
from atleastk.runs.registry import PROBLEMS
from scripts.data import write_lower_bounds


def test_the_page_is_what_the_families_say():
    """They are measured once, for all that is asked of them."""
    write_lower_bounds.main(["--check"])
    singles = write_lower_bounds.worst_finds()
    for place, growth in write_lower_bounds.growths().items():
        assert len(growth.costs) in (7, 10)
        assert growth.cost is not None
        assert growth.optimum is not None
        for value, ceiling in growth.ceilings.items():
            assert growth.costs[value] <= ceiling
        assert growth.limit >= singles[place] - 1e-9, place


def test_an_algorithm_has_one_family_at_most():
    named = [(one.problem, name) for one in LOWER_BOUNDS for name in one.algorithms]
    assert len(set(named)) == len(named)
    known = {(p.name, a.name) for p in PROBLEMS.values() for a in p.algorithms}
    assert {*named} <= known
