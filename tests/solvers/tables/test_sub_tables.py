from functools import partial

import numpy as np
import pytest
from costs import assigned_cost
from drawing import random_table

from atleastk import KAnonymity
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.k_anonymity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables import reporting
from atleastk.solvers.tables import sub_tables as reoptimisation
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.dual_ascent import improve as ascend
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import prove
from atleastk.solvers.tables.sub_tables import reoptimise

ENOUGH = 20
"""Reports after which a run is stopped."""


def poor(instance, seed=0):
    rows = np.random.default_rng(seed).permutation(instance.n)
    groups = [g.tolist() for g in np.array_split(rows, instance.n // instance.k)]
    return Assignment.of_solution(instance.records, Solution(groups))


def run(instance, start, budget=None, **named):
    records, k = instance.records, instance.k
    table = ListedTable(closed_patterns(records, k), records, k)
    multipliers = ascend(table, Budget())
    budget = budget or Budget()
    return reoptimise(table, start, multipliers, budget, **named)


def test_tiny_tables_are_solved(monkeypatch):
    monkeypatch.setattr(reoptimisation, "_OFFERED", 100.0)
    monkeypatch.setattr(reoptimisation, "_OFFERED_LATER", 100.0)
    for seed in range(15):
        rng = np.random.default_rng(seed)
        k, n = int(rng.integers(2, 5)), int(rng.integers(5, 9))
        instance = KAnonymity(random_table(seed, n, 4, int(rng.integers(2, 4))), k)
        least, _ = optimum(instance)
        assert assigned_cost(instance, run(instance, poor(instance))) == least


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("k", [2, 5])
def test_all_that_is_reported_is_a_solution(monkeypatch, workers, k):
    monkeypatch.setattr(reporting, "_PARTS", 0)
    monkeypatch.setattr(reoptimisation, "_FIRST_ROWS", 20)
    monkeypatch.setattr(reoptimisation, "_GROW", 1.0)
    monkeypatch.setattr(reoptimisation, "_WHOLE", 0)
    instance = KAnonymity(random_table(1, 300, 5, 4), k)
    start, reported = poor(instance), []
    budget = Budget(workers=workers)

    def report(assignment):
        reported.append(assignment)
        if len(reported) == ENOUGH:
            budget.stop.set()

    best = run(instance, start, budget, on_better=report)
    costs = [assigned_cost(instance, assignment) for assignment in reported]
    assert len(costs) > 2
    assert costs == sorted(set(costs), reverse=True)
    assert costs[0] < assigned_cost(instance, start)
    assert assigned_cost(instance, best) == costs[-1]


@pytest.mark.parametrize("seed", range(3))
def test_never_worse_than_the_start(seed):
    instance = KAnonymity(random_table(seed, 60, 4, 3), 3)
    start = poor(instance, seed)
    assert run(instance, start, Budget.of(seconds=0.0)) is start
    once = run(instance, start)
    assert assigned_cost(instance, once) < assigned_cost(instance, start)
    assert assigned_cost(instance, run(instance, once)) <= assigned_cost(instance, once)


def test_nothing_to_pay():
    instance = KAnonymity([[1, 2]] * 7, 3)
    start = Assignment.of_solution(instance.records, Solution([range(7)]))
    assert run(instance, start) is start


def test_a_request_to_stop_is_heeded(patiently):
    instance = KAnonymity(random_table(3, 3000, 6, 5), 5)
    records = instance.records
    table = ListedTable(closed_patterns(records, 5), records, 5)
    multipliers = prove(table, table.least_stars, 1)
    budget, start, seen = Budget(workers=2), poor(instance), []

    def stop(assignment):
        seen.append(assignment)
        budget.stop.set()

    best = patiently(
        partial(reoptimise, table, start, multipliers, budget, on_better=stop)
    )
    assert seen
    assert assigned_cost(instance, best) < assigned_cost(instance, start)
