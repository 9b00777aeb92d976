"""What tilings begin with: as good as what is cheap, before any search."""

import random
from unittest.mock import Mock

import numpy as np
import pytest

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models import rectangle_tiling, rectangle_tiling_grid
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling import auto as portfolio
from atleastk.solvers.rectangle_tiling.algorithms import catalogue as of_points
from atleastk.solvers.rectangle_tiling_grid import auto as grid_portfolio
from atleastk.solvers.rectangle_tiling_grid.algorithms import catalogue as of_grids
from atleastk.solvers.search import Search


def first_stage(monkeypatch, module, searching, instance, check):
    """Return the cost that is known when the search would begin."""
    monkeypatch.setattr(module, searching, Mock())
    search = Search(instance, check, Budget())
    module.solve(search)
    return search.cost


def by_halves(points, k):
    """Return the cost of ten lines: halve the weight where both sides keep k."""
    cost, left = 0, [np.array(points)]
    while left:
        box = left.pop()
        cuts = []
        for axis in (0, 1):
            for line in np.unique(box[:, axis])[1:]:
                low = box[:, axis] < line
                sides = box[low][:, 2].sum(), box[~low][:, 2].sum()
                if min(sides) >= k:
                    cuts.append((max(sides), axis, line))
        if cuts:
            _, axis, line = min(cuts)
            left += [box[box[:, axis] < line], box[box[:, axis] >= line]]
        else:
            cost = max(cost, int(box[:, 2].sum()))
    return cost


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


@pytest.mark.parametrize(
    ("cover", "guillotine"), [("plane", False), ("plane", True), ("points", False)]
)
def test_points(cover, guillotine, monkeypatch):
    rng = random.Random(4)
    for _ in range(25):
        n, side = rng.choice([(6, 3), (20, 9), (60, 500)])
        points = [
            (rng.randrange(side), rng.randrange(side), rng.randint(1, 9))
            for _ in range(n)
        ]
        total = sum(weight for _, _, weight in points)
        k = max(1, total // rng.randint(1, 9))
        instance = RectangleTiling(points, k, cover, guillotine)
        check = rectangle_tiling.check
        cost = first_stage(monkeypatch, portfolio, "_Walk", instance, check)
        assert cost <= by_halves(points, k), instance
        for algorithm in of_points.ALGORITHMS:
            assert cost <= check(instance, algorithm.run(instance, 0)).cost, instance


@pytest.mark.parametrize("guillotine", [False, True])
def test_grids(guillotine, monkeypatch):
    rng = random.Random(5)
    for _ in range(40):
        rows, columns = rng.randint(1, 16), rng.randint(1, 16)
        cells = [[rng.randint(0, 9) for _ in range(columns)] for _ in range(rows)]
        p = rng.randint(1, rows * columns)
        instance = RectangleTilingGrid(cells, p, guillotine)
        check = rectangle_tiling_grid.check
        levels = "tile_by_levels"
        cost = first_stage(monkeypatch, grid_portfolio, levels, instance, check)
        assert cost <= halved(np.array(cells), p), instance
        for algorithm in of_grids.ALGORITHMS:
            assert cost <= check(instance, algorithm.run(instance, 0)).cost, instance
