import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from costs import cost_of

from atleastk import Suppression
from atleastk.instances.generators.suppression import FAMILIES
from atleastk.models.suppression import check
from atleastk.solvers.suppression.algorithms.catalogue import ALGORITHMS

BY_COST = {
    cost: algorithm
    for cost in ("entries", "per_row", "per_column", "columns")
    for algorithm in ALGORITHMS
    if algorithm.name == f"forest-{cost.replace('_', '-')}"
}
FAMILY = {family.name: family for family in FAMILIES}


def posed(table, k, cost):
    return Suppression(table, k, minimise=cost, deletion=cost == "columns")


def reached(instance):
    algorithm = BY_COST[instance.minimise]
    assert algorithm.refuses(instance) is None
    return cost_of(instance, algorithm.run(instance, 0))


def optima(table, k):
    n, cells = len(table), np.array(table)
    best = dict.fromkeys(BY_COST, 10**9)

    def extend(rest, per_column, per_row):
        if not rest:
            found = {
                "entries": int(per_column.sum()),
                "per_row": per_row,
                "per_column": int(per_column.max(initial=0)),
                "columns": int((per_column > 0).sum()),
            }
            best.update({q: min(best[q], found[q]) for q in best})
            return
        for size in range(k - 1, min(len(rest) - 1, 2 * k - 2) + 1):
            for others in combinations(rest[1:], size):
                group = [rest[0], *others]
                differ = (cells[group] != cells[group[0]]).any(axis=0)
                left = [row for row in rest if row not in group]
                stars = int(differ.sum())
                extend(left, per_column + len(group) * differ, max(per_row, stars))

    extend(list(range(n)), np.zeros(cells.shape[1], dtype=int), 0)
    return best


def grown(rng):
    k = rng.choice((2, 2, 3, 4))
    n, m = rng.randint(k, {2: 7, 3: 8, 4: 9}[k]), rng.randint(1, 4)
    values = rng.randint(2, 3)
    table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
    if rng.random() < 0.6:
        for i in range(1, n):
            table[i] = list(table[rng.randrange(i)])
            table[i][rng.randrange(m)] = rng.randrange(values)
    return table, k


def test_promises_hold_against_the_optima():
    """Corollaries 5.3.2 to 5.3.4 as sharpened, and Lemma 5.3.1."""
    rng = random.Random(1)
    for _ in range(200):
        table, k = grown(rng)
        for cost, best in optima(table, k).items():
            instance = posed(table, k, cost)
            paid = reached(instance)
            details = (table, k, cost, paid, best)
            assert best <= paid, details
            guarantee = BY_COST[cost].guarantee
            assert guarantee.applies(instance)
            assert guarantee.holds(instance, paid, best), details


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("clusters", [2, 4, 9])
def test_tight_families(clusters, k):
    """A column per cluster where one is enough; all rows of a column, not a cluster."""
    few = (k + 1) // 2
    make = FAMILY["tight-forest"].make
    assert reached(make(0, clusters=clusters, k=k, cost="columns")) == clusters
    assert reached(make(0, clusters=clusters, k=k, cost="per_column")) == (
        4 * few * clusters
    )
    entries = make(0, clusters=clusters, k=k, cost="entries")
    assert reached(entries) == (2 * k - 1) * 2 * clusters


def test_degenerate_tables():
    for cost, algorithm in BY_COST.items():
        for table, k in (([], 3), ([[], []], 2), ([["a", 1]] * 5, 3), ([[1], [2]], 1)):
            assert reached(posed(table, k, cost)) == 0
        short = posed([["a"], ["b"]], 3, cost)
        assert not check(short, algorithm.run(short, 0)).feasible
        assert not algorithm.guarantee.applies(posed([[1], [2]], 1, cost))


def test_larger_tables():
    rng = random.Random(2)
    for _ in range(20):
        n, m, k = rng.randint(50, 200), rng.randint(1, 6), rng.randint(2, 7)
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        costs = {cost: reached(posed(table, k, cost)) for cost in BY_COST}
        assert costs["per_row"] <= costs["columns"] <= m
        assert Fraction(costs["entries"], m) <= costs["per_column"] <= n


def test_what_is_refused():
    table = [[0, 1], [1, 0]]
    forest = BY_COST["entries"]
    for more, details in (
        ({"minimise": "rows"}, '"rows"'),
        ({"limits": {"per_row": 1}}, "limits on per_row"),
        ({"column_order": [[0], [1]]}, "orders"),
        ({"intact": [0]}, "intact"),
    ):
        instance = Suppression(table, 2, **more)
        assert details in forest.refuses(instance)
        if "minimise" not in more:
            assert not forest.guarantee.applies(instance)
