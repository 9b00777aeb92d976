"""Weighted points by their ranks along both axes, and rectangles of them that are cut.

The points are sorted once. Those of a rectangle stand in its stretch of either order,
and stay in order on both sides of a cut, which takes time in proportion to them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import inlined


class Points(NamedTuple):
    """Points by rank along either axis; ranks of equal places are in any order."""

    place: IntArray  # [axis, rank], the cell
    other: IntArray  # [axis, rank], the rank along the other axis
    weight: IntArray  # [axis, rank]


def ranked(cells: IntArray, weights: IntArray) -> tuple[Points, IntArray]:
    """Return points at cells [point, axis], and these by rank along the first axis."""
    order = np.argsort(cells.T, axis=1, kind="stable")
    rank = np.argsort(order, axis=1)
    other = np.stack((rank[1][order[0]], rank[0][order[1]]))
    place = np.take_along_axis(cells.T, order, axis=1)
    return Points(place, other, weights[order]), order[0]


@inlined
def part(
    points: Points,
    ranks: IntArray,  # [axis, place]
    axis: int,
    first: int,
    middle: int,
    end: int,
    spare: IntArray,
) -> int:
    """Cut the rectangle of places [first, end) before a middle; return what is below.

    Along the axis the points are apart already; ``spare`` is room for them.
    """
    beyond = ranks[axis, middle]
    low, high, lower = first, 0, 0
    for i in range(first, end):
        rank = ranks[1 - axis, i]
        if points.other[1 - axis, rank] < beyond:
            ranks[1 - axis, low] = rank
            lower += points.weight[1 - axis, rank]
            low += 1
        else:
            spare[high] = rank
            high += 1
    for i in range(high):
        ranks[1 - axis, low + i] = spare[i]
    return lower
