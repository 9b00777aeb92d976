from itertools import combinations

import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.tables.group_program import best_groups
from tests.helpers.listed import listed_table

SCALE = 2**20


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
def test_the_best_groups_against_all(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 9)), int(rng.integers(1, 4))
    records = KAnonymity(rng.integers(0, 3, (n, 3)).tolist(), k).records
    table = listed_table(records, k)
    weights = rng.integers(0, 3 * SCALE, records.distinct)
    expected = reduced_costs(records, k, weights)
    for most in (0, 2 * SCALE):
        found = best_groups(table, weights, SCALE, most)
        losses = SCALE * found.cost - found.rows @ weights
        named = zip(found.members, losses.tolist(), strict=True)
        assert all(expected[tuple(name)] <= loss < most for name, loss in named)
        least = min(expected.values())
        assert losses.min(initial=most) == min(most, least)
