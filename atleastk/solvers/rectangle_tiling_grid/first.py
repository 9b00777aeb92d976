"""RTILE: start heuristics, without any search.

Single cells where that many boxes are allowed, else the whole grid; and straight cuts
that halve the weight and the number of boxes, the longer side first: O(p log n).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.models.rectangles import Box, prefix_sums
from atleastk.models.results.solution import Solution


def first_answers(instance: RectangleTilingGrid) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names."""
    if instance.n == 0:
        yield "no cells", Solution(())
    elif instance.p >= instance.n:
        cells = np.argwhere(instance.weights >= 0)
        boxes = np.hstack([cells, cells + 1])
        yield "single cells", solution_of_boxes(instance, boxes)
    else:
        whole = [(0, 0, instance.rows, instance.columns)]
        yield "whole grid", solution_of_boxes(instance, whole)
        yield "halves", solution_of_boxes(instance, _halved(instance))


def _halved(instance: RectangleTilingGrid) -> Iterator[Box]:
    """Yield boxes, cut in two again and again in proportion to numbers of parts."""
    sums = prefix_sums(instance.weights)
    pending = [((0, 0, instance.rows, instance.columns), instance.p)]
    while pending:
        (a, c, b, d), parts = pending.pop()
        if parts == 1 or (b - a) * (d - c) == 1:
            yield a, c, b, d
            continue
        if d - c > b - a:
            before = sums[b, c : d + 1] - sums[a, c : d + 1]
        else:
            before = sums[a : b + 1, d] - sums[a : b + 1, c]
        before = before - before[0]
        share = int(before[-1]) * (parts // 2) / parts
        line = int(np.searchsorted(before[1:], share)) + 1
        line = min(line, len(before) - 2)
        if d - c > b - a:
            sides = (a, c, b, c + line), (a, c + line, b, d)
        else:
            sides = (a, c, a + line, d), (a + line, c, b, d)
        for side, most in zip(sides, (parts // 2, parts - parts // 2), strict=True):
            cells = (side[2] - side[0]) * (side[3] - side[1])
            pending.append((side, min(most, cells)))
