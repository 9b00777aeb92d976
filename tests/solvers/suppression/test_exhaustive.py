import random

import numpy as np
import pytest

from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import check, solution_of_mask
from atleastk.solvers.brute_force.suppression import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.exhaustive import refuses, search_all


def searched(instance, start=None):
    search = Search(instance, check, Budget())
    if start is not None:
        search.offer(start, "start")
    search_all(search, "exhaustive")
    return search


def test_random_instances_are_closed(suppressions):
    rng, costs = random.Random(4), set()
    for seed in range(300):
        instance = suppressions.random_suppression(rng, 14)
        if refuses(instance):
            continue
        best = optimum(instance)
        everything = solution_of_mask(instance, np.ones((instance.n, instance.m), bool))
        start = everything if check(instance, everything).feasible else None
        search = searched(instance, start if seed % 2 else None)
        assert search.closed
        assert search.infeasible == (best is None), instance.to_dict()
        assert search.cost == best, instance.to_dict()
        costs.add((instance.minimise, instance.deletion, best))
    assert len(costs) > 35


@pytest.mark.parametrize(
    ("name", "limits", "best"),
    [
        ("r-c-MIN-e-SUP", {"rows": 2, "columns": 1}, 6),
        ("r-c-MIN-r'-SUP", {"rows": 2, "columns": 1}, 2),
        ("c-c'-MIN-r-SUP", {"columns": 2, "per_column": 2}, 2),
        ("c-MIN-r-DEL", {"columns": 1}, 2),
        ("e-MAX-k-SUP", {"entries": 11}, -2),
    ],
)
def test_unions_by_hand(name, limits, best):
    table = [[0, 0, 0], [0, 0, 1], [1, 2, 0], [2, 1, 0]]
    assert searched(Suppression.named(name, table, 2, limits)).cost == best


def test_large_tables_are_refused():
    wide = Suppression([[1] * 9] * 2, 2)
    assert refuses(wide) == "it tries all sets of at most 16 cells, not of 2 x 9"
    union = Suppression.named("r-c-DEL", [[1] * 4] * 4, 2, {"rows": 2, "columns": 2})
    assert refuses(union) is None
    many = Suppression([[1, 1]] * 8, 2, minimise="rows", limits={"columns": 2})
    assert refuses(many).startswith("it tries at most 4194304 suppression schemes")


def test_a_spent_budget_ends_it():
    search = Search(Suppression([[0, 1], [1, 0]], 2), check, Budget.of(0))
    search_all(search, "exhaustive")
    assert search.cost is None
    assert not search.infeasible
