"""Rectangle tiling: start heuristics, without any search.

All in one rectangle; strips across the plane, each cut as soon as a piece weighs k,
which are two sorts and quick for any number of points; of not too many points cuts in
proportion (:mod:`~atleastk.solvers.rectangle_tiling.proportional_cuts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isqrt
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import completed, solution_of_boxes
from atleastk.models.rectangles import Box, RectanglesSolution
from atleastk.models.results.solution import Solution
from atleastk.solvers.rectangle_tiling.proportional_cuts import proportional_cuts

_FEW: Final = 5_000
"""Points of which all tries of cuts in proportion take less than half a second."""


def first_answers(instance: RectangleTiling) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if the points weigh too little."""
    if not instance.n:
        yield "no points", RectanglesSolution(())
    elif instance.total >= instance.k:
        whole = [(0, 0, len(instance.xs), len(instance.ys))]
        yield "one rectangle", fitted(instance, solution_of_boxes(instance, whole))
        strips = solution_of_boxes(instance, _strips(instance))
        yield "strips", fitted(instance, strips)
        if instance.n <= _FEW:
            for boxes in proportional_cuts(instance):
                found = solution_of_boxes(instance, boxes)
                yield "cuts in proportion", fitted(instance, found)


def fitted(instance: RectangleTiling, solution: Solution) -> Solution:
    """Return a tiling of the plane, or the bounding boxes of its groups if allowed."""
    if instance.cover == "points":
        return completed(instance, Solution(solution.groups))
    return solution


def _strips(instance: RectangleTiling) -> Iterator[Box]:
    """Yield boxes of cells: as many strips as each is to have pieces, cut for k."""
    cells = np.array(instance.cells, dtype=np.int64).reshape(-1, 2)
    weights = np.array([weight for _, _, weight in instance.points], dtype=np.int64)
    least = instance.total // isqrt(instance.total // instance.k)
    order = np.argsort(cells[:, 0], kind="stable")
    lines = _closed(_sums(cells[:, 0], weights, len(instance.xs)), least)
    ends = np.searchsorted(cells[order, 0], lines)
    for (a, b), (first, last) in zip(pairwise(lines), pairwise(ends), strict=True):
        points = order[first:last]
        along = _sums(cells[points, 1], weights[points], len(instance.ys))
        for c, d in pairwise(_closed(along, instance.k)):
            yield a, c, b, d


def _sums(places: IntArray, weights: IntArray, count: int) -> IntArray:
    """Return what the points at each place of a row, and before it, weigh."""
    row = np.zeros(count, dtype=np.int64)
    np.add.at(row, places, weights)
    return row.cumsum()


def _closed(sums: IntArray, least: int) -> list[int]:
    """Return the borders of pieces of a row, each closed as soon as it weighs enough.

    The rest joins the last. `sums` holds the weight up to every place.
    """
    borders, reached = [0], 0
    while sums[-1] - reached >= 2 * least:
        border = int(np.searchsorted(sums, reached + least)) + 1
        reached = int(sums[border - 1])
        if sums[-1] - reached < least:
            break
        borders.append(border)
    return [*borders, len(sums)]
