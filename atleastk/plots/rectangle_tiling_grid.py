"""A picture of a tiled grid of weights: cells as shades, rectangles as borders."""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import boxes_of, completed
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.drawing import INK, draw_no_groups, heading, titled
from atleastk.plots.rectangles import draw_boxes, write_weights
from atleastk.plots.tables import ramp

_MOST_NUMBERED: Final = 200
"""More cells are drawn without their weights, which would not fit."""


def draw(instance: RectangleTilingGrid, result: Result, ax: Axes | None = None) -> Axes:
    """Draw cells the darker the heavier, and the rectangles with their weights.

    The heaviest has a border of its own.
    """
    boxes = []
    weights: list[int] = []
    if result.solution is not None and instance.n:
        boxes = boxes_of(completed(instance, result.solution))
        sums = prefix_sums(instance.weights)
        weights = box_weights(sums, np.array(boxes, dtype=np.int64)).tolist()
    asked = f"p = {instance.p:,}" + (", straight cuts" if instance.guillotine else "")
    ax = titled(ax, heading(instance, asked, result, weights, "rectangle"), tall=True)
    ax.set_axis_off()
    if not boxes:
        return draw_no_groups(ax, result, "cells")
    ax.imshow(
        instance.weights.astype(np.float64),
        cmap=ramp(),
        vmin=0,
        vmax=max(1.0, 1.4 * float(instance.weights.max())),
        interpolation="nearest",
        extent=(0, instance.columns, instance.rows, 0),
    )
    outlines = [
        (float(c), float(a), float(d - c), float(b - a)) for a, c, b, d in boxes
    ]
    heaviest = max(range(len(weights)), key=weights.__getitem__)
    ax.set_xlim(-0.02 * instance.columns, 1.02 * instance.columns)
    ax.set_ylim(1.02 * instance.rows, -0.02 * instance.rows)
    draw_boxes(ax, outlines, heaviest, INK)
    if instance.n <= _MOST_NUMBERED:
        _numbers(ax, instance)
    write_weights(ax, outlines, weights, heaviest)
    return ax


def _numbers(ax: Axes, instance: RectangleTilingGrid) -> None:
    dark = 0.4 * float(instance.weights.max())
    for (row, column), weight in np.ndenumerate(instance.weights):
        ax.text(
            column + 0.5,
            row + 0.55,
            f"{weight}",
            ha="center",
            va="center",
            fontsize=6.5,
            alpha=0.7,
            color="white" if weight > dark else INK,
            zorder=2,
        )
