import random

import numpy as np
import pytest
from drawing import random_bins
from scipy.optimize import linprog

from atleastk import BinCovering
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.solvers.bin_covering.weights import costing_weights, refuting_weights
from atleastk.solvers.brute_force.bin_covering import optimum
from atleastk.solvers.budget import Budget


def full_lp(groups):
    columns = groups.columns(10**5)
    if not columns:
        return None
    matrix = np.array(
        [[g.items.count(i) for g in columns] for i in range(len(groups.demand))]
    )
    ones = np.ones((1, len(columns)))
    answer = linprog(
        [group.cost for group in columns],
        A_ub=np.vstack([ones, -ones]),
        b_ub=[groups.parts.most, -groups.parts.fewest],
        A_eq=matrix,
        b_eq=groups.demand,
    )
    return answer.fun if answer.status == 0 else None


@pytest.mark.parametrize("objective", ["excess", "quadratic"])
def test_sums_are_bounded_as_by_the_full_lp(objective):
    for seed in range(60):
        instance = random_bins(seed, objective)
        groups = BinGroups.sums(instance)
        found, value = costing_weights(groups, Budget()), full_lp(groups)
        assert (found is None) == (value is None), seed
        if found is None or value is None:
            continue
        bound, weights, scale = found
        assert bound == -(-round(value * 1e4) // 10**4), seed
        assert groups.proved(weights, scale) == bound
        assert bound <= optimum(instance)[0], seed


def test_levels_are_refuted_as_by_the_full_lp():
    outcomes = set()
    for seed in range(80):
        rng = random.Random(seed)
        instance = random_bins(seed, "max")
        bins = rng.randint(1, 4)
        cost = instance.k + rng.randint(0, 2 * max(instance.sizes))
        groups = BinGroups.decision(instance, bins, cost)
        found = refuting_weights(groups, (), Budget())
        feasible = full_lp(groups) is not None
        outcomes.add(feasible)
        assert found.decided, seed
        assert (found.weights is None) == feasible, seed
        assert all(map(groups.holds, found.bins)), seed
        if found.weights is not None:
            assert groups.proved(found.weights, 0) is None, seed
    assert outcomes == {True, False}


def test_known_bins_do_not_change_the_answer():
    for seed in range(20):
        instance = random_bins(seed, "max")
        groups = BinGroups.decision(instance, 2, instance.total // 2 + 1)
        cold = refuting_weights(groups, (), Budget())
        warm = refuting_weights(groups, cold.bins, Budget())
        assert (warm.weights is None) == (cold.weights is None), seed
        assert set(warm.bins) >= set(cold.bins), seed


def test_a_spent_budget_claims_nothing():
    groups = BinGroups.sums(BinCovering([5, 6, 7, 8], 9, objective="excess"))
    assert costing_weights(groups, Budget.of(0.0)) is None
    groups = BinGroups.decision(BinCovering([3, 3, 3, 6, 6], 5), 3, 8)
    found = refuting_weights(groups, (), Budget.of(0.0))
    assert found.weights is None
    assert not found.decided


def test_no_possible_number_of_groups_is_infeasible():
    groups = BinGroups.sums(BinCovering([1, 1], 9, objective="excess"))
    assert groups.parts.fewest > groups.parts.most
    assert costing_weights(groups, Budget()) is None
    assert refuting_weights(groups, (), Budget()).weights == (0,)


def test_weights_are_short_and_exact():
    groups = BinGroups.decision(BinCovering([3, 3, 3, 6, 6], 5), 3, 8)
    weights = refuting_weights(groups, (), Budget()).weights
    assert max(map(abs, weights)) <= 12
    assert groups.proved(weights, 0) is None
    sums = BinGroups.sums(BinCovering([6, 6, 6, 7], 7, objective="excess"))
    assert costing_weights(sums, Budget())[2] <= 12
