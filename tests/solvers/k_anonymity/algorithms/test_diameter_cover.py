import random

import numpy as np

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.k_anonymity.algorithms.diameter_cover import balls


def test_every_ball_of_k_rows_is_listed_once():
    rng = random.Random(1)
    for _ in range(100):
        k = rng.randint(1, 4)
        n, m = rng.randint(k, 12), rng.randint(1, 4)
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        records = KAnonymity(table, k).records
        system = balls(records, k)
        found = {
            (int(weight), frozenset(system.members[a:b].tolist()))
            for weight, a, b in zip(
                system.weights, system.starts, system.starts[1:], strict=False
            )
        }
        expected = set()
        for centre in records.codes:
            apart = (records.codes != centre).sum(axis=1)
            for radius in sorted(set(apart.tolist())):
                inside = apart <= radius
                if records.copies[inside].sum() >= k:
                    expected.add((2 * radius, frozenset(np.flatnonzero(inside))))
        assert found == expected
        assert (np.diff(system.weights) >= 0).all()
