import pytest

from atleastk.instances.fields.errors import InvalidInstanceError, UnknownNameError
from atleastk.instances.generators.suppression import FAMILIES
from atleastk.instances.suppression_names import DECISIONS, MAXIMISATIONS, MINIMISATIONS

BY_NAME = {family.name: family for family in FAMILIES}
VARIANTS = [*DECISIONS, *MINIMISATIONS, *MAXIMISATIONS]


@pytest.mark.parametrize("name", ["uniform", "people"])
def test_every_problem_of_the_family(name):
    for variant in VARIANTS:
        instance = BY_NAME[name].make(1, variant=variant)
        assert str(instance.variant) == variant
        assert variant in instance.name
    instance = BY_NAME["uniform"].make(1, n=9, m=3, variant="r-c-MIN-e-SUP", rows=7)
    assert dict(instance.limits) == {"rows": 7, "columns": 2}
    ranked = BY_NAME["uniform"].make(1, n=5, variant="r'-PART", classes=3)
    assert ranked.row_order == ((0,), (1, 2), (3, 4))


def test_people_of_the_thesis():
    instance = BY_NAME["people"].make(0)
    assert (instance.n, instance.m, instance.k) == (7, 4, 2)
    assert instance.column_order == ((0,), (1,), (2,), (3,))
    assert dict(instance.limits) == {"per_column": 5}


def test_what_is_refused():
    uniform, tight = BY_NAME["uniform"].make, BY_NAME["tight-forest"].make
    with pytest.raises(UnknownNameError, match="x-SUP"):
        uniform(1, variant="x-SUP")
    with pytest.raises(InvalidInstanceError, match="rows"):
        uniform(1, variant="MIN-e-SUP", rows=3)
    with pytest.raises(InvalidInstanceError, match="classes"):
        uniform(1, variant="c'-PART", classes=9)
    with pytest.raises(InvalidInstanceError, match="cost"):
        tight(1, cost="rows")
    with pytest.raises(InvalidInstanceError, match="k: expected at least 2"):
        tight(1, k=1)
