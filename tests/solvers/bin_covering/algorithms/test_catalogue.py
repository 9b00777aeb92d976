"""The algorithms of [Du09]: feasible always, within their promises, as bad as tight."""

import random

import pytest
from costs import cost_by

import atleastk
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.generators.bin_covering import (
    tight_spread,
)
from atleastk.solvers.bin_covering.algorithms.catalogue import ALGORITHMS, THEOREM_7
from atleastk.solvers.brute_force.bin_covering import optimum


def random_instance(rng, objective="max"):
    k = rng.randint(1, 14)
    high = rng.choice([max(1, k // 2), k, k + 2, 3 * k])
    sizes = [rng.randint(1, high) for _ in range(rng.randint(1, 6))]
    return BinCovering(sizes, k, objective)


def test_promises_hold_against_brute_force():
    rng = random.Random(1)
    solved = 0
    for _ in range(500):
        instance = random_instance(rng)
        best = optimum(instance)
        if best is None:
            continue
        solved += 1
        for algorithm in ALGORITHMS:
            assert algorithm.refuses(instance) is None
            reached = cost_by(algorithm.name, instance, solved)
            shown = (algorithm.name, instance.to_dict(), reached, best)
            assert reached >= best[0], shown
            promise = algorithm.guarantee or THEOREM_7
            assert promise.holds(instance, reached, best[0]), shown
    assert solved > 300


def test_every_magnitude_gives_the_same_groups():
    rng = random.Random(3)
    for _ in range(150):
        instance = random_instance(rng)
        scaled = BinCovering([x * 2**70 for x in instance.sizes], instance.k * 2**70)
        for algorithm in ALGORITHMS:
            assert algorithm.run(instance, 5) == algorithm.run(scaled, 5), instance


@pytest.mark.parametrize("k", [8, 20, 100, 1000])
def test_spread_in_decreasing_order_reaches_five_halves(k):
    """Decreasing Spread costs 5/2 k - 1 where the optimum is k."""
    assert 2 * cost_by("spread-decreasing", tight_spread(0, k)) == 5 * k - 2


def test_spread_in_decreasing_order_exceeds_five_halves():
    """259 against 101, and 2608 against 1008: the worst known."""
    sizes = [98] * 3 + [71, 50] + [49] * 3 + [10] * 3 + [3] * 3 + [1] * 3
    instance = BinCovering(sizes, 100)
    result = atleastk.solve(instance, workers=1)
    assert (cost_by("spread-decreasing", instance), result.cost) == (259, 101)
    finer = [889, 1, 500, 6, 113, 492, 497, 154, 14, 10, 9, 1, 719, 15, 1, 994, 983]
    instance = BinCovering([*finer, 9, 17, 122, 3, 1, 2, 495], 1000)
    result = atleastk.solve(instance, workers=1)
    assert (cost_by("spread-decreasing", instance), result.cost) == (2608, 1008)
