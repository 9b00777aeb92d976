"""RTILE: start heuristics, without any search.

Single cells where that many boxes are allowed, else the whole grid; and balanced cuts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.models.rectangles import prefix_sums
from atleastk.models.results.solution import Solution
from atleastk.solvers.rectangle_tiling_grid.algorithms.balanced_cuts import (
    balanced_cuts,
)


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
        halves = balanced_cuts(prefix_sums(instance.weights), instance.p)
        yield "halves", solution_of_boxes(instance, halves)
