import random

import numpy as np
import pytest

from atleastk.instances.spaces.metric_spaces import FAR, Euclidean, Matrix
from atleastk.solvers.cellular_clustering.algorithms import primal_dual
from atleastk.solvers.cellular_clustering.algorithms.primal_dual import (
    Prices,
    raised,
    span,
)

SCALE = 1024


def _space(rng):
    n = rng.randint(1, 9)
    if rng.random() < 0.5:
        places = [[rng.randint(0, 12), rng.randint(0, 3)] for _ in range(n)]
        return Euclidean(np.array(places, dtype=np.int64), 1)
    given = np.zeros((n, n), dtype=np.int64)
    for a in range(n):
        for b in range(a):
            given[a, b] = given[b, a] = rng.choice([0, 1, 3, 10])
    return Matrix(given)


def _prices(rng, n):
    dearest = rng.choice([0, 3, 40])
    fees = np.array([rng.randint(0, dearest) for _ in range(n)], dtype=np.int64)
    return Prices(fees, rng.choice([0, 1, 4]), rng.randint(1, n))


def _overpaid(space, prices, dual):
    """Yield for every cluster by how many ticks its price is exceeded."""
    for v in range(space.n):
        row = space.row(v)
        for d in sorted(set(row.tolist())):
            if (row <= d).sum() >= prices.size:
                paid = np.maximum(0, dual.alphas[row <= d] - d * dual.scale).sum()
                price = int(prices.fees[v]) + prices.slope * d
                yield int(paid) - price * dual.scale


def test_no_cluster_is_overpaid():
    rng = random.Random(1)
    for seed in range(300):
        space = _space(rng)
        prices = _prices(rng, space.n)
        leave = rng.choice([0, 0, 1, 2])
        dual = raised(space, prices, SCALE, leave, seed)
        assert max(_overpaid(space, prices, dual), default=0) <= 0
        assert dual.unconnected == min(leave, space.n)


def test_clusters_open_when_paid_for_and_connect():
    """They lack a tick for each of their points at most, and hold those they connect.

    Of clusters that cost nothing: at time d, when the edges are tight.
    """
    rng = random.Random(2)
    for seed in range(300):
        space = _space(rng)
        prices = _prices(rng, space.n)
        dual = raised(space, prices, SCALE, 0, seed)
        for c, (v, d) in enumerate(zip(dual.centres, dual.radii, strict=True)):
            tight = dual.tight(c)
            row = space.row(v)
            price = int(prices.of(dual.centres, dual.radii)[c]) * SCALE
            expected = (row <= d) & (dual.alphas >= d * SCALE)
            assert set(tight.tolist()) == set(np.flatnonzero(expected).tolist())
            paid = (dual.alphas[tight] - d * SCALE).sum()
            connected = np.flatnonzero(dual.witness == c)
            assert price - len(tight) < paid <= price
            assert len(connected)
            assert set(connected.tolist()) <= set(tight.tolist())
            assert (dual.alphas[connected] == dual.alphas[tight].max()).all()
            if price == 0:
                assert (dual.alphas[connected] == d * SCALE).all()


def test_reaching_further_step_by_step_makes_no_difference(monkeypatch):
    rng = random.Random(3)
    for seed in range(100):
        space = _space(rng)
        prices = _prices(rng, space.n)
        results = []
        for first in (FAR, 0):
            monkeypatch.setattr(primal_dual, "_first_reach", lambda *_, f=first: f)
            results.append(raised(space, prices, SCALE, 0, seed))
        for one, other in zip(*(vars(r).values() for r in results), strict=True):
            assert np.array_equal(one, other)


def test_the_last_cluster_connects_no_more_than_it_has_to():
    space = Matrix(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=np.int64))
    prices = Prices(np.array([6, 50, 50], dtype=np.int64), 0)
    dual = raised(space, prices, SCALE, leave=1)
    assert (dual.unconnected, dual.witness[0]) == (1, 0)
    assert len(dual.tight(0)) == 2
    assert dual.alphas.tolist() == [3 * SCALE] * 3


def test_clusters_that_are_too_dear_do_not_open():
    space = Matrix(np.array([[0, 9], [9, 0]], dtype=np.int64))
    fees = np.array([2, 5], dtype=np.int64)
    assert raised(space, Prices(fees, 0, most=2), SCALE).unconnected == 0
    assert raised(space, Prices(fees, 1, most=4), SCALE).unconnected == 1
    assert raised(space, Prices(fees, 1, most=1), SCALE).unconnected == 2


def test_points_that_nothing_connects_stay():
    space = Matrix(np.array([[0, FAR], [FAR, 0]], dtype=np.int64))
    dual = raised(space, Prices(np.zeros(2, dtype=np.int64), 0, 2), SCALE)
    assert dual.unconnected == 2
    assert not dual.alphas.any()


def test_the_seed_decides_ties():
    space = Matrix(np.array([[0, 4], [4, 0]], dtype=np.int64))
    prices = Prices(np.array([2, 2], dtype=np.int64), 0)
    first = {int(raised(space, prices, SCALE, 1, seed).centres[0]) for seed in range(9)}
    assert first == {0, 1}


@pytest.mark.parametrize("n", [0, 1, 30])
def test_no_distance_exceeds_the_span(n):
    space = Euclidean(np.random.default_rng(n).integers(0, 99, (n, 2)), 1)
    assert space.matrix.max(initial=0) <= span(space)
    assert span(Matrix(space.matrix)) == space.matrix.max(initial=0)
