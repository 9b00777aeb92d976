"""RTILE: start heuristics, without any search.

Single cells where that many boxes are allowed, else the whole grid; slabs cut evenly;
and balanced cuts, if boxes are not very many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.models.rectangles import prefix_sums
from atleastk.models.results.solution import Solution
from atleastk.solvers.rectangle_tiling_grid.algorithms.balanced_cuts import (
    balanced_cuts,
)
from atleastk.solvers.rectangle_tiling_grid.slabs import even_slabs

_EACH: Final = 50
"""Boxes of a slab, about: of flat ones few weigh much less than they may."""

_FEW: Final = 20_000
"""Boxes up to which cuts are balanced: half a million take 15 s."""


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
        sums = prefix_sums(instance.weights)
        yield "slabs", solution_of_boxes(instance, even_slabs(sums, instance.p, _EACH))
        if instance.p <= _FEW:
            halves = balanced_cuts(sums, instance.p)
            yield "halves", solution_of_boxes(instance, halves)
