"""RTILE on large grids: straight cuts, by a dynamic program over small boxes only.

A grid is cut into slabs of at most h rows, each of them into boxes of at most w
columns, and these by straight cuts as well as can be. So for a weight K

    f(B) = 1                                                       if w(B) <= K,
    f(B) = min over cuts B = L + R of f(L) + f(R)                  else

for the boxes of at most h rows and w columns, g(slab) is the least sum of f over boxes
in a row that make it up, and the fewest rectangles the least sum of g over slabs. The
least K for which they are at most p is found by bisection. Slabs of columns are tried
as well. Little is lost against straight cuts at large, which
:mod:`~atleastk.solvers.tilings.guillotine` finds on smaller grids.

On R x C cells that takes O(R C h w (h + w)) for every K, and R C h w cells of memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from math import isqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.rectangles import Box, cuts_of, prefix_sums
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tilings.boxes import weight_of

Counts = NDArray[np.int16]

_NEVER: Final = 10_000
"""Above every value, and the sum of two fits 16 bits."""

_AREAS: Final = 24
"""The cells of the largest box, in mean cells of a rectangle: not tuned."""

_LARGEST: Final = 2_000
"""The most cells of a box: not tuned."""

_FLAT: Final = 6
"""The width of the largest box, in heights: cuts are finer where few rows are cut."""

_MOST_VALUES: Final = 2**25
"""Boxes that have a value, 2 bytes each."""


def narrow_cuts(
    grid: IntArray, p: int, least: int, cost: int, budget: Budget
) -> Iterator[list[Box]]:
    """Yield tilings into at most p boxes that cost from `least` to below `cost`.

    No cell weighs more than `least`. Every tiling is cheaper than the one before.
    """
    upright = prefix_sums(grid)
    sides = [(upright, False), (upright.T.copy(), True)]
    while least < cost and not budget.spent:
        level = (least + cost) // 2
        found = None
        for sums, turned in sides:
            found = _tiling(sums, p, level, budget)
            if found is not None:
                if turned:
                    found = [(a, c, b, d) for c, a, d, b in found]
                break
        if budget.spent and found is None:
            return
        if found is None:
            least = level + 1
        else:
            cost = max(int(weight_of(upright, *box)) for box in found)
            yield found


def _tiling(sums: IntArray, p: int, level: int, budget: Budget) -> list[Box] | None:
    """Return boxes that weigh at most `level`, None if more than p are needed."""
    rows, columns = sums.shape[0] - 1, sums.shape[1] - 1
    room = min(_MOST_VALUES, budget.memory / 4) / (rows * columns)
    largest = min(room, _AREAS * max(1, rows * columns / p), _LARGEST)
    high = min(rows, max(1, isqrt(int(largest) // _FLAT)))
    wide = min(columns, max(1, int(largest) // high))
    fewest = np.empty((high, wide, rows, columns), dtype=np.int16)
    slabs = np.empty((high, rows), dtype=np.int64)
    with budget.flagging() as flag:
        if not _fill(sums, level, fewest, flag) or not _join(fewest, slabs, flag):
            return None
    slices, least = _chain(slabs)
    return list(_boxes(sums, level, fewest, slices)) if least <= p else None


def _chain(fewest: NDArray[Any]) -> tuple[list[tuple[int, int]], int]:
    """Return the intervals in a row that have the fewest parts, and how many those are.

    `fewest` is indexed by length - 1 and start.
    """
    longest, end = fewest.shape
    starts, counts = [0], [0]
    for b in range(1, end + 1):
        count, start = min(
            (counts[b - length] + int(fewest[length - 1, b - length]), b - length)
            for length in range(1, min(b, longest) + 1)
        )
        counts.append(count)
        starts.append(start)
    chain = []
    while end:
        chain.append((starts[end], end))
        end = starts[end]
    return chain, counts[-1]


def _boxes(
    sums: IntArray, level: int, fewest: Counts, slices: Iterable[tuple[int, int]]
) -> Iterator[Box]:
    """Yield the boxes of a best tiling, whose slabs are known."""
    pending: list[Box] = []
    for a, b in slices:
        pending += [(a, c, b, d) for c, d in _chain(fewest[b - a - 1, :, a])[0]]
    while pending:
        box = pending.pop()
        if weight_of(sums, *box) <= level:
            yield box
        else:
            pending += min(cuts_of(box), key=partial(_parts, fewest))


def _parts(fewest: Counts, cut: tuple[Box, Box]) -> int:
    """Return the parts of both sides of a cut."""
    return sum(int(fewest[b - a - 1, d - c - 1, a, c]) for a, c, b, d in cut)


@compiled
def _fill(sums: IntArray, level: int, fewest: Counts, flag: ByteArray) -> bool:
    """Count the parts of boxes; False if the flag is raised.

    ``fewest`` is indexed by height - 1, width - 1, first row and first column. Smaller
    boxes come first, so that both sides of every cut are known.
    """
    high, wide, rows, columns = fewest.shape
    for h in range(1, high + 1):
        for w in range(1, wide + 1):
            if flag[0] != 0:
                return False
            ends = columns - w + 1
            for a in range(rows - h + 1):
                row = fewest[h - 1, w - 1, a]
                for c in range(ends):
                    light = weight_of(sums, a, c, a + h, c + w) <= level
                    row[c] = 1 if light else _NEVER
                # Cuts between rows, ...
                for m in range(1, h):
                    above = fewest[m - 1, w - 1, a]
                    below = fewest[h - m - 1, w - 1, a + m]
                    for c in range(ends):
                        row[c] = min(row[c], above[c] + below[c])
                # ... and between columns.
                for m in range(1, w):
                    before = fewest[h - 1, m - 1, a]
                    beyond = fewest[h - 1, w - m - 1, a][m:]
                    for c in range(ends):
                        row[c] = min(row[c], before[c] + beyond[c])
    return True


@compiled
def _join(fewest: Counts, slabs: IntArray, flag: ByteArray) -> bool:
    """Count the parts of slabs; False if the flag is raised.

    ``slabs`` is indexed by height - 1 and first row; ``counts[d]`` is the fewest parts
    of a slab's first d columns.
    """
    high, wide, rows, columns = fewest.shape
    counts = np.zeros(columns + 1, np.int64)
    for h in range(1, high + 1):
        if flag[0] != 0:
            return False
        for a in range(rows - h + 1):
            for d in range(1, columns + 1):
                least = counts[d - 1] + fewest[h - 1, 0, a, d - 1]
                for w in range(2, min(d, wide) + 1):
                    least = min(least, counts[d - w] + fewest[h - 1, w - 1, a, d - w])
                counts[d] = least
            slabs[h - 1, a] = counts[columns]
    return True
