from collections import Counter

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.full_products import full_product_optimum
from atleastk.instances.generators.k_anonymity import FAMILIES
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.k_anonymity import check
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.subset_dp import best_partition

BY_NAME = {family.name: family for family in FAMILIES}
DRAWN = {"uniform", "skewed", "planted", "hard-zone", "adult"}


def optimum(instance):
    return check(instance, Solution.of(best_partition(instance, Budget.of()))).cost


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_families_are_valid_and_repeatable(family):
    first = family.make(3)
    assert isinstance(first, KAnonymity)
    assert first.n >= first.k
    assert first == family.make(3) == family.make(3, **family.parameters)
    assert first.name
    assert f"family {family.name}, seed 3" in first.source
    assert (first != family.make(4)) == (family.name in DRAWN)


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
    ("sizes", "k"), [("2,3", 2), ("2,3", 4), ("4,2", 5), ("3,2,2", 3)]
)
def test_full_products_cost_what_the_formula_says(sizes, k):
    instance = BY_NAME["full-product"].make(0, sizes=sizes, k=k)
    assert optimum(instance) == full_product_optimum(sizes, k)


@pytest.mark.parametrize(
    ("family", "parameters", "expected"),
    [
        ("employees-4", {}, 6),
        ("employees-8", {}, 24),
        ("tight-dr", {"k": 4, "stars": 2}, 32),
        ("tight-leftovers", {"k": 4, "m": 2}, 8),
    ],
)
def test_optima_are_as_told(family, parameters, expected):
    assert optimum(BY_NAME[family].make(0, **parameters)) == expected


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("uniform", {"k": 21}),
        ("uniform", {"values": 0}),
        ("skewed", {"m": -1}),
        ("planted", {"noise": 101}),
        ("planted", {"size": 0}),
        ("planted", {"groups": 0}),
        ("hard-zone", {"n": 163}),
        ("hard-zone", {"k": 1}),
        ("full-product", {"sizes": "3,x"}),
        ("full-product", {"k": 12961}),
        ("tight-dr", {"k": 5}),
        ("tight-dr", {"stars": 1}),
        ("tight-leftovers", {"m": 0}),
        ("tight-leftovers", {"k": 1}),
    ],
)
def test_impossible_parameters_are_named(family, parameters):
    with pytest.raises(InvalidInstanceError, match=next(iter(parameters))):
        BY_NAME[family].make(0, **parameters)


def test_the_formula_refuses_more_than_all():
    with pytest.raises(InvalidInstanceError, match="at most 6"):
        full_product_optimum("2,3", 7)
