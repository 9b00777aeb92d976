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

TRIALS = 600


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
        if rng.random() < 0.2:  # rows beside columns, which nothing else asks for
            minimise, limits = "entries", {"rows": n, "columns": m}
        intact = rng.sample(range(m), min(m, rng.choice((0, 0, 0, 1, 2))))
        if {"rows", "columns"} & {minimise, *limits}:
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


@pytest.mark.parametrize("deletions", [1, 2, 3])
def test_many_columns(deletions):
    apart = random.Random(deletions).sample(range(60), deletions)
    table = [[i if j in apart else i // 4 for j in range(60)] for i in range(40)]
    search = solved(Suppression.named("MIN-c-DEL", table, 4))
    assert search.cost == search.bound == deletions
    assert search.solution.columns == tuple(sorted(apart))


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
