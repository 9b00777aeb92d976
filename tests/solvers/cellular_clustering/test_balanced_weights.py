import random
from itertools import combinations

import numpy as np
import pytest

from atleastk import CellularClustering
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.balanced_weights import (
    SCALE,
    balanced_weights,
)
from atleastk.solvers.cellular_clustering.first import least_payments
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods


def drawn(rng, **fields):
    n, side = rng.randint(4, 8), rng.choice([3, 20])
    points = [(rng.randrange(side), rng.randrange(side)) for _ in range(n)]
    r = rng.randint(1, 3)
    return CellularClustering(points=points, metric="manhattan", r=r, **fields)


def weights_of(instance, limit):
    near = neighbourhoods(instance.space, limit)
    start = least_payments(instance, Budget())
    return balanced_weights(near, instance.r, start, Budget()), start


@pytest.mark.parametrize("centres", ["input", "member", "any"])
def test_no_solution_costs_less_than_the_weights(centres):
    rng, better = random.Random(1), 0
    for _ in range(60):
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
    found = balanced_weights(near, instance.r, start, Budget().slice(0.0))
    assert (found <= SCALE * start).all()
    assert (found >= SCALE * start - 1 - start).all()
