from atleastk.instances.generators import k_anonymity
from atleastk.instances.generators.k_ambiguity import FAMILIES

BY_NAME = {family.name: family for family in FAMILIES}


def test_tables_are_those_of_k_anonymity():
    anonymous = k_anonymity.uniform(5, n=9, m=3, values=4, k=2)
    ambiguous = BY_NAME["uniform"].make(5, n=9, m=3, values=4, k=2)
    assert (ambiguous.table, ambiguous.k) == (anonymous.table, 2)


def test_seven_people():
    instance = BY_NAME["people"].make(0)
    assert instance.columns == ("Age", "Gender", "Married", "Area Code")
    assert sorted(instance.records.copies) == [1, 1, 2, 3]
