"""Weights of few cells refute what those of all cells do, and no more."""

import numpy as np

from atleastk.models.encodings.tilings import cell_rows
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.models.windows import window
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings import corner_lp, few_cells
from atleastk.solvers.tilings.boxes import listed_boxes
from atleastk.solvers.tilings.few_cells import FewCells, few_weigh


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    grid = np.zeros((n, n), dtype=np.int64)
    grid[np.arange(n), rng.permutation(n)] = rng.integers(1, 21, n)
    return grid


def test_few_cells_and_all_agree(monkeypatch):
    assert {v for seed in range(12) for v in agreed(seed, monkeypatch)} == {True, False}


def agreed(seed, monkeypatch):
    """Yield whether levels are refuted, by either program."""
    rng = np.random.default_rng(seed)
    grid, parts = drawn(int(rng.integers(9, 19)), seed), int(rng.integers(3, 6))
    total, k = int(grid.sum()), int(grid.sum()) // parts
    for level in range(-(-total // parts), k + total % parts + 1):
        asked = window(total, k, parts, level)
        boxes = listed_boxes(grid, asked.least, asked.most, Budget())
        if not len(boxes):
            continue
        answers = []
        for few in (False, True):
            monkeypatch.setattr(corner_lp, "few_weigh", lambda _grid, few=few: few)
            found = corner_lp.fractional_tiling(boxes, grid, (parts, parts), Budget())
            answers.append(found.refuted is not None)
            if found.refuted is not None:
                values, most = found.refuted.values, found.refuted.most
                assert box_weights(prefix_sums(values), boxes).max() == most
                assert values.sum() > parts * most
            else:
                covered = cell_rows(boxes, grid.shape) @ found.shares
                assert np.abs(covered - 1.0).max() < 2e-3
        assert answers[0] == answers[1]
        yield answers[0]


def test_one_box_for_each_cell():
    grid = np.ones((4, 4), dtype=np.int64)
    boxes = listed_boxes(grid, 1, 1, Budget())
    missed, shares, _ = FewCells(grid, 16, 99).solve(boxes, Budget())
    assert missed == 0.0
    assert np.allclose(shares, 1.0, atol=1e-2)
    assert FewCells(grid, 15, 99).solve(boxes, Budget())[0] > 0.5


def test_a_spent_budget():
    grid = drawn(9, 0)
    boxes = listed_boxes(grid, 1, 100, Budget())
    assert FewCells(grid, 3, 99).solve(boxes, Budget.of(0.0)) is None
    assert FewCells(grid, 3, 5).solve(boxes, Budget()) is None


def test_too_many_cells(monkeypatch):
    grid = np.ones((4, 4), dtype=np.int64)
    boxes = listed_boxes(grid, 1, 1, Budget())
    for most, none in ((15, True), (16, False)):
        monkeypatch.setattr(few_cells, "MOST_CELLS", most)
        assert (FewCells(grid, 16, 99).solve(boxes, Budget()) is None) == none


def test_equations():
    rng = np.random.default_rng(0)
    boxes = listed_boxes(np.ones((5, 6), dtype=np.int64), 2, 9, Budget())
    cells, factors = np.argwhere(rng.random((5, 6)) < 0.6), rng.random(len(boxes))
    (i, j), (a, c, b, d) = cells.T[:, :, None], boxes.T
    held = 1.0 * ((a <= i) & (i < b) & (c <= j) & (j < d))
    corners, found = np.full((6, 6, 7), np.nan), np.zeros((len(cells),) * 2)
    few_cells._add_products(boxes, cells, factors, corners, found)
    assert np.allclose(found, np.triu(held * factors @ held.T))
    for n in (1, 2, 7, 40):
        factor = rng.random((n, n)) * (rng.random((n, n)) < 0.3) + np.eye(n)
        matrix, side = factor @ factor.T, rng.random(n)
        left, found = np.triu(matrix), side.copy()
        assert few_cells._factored(left)
        few_cells._solve(left, found)
        assert np.allclose(matrix @ found, side)
    for pivot in (0.0, -1.0, np.nan):
        assert not few_cells._factored(np.diag([1.0, pivot]))


def test_which_grids():
    assert not few_weigh(np.zeros((60, 60), dtype=np.int64))
    assert few_weigh(drawn(60, 0))
    assert not few_weigh(drawn(40, 0))
    assert not few_weigh(np.ones((60, 60), dtype=np.int64))
