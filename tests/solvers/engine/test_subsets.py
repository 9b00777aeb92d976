import random

import numpy as np
import pytest

from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.subsets import NEVER, Priced, best_groups, sizes


def random_prices(rng, n):
    prices = [rng.choice([NEVER, rng.randint(0, 9)]) for _ in range(1 << n)]
    return np.array([NEVER, *prices[1:]], dtype=np.int64)


def cost_of(priced, groups):
    costs = [int(priced.prices[sum(1 << i for i in group)]) for group in groups]
    if NEVER in costs:
        return None
    return max(costs, default=0) if priced.greatest else sum(costs)


def judged(priced):
    found = []
    for parts in partitions(priced.n + 1):  # who is with the last item is left over
        left = next(part for part in parts if priced.n in part)
        groups = [part for part in parts if part is not left]
        few = len(groups) <= priced.most_groups
        if few and len(left) <= priced.most_left + 1:
            found.append(cost_of(priced, groups))
    return min((cost for cost in found if cost is not None), default=None)


@pytest.mark.parametrize("greatest", [False, True])
def test_the_best_is_that_of_the_judge(greatest):
    rng = random.Random(1)
    for _ in range(120):
        n = rng.randint(0, 6)
        priced = Priced(
            random_prices(rng, n),
            greatest=greatest,
            most_groups=rng.choice([1, 2, 3, n, n + 1]),
            most_left=rng.choice([0, 0, 1, 2]),
        )
        groups, best = best_groups(priced, Budget()), judged(priced)
        assert (groups is None) == (best is None)
        if groups is not None:
            items = [item for group in groups for item in group]
            assert len(set(items)) == len(items) >= n - priced.most_left
            assert len(groups) <= priced.most_groups
            assert cost_of(priced, groups) == best


def test_more_items_are_dealt_out_by_the_compiled_loop_alike():
    prices = np.where(sizes(9) <= 2, 3, NEVER)
    prices[[1 << i | 1 << (i + 1) for i in range(0, 8, 2)]] = 1
    prices[0] = NEVER
    groups = best_groups(Priced(prices, False, 9), Budget())
    assert sorted(groups) == [[0, 1], [2, 3], [4, 5], [6, 7], [8]]
    assert best_groups(Priced(prices, False, 4), Budget()) is None
    assert len(best_groups(Priced(prices, False, 4, most_left=1), Budget())) == 4


def test_prices_up_to_the_largest_number():
    prices = np.array([NEVER, NEVER - 1, NEVER, NEVER], dtype=np.int64)
    priced = Priced(prices, greatest=True, most_groups=2, most_left=1)
    assert best_groups(priced, Budget()) == [[0]]


def test_no_time_no_answer():
    prices = np.zeros(1 << 3, dtype=np.int64)
    assert best_groups(Priced(prices, True, 3), Budget.of(0)) is None
