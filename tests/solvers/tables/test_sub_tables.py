from functools import partial

import numpy as np
import pytest
from costs import assigned_cost
from drawing import random_table

from atleastk import KAnonymity, Suppression
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.k_anonymity import optimum
from atleastk.solvers.brute_force.suppression import optimum as fullest_optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables import reporting
from atleastk.solvers.tables import sub_tables as reoptimisation
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.direct import direct
from atleastk.solvers.tables.dual_ascent import improve as ascend
from atleastk.solvers.tables.multipliers import prove
from atleastk.solvers.tables.sub_tables import Occupancy, reoptimise
from tests.helpers.listed import is_partition, listed_table

ENOUGH = 20
"""Reports, or sub-tables, after which a run is stopped."""


def poor(instance, seed=0):
    rows = np.random.default_rng(seed).permutation(instance.n)
    groups = [g.tolist() for g in np.array_split(rows, instance.n // instance.k)]
    return Assignment.of_solution(instance.records, Solution(groups))


def one_group(records):
    return Assignment.of_solution(records, Solution([range(records.n)]))


def run(instance, start, budget=None, **named):
    records, k = instance.records, instance.k
    table = listed_table(records, k)
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


def test_the_fullest_column_of_tiny_tables_is_lowered_to_the_optimum(monkeypatch):
    """One sub-table is the whole, and all pairs are offered."""
    monkeypatch.setattr(reoptimisation, "_OFFERED_FULLEST", 100.0)
    for seed in range(8):
        rows = random_table(seed, 7, 2, 3)
        records = KAnonymity(rows, 2).records
        best = run(KAnonymity(rows, 2), one_group(records), fullest=True)
        least = fullest_optimum(Suppression(rows, 2, minimise="per_column"))
        assert best.stars(records).max() == least


@pytest.mark.parametrize("seed", range(3))
def test_sub_tables_count_the_stars_outside(seed, monkeypatch):
    """So what is reported falls by all that they save, or more if rows agree."""
    monkeypatch.setattr(reporting, "_PARTS", 0)
    monkeypatch.setattr(reoptimisation, "_FIRST_ROWS", 25)
    monkeypatch.setattr(reoptimisation, "_GROW", 1.0)
    arranged, found, budget = reoptimisation._rearranged, [], Budget()

    def told(table, occupancy, **options):
        found.append(arranged(table, occupancy, **options))
        if len(found) == ENOUGH:
            budget.stop.set()
        return found[-1]

    monkeypatch.setattr(reoptimisation, "_rearranged", told)
    instance = KAnonymity(random_table(seed, 90, 4, 4), 3)
    records, start, reported = instance.records, poor(instance, seed), []
    run(instance, start, budget, on_better=reported.append, fullest=True)
    assert all(is_partition(each, records, 3) for each in reported)
    stars = [each.stars(records) for each in (start, *reported)]
    costs = [int(4 * each.max() + each.sum()) for each in stars]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[0] - costs[-1] >= sum(each.saved for each in found)
    assert stars[-1].max() < stars[0].max()


def test_nothing_to_pay():
    instance = KAnonymity([[1, 2]] * 7, 3)
    start = one_group(instance.records)
    assert run(instance, start) is start


def test_a_request_to_stop_is_heeded(patiently):
    instance = KAnonymity(random_table(3, 3000, 6, 5), 5)
    records = instance.records
    table = listed_table(records, 5)
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


def covered(table):
    """Return the cover of APPROX-DR."""
    groups = np.empty(table.records.n, dtype=np.int64)
    groups[table.records.rows] = direct(table)
    return Assignment.of_rows(table.records, groups)


def occupancy_of(seed, n=200, k=4, columns=5):
    rng = np.random.default_rng(seed)
    instance = KAnonymity(rng.integers(0, 4, (n, columns)).tolist(), k)
    table = listed_table(instance.records, k)
    nothing = prove(table, np.zeros(instance.records.distinct, dtype=np.int64), 1)
    found = Occupancy(table, covered(table), nothing, 100.0)
    assert found.held.sum() == n
    return found


@pytest.mark.parametrize("seed", range(20))
def test_sub_tables_are_apart_and_can_go_back(seed):
    large = {"n": 800, "columns": 3} if seed % 2 else {}
    occupancy, rng = occupancy_of(seed, **large), np.random.default_rng(seed)
    records, size = occupancy.records, occupancy.size
    for _ in range(5):
        taken = occupancy.take(30, 3, rng)
        assert all(table.copies.sum() >= 30 for table in taken)
        assert not ((occupancy.size > 0) & (occupancy.size < 4)).any()
        for table in taken:
            # Its rows, its pairs, and patterns that are not in use.
            record = occupancy.patterns.records
            some, place = np.unique(record[table.pair], return_inverse=True)
            assert (
                table.records.copies.tolist()
                == np.bincount(place, table.copies).tolist()
            )
            assert np.array_equal(some[table.patterns.records], record[table.option])
            assert (occupancy.size[occupancy.pattern[table.option]] < 4).all()
            stars = occupancy.patterns.stars[occupancy.pattern[table.option]]
            assert np.array_equal(table.patterns.stars[table.patterns.pattern], stars)
            refuge = table.refuge[table.refuge >= 0]
            assert (occupancy.size[occupancy.pattern[refuge]] >= 4).all()
            assert np.array_equal(record[refuge], some[table.refuge >= 0])
            # Alone it can go back: to what is open, or as k rows.
            own = np.bincount(
                occupancy.pattern[table.pair], table.copies, minlength=len(size)
            )
            assert (occupancy.size + own)[own > 0].min() >= 4
        for table in taken:
            if (table.refuge >= 0).all() and rng.random() < 0.5:
                occupancy.put(table.refuge, table.records.copies)
            else:
                occupancy.put(table.pair, table.copies)
        assert is_partition(occupancy.assignment(), records, 4)
        sizes = np.bincount(occupancy.pattern, occupancy.held, len(size))
        assert np.array_equal(sizes, occupancy.size)


def test_all_rows_can_be_taken():
    occupancy = occupancy_of(1)
    (table,) = occupancy.take(10**6, 3, np.random.default_rng(0))
    assert table.copies.sum() == occupancy.records.n
    assert not occupancy.size.any()
    assert (table.refuge < 0).all()


def test_sub_tables_begin_where_rows_pay_more_than_their_weights():
    """One group of ten is mixed; all others agree, as their weights say."""
    rows = [[x, y] for x in range(10) for y in (x, x, x)]
    records = KAnonymity([*rows, [0, 20], [1, 21], [2, 22]], 3).records
    table, mixed = listed_table(records, 3), records.copies == 1
    known = prove(table, mixed.astype(np.int64), 1)
    occupancy = Occupancy(table, covered(table), known, 100.0)
    for seed in range(20):
        (taken,) = occupancy.take(3, 1, np.random.default_rng(seed))
        assert mixed[occupancy.patterns.records[taken.pair]].any()
        occupancy.put(taken.pair, taken.copies)


@pytest.mark.parametrize(
    ("n", "workers", "seconds", "first"),
    [
        (400, 5, 0.0, [(150, 1), (195, 1), (253, 1)]),
        (400, 1, 1.0, [(150, 1), (112, 1), (84, 1)]),
        (1000, 5, 1.0, [(150, 3)]),
        (2000, 5, 1.0, [(150, 5)]),
    ],
)
def test_sub_tables_shrink_if_they_take_long(
    clock, monkeypatch, n, workers, seconds, first
):
    """Side by side they are of half of the rows at most."""
    asked, take, budget = [], Occupancy.take, Budget.of(5.0, workers)

    def asking(self, rows, tables, rng):
        asked.append((rows, tables))
        return take(self, rows, tables, rng)

    def rearranged(table, **_):
        clock.put_forward(seconds)
        if len(asked) == len(first):
            budget.stop.set()
        return reoptimisation.Found(table.pair, table.copies, 1, True, seconds)

    monkeypatch.setattr(Occupancy, "take", asking)
    monkeypatch.setattr(reoptimisation, "_rearranged", rearranged)
    instance = KAnonymity(random_table(1, n, 5, 4), 4)
    run(instance, poor(instance), budget)
    assert asked == first
