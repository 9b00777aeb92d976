import numpy as np
import pytest
from searching import search_of

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.auto import run_of
from atleastk.solvers.tables import branching
from atleastk.solvers.tables.branching import Tree
from atleastk.solvers.tables.multipliers import prove
from tests.helpers.costs import least_cost

SCALE = 2**20


def planted(seed):
    rng = np.random.default_rng(seed)
    n, m, k = int(rng.integers(8, 14)), int(rng.integers(2, 5)), int(rng.integers(2, 4))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    search = search_of(instance)
    search.offer([range(n)], "start")
    table = run_of(search)
    table.list_patterns(Budget())
    nothing = np.zeros(table.records.distinct, dtype=np.int64)
    weights = prove(table.listed, nothing, SCALE)
    return Tree(table, weights), table, least_cost(instance)


@pytest.mark.parametrize("most", [0, 5, 700])
@pytest.mark.parametrize("seed", range(12))
def test_limits_are_refuted_up_to_the_optimum_and_then_met(seed, most, monkeypatch):
    monkeypatch.setattr(branching, "_MOST_GROUPS", most)
    tree, table, optimum = planted(seed)
    for limit in range(1, optimum + 1):
        tree.explore(limit, Budget())
        assert limit <= tree.bound <= optimum
    tree.explore(min(table.cost, optimum + 1), Budget())
    assert table.cost == optimum


def test_a_spent_budget_leaves_the_tree_as_it_is():
    tree, table, _ = planted(0)
    before = tree.bound
    tree.explore(table.cost, Budget.of(0.0))
    assert tree.bound == before
