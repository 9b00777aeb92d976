from itertools import combinations

import numpy as np
import pytest

from atleastk.solvers.engine.set_partition.triples import heavy_triples


@pytest.mark.parametrize("seed", range(20))
def test_all_triples_of_more_than_one(seed):
    rng = np.random.default_rng(seed)
    groups, n = int(rng.integers(3, 15)), int(rng.integers(3, 9))
    has = rng.random((groups, n)) < 0.5
    weights = rng.random(groups) * 0.6
    single = rng.random(n) < 0.8
    shared = (has * weights[:, None]).T @ has
    found = heavy_triples(has, shared, weights, single, 0.02)
    listed = {tuple(map(int, row[1:])): row[0] for row in found}
    expected = {}
    for triple in combinations(range(n), 3):
        total = weights[has[:, triple].sum(axis=1) >= 2].sum()
        pairs = shared[triple[0], triple[1]] > 0.02
        if single[list(triple)].all() and pairs and total > 1.02:
            expected[triple] = total
    assert listed.keys() == expected.keys()
    assert all(listed[t] == pytest.approx(expected[t]) for t in expected)
