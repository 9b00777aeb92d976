"""Rectangle tiling: brute force.

Every set of disjoint boxes of weight at least k on a grid of at most 25 cells that
covers the plane, or the points, is tried, without bounds or any code of the solvers.
"""

from __future__ import annotations

from functools import cache

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import solution_of_boxes
from atleastk.models.rectangles import Box, RectanglesSolution
from atleastk.solvers.brute_force.bin_covering import refuse_more
from atleastk.solvers.brute_force.rectangle_tiling_grid import least_heavy, packings


def optimum(instance: RectangleTiling) -> tuple[int, RectanglesSolution] | None:
    """Return the least cost and a best solution; None if infeasible."""
    rows, columns = instance.shape
    refuse_more(rows * columns, 25, "cells")
    cells = [*map(tuple, instance.cells.tolist())]
    held = set(cells)

    @cache
    def weight(box: Box) -> int:
        a, c, b, d = box
        return sum(
            heavy
            for (i, j), (_, _, heavy) in zip(cells, instance.points, strict=True)
            if a <= i < b and c <= j < d
        )

    found = packings(
        rows,
        columns,
        lambda box: weight(box) >= instance.k,
        lambda cell: instance.cover == "points" and cell not in held,
    )
    best = least_heavy(found, weight, instance.guillotine)
    return None if best is None else (best[0], solution_of_boxes(instance, best[1]))
