import random

import numpy as np
import pytest
from searching import searched

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import check
from atleastk.solvers.rectangle_tiling_grid import auto
from atleastk.solvers.rectangle_tiling_grid.algorithms.catalogue import ALGORITHMS


def halved(grid, p):
    """Return the cost of ten lines: halve the longer side, and the rectangles."""
    if p == 1 or grid.size == 1:
        return int(grid.sum())
    if grid.shape[1] > grid.shape[0]:
        grid = grid.T
    lines = grid.sum(axis=1).cumsum()
    cut = int(np.searchsorted(lines, lines[-1] * (p // 2) / p)) + 1
    cut = min(max(cut, 1), len(lines) - 1)
    return max(halved(grid[:cut], p // 2), halved(grid[cut:], p - p // 2))


@pytest.mark.parametrize("guillotine", [False, True])
def test_it_begins_as_well_as_what_is_cheap(guillotine, monkeypatch):
    monkeypatch.setattr(auto, "STAGES", auto.STAGES[:7])
    rng = random.Random(5)
    for _ in range(40):
        rows, columns = rng.randint(1, 16), rng.randint(1, 16)
        cells = [[rng.randint(0, 9) for _ in range(columns)] for _ in range(rows)]
        p = rng.randint(1, rows * columns)
        instance = RectangleTilingGrid(cells, p, guillotine)
        search = searched(auto.solve, instance)
        assert search.cost <= halved(np.array(cells), p), instance
        for algorithm in ALGORITHMS:
            assert search.cost <= check(instance, algorithm.run(instance, 0)).cost, (
                instance
            )
