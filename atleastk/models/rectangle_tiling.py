"""Rectangle tiling: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.rectangle_tiling`.

Facts
-----
- *Feasible* iff the points weigh at least k in all, or there are none.
- *Every box holds a point*, since k >= 1.
- *The number of rectangles* p is at most floor(W / k), and with p of them each weighs
  at most W - (p - 1) k, the heaviest at least W / p.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray, distinct
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangles import (
    Box,
    Rectangle,
    RectanglesSolution,
    by_guillotine,
    tiling_violations,
)
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, Verdict, partition_violations
from atleastk.models.tilings import Tiling
from atleastk.models.windows import least_level


def check(instance: RectangleTiling, solution: Solution) -> Verdict:
    """Recompute the weight of the heaviest rectangle and list the violations.

    Groups without rectangles get their bounding boxes.
    """
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    full = completed(instance, solution)
    violations = _no_rectangles(instance, full)
    if violations:
        return Verdict(None, tuple(violations))
    boxes = boxes_of(instance, full)
    cells, held = instance.cells, PackedGroups.of(full.groups)
    points, group_of = held.items, held.homes
    outside = np.flatnonzero(
        ~_holds(np.array(boxes, dtype=np.int64).reshape(-1, 4)[group_of], cells[points])
    )
    of_group, first = np.unique(group_of[outside], return_index=True)
    violations += [
        f"point {points[outside[at]]} is outside rectangle {g}, that of its group"
        for g, at in zip(of_group.tolist(), first.tolist(), strict=True)
    ]
    weights = held.sums(instance.amounts).tolist()
    violations += [
        f"group {g} weighs {weight}, below k = {instance.k}"
        for g, weight in enumerate(weights)
        if weight < instance.k
    ]
    rows, columns = len(instance.xs), len(instance.ys)
    whole = instance.cover == "plane"
    overlaps = tiling_violations(rows, columns, boxes, whole)
    if instance.guillotine and not overlaps and not by_guillotine(boxes):
        overlaps = ["no straight cuts make these rectangles"]
    return Verdict(max(weights, default=0), (*violations, *overlaps))


def completed(instance: RectangleTiling, solution: Solution) -> RectanglesSolution:
    """Return a solution with rectangles, by default bounding boxes."""
    if isinstance(solution, RectanglesSolution) and solution.rectangles:
        return solution
    rectangles: list[Rectangle] = []
    for group in solution.groups:
        xs, ys, _ = zip(*(instance.points[i] for i in group), strict=True)
        rectangles.append((min(xs), min(ys), max(xs), max(ys)))
    return RectanglesSolution.of(solution.groups, rectangles=rectangles)


def boxes_of(instance: RectangleTiling, solution: RectanglesSolution) -> list[Box]:
    """Return the rectangles of a solution as boxes of cells."""
    column = {x: i for i, x in enumerate(instance.xs)}
    row = {y: j for j, y in enumerate(instance.ys)}
    return [
        (column[x0], row[y0], column[x1] + 1, row[y1] + 1)
        for x0, y0, x1, y1 in solution.rectangles
    ]


def solution_of_boxes(
    instance: RectangleTiling, boxes: Iterable[Sequence[int]]
) -> RectanglesSolution:
    """Return the solution of these boxes of cells."""
    listed = [(int(a), int(c), int(b), int(d)) for a, c, b, d in boxes]
    xs, ys = instance.xs, instance.ys
    rectangles = [(xs[a], ys[c], xs[b - 1], ys[d - 1]) for a, c, b, d in listed]
    return RectanglesSolution.of(_inside(instance, listed), rectangles=rectangles)


def required_cells(instance: RectangleTiling) -> BoolArray:
    """Tell of every cell [x, y] whether it has to be covered."""
    shape = len(instance.xs), len(instance.ys)
    if instance.cover == "plane":
        return np.ones(shape, dtype=np.bool_)
    required = np.zeros(shape, dtype=np.bool_)
    required[tuple(instance.cells.T)] = True
    return required


def counting_bound(instance: RectangleTiling) -> int:
    """Return the counting bound, if the points weigh k; see `least_level`."""
    return least_level(instance.total, instance.k, instance.heaviest)


def tiling_of(instance: RectangleTiling) -> Tiling:
    """Return the tiling of a grid of one cell for each location, made when needed."""
    x, y = _places(instance)[0].T
    weighty = len(distinct(x * len(instance.ys) + y))
    feasible = instance.total >= instance.k
    return Tiling(
        shape=(len(instance.xs), len(instance.ys)),
        total=instance.total,
        k=instance.k,
        fewest=1,
        most=min(instance.total // instance.k, weighty),
        bound=counting_bound(instance) if feasible else 0,
        guillotine=instance.guillotine,
        weights=lambda: instance.grid,
        placed=partial(_places, instance),
        held=None if instance.cover == "plane" else partial(required_cells, instance),
        read=partial(solution_of_boxes, instance),
        boxes_of=lambda solution: boxes_of(instance, completed(instance, solution)),
        fitted=partial(fitted, instance),
    )


def _places(instance: RectangleTiling) -> tuple[IntArray, IntArray]:
    """Return the cells and weights of the points that weigh anything."""
    weighty = instance.amounts > 0
    return instance.cells[weighty], instance.amounts[weighty]


def fitted(instance: RectangleTiling, solution: Solution) -> Solution:
    """Return a tiling of the plane, or the bounding boxes of its groups if allowed."""
    if instance.cover == "points":
        return completed(instance, Solution(solution.groups))
    return solution


def _inside(instance: RectangleTiling, boxes: Sequence[Box]) -> Sequence[Sequence[int]]:
    """Return the points in every box.

    Boxes in strips are found by bisection. Of others candidates are the points between
    the lines of the axis with fewer of them.
    """
    cells = instance.cells
    stacked = _in_strips(cells, np.array(boxes, dtype=np.int64).reshape(-1, 4))
    if stacked is not None:
        return stacked
    sides = np.array(boxes, dtype=np.int64).reshape(-1, 2, 2)
    orders = [np.argsort(cells[:, axis], kind="stable") for axis in (0, 1)]
    spans = np.stack(
        [
            np.searchsorted(cells[order, axis], sides[:, :, axis])
            for axis, order in enumerate(orders)
        ]
    )
    fewer = np.argmin(spans[:, :, 1] - spans[:, :, 0], axis=0).tolist()
    groups = []
    for g, axis in enumerate(fewer):
        first, end = spans[axis, g]
        among = orders[axis][first:end]
        across = cells[among, 1 - axis]
        low, high = sides[g, :, 1 - axis]
        groups.append(among[(low <= across) & (across < high)].tolist())
    return groups


def _no_rectangles(
    instance: RectangleTiling, solution: RectanglesSolution
) -> list[str]:
    if len(solution.rectangles) != len(solution.groups):
        return [
            f"rectangles: expected one for each of {len(solution.groups)} groups, got "
            f"{len(solution.rectangles)}"
        ]
    xs, ys = set(instance.xs), set(instance.ys)
    return [
        f"rectangles[{g}]: expected corners at coordinates of points, [first x, first "
        f"y, last x, last y], got {list(rectangle)}"
        for g, rectangle in enumerate(solution.rectangles)
        for x0, y0, x1, y1 in [rectangle]
        if not ({x0, x1} <= xs and {y0, y1} <= ys and x0 <= x1 and y0 <= y1)
    ]


SOLUTION: Final = RectanglesSolution


def _in_strips(cells: IntArray, boxes: IntArray) -> PackedGroups | None:
    """Return the points in every box, if these are in strips; else None.

    Strips are side by side, the boxes of each one above the other, so none overlap.
    """
    order = np.lexsort((boxes[:, 1], boxes[:, 0]))
    left, low, right, high = boxes[order].T
    same = left[1:] == left[:-1]
    above = np.where(same, low[1:] >= high[:-1], left[1:] >= right[:-1])
    if not len(boxes) or not (above & (~same | (right[1:] == right[:-1]))).all():
        return None
    tall = int(max(high.max(), cells[:, 1].max(initial=0))) + 1
    strips = np.unique(left)
    strip = np.searchsorted(strips, cells[:, 0], side="right") - 1
    key = np.searchsorted(strips, left) * tall + low
    at = np.searchsorted(key, strip * tall + cells[:, 1], side="right") - 1
    points = np.flatnonzero((strip >= 0) & (at >= 0))
    points = points[_holds(boxes[order[at[points]]], cells[points])]
    home = order[at[points]]
    together = points[np.argsort(home, kind="stable")]
    ends = np.cumsum(np.bincount(home, minlength=len(boxes)))
    return PackedGroups(together, np.append(0, ends))


def _holds(boxes: IntArray, cells: IntArray) -> BoolArray:
    """Tell which boxes hold the cells in the same places."""
    (left, low, right, high), (x, y) = boxes.T, cells.T
    found: BoolArray = (left <= x) & (x < right) & (low <= y) & (y < high)
    return found
