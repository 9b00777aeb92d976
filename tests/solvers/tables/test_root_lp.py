import highspy
import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.linear import INFINITE
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.multipliers import prove
from atleastk.solvers.tables.root_lp import converge

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
