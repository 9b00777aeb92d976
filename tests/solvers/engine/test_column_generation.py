import random

import numpy as np
import pytest
from drawing import random_bins
from scipy.optimize import linprog

from atleastk import BinCovering
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.certificates.weights import proven_cost
from atleastk.models.groups import Parts
from atleastk.solvers.brute_force.bin_covering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.column_generation import scaled, solve_master


def full_lp(groups):
    columns = groups.columns(10**5)
    assert columns is not None
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
def test_sum_form_equals_the_full_lp(objective):
    for seed in range(60):
        instance = random_bins(seed, objective)
        groups = BinGroups.sums(instance)
        answer = solve_master(groups, Budget())
        value = full_lp(groups)
        assert answer.converged, seed
        assert answer.infeasible == (value is None), seed
        if value is None:
            continue
        assert answer.value == pytest.approx(value, abs=1e-5), seed
        assert answer.bound == -(-round(value * 1e4) // 10**4), seed
        assert proven_cost(groups, answer.weights, answer.scale) == answer.bound
        best = optimum(instance)
        assert best is not None
        assert answer.bound is not None
        assert answer.bound <= best[0], seed


def test_decision_form_equals_the_full_lp():
    outcomes = set()
    for seed in range(80):
        rng = random.Random(seed)
        instance = random_bins(seed, "max")
        bins = rng.randint(1, 4)
        cost = instance.k + rng.randint(0, 2 * max(instance.sizes))
        groups = BinGroups.decision(instance, bins, cost)
        answer = solve_master(groups, Budget(), feasibility=True)
        feasible = full_lp(groups) is not None
        outcomes.add(feasible)
        assert answer.converged, seed
        assert answer.infeasible != feasible, seed
        assert (answer.value is not None) == feasible, seed
        if feasible:
            covered = [
                sum(
                    share * group.items.count(kind)
                    for group, share in zip(answer.groups, answer.shares, strict=True)
                )
                for kind in range(len(groups.demand))
            ]
            assert covered == pytest.approx(groups.demand, abs=1e-5)
            assert sum(answer.shares) == pytest.approx(bins, abs=1e-5)
        else:
            assert proven_cost(groups, answer.weights, 0) is None, seed
    assert outcomes == {True, False}


def test_good_start_columns_do_not_change_the_answer():
    for seed in range(20):
        groups = BinGroups.sums(random_bins(seed, "quadratic"))
        cold = solve_master(groups, Budget())
        warm = solve_master(groups, Budget(), start=cold.groups)
        assert warm.bound == cold.bound, seed
        assert set(warm.groups) >= set(cold.groups), seed


def test_a_spent_budget_claims_nothing():
    groups = BinGroups.sums(BinCovering([5, 6, 7, 8], 9, objective="excess"))
    answer = solve_master(groups, Budget.of(0.0))
    assert not answer.converged
    assert not answer.infeasible
    assert answer.value is None
    assert answer.bound is None


def test_no_possible_number_of_groups_is_infeasible():
    groups = BinGroups.sums(BinCovering([1, 1], 9, objective="excess"))
    assert groups.parts.fewest > groups.parts.most
    answer = solve_master(groups, Budget())
    assert answer.infeasible
    assert proven_cost(groups, answer.weights, 0) is None


def test_parts_bound_the_number_of_groups():
    groups = BinGroups.sums(BinCovering([5] * 6, 5, objective="excess"))
    assert solve_master(groups, Budget()).bound == 0
    assert groups.parts == Parts(4, 6)


def test_scaled_rounds_to_the_nearest():
    assert scaled([0.26, -0.26, 1 / 3], 6) == (2, -2, 2)
