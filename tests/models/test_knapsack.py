import random
from itertools import product

import numpy as np
import pytest

from atleastk.models.knapsack import Shelf, suffix_sums


def draw(seed, top=12):
    rng = random.Random(seed)
    kinds = rng.randint(1, 5)
    sizes = tuple(rng.randint(1, top) for _ in range(kinds))
    demand = tuple(rng.randint(1, 3) for _ in range(kinds))
    low = rng.randint(0, 2 * top)
    shelf = Shelf(sizes, demand, low, low + rng.randint(0, top))
    return shelf, [rng.randint(-9, 9) for _ in range(kinds)]


def enumerated(shelf):
    for counts in product(*(range(d + 1) for d in shelf.demand)):
        level = sum(c * s for c, s in zip(counts, shelf.sizes, strict=True))
        if shelf.low <= level <= shelf.high:
            yield counts, level


def value(kinds, weights):
    return sum(weights[kind] for kind in kinds)


def assert_admissible(shelf, kinds):
    assert all(kinds.count(kind) <= d for kind, d in enumerate(shelf.demand))
    assert shelf.low <= sum(shelf.sizes[kind] for kind in kinds) <= shelf.high


@pytest.mark.parametrize("seed", range(300))
def test_all_algorithms_reach_the_enumerated_maximum(seed):
    shelf, weights = draw(seed)
    values = [np.dot(counts, weights) for counts, _ in enumerated(shelf)]
    for kinds in (
        shelf.by_levels(weights),
        shelf.by_halves(weights),
        shelf.by_listing(weights, lambda levels: 0 * levels, 0),
    ):
        if not values:
            assert kinds is None
            continue
        assert_admissible(shelf, kinds)
        assert value(kinds, weights) == max(values)


@pytest.mark.parametrize("seed", range(100))
def test_penalties_of_levels_are_subtracted(seed):
    shelf, weights = draw(seed)
    penalties = np.arange(shelf.low, shelf.high + 1, dtype=np.int64) ** 2
    values = [np.dot(counts, weights) - level**2 for counts, level in enumerated(shelf)]
    for kinds in (
        shelf.by_levels(weights, penalties),
        shelf.by_listing(weights, lambda levels: levels * levels, 2**62),
    ):
        if not values:
            assert kinds is None
            continue
        level = sum(shelf.sizes[kind] for kind in kinds)
        assert value(kinds, weights) - level**2 == max(values)


@pytest.mark.parametrize("seed", range(60))
def test_halves_agree_with_levels_scaled_to_huge_sizes(seed):
    shelf, weights = draw(seed)
    factor = 10**13 + 37
    huge = Shelf(
        tuple(factor * size for size in shelf.sizes),
        shelf.demand,
        factor * shelf.low,
        factor * shelf.high + factor - 1,
    )
    small, large = shelf.by_levels(weights), huge.by_halves(weights)
    assert (small is None) == (large is None)
    if small is not None and large is not None:
        assert value(small, weights) == value(large, weights)
    assert not huge.levels_fit


@pytest.mark.parametrize("seed", range(100))
def test_suffix_sums_are_the_enumerated_levels(seed):
    shelf, _ = draw(seed)
    sums = suffix_sums(shelf, 10**6)
    for start in range(len(shelf.sizes) + 1):
        rest = Shelf(shelf.sizes[start:], shelf.demand[start:], 0, shelf.high)
        reached = sorted({level for _, level in enumerated(rest)})
        assert sums[start].tolist() == reached


def test_suffix_sums_give_up_beyond_their_limit():
    shelf = Shelf((8, 4, 2, 1), (1, 1, 1, 1), 0, 15)
    unknown = [sums is None for sums in suffix_sums(shelf, 4)]
    assert unknown == [True] * 2 + [False] * 3
