"""RTILE: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.rectangle_tiling_grid`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangles import Box, RectanglesSolution, by_guillotine
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, Verdict, partition_violations
from atleastk.models.tilings import Tiling


def check(instance: RectangleTilingGrid, solution: Solution) -> Verdict:
    """Recompute the weight of the heaviest rectangle and list the violations.

    Groups without rectangles get their bounding boxes.
    """
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    full = completed(instance, solution)
    if len(full.rectangles) != len(full.groups):
        wrong = (
            f"rectangles: expected one for each of {len(full.groups)} groups, got "
            f"{len(full.rectangles)}"
        )
        return Verdict(None, (wrong,))
    violations = [
        f"rectangles[{g}]: expected cells of the grid, [row, column, last row, last "
        f"column], got {list(rectangle)}"
        for g, rectangle in enumerate(full.rectangles)
        for a, c, b, d in [rectangle]
        if not (
            all(float(x).is_integer() for x in rectangle)
            and 0 <= a <= b < instance.rows
            and 0 <= c <= d < instance.columns
        )
    ]
    if violations:
        return Verdict(None, tuple(violations))
    boxes, held = boxes_of(full), PackedGroups.of(full.groups)
    violations += [
        f"group {g} is not the cells of its rectangle"
        for g in _misfits(instance, held, boxes)
    ]
    if len(boxes) > instance.p:
        violations.append(f"{len(boxes)} rectangles, above p = {instance.p}")
    if instance.guillotine and not violations and not by_guillotine(boxes):
        violations.append("no straight cuts make these rectangles")
    weights = held.sums(instance.weights.ravel()).tolist()
    return Verdict(max(weights, default=0), tuple(violations))


def completed(instance: RectangleTilingGrid, solution: Solution) -> RectanglesSolution:
    """Return a solution with rectangles, by default bounding boxes."""
    if isinstance(solution, RectanglesSolution) and solution.rectangles:
        return solution
    rectangles, wide = [], instance.columns
    for group in solution.groups:
        rows, columns = zip(*(divmod(i, wide) for i in group), strict=True)
        rectangles.append((min(rows), min(columns), max(rows), max(columns)))
    return RectanglesSolution.of(solution.groups, rectangles=rectangles)


def boxes_of(solution: RectanglesSolution) -> list[Box]:
    """Return the rectangles of a solution as boxes of cells."""
    return [
        (int(a), int(c), int(b) + 1, int(d) + 1) for a, c, b, d in solution.rectangles
    ]


def solution_of_boxes(
    instance: RectangleTilingGrid, boxes: Iterable[Sequence[int]]
) -> RectanglesSolution:
    """Return the solution of these boxes of cells."""
    listed = [(int(a), int(c), int(b), int(d)) for a, c, b, d in boxes]
    rectangles = [(a, c, b - 1, d - 1) for a, c, b, d in listed]
    return RectanglesSolution.of(_inside(instance, listed), rectangles=rectangles)


def tiling_of(instance: RectangleTilingGrid) -> Tiling:
    """Return the tiling of a grid by boxes of any weight.

    Fewer boxes than p can be split until there are p, or one for every cell: that many
    are asked for.
    """
    parts = min(instance.p, instance.n)
    heaviest = int(instance.weights.max(initial=0))
    return Tiling(
        shape=(instance.rows, instance.columns),
        total=instance.total,
        k=0,
        fewest=parts,
        most=parts,
        bound=max(heaviest, -(-instance.total // instance.p)),
        guillotine=instance.guillotine,
        weights=lambda: instance.weights,
        placed=partial(_placed, instance),
        held=None,
        read=partial(solution_of_boxes, instance),
        boxes_of=lambda solution: boxes_of(completed(instance, solution)),
        fitted=lambda solution: solution,
    )


def _placed(instance: RectangleTilingGrid) -> tuple[IntArray, IntArray]:
    weights = instance.weights
    return np.argwhere(weights), weights[weights > 0]


def _inside(instance: RectangleTilingGrid, boxes: Sequence[Box]) -> PackedGroups:
    """Return the cells of every box, ascending."""
    first, left, end, right = np.array(boxes, dtype=np.int64).reshape(-1, 4).T
    starts = np.append(0, np.cumsum((end - first) * (right - left)))
    home = np.repeat(np.arange(len(boxes)), np.diff(starts))
    place = np.arange(starts[-1]) - starts[home]
    row, column = np.divmod(place, (right - left)[home])
    cells = (first[home] + row) * instance.columns + left[home] + column
    return PackedGroups(cells, starts)


def _misfits(
    instance: RectangleTilingGrid, groups: PackedGroups, boxes: Sequence[Box]
) -> list[int]:
    """Return the groups that are not the cells of their boxes."""
    areas = np.array([(b - a) * (d - c) for a, c, b, d in boxes], dtype=np.int64)
    alike = np.flatnonzero(areas == groups.sizes)
    cells = _inside(instance, [boxes[g] for g in alike.tolist()])
    some = groups.taken(alike)
    found = some.items[np.lexsort((some.items, some.homes))]
    wrong = alike[np.unique(cells.homes[found != cells.items])]
    return sorted({*wrong.tolist(), *np.flatnonzero(areas != groups.sizes).tolist()})


SOLUTION: Final = RectanglesSolution
