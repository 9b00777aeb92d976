"""The algorithms of [Aggarwal10, section 3] against the judge."""

import random
from fractions import Fraction

import numpy as np
import pytest

from atleastk import CellularClustering
from atleastk.models.cellular_clustering import check
from atleastk.models.certificates.cellular_clustering import check_certificate
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.cellular_clustering.algorithms import (
    catalogue as cellular_clustering,
)
from atleastk.solvers.cellular_clustering.algorithms.catalogue import (
    ALGORITHMS,
    dual_bound,
    factor,
    primal_dual,
    r_cellular,
    r_eps_cellular,
)

BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}


def _metric(rng, n):
    if rng.random() < 0.3:
        places = [rng.randint(0, 20) for _ in range(n)]
        return [[abs(a - b) for b in places] for a in places]
    most = rng.choice([1, 5, 50])
    tree = rng.random() < 0.5
    d = np.full((n, n), 10**6, dtype=np.int64)
    np.fill_diagonal(d, 0)
    for a in range(1, n):
        for b in [rng.randrange(a)] if tree else range(a):
            d[a, b] = d[b, a] = rng.randint(0 if rng.random() < 0.1 else 1, most)
    for k in range(n):
        d = np.minimum(d, d[:, k, None] + d[k])
    return d.tolist()


def _instance(rng, metric=_metric):
    n = rng.randint(1, 6)
    fields = {"centres": rng.choice(["input", "input", "input", "member", "any"])}
    if fields["centres"] == "input" and rng.random() < 0.6:
        dearest = rng.choice([1, 10, 50])
        fields["facility_costs"] = [
            rng.choice([0, rng.randint(0, dearest), dearest]) for _ in range(n)
        ]
    return CellularClustering(
        distances=metric(rng, n),
        r=min(n, rng.choice([1, 1, 2, 2, 3, 4])),
        max_outliers=rng.choice([0, 0, 1, 2]),
        **fields,
    )


def _arbitrary(rng, n):
    d = np.array([[rng.randint(0, 9) for _ in range(n)] for _ in range(n)])
    d = np.triu(d, 1)
    return (d + d.T).tolist()


def _cost(instance, solution):
    verdict = check(instance, solution)
    assert not verdict.violations
    return verdict.cost


def test_the_dual_bound_is_certified_and_at_most_the_optimum():
    rng = random.Random(3)
    tight = 0
    for seed in range(300):
        instance = _instance(rng, rng.choice([_metric, _arbitrary]))
        best, _ = optimum(instance)
        for setup in (0, 1):
            bound, weights, scale = dual_bound(instance, setup, seed)
            assert bound <= best
            tight += bound == best > 0
            certificate = {"kind": "weights", "scale": scale, "weights": list(weights)}
            check_certificate(instance, certificate, bound)
    assert tight > 50


def test_cellular_costs_at_most_three_times_its_dual():
    rng = random.Random(4)
    for seed in range(300):
        n = rng.randint(1, 15)
        instance = CellularClustering(
            distances=_metric(rng, n),
            facility_costs=[rng.randint(0, 30) for _ in range(n)],
        )
        dual = primal_dual(instance, seed=seed)
        paid = sum(dual.alphas.tolist()) + n
        assert _cost(instance, r_cellular(instance, seed)) * dual.scale <= 3 * paid


def test_without_r_and_facility_costs_everything_is_free():
    points = np.random.default_rng(1).integers(0, 100, (60, 2)).tolist()
    for centres in ("input", "member", "any"):
        instance = CellularClustering(points=points, centres=centres)
        assert _cost(instance, r_cellular(instance)) == 0


def test_thousands_of_points_are_within_the_proved_factor_of_the_bound():
    rng = np.random.default_rng(1)
    points = rng.integers(0, 10**5, (2500, 2)).tolist()
    fees = rng.integers(0, 10**4, 2500).tolist()
    for fields in ({}, {"facility_costs": fees}, {"max_outliers": 30}):
        instance = CellularClustering(points=points, r=5, **fields)
        found = r_eps_cellular(instance)
        assert len(found.outliers) <= instance.max_outliers
        assert _cost(instance, found) <= 6 * dual_bound(instance, 1)[0]


def test_far_outliers_are_left_out():
    rng = np.random.default_rng(2)
    points = [*rng.integers(0, 50, (40, 2)).tolist(), [10**6, 0], [0, 10**6]]
    instance = CellularClustering(points=points, r=3, max_outliers=2)
    found = r_eps_cellular(instance)
    assert found.outliers == (40, 41)
    assert _cost(instance, found) < 40 * 50


def test_a_dear_last_cluster_is_avoided_by_guessing():
    """Two hundred points pay for it at time 5; the cheap one alone takes till 10."""
    n = 201
    points = [[0]] * (n - 1) + [[10**6]]
    fees = [1000] * (n - 1) + [10]
    instance = CellularClustering(
        points=points, facility_costs=fees, max_outliers=n - 1
    )
    assert primal_dual(instance, 0, n - 1).centres.tolist() != [n - 1]
    assert _cost(instance, r_eps_cellular(instance)) == 10


def test_the_factors_are_those_of_the_theorems():
    plain = CellularClustering(points=[[0], [1]], r=2)
    assert factor(plain) == 16
    fees = CellularClustering(points=[[0], [1]], r=2, facility_costs=[1, 1])
    assert factor(fees) == Fraction(33, 2)
    members = CellularClustering(points=[[0], [1]], r=2, centres="member")
    assert factor(members) == 32


@pytest.mark.parametrize(
    ("name", "fields", "why"),
    [
        ("cellular", {"r": 2}, "r = 1"),
        ("cellular", {"max_outliers": 1}, "no outliers"),
        ("r-cellular", {"max_outliers": 1}, "take r-eps-cellular"),
        ("r-cellular-printed", {"max_clusters": 1}, "leave out max_clusters"),
        ("r-eps-cellular", {"max_clusters": 1}, "leave out max_clusters"),
        ("r-cellular", {"centres": "member", "facility_costs": [1, 0]}, "input"),
    ],
)
def test_refusals(name, fields, why):
    instance = CellularClustering(points=[[0], [5]], **fields)
    assert why in BY_NAME[name].refuses(instance)


def test_missing_distances_are_refused():
    instance = CellularClustering(distances=[[0, None], [None, 0]])
    assert all("null" in a.refuses(instance) for a in ALGORITHMS)


def test_lists_that_are_too_long_are_refused():
    points = np.random.default_rng(2).integers(0, 10**6, (9000, 2)).tolist()
    cases = ((10**11, 9000, True), (10**11, 900, False), (1, 9000, False))
    for fee, count, refused in cases:
        instance = CellularClustering(
            points=points[:count], facility_costs=[fee] * count
        )
        for algorithm in ALGORITHMS:
            reason = algorithm.refuses(instance)
            assert ("pairs of points" in reason) if refused else reason is None


def test_guesses_are_few_where_facilities_are_dear():
    points = np.random.default_rng(0).integers(0, 10**6, (300, 2)).tolist()
    instance = CellularClustering(
        points=points, r=5, facility_costs=[10**10] * 300, max_outliers=150
    )
    limits = []

    def counted(*arguments):
        limits.append(arguments[3])
        return primal_dual(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cellular_clustering, "primal_dual", counted)
        assert check(instance, r_eps_cellular(instance)).feasible
    assert len(limits) <= 3
    assert factor(instance) == Fraction(11, 2) * (3 + Fraction(32, 15))
