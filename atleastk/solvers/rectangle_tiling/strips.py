"""Rectangle tiling: strips across the plane, and pieces that they are cut into.

A *place* of a strip is all that lies at one coordinate along it; the places of all
strips are in one row, strip by strip.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from atleastk.arrays import IntArray, fresh, stable_order
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import fitted, solution_of_boxes
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.solvers.engine.intervals import least_level, trace
from atleastk.solvers.tilings.rows import ends_of, even_pieces

_FEW: Final = 20_000
"""Points up to which plain Python cuts strips, before a compiled loop is loaded."""


class Strips:
    """Strips of about the same weight, k or more, and the points in each in order."""

    def __init__(self, instance: RectangleTiling, number: int) -> None:
        self._instance, self._k = instance, instance.k
        cells, weights = instance.cells, instance.amounts
        columns = np.zeros(instance.shape[0] + 1, dtype=np.int64)
        np.add.at(columns, cells[:, 0] + 1, weights)
        whole = np.array([0, instance.shape[0]])
        begins = even_pieces(columns.cumsum(), whole, instance.k, np.array([number]))
        self._lines = np.append(begins, whole[1])
        strip = np.repeat(np.arange(len(begins)), np.diff(self._lines))
        key = strip[cells[:, 0]] * instance.shape[1] + cells[:, 1]
        self._order = stable_order(key)
        key = key[self._order]
        self._starts = np.append(np.flatnonzero(fresh(key)), instance.n)  # in points
        self._strip, self._y = np.divmod(key[self._starts[:-1]], instance.shape[1])
        sums = np.append(0, weights[self._order].cumsum())
        self.sums: IntArray = sums[self._starts]
        """The weight before every place, and of all."""
        self.ends: IntArray = np.searchsorted(self._strip, np.arange(len(begins) + 1))
        """Where strips begin, and the number of places."""

    def heaviest(self, begins: IntArray) -> int:
        """Return the weight of the heaviest of pieces."""
        return int(np.diff(self.sums[begins], append=self.sums[-1]).max())

    def least(self, low: int) -> IntArray:
        """Return where pieces begin of which the heaviest is lightest, or weighs `low`.

        In each strip those of the first level from the last strip's on that has some.
        """
        heaviest = int(np.diff(self.sums).max())
        greedy = 2 * self._k + heaviest  # cut as soon as k is met
        high, fits = min(greedy, int(self.sums[-1])), self._instance.n > _FEW
        begins = [self.ends[:-1]]
        for first, end in pairwise(self.ends.tolist()):
            own = self.sums[first : end + 1]
            sums = own if fits else own.tolist()
            before = np.empty_like(own) if fits else [0] * len(own)
            low = least_level(sums, self._k, low, high, before, fits=fits)
            begins.append(first + np.array(trace(before)[:-1], dtype=np.int64))
        return np.sort(np.concatenate(begins))

    def tiling(self, begins: IntArray) -> Solution:
        """Return the solution of pieces that begin at these places."""
        strip, low = self._strip[begins], self._y[begins].copy()
        low[fresh(strip)] = 0
        top = ends_of(low, self._instance.shape[1])
        boxes = np.stack((self._lines[strip], low, self._lines[strip + 1], top), axis=1)
        ends = np.append(self._starts[begins], self._instance.n)
        held = PackedGroups(self._order, ends)
        return fitted(self._instance, solution_of_boxes(self._instance, boxes, held))
