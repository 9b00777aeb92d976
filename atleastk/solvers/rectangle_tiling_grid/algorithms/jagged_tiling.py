"""Jagged tilings of a grid: slabs of rows, each cut between columns on its own.

Let kappa be the greatest of the heaviest cell and ceil(W / p), so W <= p kappa.

Theorem. A jagged tiling by at most p rectangles costs at most 5/2 kappa.

Proof. Let kappa = 1. A slab ends with the row that takes its weight to 1 or more; a
rest below 1 is a slab of its own, or if it weighs nothing part of the one before. In a
slab of weight w >= 1 let s_j be the weight of column j without the last row, so that
the s_j add up to less than 1, and columns weigh at most s_j + 1: below 2, and at most
3/2 but for one column, B. Fill rectangles with columns as long as they weigh at most
5/2. Of q rectangles any two neighbours weigh more than 5/2, and each but the last more
than 1, unless B is the first column of the next: then more than 1/2. If q > 1, the last
two weigh more than 5/2 and one other may weigh 1/2: q < w in all cases. So q <=
floor(w). These floors add up to at most p, and to less than p if there is a rest with
weight.

Both functions look for the least weight of rectangles for which their slabs need at
most p of them: those of the proof (:func:`slices`), or the best of all
(:func:`jagged_tiling`: fewest(b) = min over a < b of fewest(a) + cuts of rows [a, b)).

The ratio 5/2 is that of [Khanna98]; the proof is our own.

References
----------
[Khanna98] S. Khanna, S. Muthukrishnan, M. Paterson, "On approximating rectangle tiling
and packing", SODA 1998.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.rectangles import Box
from atleastk.solvers.compiled.compile import compiled

_TOO_MANY = 2**40
"""Above every number of rectangles, and sums of them fit 64 bits."""


def least_possible(sums: IntArray, p: int) -> int:
    """Return kappa of a grid that is not empty, from its prefix sums."""
    cells = sums[1:, 1:] - sums[:-1, 1:] - sums[1:, :-1] + sums[:-1, :-1]
    return max(int(cells.max()), -(-int(sums[-1, -1]) // p))


def slices(sums: IntArray, p: int) -> list[Box]:
    """Cut slabs that weigh as little as they can from kappa up; O(R C log W)."""
    kappa = least_possible(sums, p)
    ends = [0]
    for b in range(1, len(sums)):
        if int(sums[b, -1] - sums[ends[-1], -1]) >= max(kappa, 1):
            ends.append(b)
    if len(ends) == 1 or sums[ends[-1], -1] < sums[-1, -1]:
        ends.append(len(sums) - 1)
    ends[-1] = len(sums) - 1
    slabs = np.array(ends, dtype=np.int64)
    level = _least_level(lambda level: _cuts_of_slabs(sums, slabs, level) <= p, sums, p)
    return _boxes(sums, ends, level)


def jagged_tiling(sums: IntArray, p: int) -> list[Box]:
    """Return a best tiling by slabs of rows; O(R^2 C log W)."""
    starts, fewest = np.zeros((2, len(sums)), dtype=np.int64)
    level = _least_level(
        lambda level: _fewest(sums, level, starts, fewest) <= p, sums, p
    )
    _fewest(sums, level, starts, fewest)
    ends = [len(sums) - 1]
    while ends[-1]:
        ends.append(int(starts[ends[-1]]))
    return _boxes(sums, ends[::-1], level)


def _least_level(suffices: Callable[[int], bool], sums: IntArray, p: int) -> int:
    """Return the least level from kappa to 5/2 kappa, or W, which both suffice."""
    kappa = least_possible(sums, p)
    levels = range(kappa, min(5 * kappa // 2, int(sums[-1, -1])))
    return kappa + bisect_left(levels, True, key=suffices)


def _boxes(sums: IntArray, ends: Sequence[int], level: int) -> list[Box]:
    """Return the rectangles that slabs are cut into."""
    boxes = []
    for a, b in pairwise(ends):
        weights = (sums[b] - sums[a]).tolist()
        c = 0
        for d in range(1, len(weights)):
            if d + 1 == len(weights) or weights[d + 1] - weights[c] > level:
                boxes.append((a, c, b, d))
                c = d
    return boxes


@compiled
def _cuts(sums: IntArray, a: int, b: int, level: int) -> int:
    """Return the fewest rectangles of weight at most `level` in rows [a, b).

    If a column weighs more, that is more than any number of columns.
    """
    columns = sums.shape[1] - 1
    count, base = 1, 0
    for d in range(1, columns + 1):
        weight = sums[b, d] - sums[a, d]
        if weight - base > level:
            base = sums[b, d - 1] - sums[a, d - 1]
            count += 1
            if weight - base > level:
                return _TOO_MANY
    return count


@compiled
def _cuts_of_slabs(sums: IntArray, ends: IntArray, level: int) -> int:
    """Return the fewest rectangles of all slabs between these ends."""
    count = 0
    for i in range(len(ends) - 1):
        count += _cuts(sums, ends[i], ends[i + 1], level)
    return count


@compiled
def _fewest(sums: IntArray, level: int, starts: IntArray, fewest: IntArray) -> int:
    """Return the fewest rectangles of a jagged tiling; fill in where slabs start.

    ``fewest[b]`` is that of the first b rows, whose last slab begins at ``starts[b]``;
    ``fewest[0]`` is 0. More rows take no fewer cuts, so an inner loop ends early.
    """
    rows = sums.shape[0] - 1
    for b in range(1, rows + 1):
        fewest[b] = _TOO_MANY
        for a in range(b - 1, -1, -1):
            cuts = _cuts(sums, a, b, level)
            if cuts >= fewest[b]:
                break
            if fewest[a] + cuts < fewest[b]:
                fewest[b] = fewest[a] + cuts
                starts[b] = a
    return int(fewest[rows])
