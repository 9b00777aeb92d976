"""Slabs of the rows of a grid, and pieces of columns that they are cut into."""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.rectangles import Box
from atleastk.solvers.tilings.rows import ends_of, even_pieces, full_pieces

_PRECISE: Final = 2**40
"""Shares are less by one in so many: rounding makes no more of them."""


class Slabs:
    """Slabs between some lines: rows of places, each of them a column of a slab."""

    def __init__(self, sums: IntArray, lines: IntArray) -> None:
        columns = np.diff(np.diff(sums[lines], axis=0), axis=1)
        self._lines, self._wide = lines, columns.shape[1]
        self.sums: IntArray = np.append(0, columns.cumsum())
        self.ends: IntArray = np.arange(len(lines)) * self._wide
        """`sums`, `ends`: as in :mod:`atleastk.solvers.tilings.rows`."""

    def filled(self, level: int) -> IntArray:
        """Return where the fewest pieces begin that weigh `level` at most."""
        return full_pieces(self.sums, self.ends, level)

    def boxes(self, begins: IntArray) -> list[Box]:
        """Return the boxes of pieces that begin at these places."""
        slab, left = np.divmod(begins, self._wide)
        right = ends_of(left, self._wide)
        top, below = self._lines[slab], self._lines[slab + 1]
        return [*zip(*(x.tolist() for x in (top, left, below, right)), strict=True)]


def even_slabs(sums: IntArray, p: int, pieces: int) -> list[Box]:
    """Cut the grid of these prefix sums into p boxes at most, about equal in a slab.

    Slabs are so thin that they have so many `pieces` each.
    """
    rows, total = len(sums) - 1, max(1, int(sums[-1, -1]))
    number = np.array([min(rows, max(1, p // pieces))])
    begins = even_pieces(sums[:, -1], np.array([0, rows]), 1, number)
    slabs = Slabs(sums, np.append(begins, rows))
    spare = p - len(begins)
    share = np.diff(slabs.sums[slabs.ends]) / total * (spare - spare / _PRECISE)
    each = 1 + share.astype(np.int64)
    return slabs.boxes(even_pieces(slabs.sums, slabs.ends, 1, each))
