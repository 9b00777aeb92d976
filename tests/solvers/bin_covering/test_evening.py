import random

import numpy as np
import pytest

from atleastk.instances.datasets.census_names import census_counts
from atleastk.solvers.bin_covering.algorithms.longest_first import Placed, place
from atleastk.solvers.bin_covering.evening import evened, placed_evenly
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
        assert groups.sums(sizes).tolist() == found.levels.tolist()
        assert start.levels.min() <= found.levels.min()
        assert found.levels.max() <= start.levels.max()


def test_many_items_come_apart_by_little():
    sizes = np.random.default_rng(1).integers(1, 10**6, 3000)
    start = place(sizes.tolist(), 1000)
    assert 40 * np.ptp(evened(sizes, start, Budget()).levels) < np.ptp(start.levels)


def test_of_many_equal_sizes_not_the_same_few_are_tried():
    sizes = np.random.default_rng(2).integers(1, 101, 50_000)
    bins = int(sizes.sum()) * 999 // 250_000
    found = evened(sizes, place(sizes.tolist(), bins), Budget())
    assert sorted({*found.levels.tolist()}) == [250, 251]


@pytest.mark.parametrize(("n", "times"), [(50, 1), (45_000, 40)])
def test_rows_have_all_items_and_come_near_to_each_other(n, times):
    sizes = np.random.default_rng(3).integers(1, 10**6, n)
    bins = n // 5
    found = placed_evenly(sizes, bins, Budget())
    groups = found.bins()
    assert sorted(i for group in groups for i in group) == [*range(n)]
    assert groups.sums(sizes).tolist() == found.levels.tolist()
    assert times * np.ptp(found.levels) <= np.ptp(place(sizes.tolist(), bins).levels)


def test_items_of_few_bins_are_even():
    sizes = np.random.default_rng(4).integers(1, 100, 45_000)
    assert np.ptp(placed_evenly(sizes, 2, Budget()).levels) <= 1


def test_a_spent_budget_changes_nothing():
    sizes = np.arange(100, 0, -1)
    start = random_bins(sizes, 5, random.Random(3))
    found = evened(sizes, start, Budget.of(0))
    assert found.levels.sum() == sizes.sum()
    assert found.levels.max() <= start.levels.max()


@pytest.mark.parametrize(
    ("names", "bins", "values"),
    [("female", 34, 42_342), ("male", 27, 41_709), ("last", 79, 38_790)],
)
def test_figure_7_is_proved_for_every_k(names, bins, values):
    """All k of the paper: opt(k) = ceil(S / m) for m = floor(S / k).

    One of at most m bins has a level of at least S / m. Levels that differ by one at
    most attain that, and none of them is below a k with m k <= S.
    """
    counts = census_counts(names)
    total = sum(counts)
    first, last = max(counts), total // 2
    assert (total // first, last - first + 1) == (bins, values)
    for m in range(bins, 1, -1):
        found = evened(np.array(counts), place(counts, m), Budget())
        assert np.ptp(found.levels) <= 1
