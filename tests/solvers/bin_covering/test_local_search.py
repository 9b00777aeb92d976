import random

import pytest

from atleastk.instances.generators.bin_covering import three_partition_yes
from atleastk.models.windows import Window
from atleastk.solvers.bin_covering.local_search import fill_window, rearrange
from atleastk.solvers.budget import Budget


def levels_of(sizes, groups):
    return [sum(sizes[i] for i in group) for group in groups]


def lack_of(levels, low, high):
    return sum(max(0, low - level, level - high) for level in levels)


def filled(sizes, window, budget=None, rounds=40, seed=0):
    budget = Budget() if budget is None else budget
    return fill_window(sizes, window, budget, rounds=rounds, seed=seed)


def random_task(rng):
    n = rng.randint(1, 40)
    high_size = rng.choice([1, 9, 1000, 2**40, 2**56])
    sizes = [rng.randint(1, high_size) for _ in range(n)]
    bins = rng.randint(1, min(n, 8))
    mean, slack = sum(sizes) // bins, rng.choice([0, 1, high_size])
    return sizes, bins, max(0, mean - slack), mean + slack


def test_the_lack_is_that_of_the_bins():
    rng = random.Random(1)
    closed = 0
    for _ in range(300):
        sizes, bins, low, high = task = random_task(rng)
        rounds = rng.choice([0, 1, 40])
        seed = rng.randrange(99)
        found = filled(sizes, Window(bins, low, high), rounds=rounds, seed=seed)
        groups, lack = found.bins(), found.lack
        assert len(groups) == bins, task
        assert sorted(i for group in groups for i in group) == [*range(len(sizes))]
        assert lack == lack_of(levels_of(sizes, groups), low, high), task
        closed += lack == 0
    assert closed > 100


def test_splitting_hits_levels_to_the_unit():
    rng = random.Random(5)
    sizes = [rng.randint(1, 10**5) for _ in range(80)]
    mean, rest = divmod(sum(sizes), 4)
    found = filled(sizes, Window(4, mean, mean + (rest > 0)), rounds=100)
    assert found.lack == 0
    assert max(levels_of(sizes, found.bins())) <= mean + 1


def test_refused_are_too_many_bins_and_too_large_numbers():
    assert filled([1, 1], Window(3, 0, 2)) is None
    assert filled([2**61, 2**61], Window(2, 1, 2**61)) is None
    assert filled([2**61, 2**61 - 1], Window(2, 1, 2**61)) is not None


def test_the_same_seed_fills_the_same():
    rng = random.Random(6)
    sizes = [rng.randint(10**5, 10**6) for _ in range(60)]
    asked = Window(9, sum(sizes) // 9, sum(sizes) // 9)
    first, *others = (filled(sizes, asked, seed=seed).bins() for seed in (3, 3, 1, 2))
    assert first == others[0]
    assert len(set(map(str, others))) > 1


def test_a_spent_budget_still_gives_a_partition():
    sizes = list(range(1, 41))
    found = filled(sizes, Window(7, 118, 118), Budget.of(0), rounds=10**3)
    groups, lack = found.bins(), found.lack
    assert sorted(i for group in groups for i in group) == [*range(40)]
    assert lack == lack_of(levels_of(sizes, groups), 118, 118)


@pytest.mark.usefixtures("_measured_by_work")
def test_what_is_rearranged_lies_in_the_window():
    rng = random.Random(7)
    found = 0
    for _ in range(30):
        n, bins = rng.randint(6, 30), rng.randint(2, 5)
        unit = rng.choice([1, 2**70])
        sizes = [unit * rng.randint(1, 50) for _ in range(n)]
        homes = [rng.randrange(bins) for _ in range(n)]
        start = [[i for i in range(n) if homes[i] == b] for b in range(bins)]
        mean = sum(sizes) // bins
        low, high = mean - 2 * unit, mean + 2 * unit
        before = [list(group) for group in start]
        groups = rearrange(
            sizes, start, Window(bins, low, high), Budget.of(0.1), seed=1
        )
        assert start == before
        if groups is not None:
            found += 1
            assert len(groups) == bins
            assert sorted(i for group in groups for i in group) == [*range(n)]
            assert lack_of(levels_of(sizes, groups), low, high) == 0
    assert found > 10


def test_rearranging_is_deterministic():
    instance = three_partition_yes(2, groups=15, target=1000)
    start = [list(range(3 * g, 3 * g + 3)) for g in range(15)]

    def rearranged():
        return rearrange(instance.sizes, start, Window(15, 985, 1015), Budget(), seed=2)

    first = rearranged()
    assert first is not None
    assert lack_of(levels_of(instance.sizes, first), 985, 1015) == 0
    assert rearranged() == first


@pytest.mark.parametrize("seconds", [0, None])
def test_rearranging_the_impossible_ends(seconds):
    assert (
        rearrange([5, 5, 5], [[0, 1], [2]], Window(2, 7, 8), Budget.of(seconds)) is None
    )
