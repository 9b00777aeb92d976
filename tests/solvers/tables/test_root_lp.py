from itertools import combinations

import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.oracle import Prices
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import prove
from atleastk.solvers.tables.root_lp import PatternOracle, converge
from tests.helpers.costs import lp_value

SCALE = 2**20


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_is_that_of_the_pattern_model(seed):
    rng = np.random.default_rng(seed)
    n, m, k = int(rng.integers(8, 40)), int(rng.integers(2, 6)), int(rng.integers(2, 5))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    records = instance.records
    table = ListedTable(closed_patterns(records, k), records, k)
    weights = rng.integers(0, m * SCALE, records.distinct)
    start = prove(table, weights, SCALE)
    found = converge(table, start, Budget.of())
    assert found.value == pytest.approx(
        lp_value(pattern_model(records, k, table.patterns).model), abs=0.01
    )
    assert converge(table, start, Budget.of(0.0)).total == start.total


def reduced_costs(records, k, weights):
    found = {}
    for size in range(k, records.n + 1):
        for rows in combinations(range(records.n), size):
            held = records.record_of[list(rows)]
            codes = records.codes[held]
            stars = int((codes != codes[0]).any(axis=0).sum())
            name = tuple(sorted(held.tolist()))
            found[name] = SCALE * stars * size - int(weights[held].sum())
    return found


@pytest.mark.parametrize("seed", range(12))
def test_the_oracle_against_all_groups(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 9)), int(rng.integers(1, 4))
    records = KAnonymity(rng.integers(0, 3, (n, 3)).tolist(), k).records
    table = ListedTable(closed_patterns(records, k), records, k)
    weights = rng.integers(0, 3 * SCALE, records.distinct)
    expected = reduced_costs(records, k, weights)
    oracle, prices = PatternOracle(table, SCALE), Prices(SCALE, weights)
    priced = oracle.price(prices, Budget())
    assert priced.least <= min(0, *expected.values())
    losses = SCALE * priced.groups.cost - priced.groups.rows @ weights
    named = zip(priced.groups.members, losses.tolist(), strict=True)
    assert all(expected[tuple(name)] <= loss < 0 for name, loss in named)
    assert losses.min(initial=0) == min(0, *expected.values())
    spare = int(rng.integers(0, 4 * SCALE))
    listed = oracle.listed(prices, spare, 10**4, Budget())
    names = set(map(tuple, listed.members))
    assert names == {
        name for name, loss in expected.items() if loss <= spare and len(name) < 2 * k
    }
    assert oracle.listed(prices, 10**9, 0, Budget()) is None
    oracle.narrow(prices, spare)
    assert names.issuperset(
        map(tuple, oracle.listed(prices, spare, 10**4, Budget()).members)
    )
