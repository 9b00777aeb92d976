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

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, starmap
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray, IntArray, distinct, stable_order
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangles import (
    Box,
    Rectangle,
    RectanglesSolution,
    box_weights,
    by_guillotine,
    prefix_sums,
    tiles,
    tiling_violations,
)
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, Verdict, partition_violations
from atleastk.models.tilings import Tiling
from atleastk.models.windows import least_level

_BUCKETS: Final = 4
_LONGEST: Final = 8.0
"""Buckets for each box, and how many a box is wide and high on average, at most."""

_AT_ONCE: Final = 1 << 18
"""Points that are looked for at a time."""


def check(instance: RectangleTiling, solution: Solution) -> Verdict:
    """Recompute the weight of the heaviest rectangle and list the violations.

    Groups without rectangles get their bounding boxes.
    """
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    full = completed(instance, solution)
    boxes = _boxes(instance, full)
    violations = _no_rectangles(full, boxes)
    if violations:
        return Verdict(None, tuple(violations))
    cells, held = instance.cells, PackedGroups.of(full.groups)
    points, group_of = held.items, held.homes
    outside = np.flatnonzero(~_holds(boxes[group_of], cells[points]))
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
    whole = instance.cover == "plane"
    overlaps: list[str] = []
    if not (whole and tiles(*instance.shape, boxes)):
        overlaps = tiling_violations(*instance.shape, _listed(boxes), whole)
    if instance.guillotine and not overlaps and not by_guillotine(_listed(boxes)):
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
    return _listed(_boxes(instance, solution))


def _boxes(instance: RectangleTiling, solution: RectanglesSolution) -> IntArray:
    """Return them in an array; a corner at no coordinate of points gives a line of -1.

    (a, c, b, d): so b or d is 0 there.
    """
    sides = [*zip(*solution.rectangles, strict=True)] or [()] * 4
    lines = [
        _lines_at(instance.lines[side % 2], values) + side // 2
        for side, values in enumerate(sides)
    ]
    return np.stack(lines, axis=1)


def _lines_at(axis: NDArray[Any], values: Sequence[float]) -> IntArray:
    """Return the number of every coordinate of an axis, -1 for none of these.

    Numbers of another kind may be equal, but are not compared in 64 bits.
    """
    kind = {np.dtype(np.int64): int, np.dtype(np.float64): float}.get(axis.dtype)
    given = np.array(values) if set(map(type, values)) == {kind} else None
    if given is None or given.dtype != axis.dtype or not len(axis):
        number = {value: i for i, value in enumerate(axis.tolist())}
        return np.array([number.get(value, -1) for value in values], dtype=np.int64)
    at = np.searchsorted(axis[:-1], given)
    return np.where(axis[at] == given, at, -1)


def solution_of_boxes(
    instance: RectangleTiling,
    boxes: Iterable[Sequence[int]] | IntArray,
    groups: PackedGroups | None = None,
) -> RectanglesSolution:
    """Return the solution of boxes of cells, whose points may be known."""
    sides = boxes if isinstance(boxes, np.ndarray) else np.array([*boxes], np.int64)
    sides = sides.reshape(-1, 4)
    xs, ys = instance.lines
    a, c, b, d = sides.T
    corners = (xs[a], ys[c], xs[b - 1], ys[d - 1])
    rectangles = [*zip(*(corner.tolist() for corner in corners), strict=True)]
    held = _inside(instance.cells, sides) if groups is None else groups
    return RectanglesSolution.of(held, rectangles=rectangles)


def required_cells(instance: RectangleTiling) -> BoolArray:
    """Tell of every cell [x, y] whether it has to be covered."""
    if instance.cover == "plane":
        return np.ones(instance.shape, dtype=np.bool_)
    required = np.zeros(instance.shape, dtype=np.bool_)
    required[tuple(instance.cells.T)] = True
    return required


def counting_bound(instance: RectangleTiling) -> int:
    """Return the counting bound, if the points weigh k; see `least_level`."""
    return least_level(instance.total, instance.k, instance.heaviest)


