"""The LP relaxation of tiling a large grid, stated for few of its cells.

A hundred points in general position have 10,000 cells, and HiGHS takes a minute for the
rows of all vertices (:mod:`~atleastk.solvers.tilings.corner_lp`). Some hundred cells
mostly refute as much. So the program begins with the cells that weigh anything, and as
long as it has a point the cells that this covers worst are added, far from each other.

    minimise sum (u + v),  shares x of boxes, u, v >= 0:
    every chosen cell is covered once but for u - v, and the shares add up to p.

The dual has weights y of the cells within [-1, 1], and Y with y(B) <= Y for all boxes:
it maximises sum y - p Y. Both have a point inside at once, so a primal-dual interior
point method [Mehrotra92, without the second corrector] solves them. Its equations have
a row for a chosen cell and are dense, and there are 50 steps. They are solved in a
compiled loop: numpy has threads of its own, and waits for them on a busy machine. It
ends early, as the dual point is good long before.

References
----------
[Mehrotra92] S. Mehrotra, "On the implementation of a primal-dual interior point
method", SIAM Journal on Optimization 2, 1992.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled

MOST_CELLS: Final = 2_000
"""The most cells that are chosen: their equations take a second."""
_MOST_PAIRS: Final = 2 * 10**9
"""The most pairs of chosen cells in boxes: as long, not tuned."""
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
"""More steps are not taken: 50 are usual."""
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
        self._shape, self._parts = grid.shape, parts
        self._most = min(most, MOST_CELLS)
        self._numbers = np.full(grid.shape, -1)  # of chosen cells; -1 for others
        self._choose(np.argwhere(grid > 0))

    def solve(
        self, boxes: IntArray, budget: Budget
    ) -> tuple[float, FloatArray, FloatArray] | None:
        """Return the total miss, the shares, and potentials of the vertices.

        The miss is zero if the shares cover all cells; None if the budget is spent, or
        more cells are chosen than allowed.
        """
        while self._numbers.max() < self._most:
            entries = self._entries(boxes)
            if entries is None:
                return None
            point = _solved(entries, self._parts, budget)
            if point is None:
                return None
            if point.missed > _MISSED:
                return point.missed, point.shares, self._potentials(point.weights)
            missed = np.abs(_coverage(boxes, point.shares, self._shape) - 1.0)
            missed[self._numbers >= 0] = 0.0
            if missed.max() <= _COVERED:
                return 0.0, point.shares, self._potentials(point.weights)
            self._choose(_worst(missed))
        return None

    def _choose(self, cells: IntArray) -> None:
        """Choose more cells."""
        first = self._numbers.max() + 1
        self._numbers[tuple(cells.T)] = np.arange(first, first + len(cells))

    def _entries(self, boxes: IntArray) -> Any | None:
        """Return the matrix of boxes and the chosen cells in them; None if too many."""
        chosen = self._numbers >= 0
        counts = box_weights(prefix_sums(chosen.astype(np.int64)), boxes)
        if counts @ counts > _MOST_PAIRS:
            return None
        starts = np.append(0, np.cumsum(counts))
        held = np.empty(starts[-1], dtype=np.int64)
        _list_held(boxes, self._numbers, held)
        size = len(boxes), int(chosen.sum())
        return sparse.csr_array((np.ones(len(held)), held, starts), shape=size)

    def _potentials(self, weights: FloatArray) -> FloatArray:
        """Return potentials whose differences are the weights of the chosen cells."""
        rows, columns = self._shape
        spread = np.append(weights, 0.0)[self._numbers]
        potentials = np.zeros((rows + 1, columns + 1))
        potentials[:-1, :-1] = spread[::-1, ::-1].cumsum(0).cumsum(1)[::-1, ::-1]
        return potentials


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


def _solved(entries: Any, parts: int, budget: Budget) -> _Point | None:
    """Solve the program of some boxes and cells; None if the budget is spent."""
    count, rows = int(entries.shape[0]), int(entries.shape[1])
    across, diagonal = entries.T.tocsr(), np.arange(rows)
    x: FloatArray = np.full(count, parts / count)
    y, most = np.zeros(rows), 1.0
    short: FloatArray = 1.0 - across @ x
    u: FloatArray = np.maximum(short, 0.0) + 0.5
    v: FloatArray = u - short

    def sides(shares: FloatArray, over: FloatArray, under: FloatArray) -> FloatArray:
        return np.append(across @ shares + over - under, shares.sum())

    for _ in range(_STEPS):
        if budget.spent:
            return None
        missed = float(u.sum() + v.sum())
        if missed <= _MISSED or missed - (y.sum() - parts * most) < _NEAR * missed:
            break
        slacks = most - entries @ y, 1.0 - y, 1.0 + y
        values = x, u, v
        ratios = [value / slack for value, slack in zip(values, slacks, strict=True)]
        mean = sum(a @ b for a, b in zip(values, slacks, strict=True))
        mean /= count + 2 * rows
        products = np.zeros((rows + 1, rows + 1))
        _add_products(entries.indptr, entries.indices, ratios[0], products)
        products += products.T
        products[diagonal, diagonal] /= 2.0
        products[diagonal, diagonal] += ratios[1] + ratios[2]
        products[rows, :rows] = products[:rows, rows] = across @ ratios[0]
        products[rows, rows] = ratios[0].sum()
        products.flat[:: rows + 2] += _FIRM * np.trace(products) / rows
        # The way to the optimum, and that to the central path.
        ahead = np.append(np.ones(rows), parts)
        inward = -mean * sides(*(1.0 / slack for slack in slacks))
        ways = np.stack([ahead, inward], axis=1)
        if not _eliminate(products, ways):
            break
        centring, way, here = 0.0, ways[:, 0], (values, slacks, ratios)
        for _ in range(2):
            shift = entries @ way[:rows] + way[rows]
            shifts = shift, way[:rows], -way[:rows]
            moves = [
                centring * mean / slack - value + ratio * shift
                for value, slack, ratio, shift in zip(*here, shifts, strict=True)
            ]
            primal = _length(values, moves)
            dual = _length(slacks, [-shift for shift in shifts])
            if centring == 0.0:
                centring = max((1.0 - min(primal, dual)) ** 3, 1e-4)
                way = ways[:, 0] + centring * ways[:, 1]
        x, u, v = (a + primal * b for a, b in zip(values, moves, strict=True))
        y, most = y + dual * way[:rows], most - dual * way[rows]
        if not np.isfinite(y).all():
            return None
    return _Point(missed, x, y)


def _length(values: Sequence[FloatArray], moves: Sequence[FloatArray]) -> float:
    """Return how far positive values can move, at most 1, and stay positive."""
    steepest = max((-b / a).max() for a, b in zip(values, moves, strict=True))
    return min(1.0, _INSIDE / max(float(steepest), _INSIDE / 2.0))


@compiled
def _list_held(boxes: IntArray, numbers: IntArray, held: IntArray) -> None:
    """List the numbers of the chosen cells of every box, one behind the other."""
    count = 0
    for k in range(len(boxes)):
        for i in range(boxes[k, 0], boxes[k, 2]):
            for j in range(boxes[k, 1], boxes[k, 3]):
                if numbers[i, j] >= 0:
                    held[count] = numbers[i, j]
                    count += 1


@compiled
def _add_products(
    starts: Any, held: Any, factors: FloatArray, products: FloatArray
) -> None:
    """Add the factor of every box for all pairs of its cells, in either order once."""
    for k in range(len(factors)):
        for e in range(starts[k], starts[k + 1]):
            for f in range(starts[k], e + 1):
                products[held[e], held[f]] += factors[k]


@compiled
def _eliminate(matrix: FloatArray, sides: FloatArray) -> bool:
    """Solve for two sides, in place; tell if the matrix is positive definite.

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
            for j in range(2):
                sides[i, j] -= p * sides[k, j] + q * sides[k + 1, j]
                sides[i, j] -= r * sides[k + 2, j] + s * sides[k + 3, j]
            k += 4
        for k in range(i // 4 * 4, i):
            factor = matrix[k, i] / matrix[k, k]
            for j in range(i, n):
                row[j] -= factor * matrix[k, j]
            for j in range(2):
                sides[i, j] -= factor * sides[k, j]
        if not row[i] > 0.0:
            return False
    for k in range(n - 1, -1, -1):
        for j in range(2):
            for i in range(k + 1, n):
                sides[k, j] -= matrix[k, i] * sides[i, j]
            sides[k, j] /= matrix[k, k]
    return True
