"""Rectangles on a grid: solutions of rectangle tiling and RTILE, and checks.

A *box* is a set of cells [a, b) x [c, d), the tuple (a, c, b, d) of numbers of lines
between cells. A *rectangle* of a solution names its first and last cell instead, by
their coordinates, both included: numbers of rows and columns in RTILE, coordinates of
points in rectangle tiling.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import IntArray
from atleastk.instances.fields.shapes import Number, Row
from atleastk.models.results.solution import Solution

Box = tuple[int, int, int, int]
Rectangle = tuple[float, float, float, float]

_FOUR: Final = Row("four finite numbers", (Number(),) * 4)


@dataclass(frozen=True, repr=False)
class RectanglesSolution(Solution):
    """Groups of points or cells, and the rectangles that hold them."""

    BY_GROUP = ("rectangles",)
    LISTS: ClassVar = {"rectangles": _FOUR}

    rectangles: tuple[Rectangle, ...] = ()
    """(first x, first y, last x, last y) of every group, in the order of the groups;
    (row, column, row, column) in RTILE."""


def cuts_of(box: Box) -> Iterator[tuple[Box, Box]]:
    """Yield both halves of a box, for every straight line that cuts it."""
    a, c, b, d = box
    for x in range(a + 1, b):
        yield (a, c, x, d), (x, c, b, d)
    for y in range(c + 1, d):
        yield (a, c, b, y), (a, y, b, d)


def boxes_in(rows: int, columns: int) -> Iterator[Box]:
    """Yield every box of a grid."""
    for a, b in combinations(range(rows + 1), 2):
        for c, d in combinations(range(columns + 1), 2):
            yield a, c, b, d


def prefix_sums(grid: IntArray) -> IntArray:
    """Return the weight of [0, i) x [0, j) for all i, j."""
    sums = np.zeros((grid.shape[0] + 1, grid.shape[1] + 1), dtype=np.int64)
    sums[1:, 1:] = grid.cumsum(axis=0).cumsum(axis=1)
    return sums


def box_weights(sums: NDArray[Any], boxes: IntArray) -> NDArray[Any]:
    """Return the weights of boxes, rows (a, c, b, d), by prefix sums or potentials."""
    a, c, b, d = boxes.T
    weights: NDArray[Any] = sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c]
    return weights


def tiles(rows: int, columns: int, boxes: IntArray) -> bool:
    """Tell whether every cell is in one box; none is empty, or leaves the grid.

    How often cells are covered is a function on the grid, which is 1 everywhere exactly
    if its difference in both directions is that of the whole grid. In a box that is 1
    at two corners, -1 at the others, and 0 elsewhere.
    """
    a, c, b, d = boxes.T
    wide = columns + 1
    plus = np.concatenate((a * wide + c, b * wide + d, (columns, rows * wide)))
    minus = np.concatenate((a * wide + d, b * wide + c, (0, rows * wide + columns)))
    return np.array_equal(np.sort(plus), np.sort(minus))


def tiling_violations(
    rows: int, columns: int, boxes: Sequence[Box], whole: bool
) -> list[str]:
    """Return which boxes overlap; if none do and `whole`, the cells in no box.

    A sweep line over the rows: the grid may have any number of cells.
    """
    starting, ending = defaultdict(list), defaultdict(list)
    for g, (a, _, b, _) in enumerate(boxes):
        starting[a].append(g)
        ending[b].append(g)
    crossed: list[tuple[int, int, int]] = []
    overlaps, bare = [], None
    for line in sorted({0, *starting, *ending}):
        for g in ending[line]:
            _, c, _, d = boxes[g]
            at = bisect_left(crossed, (c, d, g))
            if crossed[at : at + 1] == [(c, d, g)]:
                del crossed[at]
        for g in starting[line]:
            _, c, _, d = boxes[g]
            at = bisect_left(crossed, (c, d, g))
            beside = crossed[max(0, at - 1) : at + 1]
            met = [other for first, end, other in beside if first < d and c < end]
            if met:
                overlaps.append((min(g, met[0]), max(g, met[0])))
            else:
                crossed.insert(at, (c, d, g))
        if whole and bare is None and line < rows:
            bare = _first_gap(line, columns, crossed)
    if overlaps:
        return [f"rectangles {g} and {other} overlap" for g, other in overlaps]
    left = rows * columns - sum((b - a) * (d - c) for a, c, b, d in boxes)
    if whole and left:
        return [f"{left} cells are in no rectangle, the first is {bare}"]
    return []


def _first_gap(
    row: int, columns: int, intervals: Sequence[tuple[int, int, int]]
) -> list[int] | None:
    """Return the first cell of a row that disjoint sorted intervals leave out."""
    reached = 0
    for first, end, _ in intervals:
        if first > reached:
            break
        reached = end
    return [row, reached] if reached < columns else None


def by_guillotine(boxes: Sequence[Box]) -> bool:
    """Tell whether a tiling of a box is a guillotine tiling: made by straight cuts.

    A cut is searched from all four sides at once, and the side with fewer boxes is
    taken out: O(n log^2 n) in all.
    """
    pending = [[_from_side(boxes, range(len(boxes)), side) for side in range(4)]]
    while pending:
        orders = pending.pop()
        if len(orders[0]) < 2:
            continue
        fewer = _cut_off(boxes, orders)
        if fewer is None:
            return False
        for order in orders:
            for g in fewer:
                del order[g]
        pending += [orders, [_from_side(boxes, fewer, side) for side in range(4)]]
    return True


def _from_side(
    boxes: Sequence[Box], numbers: Iterable[int], side: int
) -> OrderedDict[int, None]:
    """Return boxes in the order in which they begin, seen from a side."""
    return OrderedDict.fromkeys(
        sorted(numbers, key=lambda g: _extent(boxes[g], side)[0])
    )


def _extent(box: Box, side: int) -> tuple[int, int]:
    """Return where a box begins and ends, seen from a side."""
    return (box[side], box[side + 2]) if side < 2 else (-box[side], -box[side - 2])


def _cut_off(
    boxes: Sequence[Box], orders: Sequence[OrderedDict[int, None]]
) -> list[int] | None:
    """Return the boxes on one side of a straight cut, at most half; None without."""
    reached = [0, 0, 0, 0]
    for count, met in enumerate(zip(*orders, strict=True)):
        for side, g in enumerate(met):
            first, end = _extent(boxes[g], side)
            if count and first >= reached[side]:
                return list(islice(orders[side], count))
            reached[side] = max(reached[side], end) if count else end
    return None
