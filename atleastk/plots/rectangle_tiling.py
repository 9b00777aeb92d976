"""A picture of a rectangle tiling: rectangles with their points and weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import boxes_of, completed
from atleastk.models.rectangles import Box
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.drawing import INK, QUIET, draw_no_groups, heading, titled
from atleastk.plots.hues import hues_of
from atleastk.plots.rectangles import Outline, draw_boxes, touching, write_weights

_APART: Final = 0.36
"""The margin of a box as a share of the gap, if boxes cover points only."""


def draw(instance: RectangleTiling, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the rectangles in colours, neighbours in different ones, with their weights.

    The heaviest has a border of its own. A tiling of the plane is drawn up to a frame,
    with cuts midway between coordinates; boxes that cover the points only are drawn
    around them. The areas of points are the weights of their places; places of weight 0
    are rings.
    """
    groups = () if result.solution is None else result.solution.groups
    weights = [sum(instance.points[i][2] for i in group) for group in groups]
    asked = f"k = {instance.k:,}"
    if instance.cover != "plane":
        asked += f", covering {instance.cover}"
    if instance.guillotine:
        asked += ", straight cuts"
    ax = titled(ax, heading(instance, asked, result, weights, "rectangle"), tall=True)
    if result.solution is None or not instance.n:
        return draw_no_groups(ax, result, "points")
    solution = completed(instance, result.solution)
    weights = [sum(instance.points[i][2] for i in group) for group in solution.groups]
    boxes = boxes_of(instance, solution)
    across, up = _lines(instance.xs), _lines(instance.ys)
    ax.set_xlim(across[0], across[-1])
    ax.set_ylim(up[0], up[-1])
    if instance.cover == "plane":
        outlines = [
            (across[a], up[c], across[b] - across[a], up[d] - up[c])
            for a, c, b, d in boxes
        ]
    else:
        outlines = [_around(instance, across, up, box) for box in boxes]
    heaviest = max(range(len(weights)), key=weights.__getitem__)
    hues = hues_of(len(boxes), touching(boxes))
    draw_boxes(ax, outlines, heaviest, "white", hues)
    _points(ax, instance)
    write_weights(ax, outlines, weights, heaviest)
    ax.tick_params(labelsize=8, color=QUIET)
    for side in ax.spines.values():
        side.set_visible(False)
    return ax


def _lines(coordinates: Sequence[float]) -> list[float]:
    """Return the lines midway between coordinates, and two around all."""
    given = np.array(coordinates, dtype=np.float64)
    gaps = np.diff(given)
    frame = 1.0
    if len(gaps):
        frame = max(0.04 * float(np.ptp(given)), 0.5 * float(np.median(gaps)))
    middles = given[:-1] + gaps / 2
    return [float(given[0] - frame), *middles.tolist(), float(given[-1] + frame)]


def _around(
    instance: RectangleTiling, across: Sequence[float], up: Sequence[float], box: Box
) -> Outline:
    """Return a box a little wider than its cells, so that no two touch."""

    def at(given: Sequence[float], lines: Sequence[float], i: int, j: int) -> float:
        return given[i] + 2 * _APART * (lines[j] - given[i])

    a, c, b, d = box
    left, right = at(instance.xs, across, a, a), at(instance.xs, across, b - 1, b)
    bottom, top = at(instance.ys, up, c, c), at(instance.ys, up, d - 1, d)
    return left, bottom, right - left, top - bottom


def _points(ax: Axes, instance: RectangleTiling) -> None:
    of_places: Counter[tuple[int, int]] = Counter()
    for (i, j), (_, _, weight) in zip(
        instance.cells.tolist(), instance.points, strict=True
    ):
        of_places[i, j] += weight
    places = sorted(of_places)
    weights = np.array([of_places[cell] for cell in places], dtype=np.float64)
    shares = weights / max(weights.max(), 1.0)
    largest = float(np.clip(5000 / len(places), 5, 130))
    ax.scatter(
        [instance.xs[i] for i, _ in places],
        [instance.ys[j] for _, j in places],
        s=largest * (0.08 + 0.92 * shares),
        c=["white" if weight == 0 else INK for weight in weights.tolist()],
        edgecolors=[INK if weight == 0 else "white" for weight in weights.tolist()],
        linewidths=0.6,
        zorder=3,
    )
