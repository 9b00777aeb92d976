import threading
from dataclasses import replace

import numpy as np
import pytest
from costs import assigned_cost
from drawing import random_table

from atleastk import KAnonymity
from atleastk.instances.records import Records
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.k_anonymity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables import annealing
from atleastk.solvers.tables.annealing import improve
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.direct import direct
from atleastk.solvers.tables.listed_table import ListedTable
from tests.helpers.listed import is_partition


def improved(instance, budget=None, **named):
    patterns = closed_patterns(instance.records, instance.k)
    table = ListedTable(patterns, instance.records, instance.k)
    groups = np.empty(instance.n, dtype=np.int64)
    groups[instance.records.rows] = direct(table)
    named.setdefault("start", Assignment.of_rows(instance.records, groups))
    budget = budget or Budget()
    return improve(table, budget, **named)


def test_most_tiny_tables_are_solved():
    hits = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        k, n = int(rng.integers(2, 5)), int(rng.integers(5, 9))
        instance = KAnonymity(random_table(seed, n, 4, int(rng.integers(2, 4))), k)
        least, _ = optimum(instance)
        cost = assigned_cost(instance, improved(instance))
        assert cost >= least
        hits += cost == least
    assert hits >= 19


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_all_that_is_reported_is_a_solution(workers):
    instance = KAnonymity(random_table(1, 300, 5, 4), 4)
    reported = []
    budget = Budget.of(seconds=None, workers=workers)
    best = improved(instance, budget, on_better=reported.append, effort=40)
    costs = [assigned_cost(instance, assignment) for assignment in reported]
    assert len(costs) > 2
    assert costs == sorted(set(costs), reverse=True)
    assert reported[-1] is best


@pytest.mark.parametrize("seed", range(4))
def test_never_worse_than_the_start(seed):
    instance = KAnonymity(random_table(seed, 30, 4, 3), 3)
    rows = np.random.default_rng(seed).permutation(30).tolist()
    groups = [rows[i : i + 3] for i in range(0, 30, 3)]
    start = Assignment.of_solution(instance.records, Solution(groups))
    assert improved(instance, Budget.of(seconds=0.0), start=start) is start
    few = improved(instance, start=start, effort=1)
    assert assigned_cost(instance, few) < assigned_cost(instance, start)
    many = improved(instance, start=few)
    again = improved(instance, start=many, effort=1)
    assert assigned_cost(instance, again) <= assigned_cost(instance, many)


def test_the_same_seed_gives_the_same_answer():
    instance = KAnonymity(random_table(2, 200, 5, 4), 3)

    def entries(seed):
        best = improved(instance, Budget(seed=seed), effort=30)
        return [best.group.tolist(), best.record.tolist(), best.copies.tolist()]

    assert entries(1) == entries(1)
    assert entries(1) != entries(2)


def test_a_request_to_stop_is_heeded():
    instance = KAnonymity(random_table(3, 3000, 6, 5), 5)
    budget = Budget()
    timer = threading.Timer(0.5, budget.stop.set)
    timer.start()
    best = improved(instance, budget, effort=10**6)
    timer.join()
    assigned_cost(instance, best)


def test_a_planted_solution_is_found():
    rng = np.random.default_rng(4)
    table = np.repeat(rng.integers(0, 50, (60, 6)), 4, axis=0)
    column = np.tile(rng.integers(0, 6, 60)[:, None], 4).reshape(-1)
    table[np.arange(240), column] = 1000 + np.arange(240)
    instance = KAnonymity(rng.permutation(table).tolist(), 4)
    assert assigned_cost(instance, improved(instance, effort=100)) == 240


def test_patterns_of_few_stars_and_all_rows_suffice():
    instance = KAnonymity(random_table(6, 120, 5, 3), 4)
    records: Records = instance.records
    full = closed_patterns(records, 4)
    cheap = (full.stars <= 2) | (full.stars == full.stars.max())
    patterns = replace(full.where(cheap), reach=2)
    start = improved(instance, effort=50)
    same = improve(ListedTable(patterns, records, 4), Budget(), start=start, effort=50)
    assert assigned_cost(instance, same) <= assigned_cost(instance, start)


def test_nothing_to_pay():
    instance = KAnonymity([[1, 2]] * 7, 3)
    assert assigned_cost(instance, improved(instance)) == 0
    instance = KAnonymity([[0, 1], [1, 1], [2, 1]], 3)
    assert assigned_cost(instance, improved(instance)) == 3
    instance = KAnonymity(random_table(7, 20, 3, 3), 1)
    assert assigned_cost(instance, improved(instance)) == 0


@pytest.mark.parametrize(
    ("rows", "workers", "chains", "shares"),
    [(1000, 4, 4, 1), (100, 4, 1, 4), (150, 5, 2, 2)],
)
def test_shares_are_not_small(monkeypatch, rows, workers, chains, shares):
    """Workers that are left over have solutions of their own."""
    asked, share_out = [], annealing._shares

    def sharing(index, pattern, count, rng):
        asked.append((id(pattern), count))
        return share_out(index, pattern, count, rng)

    monkeypatch.setattr(annealing, "ROWS_OF_A_SHARE", rows)
    monkeypatch.setattr(annealing, "_shares", sharing)
    instance = KAnonymity(random_table(1, 400, 5, 4), 4)
    best = improved(instance, Budget(workers=workers), effort=5)
    assert is_partition(best, instance.records, 4)
    assert {count for _, count in asked} == {shares}
    assert len({name for name, _ in asked[:chains]}) == chains
    assert len(asked) % chains == 0
