import numpy as np
import pytest

from atleastk import KAnonymity, Status
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.listed import escape_of
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.listed_groups import list_groups, no_groups
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import prove, relevant
from atleastk.solvers.tables.reduced_model import reduced_model
from tests.helpers.costs import least_cost

SCALE = 2**10


@pytest.mark.parametrize("seed", range(12))
def test_the_optimum_or_the_limit_is_left(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 4))
    n, m = int(rng.integers(k, 12)), int(rng.integers(1, 5))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    records = instance.records
    optimum = least_cost(instance)
    table = ListedTable(closed_patterns(records, k), records, k)
    weights = rng.integers(0, 2 * SCALE, records.distinct)
    known = prove(table, weights, SCALE)
    for limit in (optimum, optimum + 1, optimum + 4):
        left = relevant(table, known, limit)
        cap = int(rng.choice([1, 5, 10**6]))
        pool = list_groups(left, known, limit, Budget.of(), cap, 10**6)
        for chosen in (pool, no_groups(left)):
            reduced = reduced_model(left, chosen, limit)
            assert reduced.model.admits(escape_of(reduced.model))
            assert reduced.model.cost(escape_of(reduced.model)) == limit
            answer = Highs().minimise(
                reduced.model, Budget.of(), hint=escape_of(reduced.model)
            )
            assert answer.status is Status.OPTIMAL
            assert answer.cost == min(limit, optimum)
            if limit > optimum:
                found = reduced.decode(answer.values)
                assert found.is_valid(records, k)
                assert found.cost(records) == optimum
