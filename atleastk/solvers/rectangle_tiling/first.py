"""Rectangle tiling: start heuristics, without any search.

Strips across the plane, each cut into pieces of about the same weight, which takes few
sorts and is quick for any number of points.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import isqrt
from typing import Final

import numpy as np

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import fitted, solution_of_boxes
from atleastk.models.rectangles import Box, RectanglesSolution
from atleastk.models.results.solution import Solution

_SPARED: Final = (0, 2, 5, 10, 20, 50, 100, 200)
"""The parts that strips do without, in thousandths of the most: not tuned."""

_MANY: Final = 20_000
"""Parts of which some of these are tried: a piece takes some microseconds."""

_UNEVEN: Final = 1.2
"""The heaviest piece of a strip, in means, above which less pieces are tried ..."""

_MORE: Final = 8
"""... of this many numbers at most."""


def first_answers(instance: RectangleTiling) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if the points weigh too little."""
    if not instance.n:
        yield "no points", RectanglesSolution(())
    elif instance.total >= instance.k:
        strips = solution_of_boxes(instance, _Strips(instance).best())
        yield "strips", fitted(instance, strips)


class _Strips:
    """Tries to cut points into strips across the plane, and these into pieces."""

    def __init__(self, instance: RectangleTiling) -> None:
        cells, weights = instance.cells, instance.amounts
        self._columns = np.zeros(len(instance.xs), dtype=np.int64)
        np.add.at(self._columns, cells[:, 0], weights)
        self._columns = self._columns.cumsum()
        order = np.argsort(cells[:, 1], kind="stable")
        (self._xs, self._ys), self._weights = cells[order].T, weights[order]
        self._k, self._total = instance.k, instance.total
        self._height = len(instance.ys)

    def best(self) -> list[Box]:
        """Return the boxes of the best try, with more and more parts less than fit."""
        most = self._total // self._k
        shares = _SPARED if most < _MANY else _SPARED[::6]
        fewer = {most * share // 1_000 for share in shares}
        return min(self._tried(most - less) for less in sorted(fewer))[1]

    def _tried(self, parts: int) -> tuple[int, list[Box]]:
        """Return the weight of the heaviest piece, and all pieces."""
        lines = _borders(self._columns.tolist(), self._k, isqrt(parts))
        strip = np.searchsorted(lines, self._xs, side="right") - 1
        order = np.argsort(strip.astype(np.int16), kind="stable")  # by counting
        ends = np.searchsorted(strip[order], np.arange(len(lines)))
        heaviest, boxes = 0, []
        for (a, b), (first, last) in zip(pairwise(lines), pairwise(ends), strict=True):
            inside = order[first:last]
            ys, sums = self._ys[inside], self._weights[inside].cumsum()
            ends_of_places = np.flatnonzero(np.diff(ys, append=-1))
            ys, sums = ys[ends_of_places], sums[ends_of_places].tolist()
            pieces = round(sums[-1] * parts / self._total)
            cuts = [_borders(sums, self._k, pieces)]
            if _heaviest(sums, cuts[0]) * pieces > _UNEVEN * sums[-1]:
                fewer = range(max(1, pieces * 2 // 3), pieces)
                cuts += [_borders(sums, self._k, count) for count in fewer[-_MORE:]]
            cut = min(cuts, key=partial(_heaviest, sums))
            heaviest = max(heaviest, _heaviest(sums, cut))
            across = [0, *ys[cut[1:-1]].tolist(), self._height]
            boxes += [(a, c, b, d) for c, d in pairwise(across)]
        return heaviest, boxes


def _heaviest(sums: list[int], borders: list[int]) -> int:
    """Return the weight of the heaviest piece of a row."""
    reached = [0, *(sums[border - 1] for border in borders[1:])]
    return max(end - start for start, end in pairwise(reached))


def _borders(sums: list[int], least: int, pieces: int) -> list[int]:
    """Return the borders of about equal pieces of a row that all weigh enough.

    `sums` holds the weight up to every place. There may be fewer pieces.
    """
    borders, reached, total = [0], 0, sums[-1]
    for left in range(pieces, 1, -1):
        wanted = reached + max(least, (total - reached) // left)
        border = bisect_left(sums, wanted)
        below = sums[border - 1] if border > borders[-1] + 1 else 0
        if below >= reached + least and wanted - below < sums[border] - wanted:
            border -= 1
        if total - sums[border] < least:
            break
        reached = sums[border]
        borders.append(border + 1)
    return [*borders, len(sums)]
