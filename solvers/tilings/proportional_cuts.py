"""Tilings by straight cuts in proportion, for grids too large for dynamic programs.

A rectangle that is to become m parts is cut in two that become i and m - i, both about
as heavy as their numbers of parts: of all lines the one is taken where the heavier
side's mean weight of a part is least, and every part can still weigh at least k. If
there is none it becomes fewer parts. In kd-trees a rectangle of slightly less than 2 k
stays whole; here parts stay near the mean of all, up to weights of single points.

Several numbers of parts are tried, from W / k down, as slack lets parts differ. A try
takes O(n log n) for every depth of cuts, about log p of them, as neither side has fewer
than a third of the parts.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import solution_of_boxes
from atleastk.models.rectangles import Box, RectanglesSolution
from atleastk.solvers.budget import Budget

__all__ = ["proportional_cuts"]

IntArray = NDArray[np.int64]

_SHARES: Final = (1, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.92, 0.9, 0.87)
"""Numbers of parts that are tried, as shares of the most there can be."""

_NEVER: Final = 2**63 - 1


class _Cut(NamedTuple):
    """The heavier mean of a side, a line across an axis, the parts of both sides."""

    heaviest: int
    axis: int
    line: int
    before: int
    beyond: int


def proportional_cuts(
    instance: RectangleTiling, budget: Budget, enough: int = 0
) -> RectanglesSolution | None:
    """Return the best of some tilings by straight cuts; None if the budget ends first.

    The points weigh at least k in all. No more are tried once one costs `enough`.
    """
    cells = np.array(instance.cells, dtype=np.int64).reshape(-1, 2)
    weights = np.array([weight for _, _, weight in instance.points], dtype=np.int64)
    whole = 0, 0, len(instance.xs), len(instance.ys)
    most = min(instance.total // instance.k, len(set(instance.cells)))
    best, least = None, _NEVER
    for parts in dict.fromkeys(max(1, int(most * share)) for share in _SHARES):
        found = _tiling(cells, weights, whole, instance.k, parts, budget)
        if found is None:
            break
        boxes, cost = found
        if cost < least:
            best, least = boxes, cost
        if least <= enough:
            break
    return None if best is None else solution_of_boxes(instance, best)


def _tiling(
    cells: IntArray, weights: IntArray, whole: Box, k: int, parts: int, budget: Budget
) -> tuple[list[Box], int] | None:
    """Return the boxes of a tiling and the weight of the heaviest."""
    boxes, heaviest = [], 0
    pending = [(np.arange(len(weights)), whole, parts)]
    while pending:
        if budget.spent:
            return None
        points, box, parts = pending.pop()
        cut = _cut(cells[points], weights[points], k, parts)
        if cut is None:
            boxes.append(box)
            heaviest = max(heaviest, int(weights[points].sum()))
            continue
        before, beyond = list(box), list(box)
        before[cut.axis + 2] = beyond[cut.axis] = cut.line
        low = cells[points, cut.axis] < cut.line
        for side, (a, c, b, d), count in (
            (points[low], before, cut.before),
            (points[~low], beyond, cut.beyond),
        ):
            pending.append((side, (a, c, b, d), count))
    return boxes, heaviest


def _cut(cells: IntArray, weights: IntArray, k: int, parts: int) -> _Cut | None:
    """Return the best cut into so many parts, or fewer if that is impossible."""
    parts = min(parts, int(weights.sum()) // k)
    sides = [_sides(cells[:, axis], weights) for axis in (0, 1)]
    while parts > 1:
        cuts = [
            cut
            for axis, (lines, before, total) in enumerate(sides)
            if len(lines)
            for cut in [_line(lines, before, total, k, parts, axis)]
            if cut is not None
        ]
        if cuts:
            return min(cuts)
        parts -= max(1, parts // 8)
    return None


def _sides(places: IntArray, weights: IntArray) -> tuple[IntArray, IntArray, int]:
    """Return the lines between points, the weights before them, and that of all."""
    order = np.argsort(places, kind="stable")
    sorted_places, sums = places[order], weights[order].cumsum()
    ends = np.flatnonzero(np.diff(sorted_places))
    return sorted_places[ends + 1], sums[ends], int(sums[-1])


def _line(
    lines: IntArray, before: IntArray, total: int, k: int, parts: int, axis: int
) -> _Cut | None:
    """Return the best of some lines across an axis."""
    third = max(1, parts // 3)
    share = before / (total / parts)
    best = None
    for counts in (np.floor(share), np.ceil(share)):
        first = np.clip(counts.astype(np.int64), third, parts - third)
        second = parts - first
        fits = (before >= first * k) & (total - before >= second * k)
        means = np.maximum(-(-before // first), -(-(total - before) // second))
        means[~fits] = _NEVER
        at = int(means.argmin())
        counted = int(first[at]), int(second[at])
        cut = _Cut(int(means[at]), axis, int(lines[at]), *counted)
        if fits[at] and (best is None or cut < best):
            best = cut
    return best
