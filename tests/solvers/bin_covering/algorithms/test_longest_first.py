import heapq
import random

import pytest

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import check, most_bins
from atleastk.solvers.bin_covering.algorithms.longest_first import (
    PLAIN,
    gallop,
    longest_first,
    place,
)


def levels_by_the_rule(sizes, bins):
    levels = [0] * bins
    for size in sorted(sizes, reverse=True):
        heapq.heapreplace(levels, levels[0] + size)
    return sorted(levels)


@pytest.mark.parametrize("n", [1, 7, 200, PLAIN + 500])
def test_longest_first_into_the_emptiest(n):
    rng = random.Random(n)
    sizes = [rng.randint(1, rng.choice([3, 1000])) for _ in range(n)]
    for bins in {1, 2, max(1, n // 3), n}:
        placed = place(sizes, bins)
        assert sorted(placed.levels) == levels_by_the_rule(sizes, bins)
        assert place([2**70 * size for size in sizes], bins).bins() == placed.bins()
        assert sorted(i for group in placed.bins() for i in group) == [*range(n)]


def test_the_bins_reach_k_and_one_more_would_not():
    rng = random.Random(2)
    for _ in range(200):
        sizes = [rng.randint(1, 50) for _ in range(rng.randint(1, 30))]
        instance = BinCovering(sizes, rng.randint(1, sum(sizes)))
        solution = longest_first(instance)
        assert check(instance, solution).feasible
        bins = len(solution.groups)
        assert min(place(sizes, bins).levels) >= instance.k
        if bins < most_bins(instance):
            assert min(place(sizes, bins + 1).levels) < instance.k


def planted(rng):
    """Sets of k or a little more, in parts of all kinds, and their greatest level."""
    k = rng.randint(2, 60)
    levels = [k + rng.choice([0, 0, 1, k // 4]) for _ in range(rng.randint(1, 9))]
    sizes = []
    for level in levels:
        while level:
            size = min(level, rng.choice([k // 2, k // 3, 1, rng.randint(1, k)]) or 1)
            sizes.append(size)
            level -= size
    return BinCovering(sizes, k), levels


def test_at_most_twice_a_planted_level_and_as_much_on_the_tight_family():
    rng = random.Random(3)
    for _ in range(2_000):
        instance, levels = planted(rng)
        cost = check(instance, longest_first(instance)).cost
        assert cost <= 2 * max(levels), instance.sizes
    worst = BinCovering([30, 30, 20, 20, 20], 60)
    assert check(worst, longest_first(worst)).cost == 120


def test_where_bins_fail_there_are_few_sets():
    rng = random.Random(4)
    failed = 0
    for _ in range(2_000):
        instance, levels = planted(rng)
        for bins in range(1, 1 + most_bins(instance)):
            if min(place(instance.sizes, bins).levels) < instance.k:
                assert 2 * len(levels) <= 3 * bins - 2, instance.sizes
                failed += 1
    assert failed > 100


@pytest.mark.parametrize("most", [1, 2, 3, 10, 1000])
def test_galloping_finds_the_greatest_that_succeeds(most):
    for last in {0, 1, 2, most // 2, most - 1, most}:
        tried = []

        def attempt(number, last=last, tried=tried):
            tried.append(number)
            return number if number <= last else None

        assert gallop(most, attempt) == (min(last, most) or None)
        assert len(tried) == len(set(tried)) <= 2 + 2 * most.bit_length()
    assert gallop(0, lambda number: number) is None
