import random

import pytest
from searching import searched

from atleastk.instances.suppression import Suppression
from atleastk.solvers.brute_force.suppression import optimum
from atleastk.solvers.suppression.methods import solve


@pytest.mark.parametrize("workers", [1, 2])
def test_the_fewest_cells_per_column(workers):
    rng = random.Random(workers)
    kinds = set()
    for _ in range(40):
        n, m = rng.randint(3, 7), 2
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        fields = rng.choice(
            [
                {},
                {"column_order": [[1], [0]]},
                {"limits": {"rows": rng.randint(1, n), "columns": 1}},
                {"limits": {"rows": rng.randint(1, n)}},
            ]
        )
        k = rng.randint(1, 3)
        instance = Suppression(table, k, minimise="per_column", **fields)
        search = searched(solve, instance, workers=workers)
        best = optimum(instance)
        assert search.closed
        assert (search.infeasible, search.cost) == (best is None, best)
        kinds.add((tuple(fields), best is None))
    assert len(kinds) == 4


def test_a_limit_on_what_is_minimised_is_not_decided_beyond():
    """Two cells of a column are too few here; three would do, but are not allowed."""
    table = [[1, 1, 4, 0], [0, 0, 0, 1], [0, 1, 2, 0], [0, 0, 0, 1], [1, 2, 1, 1]]
    limits = {"columns": 3, "rows": 5, "per_column": 2}
    instance = Suppression(table, 2, minimise="per_column", limits=limits)
    for seed in range(3):
        assert searched(solve, instance, workers=2, seed=seed).infeasible
    assert optimum(instance) is None
