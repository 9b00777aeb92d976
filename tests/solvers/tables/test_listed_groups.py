from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.listed_groups import list_groups
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import prove

SCALE = 2**10


def table(rng, n):
    m, values = int(rng.integers(1, 5)), int(rng.integers(2, 4))
    return [tuple(int(v) for v in row) for row in rng.integers(0, values, (n, m))]


def multisets(records, k):
    found = {}
    for size in range(k, 2 * k):
        for rows in combinations(range(records.n), size):
            held, copies = np.unique(records.record_of[list(rows)], return_counts=True)
            codes = records.codes[held]
            stars = int((codes.min(axis=0) != codes.max(axis=0)).sum())
            found[tuple(zip(held.tolist(), copies.tolist(), strict=True))] = stars
    return found


def listed(groups):
    return [tuple(sorted(Counter(held).items())) for held in groups.members]


@pytest.mark.parametrize("seed", range(25))
def test_exactly_the_groups_that_miss_little_are_listed(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 4))
    records = KAnonymity(table(rng, int(rng.integers(k, 10))), k).records
    closed = ListedTable(closed_patterns(records, k), records, k)
    weights = rng.integers(0, 4 * SCALE, records.distinct)
    known = prove(closed, weights, SCALE)
    below = known.bound + int(rng.integers(1, 5))
    spare = (below - 1) * SCALE - known.total
    expected = {
        group
        for group, stars in multisets(records, k).items()
        if sum(c * (stars * SCALE - int(weights[t])) for t, c in group) <= spare
    }
    pool = list_groups(closed, known, below, Budget.of(), 10**6, 10**6)
    assert pool.complete.all()
    names = listed(pool.groups)
    assert len(names) == len(set(names))
    assert set(names) == expected
    cap = int(rng.integers(1, 6))
    part = list_groups(closed, known, below, Budget.of(), cap, 10**6)
    per_pattern = np.bincount(pool.groups.mark, minlength=closed.patterns.count)
    assert not part.complete[per_pattern > cap].any()
    assert set(listed(part.groups)) == set(
        listed(pool.groups.only(part.complete[pool.groups.mark]))
    )
    few = list_groups(closed, known, below, Budget.of(), 10**6, cap)
    assert few.groups.count <= cap


def test_nothing_is_listed_without_time():
    records = KAnonymity([(i,) for i in range(6)], 2).records
    closed = ListedTable(closed_patterns(records, 2), records, 2)
    known = prove(closed, np.full(6, SCALE), SCALE)
    pool = list_groups(closed, known, 7, Budget.of(), 10**6, 10**6)
    assert pool.groups.count == 15 + 20
    left = list_groups(closed, known, 7, Budget.of(0.0), 1, 10**6)
    assert left.groups.count == 0
    assert not left.complete.any()
