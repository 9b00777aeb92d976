"""The algorithms of [ParkShim07] and before: valid, and within their promises."""

import random
from fractions import Fraction
from math import factorial

import pytest
from costs import cost_by

import atleastk
from atleastk import KAnonymity, NotApplicableError
from atleastk.instances.datasets.adult import adult
from atleastk.instances.generators.k_anonymity import FAMILIES, full_product
from atleastk.models.k_anonymity import check
from atleastk.solvers.k_anonymity.algorithms import catalogue as k_anonymity
from atleastk.solvers.k_anonymity.algorithms.catalogue import (
    ALGORITHMS,
    approx_cf,
    logarithmic,
)
from tests.helpers.costs import least_cost

BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}
FAMILY = {family.name: family for family in FAMILIES}


def random_table(rng, rows=9):
    k = rng.randint(1, 4)
    n, m = rng.randint(k, rows), rng.randint(0, 5)
    values = rng.randint(1, 4)
    table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
    return KAnonymity(table, k)


def test_larger_tables_are_partitioned():
    rng = random.Random(2)
    for _ in range(100):
        n, m, values = rng.randint(20, 80), rng.randint(1, 7), rng.randint(2, 9)
        k = rng.randint(2, 9)
        table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
        instance = KAnonymity(table, k)
        for name, algorithm in BY_NAME.items():
            if algorithm.refuses(instance) is None:
                found = algorithm.run(instance, 0)
                assert check(instance, found).feasible
                if name in ("approx-fq", "approx-cf", "approx-cf-1.8", "approx-ds"):
                    assert max(map(len, found.groups)) <= 2 * k - 1


@pytest.mark.parametrize(
    "beta", [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(9)]
)
def test_fewer_itemsets_cost_beta_times_as_much_at_most(beta):
    """Section 4.4 holds since the whole table stays."""
    promise = logarithmic("section 4.4", beta)
    rng = random.Random(3)
    for _ in range(150):
        instance = random_table(rng, rows=8)
        verdict = check(instance, approx_cf(instance, 0, beta))
        assert verdict.feasible
        assert promise.holds(instance, verdict.cost, least_cost(instance))


def test_examples_of_the_paper():
    """Figure 1: 6 for k = 2. Figures 2 to 4: 24 by itemsets, 32 by diameters, k = 4."""
    four, eight = FAMILY["employees-4"].make(0), FAMILY["employees-8"].make(0)
    assert {name: cost_by(name, four) for name in BY_NAME} == dict.fromkeys(BY_NAME, 6)
    costs = {name: cost_by(name, eight) for name in BY_NAME}
    assert costs == dict.fromkeys(BY_NAME, 24) | {"approx-ds": 32, "approx-gr": 40}
    assert BY_NAME["approx-ds"].run(eight, 0).groups == ((0, 2, 4, 6), (1, 3, 5, 7))


SAMPLE = {
    2: (1638, 1609, 1615, 1476, 2280, 1858),
    5: (2610, 2605, 2701, 2355, 4533, 4653),
    10: (3198, 3177, 3384, 2915, 5882, 6536),
}


@pytest.mark.parametrize("k", SAMPLE)
def test_on_the_sample_of_adult(k):
    names = [name for name in BY_NAME if name != "approx-naive"]
    instance = adult(k)
    assert dict(zip(names, SAMPLE[k], strict=True)) == {
        name: cost_by(name, instance) for name in names
    }


@pytest.mark.parametrize(("k", "stars"), [(2, 1), (5, 1), (10, 2), (50, 3)])
def test_direct_is_optimal_on_a_full_product(k, stars):
    assert cost_by("approx-dr", full_product(0, k=k)) == 12_960 * stars


@pytest.mark.parametrize(("k", "stars"), [(4, 5), (6, 4), (10, 5)])
def test_direct_is_almost_three_times_as_bad(k, stars):
    """On tight-dr, where APPROX-CF finds the optimum."""
    instance = FAMILY["tight-dr"].make(0, k=k, stars=stars)
    best = k * k * stars
    assert cost_by("approx-cf", instance) == best
    paid = k * (stars - 1) + k * (k - 1) * (3 * stars - 1)
    assert cost_by("approx-dr", instance) == paid > 2 * best


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_row_of_each_group_at_a_time(k):
    """The theorem of direct.py, as far as APPROX-DR takes the columns."""
    instance, a = FAMILY["worst-transversals"].make(0, k=k), factorial(k - 1)
    harmonic = sum(Fraction(1, s) for s in range(1, k))
    assert cost_by("approx-dr", instance) == a * k * k * (1 + harmonic)
    assert atleastk.solve(instance).cost == k * k * (a + 1)


def test_what_is_refused(monkeypatch):
    many = KAnonymity([[i] for i in range(2100)], 3)
    assert "sets of k..2k-1" in BY_NAME["approx-naive"].refuses(many)
    assert "2000 distinct" in BY_NAME["approx-ds"].refuses(many)
    wide = KAnonymity([[0] * 300] * 4, 2)
    for name in ("approx-fq", "approx-cf", "approx-cf-1.8", "approx-dr"):
        assert "300" in BY_NAME[name].refuses(wide)
    assert cost_by("approx-gr", wide) == cost_by("approx-ds", wide) == 0
    assert "32768" in BY_NAME["approx-ds"].refuses(KAnonymity([[0] * 2**15] * 2, 2))
    monkeypatch.setattr(k_anonymity, "closed_patterns", lambda _records, _k: None)
    with pytest.raises(NotApplicableError, match="use approx-gr"):
        BY_NAME["approx-dr"].run(many, 0)


def test_promises_of_huge_k_are_stated_at_once():
    (balls,) = [a for a in ALGORITHMS if a.name == "approx-ds"]
    assert balls.guarantee.holds(KAnonymity([], 2**63), 0, 0)
    pair = KAnonymity([[1], [2]], 2)
    assert balls.guarantee.holds(pair, 13, 2)  # 9/2 * 3/2 * 2 = 13.5
    assert not balls.guarantee.holds(pair, 14, 2)
