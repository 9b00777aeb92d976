import random
from itertools import combinations

import numpy as np
import pytest
from searching import search_of

from atleastk import CellularClustering, generate
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.balanced_weights import (
    balanced_weights,
)
from atleastk.solvers.cellular_clustering.clusters import ClusterOracle
from atleastk.solvers.cellular_clustering.first import least_payments, raise_by_much
from atleastk.solvers.cellular_clustering.sites import above_all
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.engine.set_partition.master import Master
from atleastk.solvers.precision import SCALE


def drawn(rng, **fields):
    n, side = rng.randint(4, 8), rng.choice([3, 20])
    points = [(rng.randrange(side), rng.randrange(side)) for _ in range(n)]
    r = rng.randint(1, 3)
    return CellularClustering(points=points, metric="manhattan", r=r, **fields)


def weights_of(instance, limit):
    near = neighbourhoods(instance.space, limit)
    start = least_payments(instance, Budget())
    outliers = instance.n - instance.least_clustered
    return balanced_weights(near, instance.r, start, outliers, Budget()), start


@pytest.mark.parametrize("centres", ["input", "member", "any"])
def test_no_solution_costs_less_than_the_weights(centres):
    rng, better = random.Random(1), 0
    for _ in range(30):
        instance = drawn(rng, centres=centres, max_outliers=rng.choice([0, 0, 1]))
        best, _ = optimum(instance)
        for limit in (2, 8, 50):
            weights, start = weights_of(instance, limit)
            least = int(np.sort(weights)[: instance.least_clustered].sum())
            assert -(-least // SCALE) <= best
            better += limit == 50 and weights.sum() > SCALE * start.sum()
    assert better > 5


def test_no_set_about_a_point_is_too_heavy():
    rng = random.Random(2)
    for _ in range(40):
        instance = drawn(rng)
        weights, _ = weights_of(instance, rng.choice([3, 10, 40]))
        for row in instance.space.matrix:
            for size in range(instance.r, instance.n + 1):
                for some in map(list, combinations(range(instance.n), size)):
                    assert weights[some].sum() <= SCALE * size * row[some].max()


def test_a_spent_budget_keeps_the_start():
    instance = drawn(random.Random(3))
    near = neighbourhoods(instance.space, 50)
    start = least_payments(instance, Budget())
    found = balanced_weights(near, instance.r, start, 0, Budget().slice(0.0))
    assert (found <= SCALE * start).all()
    assert (found >= SCALE * start - 1 - start).all()


def test_weights_are_within_a_percent_of_the_linear_program():
    """Updates alone, which any weights satisfy that no set lets grow, end 6 % below."""
    instance = generate("cellular-clustering", "uniform", 77, n=100, r=10)
    limit = above_all(instance)
    master = Master(ClusterOracle(instance, limit), limit)
    search = search_of(instance)
    weights = raise_by_much(search, search.budget)
    assert master.converge(Budget())
    assert 0.99 * master.proof.bound <= weights.sum() / SCALE <= master.proof.bound


def test_great_distances_prove_as_much():
    """Sums of scaled weights left 64 bits, and proved next to nothing."""
    rng = random.Random(4)
    points = [(rng.randrange(1000), rng.randrange(1000)) for _ in range(60)]

    def bound_of(unit):
        scaled = [(unit * x, unit * y) for x, y in points]
        instance = CellularClustering(points=scaled, metric="manhattan", r=20)
        search = search_of(instance)
        raise_by_much(search, search.budget)
        return search.bound

    assert bound_of(2**29) >= 2**29 * (bound_of(1) - 1)
