import random
from itertools import combinations

import numpy as np

from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.r_gather.covering import covered


def random_balls(rng, n, count):
    inside = (rng.sample(range(n), rng.randint(1, n // 2)) for _ in range(count))
    return Balls.of_all([np.array(sorted(some)) for some in inside])


def least_cover(balls, n):
    sets = [set(balls.of(c).tolist()) for c in range(len(balls))]
    for k in range(1, len(balls) + 1):
        if any(len(set().union(*some)) == n for some in combinations(sets, k)):
            return k
    return n + 7  # there is none


def test_covers_are_found_where_there_are_some():
    rng = random.Random(0)
    found = refused = 0
    for seed in range(300):
        n, count = rng.randint(2, 14), rng.randint(1, 9)
        balls, most = random_balls(rng, n, count), rng.randint(1, 6)
        opened = np.arange(rng.randint(0, min(most, count)), dtype=np.int64)
        numbers = np.random.default_rng(seed)
        chosen = covered(balls, opened, n, most, 2_000, numbers, Budget.of())
        possible = least_cover(balls, n) <= most
        assert (chosen is not None) == possible
        found += possible
        refused += not possible
        if chosen is not None:
            assert len(np.unique(chosen)) == len(chosen) <= most
            assert len(np.unique(balls.chosen(chosen).points)) == n
    assert found > 30
    assert refused > 30


def test_no_rounds_cover_only_what_was_covered():
    balls = Balls.of_all([np.array([0, 1]), np.array([1, 2])])
    numbers = np.random.default_rng(0)
    for opened, answer in (([0, 1], [0, 1]), ([0], None), ([], None)):
        first = np.array(opened, dtype=np.int64)
        chosen = covered(balls, first, 3, 2, 0, numbers, Budget.of())
        assert (None if chosen is None else chosen.tolist()) == answer


def test_the_weights_lead_out_of_local_optima():
    # Eight disjoint balls hold all points, among others with one more: without weights
    # 11 of these 20 covers are found.
    found = 0
    for seed in range(20):
        numbers = np.random.default_rng(seed)
        hidden = numbers.permutation(48).reshape(8, 6)
        others = [numbers.choice(48, 7, replace=False) for _ in range(100)]
        balls = Balls.of_all([np.sort(each) for each in (*others, *hidden)])
        most = (48, 8, 10_000)
        found += covered(balls, np.arange(8), *most, numbers, Budget.of()) is not None
    assert found > 13
