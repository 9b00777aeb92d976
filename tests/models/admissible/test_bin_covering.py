import random
from collections import Counter
from itertools import product

import pytest
from drawing import random_bins

from atleastk import BinCovering, NotApplicableError, Solution
from atleastk.models.admissible.bin_covering import BinGroups, level_cap
from atleastk.models.covering import levels, total_cost
from atleastk.models.groups import Group
from atleastk.solvers.brute_force.bin_covering import optimum, partitions


def forms(seed, factor=1):
    rng = random.Random(seed)
    instance = random_bins(seed, factor=factor)
    bins = rng.randint(1, 3)
    cost = rng.randint(instance.k, instance.k + instance.total)
    yield BinGroups.decision(instance, bins, cost)
    for objective in ("excess", "quadratic"):
        yield BinGroups.sums(random_bins(seed, objective, factor=factor))


def enumerated(groups):
    found = []
    for counts in product(*(range(d + 1) for d in groups.demand)):
        kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
        level = sum(groups.kinds.values[kind] for kind in kinds)
        if groups.levels.holds(level):
            found.append(groups.group(kinds))
    return found


@pytest.mark.parametrize("factor", [1, 10**12 + 39])
def test_oracle_reaches_the_enumerated_maximum(factor):
    for seed in range(150):
        rng = random.Random(seed)
        for groups in forms(seed, factor):
            weights = [rng.randint(-50, 50) * factor for _ in groups.demand]
            scale = rng.choice((0, 1, 7))

            def value(group, weights=weights, scale=scale):
                return sum(weights[kind] for kind in group.items) - scale * group.cost

            best = groups.best_group(weights, scale)
            every = enumerated(groups)
            if best is None:
                assert not every, seed
                continue
            assert best in every, seed
            assert value(best) == max(map(value, every)), (seed, groups.objective)
            assert groups.holds(best)


def test_columns_are_all_bins_once():
    for seed in range(150):
        for groups in forms(seed):
            every = {group.items for group in enumerated(groups)}
            columns = groups.columns(max(1, len(every)))
            assert len(columns) == len(every), seed
            assert {group.items for group in columns} == every, seed
            if every:
                assert groups.columns(len(every) - 1) is None, seed


@pytest.mark.parametrize("unit", [1, 2**64])
def test_columns_of_huge_sizes(unit):
    sizes = [unit * (10**15 + 3**i) for i in range(16)]
    instance = BinCovering(sizes, unit * 3 * 10**15)
    most = unit * (4 * 10**15 + 10**8)
    columns = BinGroups.decision(instance, 4, most).columns(10**5)
    assert Counter(len(group.items) for group in columns) == {4: 1820}


@pytest.mark.parametrize("objective", ["excess", "quadratic"])
def test_some_optimal_solution_stays_below_the_cap(objective):
    """In fact all do: a bin above the cap splits into two cheaper ones."""
    reached = 0
    for seed in range(60):
        instance = random_bins(seed, objective)
        best = optimum(instance)
        if instance.n > 7 or best is None:
            continue
        cap = level_cap(instance)
        for groups in partitions(instance.n):
            found = levels(instance, Solution.of(groups))
            if min(found) >= instance.k and total_cost(instance, found) == best[0]:
                assert max(found) <= cap, seed
                reached += max(found) == cap < instance.total
    assert reached


def test_the_cap_is_tight():
    assert level_cap(BinCovering([4, 4, 4, 4, 4, 4], 5, objective="excess")) == 12
    assert optimum(BinCovering([4, 4, 4], 5, objective="excess"))[0] == 12 - 5


def test_more_than_exact_knapsacks_can_take_is_refused():
    instance = BinCovering([10**12 + i * i for i in range(80)], 3 * 10**12)
    groups = BinGroups.decision(instance, 20, 5 * 10**12)
    assert "too many for an exact knapsack" in str(groups.refuses())
    with pytest.raises(NotApplicableError, match="exact knapsack"):
        groups.best_group([1] * 80, 0)


def test_weights_that_could_overflow_are_refused():
    groups = BinGroups.decision(BinCovering([3, 4, 5], 5), 1, 12)
    with pytest.raises(NotApplicableError, match="64 bits"):
        groups.best_group([2**61, 1, 1], 0)


def test_sum_form_needs_a_sum():
    with pytest.raises(NotApplicableError, match="excess or quadratic"):
        BinGroups.sums(BinCovering([1], 1))


def test_costs_of_groups():
    instance = BinCovering([7, 7, 2], 5, objective="quadratic")
    assert BinGroups.sums(instance).group([0, 1]) == Group((0, 1), 9 * 4)
