import random

import pytest

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.datasets.census_names import census_counts
from atleastk.solvers.bin_covering.algorithms.catalogue import ordered
from atleastk.solvers.bin_covering.algorithms.greedy_bins import Leftovers, costs_over_k
from atleastk.solvers.bin_covering.balanced import balanced_partition, optima_for_all_k
from atleastk.solvers.brute_force.bin_covering import optimum, partitions


def exists_balanced(sizes, m):
    total = sum(sizes)
    allowed = {total // m, -(-total // m)}
    return any(
        len(groups) == m and {sum(sizes[i] for i in g) for g in groups} <= allowed
        for groups in partitions(len(sizes))
    )


def test_partitions_are_balanced_and_never_invented():
    rng = random.Random(1)
    found = existing = 0
    for _ in range(400):
        sizes = [rng.randint(1, rng.choice([3, 9])) for _ in range(rng.randint(1, 7))]
        m = rng.randint(1, 4)
        groups = balanced_partition(sizes, m)
        possible = m <= len(sizes) and exists_balanced(sizes, m)
        existing += possible
        if groups is not None:
            levels = [sum(sizes[i] for i in group) for group in groups]
            assert sorted(i for g in groups for i in g) == list(range(len(sizes)))
            assert max(levels) - min(levels) <= 1, (sizes, m)
            found += possible
    assert found > 0.9 * existing > 50


def test_swaps_repair_largest_first():
    assert balanced_partition([5, 5, 4, 4, 3, 3, 3], 2) is not None
    assert balanced_partition([3, 3, 2, 2, 2], 2) is not None  # largest first: 7 and 5
    huge = [size * 2**70 for size in (3, 3, 2, 2, 2)]
    assert balanced_partition(huge, 2) is not None


def test_optima_are_those_of_brute_force():
    rng = random.Random(2)
    for _ in range(60):
        sizes = [rng.randint(1, 6) for _ in range(rng.randint(1, 6))]
        ranges = optima_for_all_k(sizes, 1, sum(sizes))
        assert (ranges[0].first_k, ranges[-1].last_k) == (1, sum(sizes))
        for solved in ranges:
            for k in range(solved.first_k, solved.last_k + 1):
                best = optimum(BinCovering(sizes, k))[0]
                assert best >= solved.bound, (sizes, k)
                assert solved.cost in (None, best), (sizes, k)


@pytest.mark.parametrize(
    ("names", "bins", "values"),
    [("female", 34, 42_342), ("male", 27, 41_709), ("last", 79, 38_790)],
)
def test_figure_7_is_proved_for_every_k(names, bins, values):
    """All k of the paper: opt(k) = ceil(S / floor(S / k)); no algorithm is below."""
    counts = census_counts(names)
    total = sum(counts)
    first, last = max(counts), total // 2
    ranges = optima_for_all_k(counts, first, last)
    assert [solved.bins for solved in ranges] == list(range(bins, 1, -1))
    assert last - first + 1 == values
    assert all(solved.cost == -(-total // solved.bins) for solved in ranges)
    thinned = range(first, last + 1, 199)
    optimal = [-(-total // (total // k)) for k in thinned]
    costs = {}
    for order in ("random", "decreasing", "increasing"):
        items = [counts[i] for i in ordered(counts, order, 1)]
        for leftovers in Leftovers:
            found = costs_over_k(items, thinned, leftovers)
            costs[order, leftovers] = found
            assert all(c >= o for c, o in zip(found, optimal, strict=True))
    fold = costs["decreasing", Leftovers.FOLD_LEAST]
    spread = costs["decreasing", Leftovers.SPREAD]
    assert all(s <= f for s, f in zip(spread, fold, strict=True))
    assert max(c / k for c, k in zip(fold, thinned, strict=True)) < 2.01