def tiling_of(instance: RectangleTiling) -> Tiling:
    """Return the tiling of a grid of one cell for each location, made when needed."""
    x, y = _places(instance)[0].T
    weighty = len(distinct(x * instance.shape[1] + y))
    feasible = instance.total >= instance.k
    return Tiling(
        shape=instance.shape,
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


def _inside(cells: IntArray, boxes: IntArray) -> PackedGroups:
    """Return the points in every box, ascending.

    Looked at are the points between the lines of a box along one axis, or those of the
    buckets that it meets, whichever are fewest. Lines between which as many points are
    make buckets, of which a box is 8 wide and high on average at most.
    """
    n, m = len(cells), len(boxes)
    if not n or not m:
        return PackedGroups(np.zeros(0, np.int64), np.zeros(m + 1, np.int64))
    below = [np.append(0, np.cumsum(np.bincount(axis))) for axis in cells.T]
    spans = [below[axis][boxes[:, axis::2]].T for axis in (0, 1)]  # in points
    most = [n / float((end - first).mean()) for first, end in spans]
    share = min(_LONGEST, sqrt(_BUCKETS * m / (most[0] * most[1])))
    wide, high = (max(1, int(share * many)) for many in most)
    (left, right), (low, top) = (
        (first * many // n, (end - 1) * many // n + 1)
        for (first, end), many in zip(spans, (wide, high), strict=True)
    )
    x, y = (below[axis][cells[:, axis]] for axis in (0, 1))
    bucket = x * wide // n * high + y * high // n
    counts = np.bincount(bucket, minlength=wide * high)
    met = np.stack((left, low, right, top), axis=1)
    among = box_weights(prefix_sums(counts.reshape(wide, high)), met)
    fewest = np.argmin((*(end - first for first, end in spans), among), axis=0)
    keys: list[IntArray] = []
    for axis, (first, end) in enumerate(spans):
        box = np.flatnonzero(fewest == axis)
        ranges = box, first[box], end[box]
        keys += _held(cells, boxes, cells[:, axis], ranges)
    starts, box = np.append(0, np.cumsum(counts)), np.flatnonzero(fewest == 2)
    which, across = _counted((right - left)[box])
    box = box[which]
    column = (left[box] + across) * high
    ranges = box, starts[column + low[box]], starts[column + top[box]]
    keys += _held(cells, boxes, bucket, ranges)
    home, points = np.divmod(np.sort(np.concatenate(keys)), n)
    return PackedGroups(points, np.append(0, np.cumsum(np.bincount(home, minlength=m))))


def _held(
    cells: IntArray,
    boxes: IntArray,
    numbers: IntArray,
    ranges: tuple[IntArray, IntArray, IntArray],
) -> Iterator[IntArray]:
    """Yield the points that boxes hold, as box * n + point.

    Of each of the `ranges`, those of a box in the order of `numbers`.
    """
    ends = np.cumsum(ranges[2] - ranges[1])
    if not len(ends):
        return
    order = stable_order(numbers)
    cuts = np.searchsorted(ends, np.arange(_AT_ONCE, ends[-1], _AT_ONCE)).tolist()
    for cut in starmap(slice, pairwise([0, *cuts, len(ends)])):
        box, first, end = (each[cut] for each in ranges)
        which, place = _counted(end - first)
        box, point = box[which], order[first[which] + place]
        holds = _holds(boxes[box], cells[point])
        yield box[holds] * len(cells) + point[holds]


def _counted(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return the numbers below each count, and before them whose each is."""
    place = np.repeat(np.arange(len(counts)), counts)
    return place, np.arange(len(place)) - (np.cumsum(counts) - counts)[place]


def _no_rectangles(solution: RectanglesSolution, boxes: IntArray) -> list[str]:
    if len(solution.rectangles) != len(solution.groups):
        return [
            f"rectangles: expected one for each of {len(solution.groups)} groups, got "
            f"{len(solution.rectangles)}"
        ]
    a, c, b, d = boxes.T
    wrong = np.flatnonzero((a < 0) | (c < 0) | (a >= b) | (c >= d))
    return [
        f"rectangles[{g}]: expected corners at coordinates of points, [first x, first "
        f"y, last x, last y], got {list(solution.rectangles[g])}"
        for g in wrong.tolist()
    ]


def _holds(boxes: IntArray, cells: IntArray) -> BoolArray:
    """Tell which boxes hold the cells in the same places."""
    (left, low, right, high), (x, y) = boxes.T, cells.T
    found: BoolArray = (left <= x) & (x < right) & (low <= y) & (y < high)
    return found


def _listed(boxes: IntArray) -> list[Box]:
    return [(a, c, b, d) for a, c, b, d in boxes.tolist()]


SOLUTION: Final = RectanglesSolution
