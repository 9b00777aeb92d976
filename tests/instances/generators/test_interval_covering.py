import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.generators.interval_covering import FAMILIES
from atleastk.instances.interval_covering import IntervalCovering

BY_NAME = {family.name: family for family in FAMILIES}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_families_are_valid_and_repeatable(family):
    first = family.make(3)
    assert isinstance(first, IntervalCovering)
    assert first == family.make(3) == family.make(3, **family.parameters)
    assert f"family {family.name}, seed 3" in first.source


def test_sizes_and_errors():
    assert set(BY_NAME["unit"].make(0, n=9, k=3).sizes) == {1}
    assert set(BY_NAME["uniform"].make(0, n=99, low=4, high=5).sizes) == {4, 5}
    with pytest.raises(InvalidInstanceError, match="low"):
        BY_NAME["uniform"].make(0, low=0)
