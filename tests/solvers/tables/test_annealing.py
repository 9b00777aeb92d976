"""Annealed neighbourhoods: solutions, never worse than the start, often optimal."""

import threading

import numpy as np
import pytest
from drawing import random_table

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.models.k_anonymity import check
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.brute_force.k_anonymity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.annealing import improve
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns


def improved(instance, budget=None, **named):
    patterns = closed_patterns(instance.records, instance.k)
    budget = budget or Budget()
    return improve(patterns, instance.records, instance.k, budget, **named)


def cost_of(instance, assignment):
    """Return the checker's cost of an assignment that must be a solution."""
    verdict = check(instance, Solution.of(assignment.rows(instance.records)))
    assert verdict.feasible, verdict
    assert verdict.cost == assignment.cost(instance.records)
    return verdict.cost


def test_most_tiny_tables_are_solved():
    """The cost is never below the optimum, and optimal on at least 38 of 40 tables."""
    hits = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        k, n = int(rng.integers(2, 5)), int(rng.integers(5, 9))
        instance = KAnonymity(random_table(seed, n, 4, int(rng.integers(2, 4))), k)
        least, _ = optimum(instance)
        cost = cost_of(instance, improved(instance))
        assert cost >= least
        hits += cost == least
    assert hits >= 38


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_all_that_is_reported_is_a_solution(workers):
    """Costs fall from report to report; the last is the answer."""
    instance = KAnonymity(random_table(1, 300, 5, 4), 4)
    reported = []
    budget = Budget.of(seconds=None, workers=workers)
    best = improved(instance, budget, on_better=reported.append, effort=40)
    costs = [cost_of(instance, assignment) for assignment in reported]
    assert len(costs) > 2
    assert costs == sorted(set(costs), reverse=True)
    assert reported[-1] is best


@pytest.mark.parametrize("seed", range(8))
def test_never_worse_than_the_start(seed):
    """The start is returned without time, and if it is optimal."""
    instance = KAnonymity(random_table(seed, 30, 4, 3), 3)
    rows = np.random.default_rng(seed).permutation(30).tolist()
    groups = [rows[i : i + 3] for i in range(0, 30, 3)]
    start = Assignment.of_groups(instance.records, groups)
    nothing = improved(instance, Budget.of(seconds=0.0), start=start)
    assert nothing is start
    few = improved(instance, start=start, effort=1)
    assert cost_of(instance, few) < cost_of(instance, start)
    many = improved(instance, start=few)
    again = improved(instance, start=many, effort=1)
    assert cost_of(instance, again) <= cost_of(instance, many)


def test_the_same_seed_gives_the_same_answer():
    """One worker and no deadline: same seed, same answer; other seeds differ."""
    instance = KAnonymity(random_table(2, 200, 5, 4), 3)

    def entries(seed):
        best = improved(instance, Budget(seed=seed), effort=30)
        return [best.group.tolist(), best.record.tolist(), best.copies.tolist()]

    assert entries(1) == entries(1)
    assert entries(1) != entries(2)


def test_a_request_to_stop_is_heeded():
    """A stopped run returns a solution at once."""
    instance = KAnonymity(random_table(3, 3000, 6, 5), 5)
    budget = Budget()
    timer = threading.Timer(0.5, budget.stop.set)
    timer.start()
    best = improved(instance, budget, effort=10**6)
    timer.join()
    cost_of(instance, best)


def test_a_planted_solution_is_found():
    """Sixty groups of four equal rows, each with one cell changed at random."""
    rng = np.random.default_rng(4)
    table = np.repeat(rng.integers(0, 50, (60, 6)), 4, axis=0)
    column = np.tile(rng.integers(0, 6, 60)[:, None], 4).reshape(-1)
    table[np.arange(240), column] = 1000 + np.arange(240)
    instance = KAnonymity(rng.permutation(table).tolist(), 4)
    assert cost_of(instance, improved(instance, effort=100)) == 240


def test_patterns_of_few_stars_and_all_rows_suffice():
    """A truncated list gives solutions from any start."""
    instance = KAnonymity(random_table(6, 120, 5, 3), 4)
    records: Records = instance.records
    full = closed_patterns(records, 4)
    cheap = np.flatnonzero((full.stars <= 2) | (full.stars == full.stars.max()))
    members = [full.matching(p) for p in cheap]
    patterns = Patterns(
        stars=full.stars[cheap],
        kept=full.kept[cheap],
        support=full.support[cheap],
        starts=np.concatenate(([0], np.cumsum([len(m) for m in members]))),
        records=np.concatenate(members),
        reach=2,
    )
    start = improved(instance, effort=50)
    best = improve(patterns, records, 4, Budget(), effort=50)
    cost_of(instance, best)
    same = improve(patterns, records, 4, Budget(), start=start, effort=50)
    assert cost_of(instance, same) <= cost_of(instance, start)


def test_nothing_to_pay():
    """Tables of equal rows, of k rows, and k = 1."""
    assert (
        cost_of(KAnonymity([[1, 2]] * 7, 3), improved(KAnonymity([[1, 2]] * 7, 3))) == 0
    )
    instance = KAnonymity([[0, 1], [1, 1], [2, 1]], 3)
    assert cost_of(instance, improved(instance)) == 3
    instance = KAnonymity(random_table(7, 20, 3, 3), 1)
    assert cost_of(instance, improved(instance)) == 0
