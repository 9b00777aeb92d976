import pytest
from drawing import random_bins

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import (
    attainable,
    counting_cost,
    least_level,
    most_bins,
    possible_bins,
    reach_bound,
    window,
)
from atleastk.solvers.brute_force.bin_covering import optimum, partitions

OBJECTIVES = ("max", "excess", "quadratic")


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_counting_and_divisibility_never_exceed_the_optimum(objective):
    tight = 0
    for seed in range(150):
        instance = random_bins(seed, objective, most=7)
        best, counted = optimum(instance), counting_cost(instance)
        assert (best is None) == (counted is None) == (most_bins(instance) == 0), seed
        if best is None or counted is None:
            continue
        assert counted <= best[0], seed
        assert attainable(instance, best[0]) == best[0], seed
        assert attainable(instance, counted) <= best[0], seed
        tight += counted == best[0]
    assert tight > 20


def test_reach_is_the_greatest_least_level_of_an_item():
    for seed in range(150):
        instance = random_bins(seed, most=7)
        found = reach_bound(instance)
        if instance.total < instance.k:
            assert found is None
            continue
        levels = [least_level(instance, item) for item in range(instance.n)]
        assert found[0] == max(levels) == levels[found[1]], seed
        assert found[0] <= optimum(instance)[0], seed


def test_least_level_is_that_of_enumerated_bins():
    for seed in range(80):
        instance = random_bins(seed, most=7)
        for item in range(instance.n):
            size, *others = instance.sizes[item:] + instance.sizes[:item]
            levels = {size}
            for other in others:
                levels |= {level + other for level in levels}
            least = min((x for x in levels if x >= instance.k), default=None)
            assert least_level(instance, item) == least, seed


@pytest.mark.parametrize("sizes", [[10**12 + i for i in range(30)], [2**31] * 5])
def test_reach_refuses_work_beyond_its_bound(sizes):
    """Five sizes of 2^31 take integers of half a gigabyte."""
    instance = BinCovering(sizes, 2 * sizes[0] - 1)
    assert reach_bound(instance) is None
    assert least_level(instance, 0) is None


def test_possible_bins_and_windows_hold_all_solutions():
    for seed in range(60):
        instance = random_bins(seed, most=7)
        for groups in partitions(instance.n):
            levels = [sum(instance.sizes[item] for item in group) for group in groups]
            if min(levels) < instance.k:
                continue
            for cost in (max(levels), max(levels) + 2):
                assert len(levels) in possible_bins(instance, cost), seed
                asked = window(instance, len(levels), cost)
                assert all(map(asked.holds, levels)), seed
