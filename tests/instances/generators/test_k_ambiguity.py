import pytest

from atleastk.instances.generators import k_anonymity
from atleastk.instances.generators.k_ambiguity import FAMILIES
from atleastk.instances.k_ambiguity import KAmbiguity

BY_NAME = {family.name: family for family in FAMILIES}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_families_are_valid_and_repeatable(family):
    first = family.make(3)
    assert isinstance(first, KAmbiguity)
    assert first.n >= first.k
    assert first == family.make(3) == family.make(3, **family.parameters)
    assert f"family {family.name}, seed 3" in first.source
    drawn = family.name != "people"
    assert (first.table != family.make(4).table) == drawn


def test_tables_are_those_of_k_anonymity():
    anonymous = k_anonymity.uniform(5, n=9, m=3, values=4, k=2)
    ambiguous = BY_NAME["uniform"].make(5, n=9, m=3, values=4, k=2)
    assert (ambiguous.table, ambiguous.k) == (anonymous.table, 2)


def test_seven_people():
    instance = BY_NAME["people"].make(0)
    assert instance.columns == ("Age", "Gender", "Married", "Area Code")
    assert sorted(instance.records.copies) == [1, 1, 2, 3]
