"""Encodings of RTILE as linear models over bounded integers.

All choose p boxes that cover every cell exactly once, see
:mod:`atleastk.models.encodings.rectangle_tiling`: fewer can be split, up to one for
every cell. Either only boxes of weight at most a level are listed, or all are, and the
cost is minimised.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.encodings.encoding import SolutionEncoding, point
from atleastk.models.encodings.rectangle_tiling import (
    cell_cover,
    corner_cover,
    cost_cover,
)
from atleastk.models.groups import Parts
from atleastk.models.linear import LinearModel
from atleastk.models.rectangle_tiling_grid import boxes_of, completed, solution_of_boxes
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.models.results.solution import Solution


def all_boxes(rows: int, columns: int) -> IntArray:
    """Return all boxes of a grid, rows (a, c, b, d)."""
    a, b = np.triu_indices(rows + 1, 1)
    c, d = np.triu_indices(columns + 1, 1)
    across, along = np.divmod(np.arange(len(a) * len(c)), max(1, len(c)))
    return np.stack([a[across], c[along], b[across], d[along]], axis=1)


def cells_model(instance: RectangleTilingGrid, level: int) -> SolutionEncoding:
    """Return the model of tilings that cost at most `level`, with rows of cells."""
    boxes = _light(instance, level)
    required = np.ones((instance.rows, instance.columns), dtype=np.bool_)
    return _encoding(instance, boxes, cell_cover(boxes, required, _parts(instance)))


def corners_model(instance: RectangleTilingGrid, level: int) -> SolutionEncoding:
    """Return the same model with rows of vertices."""
    boxes = _light(instance, level)
    required = np.ones((instance.rows, instance.columns), dtype=np.bool_)
    return _encoding(instance, boxes, corner_cover(boxes, required, _parts(instance)))


def cost_model(instance: RectangleTilingGrid) -> SolutionEncoding:
    """Return the model that minimises the cost, its last variable, cell by cell."""
    boxes = all_boxes(instance.rows, instance.columns)
    required = np.ones((instance.rows, instance.columns), dtype=np.bool_)
    weights = box_weights(prefix_sums(instance.weights), boxes)
    model = cost_cover(boxes, required, weights, _parts(instance))
    return _encoding(instance, boxes, model)


def _parts(instance: RectangleTilingGrid) -> Parts:
    parts = min(instance.p, instance.n)
    return Parts(parts, parts)


def _light(instance: RectangleTilingGrid, level: int) -> IntArray:
    boxes = all_boxes(instance.rows, instance.columns)
    return boxes[box_weights(prefix_sums(instance.weights), boxes) <= level]


def _encoding(
    instance: RectangleTilingGrid, boxes: IntArray, model: LinearModel
) -> SolutionEncoding:
    """Return the encoding between points of a model and tilings.

    A variable after those of the boxes is the cost.
    """
    number = {tuple(box): j for j, box in enumerate(boxes.tolist())}
    weights = box_weights(prefix_sums(instance.weights), boxes).tolist()

    def decode(values: IntArray) -> Solution:
        return solution_of_boxes(instance, boxes[values[: len(boxes)] > 0])

    def encode(solution: Solution) -> IntArray | None:
        found = [number.get(box) for box in boxes_of(completed(instance, solution))]
        chosen = [j for j in found if j is not None]
        if len(chosen) < len(found):
            return None
        cost = max(weights[j] for j in chosen)
        entries = [(j, 1) for j in chosen]
        if model.columns > len(boxes):
            entries.append((len(boxes), cost))
        return point(model.columns, entries)

    return SolutionEncoding(model, decode, encode)
