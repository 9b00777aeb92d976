"""LP duals that bound the number of boxes of a tiling, from below and from above.

Linear programs choose among listed boxes, in fractions, so that all of a grid is
covered exactly once: with as few as possible, or as many. An optimal dual is a weight y
of every cell with y(B) <= 1 for all boxes, so that at least y(grid) are needed, or y(B)
<= -1, so that there are at most -y(grid). How much y(B) is below that is the price of
using B: :mod:`atleastk.solvers.tilings.skyline` spends p - y(grid), or
-y(grid) - p, on p boxes.

Weights of a part of the grid alone, 0 elsewhere, are dear where they end but see best
how many boxes that part needs: those beyond a line bound the rest once a search has
reached the line.

Exact cover is stated at the vertices of the grid, as in
:mod:`~atleastk.solvers.tilings.corner_lp`. To cover cells as such is possible too, at a
price that no good tiling pays; that keeps the programs feasible and the weights small.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.encodings.tilings import corner_rows
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.tilings.corner_lp import differences

_MOST_BOXES: Final = 60_000
"""Boxes, and ..."""
_MOST_CELLS: Final = 2_500
"""... cells of one linear program: not tuned."""
_SCALE: Final = 2**30
"""The unit of rounded potentials."""


def potentials(
    boxes: IntArray, shape: tuple[int, int], budget: Budget, *, both: bool
) -> list[IntArray]:
    """Return weights, times 2**30, for the fewest boxes and, if `both`, for the most.

    None of them where the programs are too large or the budget ends.
    """
    rows, columns = shape
    if len(boxes) > _MOST_BOXES or rows * columns > _MOST_CELLS:
        return []
    found = [_weights(boxes, shape, sign, budget) for sign in (1, -1)[: 1 + both]]
    return [weights for weights in found if weights is not None]


def partial_potentials(
    boxes: IntArray, shape: tuple[int, int], budget: Budget
) -> list[IntArray]:
    """Return weights for the fewest boxes of parts of the grid, times 2**30.

    The parts are those before and beyond lines at a third and two thirds of both axes.
    """
    found: list[IntArray] = []
    for axis in range(2):
        length = shape[axis]
        for line in sorted({length // 3, 2 * length // 3} - {0}):
            for low, high in ((0, line), (line, length)):
                part = boxes.copy()
                for side in (axis, axis + 2):
                    part[:, side] = np.clip(part[:, side], low, high) - low
                if budget.spent:
                    return found
                part = _distinct(part[part[:, axis] < part[:, axis + 2]], shape)
                within = (high - low, shape[1]) if axis == 0 else (shape[0], high - low)
                for weights in potentials(part, within, budget, both=False):
                    margins = [(0, 0), (0, 0)]
                    margins[axis] = (low, length - high)
                    found.append(np.pad(weights, margins))
    return found


def _distinct(boxes: IntArray, shape: tuple[int, int]) -> IntArray:
    """Return the distinct rows in order; numbers are sorted faster than rows."""
    ends = (shape[0] + 1, shape[1] + 1) * 2
    numbers = np.unique(np.ravel_multi_index(tuple(boxes.T), ends))
    return np.stack(np.unravel_index(numbers, ends), axis=1)


def _weights(
    boxes: IntArray, shape: tuple[int, int], sign: int, budget: Budget
) -> IntArray | None:
    """Return weights for the fewest boxes (sign 1) or the most (-1)."""
    whole = np.array([[0, 0, *shape]], dtype=np.int64)
    sides = corner_rows(whole, shape).toarray().ravel()
    cells = np.argwhere(np.ones(shape))
    program = GrowingLp(sides, sides, budget.seed)
    program.add_columns(corner_rows(boxes, shape).T, float(sign))
    # A single cell is dear: the price of a box is 1 or -1.
    program.add_columns(corner_rows(np.hstack([cells, cells + 1]), shape).T, 4.0)
    optimum = program.solve(budget)
    if optimum is None:
        return None
    duals = np.rint(optimum.duals.reshape(shape) * _SCALE).astype(np.int64)
    return differences(np.pad(duals, (0, 1)))
