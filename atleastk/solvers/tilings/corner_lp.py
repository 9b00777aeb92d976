"""The LP relaxation of tiling by boxes of a window, and weights that refute it.

The relaxation takes shares x_B >= 0 of boxes so that every cell is covered once and the
shares add up to the number of parts. By Farkas it has no point iff there are weights y
of the cells and Y with

    y(B) <= Y for all boxes B of the window,    sum y > p Y

(y <= 0 on cells that may stay uncovered), which refutes p parts in integers.

Corners
-------
Coverage is right in all cells iff its differences at the vertices of the grid are, see
:mod:`atleastk.models.encodings.tilings`: 4 entries per box, whatever its size.
The linear program is elastic: it minimises by how much the differences are missed. So
its duals, potentials of the vertices within [-1, 1], are there even if it has no point
without a miss; the weight of a cell is the difference of the potentials of its corners.
An interior-point method without crossover solves it, as the simplex method stalls on
programs that are so degenerate. Potentials are scaled and rounded to integers, and what
they prove is computed from these.

Columns
-------
Of a large grid that few points lie in, few cells are asked to be covered
(:mod:`~atleastk.solvers.tilings.few_cells`).
Lists of a hundred thousand boxes are priced by prefix sums of y in milliseconds, so
this is column generation: the program starts with some, and the most missed of many
places are added until weights refute all or some shares of those known miss nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.models.encodings.tilings import corner_rows
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.models.windows import Window
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import SCALES, GrowingLp, Relaxed, Weights
from atleastk.solvers.precision import NOTHING
from atleastk.solvers.tilings.boxes import filtered, listed_boxes
from atleastk.solvers.tilings.few_cells import FewCells, few_weigh

_Solve = Callable[[IntArray, Budget], tuple[float, FloatArray, FloatArray] | None]
"""Returns the total miss of some boxes, the shares, and potentials of the vertices."""

_START: Final = 12_000
"""The most boxes that the program starts with: not tuned."""
_FEW: Final = 3_000
"""The same where few cells are asked to be covered: not tuned."""
_ADDED: Final = 2_000
"""Boxes that are added at a time: not tuned."""


def refute(
    grid: IntArray,
    window: Window,
    budget: Budget,
    required: BoolArray | None = None,
    fewest: int | None = None,
) -> Weights | None:
    """Return weights that refute all partitions of a window into boxes.

    None if the relaxation has a point, or the budget is spent. `required` and `fewest`
    are as in :func:`~atleastk.solvers.tilings.boxes.admissible_boxes`.
    """
    boxes = listed_boxes(grid, window.least, window.most, budget, required=required)
    if boxes is None or budget.spent:
        return None
    start = boxes
    if required is None:
        start = filtered(grid, boxes, window, budget, fewest)
    parts = fewest or window.parts, window.parts
    return fractional_tiling(boxes, grid, parts, budget, required, start).refuted


def fractional_tiling(
    boxes: IntArray,
    grid: IntArray,
    parts: tuple[int, int],
    budget: Budget,
    required: BoolArray | None = None,
    start: IntArray | None = None,
    most_cells: int = 2**31,
) -> Relaxed:
    """Solve the relaxation over listed boxes, for numbers of parts from one to another.

    `start` are some of them that are likely to be good. Where few cells are chosen it
    ends, without an answer, when they are more than that.
    """
    shape = grid.shape
    if not len(boxes):
        nothing = np.zeros(shape, dtype=np.int64)
        return Relaxed(Weights(nothing, -1))
    holes = np.zeros(shape, np.bool_) if required is None else ~required
    solve: _Solve = partial(_solve, holes=holes, parts=parts)
    most = _START
    if few_weigh(grid) and parts[0] == parts[1] and not holes.any():
        solve, most = FewCells(grid, parts[0], most_cells).solve, _FEW
    active = _start(boxes, shape, start, most, budget.seed)
    while not budget.spent:
        solved = solve(boxes[active], budget)
        if solved is None:
            break
        missed, shares, potentials = solved
        if missed <= NOTHING:
            found = np.zeros(len(boxes))
            found[active] = shares
            return Relaxed(shares=found)
        for scale in SCALES:
            refuted = _rounded(potentials, scale, boxes, holes, parts)
            if refuted is not None:
                return Relaxed(refuted)
        worse = _worse(box_weights(potentials, boxes), boxes, active)
        if not len(worse):
            break
        active = np.union1d(active, worse)
    return Relaxed()


def _start(
    boxes: IntArray,
    shape: tuple[int, ...],
    start: IntArray | None,
    most: int,
    seed: int,
) -> IntArray:
    """Return the indices of the boxes that the program starts with, sorted."""
    among = np.arange(len(boxes))
    if start is not None and len(start):
        among = np.flatnonzero(np.isin(_keys(boxes, shape), _keys(start, shape)))
    if len(among) <= most:
        return among
    return np.sort(np.random.default_rng(seed).choice(among, most, replace=False))


def _keys(boxes: IntArray, shape: tuple[int, ...]) -> IntArray:
    """Return a number for every box, different for different ones."""
    a, c, b, d = boxes.T
    rows, columns = shape[0] + 1, shape[1] + 1
    keys: IntArray = ((a * columns + c) * rows + b) * columns + d
    return keys


def _solve(
    boxes: IntArray, budget: Budget, holes: BoolArray, parts: tuple[int, int]
) -> tuple[float, FloatArray, FloatArray] | None:
    """Return the total miss, the shares, and potentials of the vertices."""
    cells = np.argwhere(holes)
    columns = np.concatenate([boxes, np.hstack([cells, cells + 1])])
    ones = (np.arange(len(columns)) < len(boxes)).astype(np.int64)
    rows = sparse.vstack(
        [corner_rows(columns, holes.shape), sparse.csr_array(ones[None])]
    )
    whole = np.array([[0, 0, *holes.shape]], dtype=np.int64)
    sides = corner_rows(whole, holes.shape).toarray().ravel()
    misses = sparse.eye_array(rows.shape[0])
    lower, upper = np.append(sides, parts[0]), np.append(sides, parts[1])
    program = GrowingLp(lower, upper, budget.seed, solver="ipm", run_crossover="off")
    program.add_columns(rows.T, 0.0)
    program.add_columns(misses, 1.0)
    program.add_columns(-misses, 1.0)
    optimum = program.solve(budget, apart=True)
    if optimum is None:
        return None
    point = optimum.primal
    potentials = np.zeros((holes.shape[0] + 1, holes.shape[1] + 1))
    potentials[:-1, :-1] = optimum.duals[:-1].reshape(holes.shape)
    return float(point[len(columns) :].sum()), point[: len(boxes)], potentials


def _rounded(
    potentials: FloatArray,
    scale: int,
    boxes: IntArray,
    holes: BoolArray,
    parts: tuple[int, int],
) -> Weights | None:
    """Return the rounded weights if they refute all boxes, computed in integers."""
    weights = differences(np.rint(potentials * scale).astype(np.int64))
    weights[holes] = np.minimum(weights[holes], 0)
    total = int(weights.sum())
    most = int(box_weights(prefix_sums(weights), boxes).max())
    if all(total > count * most for count in parts):
        return Weights(weights, most)
    return None


def differences(potentials: NDArray[Any]) -> NDArray[Any]:
    """Return what every cell weighs, given potentials of all vertices."""
    weights: NDArray[Any] = (
        potentials[:-1, :-1]
        - potentials[1:, :-1]
        - potentials[:-1, 1:]
        + potentials[1:, 1:]
    )
    return weights


def _worse(values: FloatArray, boxes: IntArray, active: IntArray) -> IntArray:
    """Return boxes that are worth more than all that are active.

    The best of those with one first cell, with one last cell, and of one level or
    upright strip; of many the best of all.
    """
    worse = np.flatnonzero(values > values[active].max() + NOTHING)
    worse = worse[np.argsort(-values[worse], kind="stable")]
    chosen = np.zeros(len(values), dtype=np.bool_)
    for first, second in ((0, 1), (2, 3), (0, 2), (1, 3)):
        pairs = boxes[worse, first] * 2**31 + boxes[worse, second]
        chosen[worse[np.unique(pairs, return_index=True)[1]]] = True
    return worse[chosen[worse]][:_ADDED]
