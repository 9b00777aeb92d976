import random

import numpy as np

from atleastk.models.rectangles import prefix_sums, tiling_violations
from atleastk.solvers.rectangle_tiling_grid.algorithms.balanced_cuts import (
    balanced_cuts,
)


def test_they_tile_with_at_most_p():
    rng = random.Random(1)
    for _ in range(300):
        rows, columns, p = rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 20)
        grid = np.array(
            [[rng.randint(0, 9) for _ in range(columns)] for _ in range(rows)]
        )
        boxes = balanced_cuts(prefix_sums(grid), p)
        assert tiling_violations(rows, columns, boxes, whole=True) == []
        assert len(boxes) <= min(p, rows * columns)


def test_shares_follow_the_weight():
    ones = prefix_sums(np.ones((1, 12), dtype=np.int64))
    assert sorted(balanced_cuts(ones, 3)) == [(0, 0, 1, 4), (0, 4, 1, 8), (0, 8, 1, 12)]
    heavy = prefix_sums(np.array([[1], [1], [1], [3], [3]]))
    assert sorted(balanced_cuts(heavy, 3)) == [(0, 0, 3, 1), (3, 0, 4, 1), (4, 0, 5, 1)]
    assert balanced_cuts(prefix_sums(np.array([[2**61, 2**61]])), 2**40) == [
        (0, 1, 1, 2),
        (0, 0, 1, 1),
    ]
