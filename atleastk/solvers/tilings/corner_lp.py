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

Few cells
---------
A hundred points in general position have 10,000 cells, and HiGHS takes a minute for the
rows of all vertices. Some hundred cells mostly refute as much. So where few cells of a
large grid weigh anything the program begins with these, and as long as it has a point
the cells that this covers worst are added, far from each other. They have rows of their
own, as elastic as those of the vertices.

Columns
-------
Lists of a hundred thousand boxes are priced by prefix sums of y in milliseconds, so
this is column generation: the program starts with some, and the most missed of many
places are added until weights refute all or some shares of those known miss nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

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

if TYPE_CHECKING:
    from atleastk.solvers.engine.linear_program import Sparse

_Solve = Callable[[IntArray, Budget], tuple[float, FloatArray, FloatArray] | None]
"""Returns the total miss of some boxes, the shares, and potentials of the vertices."""

_START: Final = 12_000
"""The most boxes that the program starts with: not tuned."""
_FEW: Final = 3_000
"""The same where few cells are asked to be covered: not tuned."""
_ADDED: Final = 2_000
"""Boxes that are added at a time: not tuned."""
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
        values = _values(potentials, boxes)
        worse = _worse(values, boxes, active)
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
    solved = elastic(
        rows.T, np.append(sides, parts[0]), np.append(sides, parts[1]), budget
    )
    if solved is None:
        return None
    missed, shares, duals = solved
    potentials = np.zeros((holes.shape[0] + 1, holes.shape[1] + 1))
    potentials[:-1, :-1] = duals[:-1].reshape(holes.shape)
    return missed, shares[: len(boxes)], potentials


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


def _values(potentials: FloatArray, boxes: IntArray) -> FloatArray:
    """Return what boxes weigh, given potentials of all vertices."""
    a, c, b, d = boxes.T
    values: FloatArray = (
        potentials[a, c] - potentials[b, c] - potentials[a, d] + potentials[b, d]
    )
    return values


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
