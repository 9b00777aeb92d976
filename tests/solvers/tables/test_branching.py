import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.subset_dp import best_partition
from atleastk.solvers.tables import branching
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.branching import Tree
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.incumbent import Incumbent
from atleastk.solvers.tables.multipliers import prove

SCALE = 2**20


def planted(seed):
    rng = np.random.default_rng(seed)
    n, m, k = int(rng.integers(8, 14)), int(rng.integers(2, 5)), int(rng.integers(2, 4))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    records = instance.records
    patterns = closed_patterns(records, k)
    best = Assignment.of_groups(records, best_partition(instance, Budget.of()))
    start = Assignment.of_rows(records, np.zeros(n, dtype=np.int64))
    known = Incumbent(
        records, start.cost(records), start, lambda _: None, lambda _: None
    )
    nothing = np.zeros(records.distinct, dtype=np.int64)
    weights = prove(patterns, records, k, nothing, SCALE)
    return Tree(patterns, records, k, weights), known, best.cost(records), k


@pytest.mark.parametrize("most", [0, 5, 700])
@pytest.mark.parametrize("seed", range(12))
def test_limits_are_refuted_up_to_the_optimum_and_then_met(seed, most, monkeypatch):
    monkeypatch.setattr(branching, "_MOST_GROUPS", most)
    tree, known, optimum, k = planted(seed)
    for limit in range(1, optimum + 1):
        tree.explore(limit, known, Budget.of())
        assert limit <= tree.bound <= optimum
    tree.explore(min(known.cost, optimum + 1), known, Budget.of())
    assert known.cost == optimum
    assert known.assignment.is_valid(known.records, k)


def test_a_spent_budget_leaves_the_tree_as_it_is():
    tree, known, _, _ = planted(0)
    before = tree.bound
    tree.explore(known.cost, known, Budget.of(0.0))
    assert tree.bound == before
