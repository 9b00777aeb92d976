from collections import Counter

import pytest

from atleastk import Solution
from atleastk.instances.generators.k_anonymity import FAMILIES
from atleastk.models.k_anonymity import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.subset_dp import best_partition

BY_NAME = {family.name: family for family in FAMILIES}


def optimum(instance):
    return check(instance, Solution.of(best_partition(instance, Budget.of()))).cost


def test_shapes_are_as_asked_for():
    for name in ("uniform", "skewed", "hard-zone"):
        instance = BY_NAME[name].make(1, n=40, m=5, values=3, k=4)
        assert (instance.n, instance.m, instance.k) == (40, 5, 4)
        assert {cell for row in instance.table for cell in row} == {0, 1, 2}
    assert BY_NAME["planted"].make(1, groups=6, size=5).n == 30


def test_zipf_values_are_skewed():
    table = BY_NAME["skewed"].make(1, n=2000, m=1, values=4).table
    counted = Counter(row[0] for row in table)
    assert counted[0] > counted[1] > counted[2] > counted[3]


def test_planted_groups_without_noise_cost_nothing():
    assert optimum(BY_NAME["planted"].make(1, groups=4, size=4, noise=0)) == 0
    assert optimum(BY_NAME["planted"].make(1, groups=4, size=4, noise=30)) > 0


def test_hard_zone_has_less_than_k_copies():
    instance = BY_NAME["hard-zone"].make(1, n=36, m=2, values=3, k=5)
    assert set(instance.records.copies) == {4}
    assert BY_NAME["hard-zone"].make(2, n=20).records.copies.max() < 3


@pytest.mark.parametrize(
    ("family", "parameters", "expected"),
    [
        ("employees-4", {}, 6),
        ("employees-8", {}, 24),
        ("full-product", {"sizes": "2,3", "k": 2}, 6 * 1),
        ("full-product", {"sizes": "2,3", "k": 4}, 6 * 2),
        ("full-product", {"sizes": "4,2", "k": 5}, 8 * 2),
        ("full-product", {"sizes": "3,2,2", "k": 3}, 12 * 1),
        ("tight-dr", {"k": 4, "stars": 2}, 32),
        ("tight-leftovers", {"k": 4, "m": 2}, 8),
        ("worst-cover", {"k": 3, "stars": 6}, 3 * 7),
        ("worst-transversals", {"k": 3}, 9 * 3),
    ],
)
def test_optima_are_as_told(family, parameters, expected):
    assert optimum(BY_NAME[family].make(0, **parameters)) == expected
