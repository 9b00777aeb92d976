"""The front: with truthful refutations its bound ends at the optimum."""

import random
from dataclasses import replace

import pytest

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import check, most_bins
from atleastk.solvers.bin_covering.front import Front, closed_at_once
from atleastk.solvers.brute_force.bin_covering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search


def searching(instance):
    return Search(instance, check, Budget())


def feasible_instances(sweep, seed, count):
    rng = random.Random(seed)
    while count:
        instance = sweep.random_instance(rng, 7, objectives=("max",))
        if instance.total >= instance.k:
            count -= 1
            yield rng, instance


def least_levels(profile, instance):
    """Return the least cost by number of bins, where there is one."""
    least = {}
    for bins, low, high in profile(instance.sizes):
        if low >= instance.k:
            least[bins] = min(high, least.get(bins, high))
    return least


def test_truthful_refutations_lead_to_the_optimum(sweep, profile):
    """Any order of refutations keeps the bound below the optimum, and meets it."""
    for rng, instance in feasible_instances(sweep, 1, 150):
        least, best = least_levels(profile, instance), optimum(instance)
        search = searching(instance)
        front = Front(search)
        front.publish("test")
        while not search.closed:
            opened = front.open(rng.choice([1, 2, 9]))
            assert front.bound == front.low(opened[0]) <= best[0], instance
            bins = rng.choice(opened)
            low = front.low(bins)
            level = rng.randint(low, front.cost - 1)
            if least.get(bins, level + 1) <= level:
                search.offer(best[1], "test")
                front.publish("test")
            else:
                front.refute(bins, level, "test")
                assert front.low(bins) > level, instance
        assert search.cost == search.bound == best[0], instance


def test_open_are_all_that_may_beat_the_cost(sweep):
    """Bins are listed least level first, and the first is least among all."""
    for rng, instance in feasible_instances(sweep, 2, 150):
        front = Front(searching(instance))
        everything = range(1, most_bins(instance) + 1)
        for _ in range(6):
            lows = {bins: front.low(bins) for bins in everything}
            better = [low for low in lows.values() if low < front.cost]
            opened = front.open(rng.randint(1, 4))
            listed = [lows[bins] for bins in opened]
            assert listed == sorted(listed), instance
            assert bool(listed) == bool(better), instance
            assert not listed or listed[0] == min(better), instance
            assert front.bound == min(better, default=front.cost), instance
            if not opened:
                break
            bins = rng.choice(opened)
            front.refute(bins, rng.randint(lows[bins], front.cost - 1), "test")


def test_refuting_less_than_known_changes_nothing():
    """Levels below the known one, from any side, are no news."""
    search = searching(BinCovering([4, 4, 4, 4, 4, 4], 4))
    front = Front(search)
    assert front.low(6) == 4
    front.refute(6, 5, "test")
    front.refute(6, 3, "test")
    front.note({6: 4, 5: 6}, "test")
    assert front.low(6) == 6
    assert front.low(5) == 7
    front.lift(5, "test")
    assert front.low(6) == 6
    assert front.bound == search.bound == 6
    front.lift(9, "test")
    assert front.bound == search.bound == 9


def test_a_front_begins_with_one_bin():
    """Without a solution, all items in one bin; a known solution is kept."""
    instance = BinCovering([3, 3, 3], 3)
    search = searching(instance)
    assert Front(search).cost == 9
    search = searching(instance)
    search.offer([[0], [1], [2]], "test")
    front = Front(search)
    assert front.cost == 3
    assert front.open(9) == []
    assert front.bound == 3


@pytest.mark.parametrize("objective", ["max", "excess", "quadratic"])
def test_a_total_below_k_is_infeasible(objective):
    """It closes the search with a certificate; a total of k does not."""
    instance = BinCovering([2, 3], 6, objective)
    search = searching(instance)
    assert closed_at_once(search, "test")
    assert search.closed
    assert search.certificate == {"kind": "total"}
    assert not closed_at_once(searching(replace(instance, k=5)), "test")
