"""Rows of places that are cut into pieces side by side, one piece of each at a time.

`sums` are the weights before every place, row by row, and of all; `ends` are where rows
begin, and the number of places. Pieces are told by the places where they begin.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

import numpy as np

from atleastk.arrays import IntArray


def even_pieces(
    sums: IntArray, ends: IntArray, least: int, pieces: IntArray
) -> IntArray:
    """Cut rows into about equal pieces that all weigh `least` or more, at least 1.

    There may be fewer than the `pieces` asked of a row; it is one if it weighs less.
    A microsecond each, so that a row of 200,000 takes no longer than many short ones.
    """
    held, found = sums.data, list[int]()
    rows = pairwise(ends.tolist())
    for (at, end), left in zip(rows, pieces.tolist(), strict=True):
        found.append(at)
        while left > 1:
            wanted = held[at] + max(least, (held[end] - held[at]) // left)
            cut = bisect_left(held, wanted, at, end)
            short = held[cut - 1]
            if short >= held[at] + least and wanted - short < held[cut] - wanted:
                cut -= 1
            if held[end] - held[cut] < least:
                break
            at, left = cut, left - 1
            found.append(at)
    return np.array(found, dtype=np.int64)


def full_pieces(sums: IntArray, ends: IntArray, level: int) -> IntArray:
    """Cut rows into the fewest pieces of `level` at most, as no place weighs more."""
    at, end = ends[:-1], ends[1:]
    found = [at]
    while len(at):
        cut = np.searchsorted(sums, sums[at] + level, side="right") - 1
        goes_on = cut < end
        at, end = cut[goes_on], end[goes_on]
        found.append(at)
    return np.sort(np.concatenate(found))


def ends_of(starts: IntArray, end: int) -> IntArray:
    """Return where pieces end along their rows, whose first begin at 0."""
    found = np.append(starts[1:], 0)
    found[found == 0] = end
    return found
