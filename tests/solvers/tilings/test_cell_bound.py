from itertools import product

import numpy as np

from atleastk.models.rectangles import prefix_sums
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.cell_bound import lightest_boxes


def by_enumeration(grid, k):
    rows, columns = grid.shape
    lightest = np.full(grid.shape, grid.sum())
    for a, c in product(range(rows), range(columns)):
        for b, d in product(range(a + 1, rows + 1), range(c + 1, columns + 1)):
            weight = grid[a:b, c:d].sum()
            if weight >= k:
                lightest[a:b, c:d] = np.minimum(lightest[a:b, c:d], weight)
    return lightest


def test_against_all_boxes():
    rng = np.random.default_rng(1)
    for _ in range(60):
        rows, columns = rng.integers(1, 7, 2)
        grid = rng.integers(0, rng.choice([2, 3, 10, 2**58]), (rows, columns))
        grid[0, 0] += 1
        k = int(rng.integers(1, int(grid.sum()) + 1))
        found = lightest_boxes(prefix_sums(grid), k, Budget())
        assert (found == by_enumeration(grid, k)).all()


def test_a_spent_budget():
    grid = np.ones((400, 400), dtype=np.int64)
    assert lightest_boxes(prefix_sums(grid), 5, Budget.of(0)) is None
