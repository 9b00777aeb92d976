import random
from itertools import product

import numpy as np

from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.suppression.listing import frequent_patterns


def test_every_pattern_that_k_rows_match():
    rng = random.Random(1)
    for _ in range(60):
        n, m, k = rng.randint(1, 8), rng.randint(0, 3), rng.randint(1, 3)
        table = [tuple(rng.randrange(2) for _ in range(m)) for _ in range(n)]
        records = Records.of(table, m)
        found = frequent_patterns(records, k, (), Budget(), 10**6)
        assert found is not None
        listed = {
            (int(found.kept[p]), tuple(found.matching(p).tolist()))
            for p in range(found.count)
        }
        expected = set()
        for mask in range(1 << m):
            kept = [j for j in range(m) if mask >> j & 1]
            for first in records.codes:
                same = (records.codes[:, kept] == first[kept]).all(axis=1)
                if records.copies[same].sum() >= k:
                    expected.add((mask, tuple(np.flatnonzero(same).tolist())))
        assert listed == expected
        assert len(listed) == found.count
        assert (found.stars[1:] >= found.stars[:-1]).all()
        for p in range(found.count):
            assert found.support[p] == records.copies[found.matching(p)].sum()


def test_forbidden_columns_have_no_star():
    records = Records.of([*product([0, 1], repeat=3)], 3)
    found = frequent_patterns(records, 2, (0, 2), Budget(), 10**6)
    assert found is not None
    assert set(found.kept.tolist()) == {0b101}
    assert frequent_patterns(records, 2, (), Budget(), 10) is None
    assert frequent_patterns(records, 2, (), Budget.of(0), 10**6) is None
