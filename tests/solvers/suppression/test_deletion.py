import random
from itertools import combinations, product

import numpy as np
import pytest
from searching import search_of

from atleastk.instances.datasets.adult import adult
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import QUANTITIES
from atleastk.models.suppression import measures
from atleastk.models.tables.row_deletion import row_deletion
from atleastk.solvers.suppression.deletion import minimise_deletion, refuses

TRIALS = 1200


def solved(instance, seconds=None):
    search = search_of(instance, seconds=seconds)
    minimise_deletion(search, "deletion")
    return search


def subsets(items):
    items = list(items)
    return (c for size in range(len(items) + 1) for c in combinations(items, size))


def judged(instance):
    n, m = instance.n, instance.m
    every_row = "rows" in instance.region and subsets(range(n))
    every_column = "columns" in instance.region and subsets(range(m))
    best = None
    for rows, columns in product(every_row or [()], list(every_column or [()])):
        hidden = [[i in rows or j in columns for j in range(m)] for i in range(n)]
        if any(hidden[i][j] for i in range(n) for j in instance.intact):
            continue
        shown = [
            tuple(None if hide else cell for cell, hide in zip(*pair, strict=True))
            for pair in zip(instance.table, hidden, strict=True)
        ]
        sizes = [shown.count(row) for row in shown]
        if min(sizes, default=instance.k) < instance.k:
            continue
        found = {
            "rows": sum(len(columns) < m for _ in rows),
            "columns": len(columns),
            "entries": sum(map(sum, hidden)),
            "per_row": max(map(sum, hidden), default=0),
            "per_column": max(map(sum, zip(*hidden, strict=True)), default=0),
            "k": min(sizes, default=instance.k),
            "none": 0,
        }
        if any(found[q] > limit for q, limit in instance.limits.items()):
            continue
        sign = -1 if instance.minimise == "k" else 1
        cost = sign * found[instance.minimise]
        best = cost if best is None else min(best, cost)
    return best


def drawn(rng, rows=6, columns=4):
    n, k = rng.randint(0, rows), rng.randint(1, 4)
    m = rng.randint(0, columns) if n else 0
    values = rng.randint(1, 3)
    table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
    most = {"rows": n, "columns": m, "entries": n * m, "per_row": m, "per_column": n}
    while True:
        minimise = rng.choice([*QUANTITIES, "none", "k"])
        chosen = rng.sample(QUANTITIES, rng.randint(0, 3))
        limits = {q: rng.randint(0, most[q] + 1) for q in chosen}
        intact = rng.sample(range(m), min(m, rng.choice((0, 0, 0, 1, 2))))
        if {"rows", "columns"} & {minimise, *chosen}:
            return Suppression(
                table, k, minimise=minimise, limits=limits, deletion=True, intact=intact
            )


def test_against_all_sets_of_rows_and_columns():
    rng = random.Random(1)
    feasible = 0
    for _ in range(TRIALS):
        instance = drawn(rng)
        expected, search = judged(instance), solved(instance)
        details = instance.to_dict()
        assert search.closed, details
        assert search.infeasible == (expected is None), details
        assert search.cost == expected, details
        feasible += expected is not None
    assert TRIALS / 4 < feasible < TRIALS


def test_rows_that_are_too_few_take_others_along():
    """Rows a, b, b and k = 2: not one row has to go, as printed, but all three."""
    table = [["a"], ["b"], ["b"]]
    assert row_deletion(np.array([1, 2]), 2).tolist() == [1, 2]
    assert solved(Suppression.named("MIN-r-DEL", table, 2)).cost == 3
    assert solved(Suppression.named("r-DEL", table, 2, {"rows": 2})).infeasible
    assert row_deletion(np.array([1, 3]), 2).tolist() == [1, 1]
    assert row_deletion(np.array([1, 4, 3]), 3).tolist() == [1, 0, 3]
    assert row_deletion(np.array([1, 1]), 3) is None


@pytest.mark.parametrize("deletions", [1, 2, 3])
def test_many_columns(deletions):
    apart = random.Random(deletions).sample(range(60), deletions)
    table = [[i if j in apart else i // 4 for j in range(60)] for i in range(40)]
    search = solved(Suppression.named("MIN-c-DEL", table, 4))
    assert search.cost == search.bound == deletions
    assert search.solution.columns == tuple(sorted(apart))


def test_wide_random_tables_against_all_sets():
    rng = random.Random(5)
    for _ in range(12):
        table = [[rng.randrange(2) for _ in range(10)] for _ in range(12)]
        for variant, limits in (("MIN-c-DEL", {}), ("r-MIN-c-DEL", {"rows": 5})):
            instance = Suppression.named(variant, table, 3, limits)
            by_size = (
                len(columns)
                for columns in subsets(range(10))
                if rows_beside(table, columns, 3) <= limits.get("rows", 0)
            )
            assert solved(instance).cost == next(by_size)


def rows_beside(table, columns, k):
    if len(columns) == len(table[0]):
        return 0
    kept = [tuple(c for j, c in enumerate(row) if j not in columns) for row in table]
    sizes = np.array([kept.count(row) for row in sorted(set(kept))])
    return row_deletion(sizes, k).sum()


def test_on_the_sample_of_adult():
    table = adult(5).table
    expected = {}
    for columns in subsets(range(8)):
        kept = [[c for j, c in enumerate(row) if j not in columns] for row in table]
        sizes = np.unique(np.array(kept or [[]]), axis=0, return_counts=True)[1]
        rows = int(row_deletion(sizes, 5).sum()) if len(columns) < 8 else 0
        size = len(columns)
        expected[size] = min(rows, expected.get(size, 1000))
    for size, rows in expected.items():
        instance = Suppression.named("c-MIN-r-DEL", table, 5, {"columns": size})
        search = solved(instance)
        assert search.cost == search.bound == rows
        assert measures(instance, search.solution)["rows"] == rows
    entries = Suppression(
        table, 5, minimise="entries", limits={"rows": 1000, "columns": 8}, deletion=True
    )
    best = min(size * 1000 + rows * (8 - size) for size, rows in expected.items())
    assert solved(entries).cost == best


def test_a_spent_budget_claims_nothing():
    table = [[i % 7, i % 5, i % 3] for i in range(60)]
    instance = Suppression.named("MIN-c-DEL", table, 3)
    search = solved(instance, seconds=0)
    assert (search.cost, search.bound, search.infeasible) == (None, None, False)
    assert refuses(instance) is None
    assert "deletion" in refuses(Suppression(table, 3))
