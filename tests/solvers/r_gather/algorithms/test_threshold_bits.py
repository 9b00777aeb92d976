import random

import numpy as np
import pytest

from atleastk.instances.r_gather import RGather
from atleastk.solvers.r_gather.algorithms import threshold_bits
from atleastk.solvers.r_gather.algorithms.threshold_bits import (
    bits_of,
    busiest,
    least_threshold,
)


def unpacked(words, n):
    places = np.arange(n)
    bits = words[..., places // 64] >> (places % 64).astype(np.uint64)
    return (bits & np.uint64(1)).astype(bool)


def random_space(rng):
    n, high = rng.randint(2, 150), rng.choice([2, 30, 10**6])
    points = [[rng.randrange(high) for _ in range(2)] for _ in range(n)]
    return RGather(points=points, metric="manhattan", r=1).space


@pytest.mark.parametrize("listed", [0, 300, 10**6])
def test_a_step_from_failure_to_success(monkeypatch, listed):
    monkeypatch.setattr(threshold_bits, "_MOST_PAIRS", listed)
    rng = random.Random(1)
    for _ in range(40):
        space = random_space(rng)
        steps = np.unique(space.matrix).tolist()
        wanted = rng.choice([*steps, steps[-1] + 1])
        tried = []

        def attempt(near, space=space, wanted=wanted, tried=tried):
            expected = space.matrix <= near.threshold
            assert np.array_equal(unpacked(near.words, space.n), expected)
            assert np.array_equal(near.sizes, expected.sum(axis=1))
            beyond = space.matrix[~expected]
            assert near.following <= beyond.min(initial=near.following)
            tried.append(near.threshold)
            return near.threshold if near.threshold >= wanted else None

        least = rng.choice([d for d in steps if d <= wanted])
        found = least_threshold(space, least, attempt, rng.choice([0.5, 0.01]))
        assert found == (wanted if wanted in steps else None)
        assert set(tried) <= set(steps)


def test_the_busiest_point():
    rng = np.random.default_rng(1)
    for n in (1, 63, 64, 65, 200):
        near = rng.random((n, n)) < 0.3
        words = np.array([bits_of(row) for row in near])
        assert np.array_equal(unpacked(words, n), near)
        most = near.sum(axis=1)
        inside = np.ones(n, dtype=bool)
        while inside.any():
            order = rng.permutation(n)
            counts = (near & inside).sum(axis=1)
            point = busiest(words, bits_of(inside), most, order)
            among = [p for p in order if inside[p]]
            assert point == max(among, key=lambda p: counts[p])
            assert (most >= counts).all()
            inside[point] = False
            inside &= rng.random(n) < 0.8
        assert busiest(words, bits_of(inside), most, np.arange(n)) == -1
