import pytest

from atleastk.instances.generators.bin_covering import FAMILIES
from atleastk.solvers.brute_force.bin_covering import optimum

BY_NAME = {family.name: family for family in FAMILIES}


@pytest.mark.parametrize(("high", "k"), [(100, 150), (10**4, 15_000)])
def test_default_k_is_three_halves_of_the_greatest_size(high, k):
    assert BY_NAME["uniform"].make(0, high=high).k == k


@pytest.mark.parametrize("target", [*range(12, 40), 100, 1000])
def test_planted_triples_are_valid(target):
    for seed in range(10):
        instance = BY_NAME["three-partition-yes"].make(seed, groups=3, target=target)
        assert all(target < 4 * x < 2 * target for x in instance.sizes)
        assert instance.total == 3 * target
    assert optimum(instance)[0] == target


def test_no_triple_of_the_no_family_fits():
    for seed in range(10):
        instance = BY_NAME["three-partition-no"].make(seed, groups=5, target=1000)
        assert all(1000 < 4 * x < 2000 and x % 5 == 1 for x in instance.sizes)
        assert instance.total == 5 * instance.k


def test_heavy_items_are_counted():
    instance = BY_NAME["heavy"].make(1, n=20, heavy=7)
    assert sum(size >= instance.k for size in instance.sizes) == 7


def test_tight_families_have_optimum_k():
    for family, k in (("tight-fold", 5), ("tight-spread", 8)):
        assert optimum(BY_NAME[family].make(0, k=k))[0] == k
