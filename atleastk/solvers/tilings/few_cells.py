"""The LP relaxation of tiling a large grid, stated for few of its cells.

A hundred points in general position have 10,000 cells, and HiGHS takes a minute for the
rows of all vertices (:mod:`~atleastk.solvers.tilings.corner_lp`). Some hundred cells
mostly refute as much. So the program begins with the cells that weigh anything, and as
long as it has a point the cells that this covers worst are added, far from each other.

    minimise sum (u + v),  shares x of boxes, u, v >= 0:
    every chosen cell is covered once, and the shares add up to p, but for u - v.

The dual has weights y of the cells within [-1, 1], and Y with y(B) <= Y for all boxes:
it maximises sum y - p Y. Both have a point inside at once, so an interior-point method
solves them; the simplex method takes three times as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp

if TYPE_CHECKING:
    from atleastk.solvers.engine.linear_program import Sparse

MOST_CELLS: Final = 2_000
"""The most cells that are chosen: their equations take a second."""
_LARGE: Final = 2_500
"""Cells up to which all are asked to be covered at once."""
_MOST_WEIGHING: Final = 500
"""The most cells that the program begins with: not tuned."""
_APART: Final = 8
"""The side of blocks of which one cell is chosen at a time: not tuned."""
_MISSED: Final = 1e-4
"""How much is missed in all by what counts as a point."""
_COVERED: Final = 1e-3
"""How far the cells that were not chosen are covered from once at most."""


def few_weigh(grid: IntArray) -> bool:
    """Return whether a grid is large, and few of its cells weigh anything."""
    weighing = int(np.count_nonzero(grid))
    few = 0 < weighing <= min(_MOST_WEIGHING, grid.size // 4)
    return few and grid.size > _LARGE


class FewCells:
    """The relaxation for p boxes; the chosen cells stay from one list to another."""

    def __init__(self, grid: IntArray, parts: int, most: int) -> None:
        self._shape, self._parts = grid.shape, parts
        self._most = min(most, MOST_CELLS)
        self._cells = np.argwhere(grid > 0)  # [chosen cell, axis]

    def solve(
        self, boxes: IntArray, budget: Budget
    ) -> tuple[float, FloatArray, FloatArray] | None:
        """Return the total miss, the shares, and potentials of the vertices.

        The miss is zero if the shares cover all cells; None if the budget is spent, or
        more cells are chosen than allowed.
        """
        while len(self._cells) <= self._most:
            sides = np.append(np.ones(len(self._cells)), self._parts)
            solved = elastic(self._entries(boxes), sides, sides, budget)
            if solved is None:
                return None
            value, shares, duals = solved
            if value > _MISSED:
                return value, shares, self._potentials(duals[:-1])
            missed = np.abs(_coverage(boxes, shares, self._shape) - 1.0)
            missed[tuple(self._cells.T)] = 0.0
            if missed.max() <= _COVERED:
                return 0.0, shares, self._potentials(duals[:-1])
            self._cells = np.concatenate((self._cells, _worst(missed)))
        return None

    def _entries(self, boxes: IntArray) -> Sparse:
        """Return the matrix of boxes and the chosen cells in them, and a 1 for each."""
        first, end, cells = boxes[:, None, :2], boxes[:, None, 2:], self._cells
        inside = ((first <= cells) & (cells < end)).all(axis=2)
        return sparse.csr_array(np.pad(inside, ((0, 0), (0, 1)), constant_values=True))

    def _potentials(self, weights: FloatArray) -> FloatArray:
        """Return potentials whose differences are the weights of the chosen cells."""
        rows, columns = self._shape
        potentials = np.zeros((rows + 1, columns + 1))
        potentials[tuple(self._cells.T)] = weights
        return potentials[::-1, ::-1].cumsum(0).cumsum(1)[::-1, ::-1]


def _coverage(
    boxes: IntArray, shares: FloatArray, shape: tuple[int, ...]
) -> FloatArray:
    """Return how often shares of boxes cover every cell."""
    corners = np.zeros((shape[0] + 1, shape[1] + 1))
    a, c, b, d = boxes.T
    for x, y, sign in ((a, c, 1), (b, d, 1), (a, d, -1), (b, c, -1)):
        np.add.at(corners, (x, y), sign * shares)
    covered: FloatArray = corners.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]
    return covered


def _worst(missed: FloatArray) -> IntArray:
    """Return cells that are missed most, one of each block of the grid."""
    cells = np.argwhere(missed > 0.3 * missed.max())
    order = np.argsort(-missed[tuple(cells.T)], kind="stable")
    cells = cells[order]
    blocks = np.unique(cells // _APART, axis=0, return_index=True)[1]
    worst: IntArray = cells[np.sort(blocks)]
    return worst


def elastic(
    entries: Sparse, lower: FloatArray, upper: FloatArray, budget: Budget
) -> tuple[float, FloatArray, FloatArray] | None:
    """Return by how much shares of columns miss the sides of rows in all, and these.

    And the duals of the rows, within [-1, 1]. `entries` has a row for every column. An
    interior-point method without crossover; None if the budget is spent.
    """
    program = GrowingLp(lower, upper, budget.seed, solver="ipm", run_crossover="off")
    program.add_columns(entries, 0.0)
    misses = sparse.eye_array(len(lower))
    program.add_columns(misses, 1.0)
    program.add_columns(-misses, 1.0)
    optimum = program.solve(budget, apart=True)
    if optimum is None:
        return None
    return optimum.value, optimum.primal[: entries.shape[0]], optimum.duals
