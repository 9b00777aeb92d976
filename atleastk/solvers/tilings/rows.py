"""Rows of places that are cut into pieces side by side, one piece of each at a time.

`sums` are the weights before every place, row by row, and of all; `ends` are where rows
begin, and the number of places. Pieces are told by the places where they begin.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled

_MANY: Final = 500
"""Pieces of a row that take some calls of numpy each, 15 milliseconds in all; of more a
compiled loop cuts all rows."""


def even_pieces(
    sums: IntArray, ends: IntArray, least: int, pieces: IntArray
) -> IntArray:
    """Cut rows into about equal pieces that all weigh `least` or more, at least 1.

    There may be fewer than the `pieces` asked of a row; it is one if it weighs less.
    """
    if min(len(sums), int(pieces.max(initial=0))) > _MANY:
        return _one_by_one(sums, ends, least, pieces)
    at, end, left = ends[:-1], ends[1:], pieces
    found = [at]
    while len(at):
        share = (sums[end] - sums[at]) // np.maximum(left, 1)
        wanted = sums[at] + np.maximum(least, share)
        cut = np.minimum(np.searchsorted(sums, wanted), end)
        short = sums[cut - 1]
        cut -= (short >= sums[at] + least) & (wanted - short < sums[cut] - wanted)
        goes_on = (left > 1) & (sums[end] - sums[cut] >= least)
        at, end, left = cut[goes_on], end[goes_on], left[goes_on] - 1
        found.append(at)
    return np.sort(np.concatenate(found))


@compiled
def _one_by_one(
    sums: IntArray, ends: IntArray, least: int, pieces: IntArray
) -> IntArray:
    """Return the same pieces, one after the other."""
    found = np.empty(ends[-1] + len(pieces), dtype=np.int64)
    count = 0
    for row in range(len(pieces)):
        at, end, left = ends[row], ends[row + 1], pieces[row]
        found[count] = at
        count += 1
        while left > 1:
            wanted = sums[at] + max(least, (sums[end] - sums[at]) // left)
            cut = min(at + np.searchsorted(sums[at : end + 1], wanted), end)
            short = sums[cut - 1]
            if short >= sums[at] + least and wanted - short < sums[cut] - wanted:
                cut -= 1
            if sums[end] - sums[cut] < least:
                break
            at, left = cut, left - 1
            found[count] = at
            count += 1
    return found[:count]


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
