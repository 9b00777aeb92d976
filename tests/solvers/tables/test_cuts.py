import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.listed import escape_of
from atleastk.solvers.precision import SCALE
from atleastk.solvers.tables.cuts import judged, tightened
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.listed_groups import list_groups
from atleastk.solvers.tables.multipliers import relevant
from atleastk.solvers.tables.reduced_model import reduced_model
from tests.helpers.costs import least_cost
from tests.helpers.listed import listed_table


def reduced_to(records, k, limit, cap, budget):
    table = listed_table(records, k)
    known = improve(table, budget)
    left = relevant(table, known, limit)
    pool = list_groups(left, known, limit, budget, cap, 10**6)
    return known, reduced_model(left, pool, limit)


@pytest.mark.parametrize("seed", range(10))
def test_cuts_and_fixing_keep_the_optimum(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 4))
    n, m = int(rng.integers(2 * k, 13)), int(rng.integers(2, 6))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    records, budget = instance.records, Budget.of()
    optimum = least_cost(instance)
    for limit in (optimum, optimum + 1, optimum + 3):
        cap = int(rng.choice([3, 10**6]))
        _, reduced = reduced_to(records, k, limit, cap, budget)
        tight = tightened(reduced, records, limit, budget)
        assert tight.bound <= min(optimum, limit)
        assert tight.model.admits(escape_of(reduced.model))
        answer = Highs().minimise(tight.model, budget, hint=escape_of(reduced.model))
        assert answer.cost == min(optimum, limit)


def test_cuts_close_what_the_linear_program_leaves_open():
    rng = np.random.default_rng(1)
    instance = KAnonymity(rng.integers(0, 3, (30, 5)).tolist(), 2)
    records, budget = instance.records, Budget.of()
    _, reduced = reduced_to(records, 2, 40, 10**6, budget)
    tight = tightened(reduced, records, 40, budget)
    assert tight.model.rows.shape[0] > reduced.model.rows.shape[0]
    assert tight.left < reduced.model.columns
    exact = Highs().minimise(reduced.model, budget, hint=escape_of(reduced.model))
    again = Highs().minimise(tight.model, budget, hint=escape_of(reduced.model))
    assert exact.cost == again.cost
    assert again.values[-1] == exact.values[-1]


def test_without_time_nothing_is_fixed():
    instance = KAnonymity([(0, 0), (0, 1), (1, 0), (1, 1)], 2)
    _, reduced = reduced_to(instance.records, 2, 5, 10**6, Budget.of())
    same = tightened(reduced, instance.records, 5, Budget.of(0.0))
    assert same.model.upper.tolist() == reduced.model.upper.tolist()
    assert same.left == reduced.model.columns


@pytest.mark.parametrize("size", [1e3, 1e9, 1e30])
def test_duals_of_any_size_prove_no_more_than_holds(size):
    rng = np.random.default_rng(5)
    instance = KAnonymity(rng.integers(0, 3, (12, 4)).tolist(), 3)
    records, budget = instance.records, Budget.of()
    optimum = least_cost(instance)
    _, reduced = reduced_to(records, 3, optimum + 1, 10**6, budget)
    for _ in range(20):
        duals = size * rng.normal(size=reduced.model.rows.shape[0])
        _, total = judged(reduced.model, duals)
        assert total <= optimum * SCALE
