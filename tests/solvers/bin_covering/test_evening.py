import random

import numpy as np

from atleastk.solvers.bin_covering.algorithms.longest_first import Placed, place
from atleastk.solvers.bin_covering.evening import evened
from atleastk.solvers.budget import Budget


def random_bins(sizes, bins, rng):
    items = np.argsort(-sizes, kind="stable")
    homes = np.array([rng.randrange(bins) for _ in sizes])
    levels = np.bincount(homes, weights=sizes[items], minlength=bins)
    return Placed(items, homes, levels.astype(np.int64))


def test_levels_stay_between_the_old_ends():
    rng = random.Random(1)
    for _ in range(200):
        high = rng.choice([1, 9, 10**6, 2**45])
        sizes = np.array([rng.randint(1, high) for _ in range(rng.randint(1, 60))])
        start = random_bins(sizes, rng.randint(1, 8), rng)
        found = evened(sizes, start, Budget())
        groups = found.bins()
        assert sorted(i for group in groups for i in group) == [*range(len(sizes))]
        assert [int(sizes[group].sum()) for group in groups] == found.levels.tolist()
        assert start.levels.min() <= found.levels.min()
        assert found.levels.max() <= start.levels.max()


def test_many_items_come_apart_by_little():
    sizes = np.random.default_rng(1).integers(1, 10**6, 3000)
    start = place(sizes.tolist(), 1000)
    assert 40 * np.ptp(evened(sizes, start, Budget()).levels) < np.ptp(start.levels)


def test_a_spent_budget_changes_nothing():
    sizes = np.arange(100, 0, -1)
    start = random_bins(sizes, 5, random.Random(3))
    found = evened(sizes, start, Budget.of(0))
    assert found.levels.sum() == sizes.sum()
    assert found.levels.max() <= start.levels.max()
