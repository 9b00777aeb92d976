"""Near pairs and their triangles are never above the least squares of points."""

import random

import numpy as np
import pytest
from searching import search_of

from atleastk.instances.generators.pair_partition import points
from atleastk.instances.pair_partition import PairPartition
from atleastk.solvers.brute_force.pair_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition import auto, near_pairs
from atleastk.solvers.pair_partition.auto import solve


def drawn(rng):
    """Return a few points, some of them equal, far from 0."""
    n, reach, away = rng.randint(2, 8), rng.choice([1, 3, 50]), rng.choice([0, 10**30])
    places = [[away + rng.randint(0, reach) for _ in range(2)] for _ in range(n)]
    k = rng.randint(1, max(1, n // 2))
    return PairPartition(points=places, k=k, objective="squares")


@pytest.mark.parametrize("listed", [0, 1, 15])
def test_bounds_are_never_above_the_optimum(listed, monkeypatch):
    monkeypatch.setattr(near_pairs, "_NEAR", listed)
    rng, raised = random.Random(listed), 0
    for _ in range(60):
        instance = drawn(rng)
        best = optimum(instance)[0]
        found = list(near_pairs.bounds(instance, Budget()))
        assert max(found) <= best
        raised += found[-1] > found[0]
    assert raised > 0 or listed < 15


def test_multipliers_of_any_kind_prove_no_more():
    rng = random.Random(7)
    for seed in range(100):
        instance = drawn(rng)
        near = near_pairs._NearPairs(instance)
        near.add(np.array([rng.random() for _ in near.pairs]))
        count = instance.n + len(near.triangles)
        duals = np.array([rng.random() * rng.choice([0.1, 2]) for _ in range(count)])
        best, size = optimum(instance)[0], instance.n // instance.k
        assert near.bound(duals) // instance.k - size <= best, seed


def test_triangles_raise_the_bound_of_points_beside_the_optimum():
    instance = points(2, n=60, k=4, dimension=2)
    first, *_, last = near_pairs.bounds(instance, Budget())
    search = search_of(instance)
    solve(search)
    assert search.closed
    assert first < last <= search.cost
    assert last > 0.85 * search.cost
    unpriced = search_of(instance)
    auto._Work(unpriced).bound_by_near_pairs(Budget())
    assert unpriced.bound == last
