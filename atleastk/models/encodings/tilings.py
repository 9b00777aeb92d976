"""Exact covers of a grid by boxes as linear models.

A variable x_B says whether box B is taken. Two forms:

cells
    sum of x_B over the boxes that contain a cell = 1: a row for every cell. Cells that
    may stay uncovered have <= 1.
corners
    How often cells are covered is a function on the grid, and it is 1 everywhere iff
    its difference in both directions is that of the whole grid. The difference of the
    box [a, b) x [c, d) is +1 at the vertices (a, c) and (b, d), -1 at (a, d) and
    (b, c). So every box is in 4 rows. Vertices on the last lines follow from the
    others and have no row. Cells that may stay uncovered are boxes of their own that
    are not counted.

The linear relaxations are equal too, as the rows of either form are combinations of
those of the other.

Boxes are arrays of rows (a, c, b, d); see :mod:`atleastk.models.rectangles`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models import rectangle_tiling, rectangle_tiling_grid
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.groups import Parts
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.rectangles import prefix_sums
from atleastk.models.results.solution import Solution
from atleastk.models.tilings import Tiling
from atleastk.packages import sparse

Matrix: TypeAlias = "sparse.csr_array[Any]"

Cover = Callable[[IntArray, BoolArray, Parts | None], LinearModel]
"""Returns the model of disjoint boxes that cover all required cells, of a number."""


def light_model(cover: Cover, tiling: Tiling, level: int) -> Encoding:
    """Return the model of tilings by boxes of at most a level."""
    boxes, weights = heavy_boxes(tiling)
    light = boxes[weights <= level]
    return box_encoding(tiling, light, cover(light, tiling.covered, tiling.number))


def cost_model(tiling: Tiling) -> Encoding:
    """Return the model of all tilings whose greatest weight K is minimised.

    K is the last variable, and for every cell

    - sum over the boxes B that contain it of w(B) x_B <= K.
    """
    boxes, weights = heavy_boxes(tiling)
    cover = cell_cover(boxes, tiling.covered, tiling.number)
    heavy = cell_rows(boxes, tiling.shape) * -weights[None]
    last = np.arange(len(boxes) + 1) == len(boxes)
    none = sparse.csr_array((cover.rows.shape[0], 1), dtype=np.int64)
    ones = sparse.csr_array(np.ones((tiling.cells, 1), dtype=np.int64))
    rows = sparse.vstack(
        [sparse.hstack([cover.rows, none]), sparse.hstack([heavy, ones])], format="csr"
    )
    nothing = np.zeros(tiling.cells, dtype=np.int64)
    model = LinearModel(
        objective=last.astype(np.int64),
        lower=np.zeros(len(last), dtype=np.int64),
        upper=np.where(last, weights.max(initial=0), 1),
        rows=sparse.csr_array(rows),
        row_lower=np.append(cover.row_lower, nothing),
        row_upper=np.append(cover.row_upper, np.full(tiling.cells, INFINITE)),
        labels=[*(("x", *box) for box in boxes.tolist()), ("K",)],
    )
    return box_encoding(tiling, boxes, model, weights)


def cell_cover(
    boxes: IntArray, required: BoolArray, parts: Parts | int | None = None
) -> LinearModel:
    """Return the model of disjoint boxes that cover all required cells."""
    lower = required.ravel().astype(np.int64)
    rows = cell_rows(boxes, required.shape)
    return _cover(rows, lower, np.ones(len(lower), dtype=np.int64), len(boxes), parts)


def heavy_boxes(tiling: Tiling) -> tuple[IntArray, IntArray]:
    """Return all boxes of weight at least k, and their weights."""
    sums = prefix_sums(tiling.grid)
    a, b = np.triu_indices(sums.shape[0], 1)
    c, d = np.triu_indices(sums.shape[1], 1)
    slabs = sums[b] - sums[a]
    weights = slabs[:, d] - slabs[:, c]
    heavy = weights >= tiling.k
    i, j = heavy.nonzero()
    return np.stack([a[i], c[j], b[i], d[j]], axis=1), weights[heavy]


def corner_cover(
    boxes: IntArray, required: BoolArray, parts: Parts | int | None = None
) -> LinearModel:
    """Return the same model in the form of corners.

    After the variables of the boxes come those of the cells that may stay uncovered, by
    rows.
    """
    holes = np.argwhere(~required)
    columns = np.concatenate([boxes, np.hstack([holes, holes + 1])])
    whole = np.array([[0, 0, *required.shape]], dtype=np.int64)
    ends = corner_rows(whole, required.shape).toarray().ravel()
    rows = corner_rows(columns, required.shape)
    return _cover(rows, ends, ends, len(boxes), parts)


def cell_rows(boxes: IntArray, shape: tuple[int, ...]) -> Matrix:
    """Return the matrix of cells, by rows, and boxes: 1 where one is in the other."""
    a, c, b, d = boxes.T
    widths = d - c
    areas = (b - a) * widths
    column = np.repeat(np.arange(len(boxes)), areas)
    place = np.arange(len(column)) - np.repeat(areas.cumsum() - areas, areas)
    across, along = np.divmod(place, widths[column])
    cell = (a[column] + across) * shape[1] + c[column] + along
    size = shape[0] * shape[1], len(boxes)
    return sparse.csr_array(
        (np.ones(len(column), dtype=np.int64), (cell, column)), shape=size
    )


def corner_rows(boxes: IntArray, shape: tuple[int, ...]) -> Matrix:
    """Return the matrix of vertices, by rows, and boxes: differences of boxes.

    The vertices on the last line of either direction are left out.
    """
    a, c, b, d = boxes.T
    x, y = np.concatenate([a, b, a, b]), np.concatenate([c, d, d, c])
    column = np.tile(np.arange(len(boxes)), 4)
    sign = np.repeat(np.array([1, 1, -1, -1], dtype=np.int64), len(boxes))
    within = (x < shape[0]) & (y < shape[1])
    entries = sign[within], ((x * shape[1] + y)[within], column[within])
    return sparse.csr_array(entries, shape=(shape[0] * shape[1], len(boxes)))


def _cover(
    rows: Matrix,
    lower: IntArray,
    upper: IntArray,
    boxes: int,
    parts: Parts | int | None,
) -> LinearModel:
    """Return the model of 0/1 variables with these rows, the first are the boxes."""
    columns = rows.shape[1]
    if parts is not None:
        counts = sparse.csr_array((np.arange(columns) < boxes).astype(np.int64)[None])
        rows = sparse.csr_array(sparse.vstack([rows, counts], format="csr"))
        fewest, most = (parts, parts) if isinstance(parts, int) else parts
        lower, upper = np.append(lower, fewest), np.append(upper, most)
    return LinearModel(
        objective=np.zeros(columns, dtype=np.int64),
        lower=np.zeros(columns, dtype=np.int64),
        upper=np.ones(columns, dtype=np.int64),
        rows=rows,
        row_lower=lower,
        row_upper=upper,
    )


def box_encoding(
    tiling: Tiling, boxes: IntArray, model: LinearModel, weights: IntArray | None = None
) -> Encoding:
    """Return the encoding between points of a model of boxes and tilings.

    Variables after those of the boxes are the greatest weight, if `weights` of boxes
    are given, else the cells that may stay uncovered.
    """
    required = tiling.covered
    keys = _keys(boxes, tiling.shape)
    order = np.argsort(keys)

    def decode(values: IntArray) -> Solution:
        return tiling.read(boxes[values[: len(boxes)].nonzero()[0]])

    def encode(solution: Solution) -> IntArray | None:
        chosen = np.array(tiling.boxes_of(solution), dtype=np.int64).reshape(-1, 4)
        wanted = _keys(chosen, tiling.shape)
        places = np.searchsorted(keys, wanted, sorter=order)
        if (places == len(keys)).any() or (keys[order[places]] != wanted).any():
            return None
        values = np.zeros(model.columns, dtype=np.int64)
        values[order[places]] = 1
        if weights is not None:
            values[len(boxes) :] = weights[order[places]].max(initial=0)
        elif model.columns > len(boxes):
            covered = cell_rows(chosen, tiling.shape).sum(axis=1) > 0
            values[len(boxes) :] = ~covered[~required.ravel()]
        return values

    return Encoding(model, decode, encode)


def _keys(boxes: IntArray, shape: tuple[int, ...]) -> IntArray:
    """Return a number for every box, different for different ones."""
    a, c, b, d = boxes.T
    lines = max(shape) + 1
    keys: IntArray = ((a * lines + c) * lines + b) * lines + d
    return keys


def plane_model(instance: RectangleTiling) -> Encoding:
    """All boxes of weight at least k are listed.

    Variables: x_a_c_b_d, the box of rows a, .., b - 1 and columns c, .., d - 1 is
    taken; K, the heaviest box. With w(B), the weight of a box:

    minimise    K
    subject to  sum_{B holds q} x_B = 1                    for every cell q,
                sum_{B holds q} w(B) x_B <= K              for every cell q,

    where cells that may stay uncovered have <= 1.
    """
    return cost_model(rectangle_tiling.tiling_of(instance))


def grid_model(instance: RectangleTilingGrid) -> Encoding:
    """All boxes are listed, and p of them are taken.

    Variables: x_a_c_b_d, the box of rows a, .., b - 1 and columns c, .., d - 1 is
    taken; K, the heaviest box. With w(B), the weight of a box:

    minimise    K
    subject to  sum_{B holds q} x_B = 1                    for every cell q,
                sum_{B holds q} w(B) x_B <= K              for every cell q,
                sum_B x_B = min(p, the number of cells),

    as fewer boxes can be split.
    """
    return cost_model(rectangle_tiling_grid.tiling_of(instance))


def _cells_of(instance: Any) -> int:
    return int(np.size(instance.grid))


def _any_tiling(instance: Any) -> str | None:
    return "no linear model asks for straight cuts" if instance.guillotine else None


_MOST_CELLS: Final = 900
"""The most cells of a grid; its boxes are a quarter of their square."""

OF_PLANE, OF_GRID = (
    (Formulation("boxes", model, _any_tiling, _MOST_CELLS, "cells", _cells_of),)
    for model in (plane_model, grid_model)
)
"""`OF_PLANE`, `OF_GRID`: the formulations of rectangle tiling, and of RTILE."""
