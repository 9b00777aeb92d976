from atleastk.instances.generators.interval_covering import FAMILIES

BY_NAME = {family.name: family for family in FAMILIES}


def test_sizes():
    assert set(BY_NAME["unit"].make(0, n=9, k=3).sizes) == {1}
    assert set(BY_NAME["uniform"].make(0, n=99, low=4, high=5).sizes) == {4, 5}
