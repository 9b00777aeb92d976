import random
from itertools import combinations, pairwise

import numpy as np

from atleastk.models.rectangles import box_weights, prefix_sums, tiling_violations
from atleastk.solvers.rectangle_tiling_grid.algorithms.jagged_tiling import (
    jagged_tiling,
    least_possible,
    slices,
)


def random_grid(rng, rows=5, columns=6):
    shape = rng.randint(1, rows), rng.randint(1, columns)
    weights = rng.choice([[0, 1], [0, 0, 0, 7], list(range(10)), [1, 1, 1, 1, 2**50]])
    return np.array(
        [[rng.choice(weights) for _ in range(shape[1])] for _ in range(shape[0])]
    )


def best_by_trying(grid, p):
    """Try all slabs, and all cuts of each by counting."""
    rows, columns = grid.shape
    sums = prefix_sums(grid)
    best = None
    for inner in range(rows):
        for lines in combinations(range(1, rows), inner):
            tables = [
                [
                    min(
                        max(
                            int(sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c])
                            for c, d in pairwise((0, *cuts, columns))
                        )
                        for cuts in combinations(range(1, columns), parts)
                    )
                    for parts in range(columns)
                ]
                for a, b in pairwise((0, *lines, rows))
            ]
            for level in sorted({x for table in tables for x in table}):
                needed = [
                    next((i + 1 for i, x in enumerate(table) if x <= level), p + 1)
                    for table in tables
                ]
                if sum(needed) <= p:
                    best = level if best is None else min(best, level)
                    break
    return best


def test_the_theorem_and_the_best_slabs():
    """At most p rectangles, 5/2 kappa, and 7/3 in one direction; the best slabs."""
    rng = random.Random(1)
    for _ in range(400):
        grid, p = random_grid(rng), rng.randint(1, 12)
        kappa = least_possible(prefix_sums(grid), p)
        sliced = []
        for turned in (grid, grid.T.copy()):
            sums = prefix_sums(turned)
            costs = []
            for cut in (slices, jagged_tiling):
                boxes = cut(sums, p)
                assert tiling_violations(*turned.shape, boxes, whole=True) == []
                assert len(boxes) <= p
                costs.append(int(box_weights(sums, np.array(boxes)).max()))
            assert 2 * costs[1] <= 2 * costs[0] <= 5 * kappa
            sliced.append(costs[0])
        assert costs[1] == best_by_trying(turned, p)
        assert 3 * min(sliced) <= 7 * kappa, (grid, p)


def test_weights_up_to_the_limit():
    sums = prefix_sums(np.array([[2**61, 2**61]]))
    for cut in (slices, jagged_tiling):
        assert cut(sums, 1) == [(0, 0, 1, 2)]
        assert cut(sums, 2) == [(0, 0, 1, 1), (0, 1, 1, 2)]


def test_a_grid_without_weight():
    sums = prefix_sums(np.zeros((3, 4), dtype=np.int64))
    assert slices(sums, 1) == jagged_tiling(sums, 1) == [(0, 0, 3, 4)]
