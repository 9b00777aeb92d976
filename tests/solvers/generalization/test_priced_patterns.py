import numpy as np
import pytest

from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.generalization import check, solution_of_groups
from atleastk.models.results.solution import Solution
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables import sub_tables
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.listed_table import ListedTable


@pytest.mark.parametrize("seed", range(30))
def test_sub_tables_are_arranged_by_weights(seed, monkeypatch):
    monkeypatch.setattr(sub_tables, "_OFFERED", 1e6)
    monkeypatch.setattr(sub_tables, "_OFFERED_LATER", 1e6)
    monkeypatch.setattr(sub_tables, "_SECONDS", 1e6)
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(5, 9)), int(rng.integers(2, 4))
    most = int(rng.choice([5, 100_000]))
    instance = Generalization(
        rng.integers(0, 3, (n, 4)).tolist(),
        k,
        [suppression_of(range(3))] * 4,
        column_weights=rng.integers(1, 10, 4).tolist(),
        row_weights=rng.integers(1, most, n).tolist(),
    )
    records = records_of_levels(instance)
    table = ListedTable(closed_patterns(records, k), records, k)

    def paid(assignment):
        groups = [rows.tolist() for rows in assignment.rows(records)]
        verdict = check(instance, solution_of_groups(instance, groups))
        assert verdict.feasible
        assert verdict.cost == assignment.cost(records)
        return verdict.cost

    poor = np.array_split(rng.permutation(n), n // k)
    start = Assignment.of_solution(
        records, Solution([group.tolist() for group in poor])
    )
    weights = improve(table, Budget())
    found = sub_tables.reoptimise(table, start, weights, Budget())
    assert paid(found) == optimum(instance) <= paid(start)
