from itertools import combinations

import highspy
import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.linear import INFINITE
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.oracle import Prices
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.multipliers import prove
from atleastk.solvers.tables.root_lp import PatternOracle, converge

SCALE = 2**20


def relaxed(model):
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    limits = [
        np.where(np.abs(a) >= INFINITE, np.copysign(highspy.kHighsInf, a), a)
        for a in (model.lower, model.upper, model.row_lower, model.row_upper)
    ]
    solver.passModel(
        model.columns,
        model.rows.shape[0],
        model.rows.nnz,
        int(highspy.MatrixFormat.kRowwise),
        1,
        0.0,
        model.objective.astype(float),
        *limits,
        model.rows.indptr.astype(np.int32),
        model.rows.indices.astype(np.int32),
        model.rows.data.astype(float),
        np.zeros(model.columns, dtype=np.int32),
    )
    solver.run()
    return solver.getInfo().objective_function_value


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_is_that_of_the_pattern_model(seed):
    rng = np.random.default_rng(seed)
    n, m, k = int(rng.integers(8, 40)), int(rng.integers(2, 6)), int(rng.integers(2, 5))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    records = instance.records
    patterns = closed_patterns(records, k)
    weights = rng.integers(0, m * SCALE, records.distinct)
    start = prove(patterns, records, k, weights, SCALE)
    found = converge(patterns, records, k, start, Budget.of())
    assert found.value == pytest.approx(
        relaxed(pattern_model(instance.records, instance.k, patterns).model), abs=0.01
    )
    assert converge(patterns, records, k, start, Budget.of(0.0)).total == start.total


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
    patterns = closed_patterns(records, k)
    weights = rng.integers(0, 3 * SCALE, records.distinct)
    expected = reduced_costs(records, k, weights)
    oracle, prices = PatternOracle(patterns, records, k, SCALE), Prices(SCALE, weights)
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
