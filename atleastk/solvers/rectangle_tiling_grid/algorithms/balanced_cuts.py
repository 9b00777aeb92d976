"""Balanced cuts of a grid into at most p rectangles, without a promise.

A box for p rectangles is cut into one for floor(p / 2) and one for ceil(p / 2), in
either order, where the heavier share for each of its rectangles is lightest.
"""

from __future__ import annotations

from atleastk.arrays import IntArray
from atleastk.models.rectangles import Box


def balanced_cuts(sums: IntArray, p: int) -> list[Box]:
    """Cut the grid of these prefix sums; O(p (R + C))."""
    found = []
    pending = [((0, 0, sums.shape[0] - 1, sums.shape[1] - 1), p)]
    while pending:
        box, parts = pending.pop()
        a, c, b, d = box
        if parts == 1 or (b - a == 1 and d - c == 1):
            found.append(box)
        else:
            pending += _halves(sums, box, parts)
    return found


def _halves(
    sums: IntArray, box: Box, parts: int
) -> tuple[tuple[Box, int], tuple[Box, int]]:
    a, c, b, d = box
    rows = (sums[a : b + 1, d] - sums[a : b + 1, c]).tolist()
    columns = (sums[b, c : d + 1] - sums[a, c : d + 1]).tolist()
    few, many = parts // 2, parts - parts // 2
    _, axis, m, first = min(
        (max(low * (parts - first), (sides[-1] - sides[0] - low) * first), i, m, first)
        for i, sides in enumerate((rows, columns))
        for m in range(1, len(sides) - 1)
        for low in [sides[m] - sides[0]]
        for first in (few, many)
    )
    second = parts - first
    if axis == 0:
        return ((a, c, a + m, d), first), ((a + m, c, b, d), second)
    return ((a, c, b, c + m), first), ((a, c + m, b, d), second)
