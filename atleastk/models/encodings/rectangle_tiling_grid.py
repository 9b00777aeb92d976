"""Encodings of RTILE as linear models over bounded integers.

All choose p boxes that cover every cell exactly once, see
:mod:`atleastk.models.encodings.rectangle_tiling`: fewer can be split, up to one for
every cell. Either only boxes of weight at most a level are listed, or all are, and the
cost is minimised.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.rectangle_tiling import (
    MOST_CELLS,
    any_tiling,
    box_encoding,
    cell_cover,
    cells_of,
    corner_cover,
    cost_cover,
    labelled,
)
from atleastk.models.groups import Parts
from atleastk.models.linear import LinearModel
from atleastk.models.rectangle_tiling_grid import boxes_of, completed, solution_of_boxes
from atleastk.models.rectangles import box_weights, prefix_sums


def all_boxes(rows: int, columns: int) -> IntArray:
    """Return all boxes of a grid, rows (a, c, b, d)."""
    a, b = np.triu_indices(rows + 1, 1)
    c, d = np.triu_indices(columns + 1, 1)
    across, along = np.divmod(np.arange(len(a) * len(c)), max(1, len(c)))
    return np.stack([a[across], c[along], b[across], d[along]], axis=1)


def cells_model(instance: RectangleTilingGrid, level: int) -> SolutionEncoding:
    """Return the model of tilings that cost at most `level`, with rows of cells."""
    return _light_boxes(instance, level, cell_cover)


def corners_model(instance: RectangleTilingGrid, level: int) -> SolutionEncoding:
    """Return the same model with rows of vertices."""
    return _light_boxes(instance, level, corner_cover)


def cost_model(instance: RectangleTilingGrid) -> SolutionEncoding:
    """All boxes are listed, and p of them are taken.

    Variables: x_a_c_b_d, the box of rows a, .., b - 1 and columns c, .., d - 1 is
    taken; K, the heaviest box. With w(B), the weight of a box:

    minimise    K
    subject to  sum_{B holds q} x_B = 1                    for every cell q,
                sum_{B holds q} w(B) x_B <= K              for every cell q,
                sum_B x_B = min(p, the number of cells),

    as fewer boxes can be split.
    """
    boxes, weights = _weighed(instance)
    model = cost_cover(boxes, _every_cell(instance), weights, _parts(instance))
    return _encoding(instance, boxes, labelled(model, boxes), weights)


def _light_boxes(
    instance: RectangleTilingGrid,
    level: int,
    cover: Callable[[IntArray, BoolArray, Parts], LinearModel],
) -> SolutionEncoding:
    boxes, weights = _weighed(instance)
    light = boxes[weights <= level]
    model = cover(light, _every_cell(instance), _parts(instance))
    return _encoding(instance, light, model)


def _weighed(instance: RectangleTilingGrid) -> tuple[IntArray, IntArray]:
    boxes = all_boxes(instance.rows, instance.columns)
    return boxes, box_weights(prefix_sums(instance.weights), boxes)


def _every_cell(instance: RectangleTilingGrid) -> BoolArray:
    return np.ones((instance.rows, instance.columns), dtype=np.bool_)


def _parts(instance: RectangleTilingGrid) -> Parts:
    parts = min(instance.p, instance.n)
    return Parts(parts, parts)


def _encoding(
    instance: RectangleTilingGrid,
    boxes: IntArray,
    model: LinearModel,
    weights: IntArray | None = None,
) -> SolutionEncoding:
    return box_encoding(
        model,
        boxes,
        _every_cell(instance),
        partial(solution_of_boxes, instance),
        lambda solution: boxes_of(completed(instance, solution)),
        weights,
    )


FORMULATIONS: Final = (
    Formulation("boxes", cost_model, any_tiling, MOST_CELLS, "cells", cells_of),
)
