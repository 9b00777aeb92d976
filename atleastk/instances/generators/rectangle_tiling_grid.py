"""RTILE: families of generated grids of weights."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from math import exp

from atleastk.instances.family import Family, at_least, require
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid

Drawn = tuple[list[list[int]], int]
"""A grid, and the most rectangles."""


def uniform(
    seed: int,
    rows: int = 9,
    columns: int = 9,
    high: int = 9,
    p: int = 9,
) -> Drawn:
    """Draw weights uniformly in 0..high."""
    at_least(1, rows=rows, columns=columns, p=p)
    at_least(0, high=high)
    rng = random.Random(seed)
    grid = [[rng.randint(0, high) for _ in range(columns)] for _ in range(rows)]
    return (grid, p)


def peaks(
    seed: int,
    rows: int = 12,
    columns: int = 12,
    count: int = 3,
    high: int = 60,
    width: int = 2,
    p: int = 8,
) -> Drawn:
    """Add up bells of height 1..high about random cells, `width` their deviation.

    Most of the grid is nearly empty, as histograms of two numbers are.
    """
    at_least(1, rows=rows, columns=columns, p=p)
    at_least(0, count=count)
    at_least(1, high=high, width=width)
    rng = random.Random(seed)
    tops = [
        (rng.randrange(rows), rng.randrange(columns), rng.randint(1, high))
        for _ in range(count)
    ]
    grid = [
        [
            sum(
                round(h * exp(-((i - r) ** 2 + (j - c) ** 2) / (2 * width**2)))
                for r, c, h in tops
            )
            for j in range(columns)
        ]
        for i in range(rows)
    ]
    return (grid, p)


def pinwheel(_seed: int, arm: int = 4, w: int = 1) -> Drawn:
    """Draw a pinwheel: straight cuts do not reach the optimum.

    Weights are on the border of a grid and in its middle, for five rectangles. A cell
    of the border weighs w, the middle as much as an arm: so many cells of the border,
    an even number. The optimum is the weight of an arm, a fifth of all: four arms turn
    about the middle. No straight cut leaves fifths on both sides, since the cells of
    the border there are odd in number.
    """
    require(arm >= 2 and arm % 2 == 0, f"arm: expected 2, 4, 6, ..., got {arm}")
    at_least(1, w=w)
    ends = {0, arm}
    grid = [
        [w if i in ends or j in ends else 0 for j in range(arm + 1)]
        for i in range(arm + 1)
    ]
    grid[arm // 2][arm // 2] = arm * w
    return (grid, 5)


def worst_cross(_seed: int, w: int = 10) -> Drawn:
    """Put a cell of w amid four of w - 1, p = 5: no cut leaves w on both sides.

    So cutting at W / p = w keeps all, 5w - 4, where five rectangles cost w.
    """
    at_least(2, w=w)
    grid = [[0, w - 1, 0], [w - 1, w, w - 1], [0, w - 1, 0]]
    return (grid, 5)


def worst_slabs(_seed: int, t: int = 2) -> Drawn:
    """Make slabs of three rectangles of which no two may join: slices pay 7t + 1.

    With k = 3t + 1, a block has k - 1 in a row and, below it, k amid two times t ones.
    Of k blocks the ones share columns of weight k; the middle columns, one for each,
    have t more ones, in rows of weight k. This is there once more with rows and columns
    exchanged, and the optimum is k, in one rectangle more than all have k of weight.
    """
    at_least(1, t=t)
    k = 3 * t + 1
    grid = [[0] * (3 * k + 3 * t) for _ in range(3 * k + 3 * t)]
    cells = [(2 * k + j, t + i, 1) for i, j in product(range(k), range(t))]
    for i in range(k):
        cells += [(2 * i, t + i, k - 1), (2 * i + 1, t + i, k)]
        ones = (*range(t), *range(t + k, 2 * t + k))
        cells += [(2 * i + 1, column, 1) for column in ones]
    for row, column, weight in cells:
        grid[row][column] = grid[2 * k + t + column][k + 2 * t + row] = weight
    p = 4 * k + 6 * t
    return (grid, p)


def worst_jagged(_seed: int, w: int = 1) -> Drawn:
    """Put a block and its transpose about a cell of 4w, the optimum: slabs pay 7w.

    Below 7w, a block takes 12 rectangles in slabs of rows and 13 in slabs of columns,
    and the optimum has 12 of it. The block was found by search.
    """
    at_least(1, w=w)
    block = ("3021430", "0110401", "3144440", "1201000", "0000030", "0001000")
    grid = [[0] * 14 for _ in range(14)]
    grid[6][7] = 4 * w
    for (i, row), j in product(enumerate(block), range(7)):
        grid[i][j] = grid[7 + j][8 + i] = int(row[j]) * w
    return (grid, 25)


def _tiling(_seed: int, drawn: Drawn, guillotine: int) -> RectangleTilingGrid:
    require(guillotine in (0, 1), f"guillotine: expected 0 or 1, got {guillotine}")
    return RectangleTilingGrid(*drawn, guillotine=bool(guillotine))


FAMILIES: Sequence[Family[RectangleTilingGrid]] = tuple(
    Family.made_of(draw, _tiling, {"guillotine": 0})
    for draw in (uniform, peaks, pinwheel, worst_cross, worst_slabs, worst_jagged)
)
