"""The LP relaxation of tiling a large grid, stated for few of its cells.

A hundred points in general position have 10,000 cells, and HiGHS takes a minute for the
rows of all vertices (:mod:`~atleastk.solvers.tilings.corner_lp`). Some hundred cells
mostly refute as much. So the program begins with the cells that weigh anything, and as
long as it has a point the cells that this covers worst are added, far from each other.

    minimise sum (u + v),  shares x of boxes, u, v >= 0:
    every chosen cell is covered once but for u - v, and the shares add up to p.

The dual has weights y of the cells within [-1, 1], and Y with y(B) <= Y for all boxes:
it maximises sum y - p Y. Both have a point inside at once, so a primal-dual interior
point method [Mehrotra92] solves them. Its equations have a row for a chosen cell and
are dense, and there are 25 steps. They are made and solved in compiled loops: numpy has
threads of its own, and waits for them on a busy machine. It ends early, as the dual
point is good long before. All else takes the 4 corners of a box, however large it is.

References
----------
[Mehrotra92] S. Mehrotra, "On the implementation of a primal-dual interior point
method", SIAM Journal on Optimization 2, 1992.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.models.encodings.tilings import Matrix, corner_rows
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled

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
_NEAR: Final = 0.2
"""The gap to the optimum where it ends, in shares of what is missed."""
_STEPS: Final = 80
"""More steps are not taken: 25 are usual."""
_FIRM: Final = 1e-14
"""What is added to the diagonal, in shares of its mean, to keep it invertible."""
_INSIDE: Final = 0.95
"""How far a step goes to where a variable is zero."""


def few_weigh(grid: IntArray) -> bool:
    """Return whether a grid is large, and few of its cells weigh anything."""
    weighing = int(np.count_nonzero(grid))
    few = 0 < weighing <= min(_MOST_WEIGHING, grid.size // 4)
    return few and grid.size > _LARGE


class _Point(NamedTuple):
    """What a program of chosen cells ends with."""

    missed: float
    shares: FloatArray  # [box]
    weights: FloatArray  # [chosen cell]


class FewCells:
    """The relaxation for p boxes; the chosen cells stay from one list to another."""

    def __init__(self, grid: IntArray, parts: int, most: int) -> None:
        self._chosen, self._parts = grid > 0, parts
        self._most = min(most, MOST_CELLS)

    def solve(
        self, boxes: IntArray, budget: Budget
    ) -> tuple[float, FloatArray, FloatArray] | None:
        """Return the total miss, the shares, and potentials of the vertices.

        The miss is zero if the shares cover all cells; None if the budget is spent, or
        more cells are chosen than allowed.
        """
        entries = corner_rows(boxes, self._chosen.shape)
        while np.count_nonzero(self._chosen) <= self._most:
            point = _solved(boxes, entries, self._chosen, self._parts, budget)
            if point is None:
                return None
            potentials = _potentials(point.weights, self._chosen)
            if point.missed > _MISSED:
                return point.missed, point.shares, potentials
            covered = _coverage(entries, point.shares, self._chosen.shape)
            missed = np.abs(covered - 1.0)
            missed[self._chosen] = 0.0
            if missed.max() <= _COVERED:
                return 0.0, point.shares, potentials
            self._chosen[tuple(_worst(missed).T)] = True
        return None


def _potentials(weights: FloatArray, chosen: BoolArray) -> FloatArray:
    """Return potentials of vertices; their differences are weights of chosen cells."""
    potentials = np.zeros((chosen.shape[0] + 1, chosen.shape[1] + 1))
    potentials[:-1, :-1][chosen] = weights
    return potentials[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]


def _coverage(
    entries: Matrix, shares: FloatArray, shape: tuple[int, ...]
) -> FloatArray:
    """Return how often shares of boxes cover every cell."""
    differences: FloatArray = (entries @ shares).reshape(shape)
    return differences.cumsum(axis=0).cumsum(axis=1)


def _worst(missed: FloatArray) -> IntArray:
    """Return cells that are missed most, one of each block of the grid."""
    cells = np.argwhere(missed > 0.3 * missed.max())
    order = np.argsort(-missed[tuple(cells.T)], kind="stable")
    cells = cells[order]
    blocks = np.unique(cells // _APART, axis=0, return_index=True)[1]
    worst: IntArray = cells[np.sort(blocks)]
    return worst


def _solved(
    boxes: IntArray, entries: Matrix, chosen: BoolArray, parts: int, budget: Budget
) -> _Point | None:
    """Solve the program of some boxes and cells; None if the budget is spent."""
    cells, across = np.argwhere(chosen), entries.T.tocsr()
    count, rows, (height, width) = len(boxes), len(cells), chosen.shape
    corners = np.empty((chosen.sum(axis=1).max(), height + 1, width + 1))
    diagonal, ahead = np.arange(rows), np.append(np.ones(rows), parts)
    ends = np.repeat([0.0, 1.0, 1.0], [count, rows, rows])

    def totals(shares: FloatArray) -> FloatArray:
        return np.append(_coverage(entries, shares, chosen.shape)[chosen], shares.sum())

    def worth(weights: FloatArray) -> FloatArray:
        y, most = weights[:rows], weights[rows]
        of_boxes = across @ _potentials(y, chosen)[:-1, :-1].ravel()
        return np.concatenate((of_boxes + most, y, -y))

    # Shares of boxes, u and v; weights of cells, and -Y.
    values = np.full(len(ends), parts / count)
    short = 1.0 - totals(values[:count])[:rows]
    values[count:] = np.concatenate((np.maximum(short, 0.0), np.maximum(-short, 0.0)))
    values[count:] += 0.5
    weights = np.append(np.zeros(rows), -1.0)
    for _ in range(_STEPS):
        if budget.spent:
            return None
        missed = float(values[count:].sum())
        if missed <= _MISSED or missed - ahead @ weights < _NEAR * missed:
            break
        slacks = ends - worth(weights)
        ratios, mean = values / slacks, values @ slacks / len(ends)
        products = np.zeros((rows + 1, rows + 1))
        _add_products(boxes, cells, ratios, corners, products)
        products[diagonal, diagonal] += ratios[count:-rows] + ratios[-rows:]
        products[:, rows] = totals(ratios[:count])
        products.flat[:: rows + 2] += _FIRM * np.trace(products) / rows
        if not _factored(products):
            break
        # The way to the optimum, then one towards the central path that corrects it.
        targets = np.zeros(len(ends))
        for _ in range(2):
            wanted = targets / slacks
            way = ahead - totals(wanted[:count])
            way[:rows] += wanted[-rows:] - wanted[count:-rows]
            _solve(products, way)
            shifts = worth(way)
            moves = wanted - values + ratios * shifts
            primal, dual = _length(values, moves), _length(slacks, -shifts)
            centring = max((1.0 - min(primal, dual)) ** 3, 1e-4)
            targets = centring * mean + moves * shifts
        values, weights = values + primal * moves, weights + dual * way
        if not np.isfinite(weights).all():
            return None
    return _Point(missed, values[:count], weights[:rows])


def _length(values: FloatArray, moves: FloatArray) -> float:
    """Return how far positive values can move, at most 1, and stay positive."""
    return min(1.0, _INSIDE / max(float((-moves / values).max()), _INSIDE / 2.0))


@compiled
def _add_products(
    boxes: IntArray,  # [box, side]
    cells: IntArray,  # [cell, 2], row by row
    factors: FloatArray,  # [box]
    corners: FloatArray,  # [place of a cell in its row, row + 1, column + 1]
    products: FloatArray,  # [cell, cell]
) -> None:
    """Write for all pairs of cells, in order, the factors of boxes with both.

    Of the boxes with a cell only the corners are noted, as differences of how much is
    over every other cell: O(their number + cells of the grid) for a cell.
    """
    first = 0
    while first < len(cells):
        row, end, bottom = cells[first, 0], first, 0
        while end < len(cells) and cells[end, 0] == row:
            corners[end - first, row:] = 0.0
            end += 1
        for k in range(len(boxes)):
            a, c, b, d = boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3]
            if not a <= row < b:
                continue
            bottom = max(bottom, b)
            for i in range(first, end):
                if c <= cells[i, 1] < d:
                    # What is above the row is not asked for.
                    here = corners[i - first]
                    here[row, c] += factors[k]
                    here[row, d] -= factors[k]
                    here[b, c] -= factors[k]
                    here[b, d] += factors[k]
        for i in range(first, end):
            over, j = corners[i - first], i
            for x in range(row + 1, bottom):
                for y in range(over.shape[1]):
                    over[x, y] += over[x - 1, y]
            for y in range(1, over.shape[1]):
                for x in range(row, bottom):
                    over[x, y] += over[x, y - 1]
            while j < len(cells) and cells[j, 0] < bottom:
                products[i, j] = over[cells[j, 0], cells[j, 1]]
                j += 1
        first = end


@compiled
def _factored(matrix: FloatArray) -> bool:
    """Eliminate in place; tell if the matrix is positive definite.

    It is symmetric, so pivots need no search. What is below the diagonal is not read.
    Four rows at a time are subtracted from one: it is read and written less often.
    """
    n = len(matrix)
    for i in range(n):
        row, k = matrix[i], 0
        while k + 3 < i:
            a, b, c, d = matrix[k], matrix[k + 1], matrix[k + 2], matrix[k + 3]
            p, q, r, s = a[i] / a[k], b[i] / b[k + 1], c[i] / c[k + 2], d[i] / d[k + 3]
            for j in range(i, n):
                row[j] -= p * a[j] + q * b[j] + r * c[j] + s * d[j]
            k += 4
        for k in range(i // 4 * 4, i):
            factor = matrix[k, i] / matrix[k, k]
            for j in range(i, n):
                row[j] -= factor * matrix[k, j]
        if not row[i] > 0.0:
            return False
    return True


@compiled
def _solve(factored: FloatArray, side: FloatArray) -> None:
    """Solve for a side, in place, with what elimination has left of a matrix."""
    n = len(side)
    for k in range(n):
        factor = side[k] / factored[k, k]
        for i in range(k + 1, n):
            side[i] -= factor * factored[k, i]
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, n):
            side[k] -= factored[k, i] * side[i]
        side[k] /= factored[k, k]
