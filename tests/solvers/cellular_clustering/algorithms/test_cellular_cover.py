"""Clusters that stay open: the accounting of Theorem 3.5."""

import random

import numpy as np

from atleastk.instances.spaces.metric_spaces import Euclidean
from atleastk.solvers.cellular_clustering.algorithms.cellular_cover import cover
from atleastk.solvers.cellular_clustering.algorithms.primal_dual import (
    Prices,
    Raised,
    raised,
)

SCALE = 4096


def test_points_pay_for_their_clusters_and_are_near():
    rng = random.Random(1)
    joined = 0
    for seed in range(400):
        n = rng.randint(1, 14)
        places = [[rng.randint(0, 30), rng.randint(0, 9)] for _ in range(n)]
        space = Euclidean(np.array(places, dtype=np.int64), 1)
        fees = np.array([rng.choice([0, 5, 20]) for _ in range(n)], dtype=np.int64)
        leave = rng.choice([0, 0, 2])
        prices = Prices(fees, rng.choice([0, 2]), min(n, rng.randint(1, 3)))
        dual = raised(space, prices, SCALE, leave, seed)
        clusters = cover(dual, seed)
        everybody = np.concatenate([c.points for c in clusters]) if clusters else []
        assert sorted(everybody) == np.flatnonzero(dual.witness >= 0).tolist()
        for c in clusters:
            apart = space.row(c.centre)[c.points]
            joined += int((apart > c.radius).any())
            assert apart.max() <= 3 * c.radius
            if leave == 0:
                price = int(fees[c.centre]) + prices.slope * c.radius
                owed = (len(c.points) * c.radius + price) * SCALE
                assert dual.alphas[c.points].sum() > owed - n
    assert joined > 20


def test_points_join_what_shut_their_witness_down():
    """Not a cluster that got a point of it later, which is smaller.

    Cluster 1 is shut down by cluster 0 because of point 1; then cluster 2 gets point 3.
    """
    dual = Raised(
        scale=1,
        alphas=np.full(5, 9, dtype=np.int64),
        witness=np.array([0, 0, 1, 2, 1]),
        centres=np.array([0, 2, 3]),
        radii=np.array([5, 4, 1]),
        starts=np.array([0, 2, 6, 7]),
        members=np.array([0, 1, 3, 1, 2, 4, 3], dtype=np.int32),
    )
    found = {(c.centre, c.radius): c.points.tolist() for c in cover(dual)}
    assert found == {(0, 5): [0, 1, 2, 4], (3, 1): [3]}


def test_the_seed_decides_among_equal_radii():
    dual = Raised(
        scale=1,
        alphas=np.full(3, 9, dtype=np.int64),
        witness=np.array([0, 0, 1]),
        centres=np.array([0, 2]),
        radii=np.array([5, 5]),
        starts=np.array([0, 2, 4]),
        members=np.array([0, 1, 1, 2], dtype=np.int32),
    )
    assert {cover(dual, seed)[0].centre for seed in range(9)} == {0, 2}
