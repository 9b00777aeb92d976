"""Recursive bisection in proportion to parts, without compiled loops.

A rectangle that is to become m parts is cut in two that become i and m - i, both about
as heavy as their numbers of parts: of all lines the one is taken where the heavier
side's mean weight of a part is least, and every part can still weigh at least k. If
there is none it becomes fewer parts. In kd-trees a rectangle of slightly less than 2 k
stays whole; here parts stay near the mean of all, up to weights of single points.

With hardly more than k for each of m parts some rectangle is left whole for want of a
cut; with less parts all can be near the mean. So the greatest m is looked for that
leaves none, first that with as much to spare as a point weighs, then by doubling what
is spared and by bisection. A try takes O(n log n) for every depth of cuts, about log m
of them, as neither side has fewer than a third of the parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangles import Box

_TRIES: Final = 12
"""Numbers of parts that are tried while the most that works is bisected: not tuned."""

_NEVER: Final = 2**63 - 1
"""Above every weight."""


class _Cut(NamedTuple):
    """The heavier mean of a side, a line across an axis, the parts of both sides."""

    heaviest: int
    axis: int
    line: int
    before: int
    beyond: int


def proportional_cuts(instance: RectangleTiling) -> Iterator[list[Box]]:
    """Yield the boxes of tilings by straight cuts, each cheaper than the one before.

    The points weigh at least k in all.
    """
    cells = np.array(instance.cells, dtype=np.int64).reshape(-1, 2)
    weights = np.array([weight for _, _, weight in instance.points], dtype=np.int64)
    whole = 0, 0, len(instance.xs), len(instance.ys)
    most = min(instance.total // instance.k, len(set(instance.cells)))
    spared = max(1, most * instance.total // (instance.n * instance.k))
    tries = _Tries(cells, weights, instance.k, whole)
    works, fails = 0, most + 1
    parts = max(1, fails - spared)
    while len(tries.costs) < _TRIES and fails - works > 1:
        yield from tries.cut(parts)
        if 2 * parts * tries.costs[parts] < 3 * instance.total:
            works = parts
        else:
            fails, spared = parts, 2 * spared
        parts = (works + fails) // 2 if works else max(1, most + 1 - spared)
    step, best = max(1, most // 100), tries.best
    for parts in {max(1, best - step), max(1, best - 2 * step)} - {*tries.costs}:
        yield from tries.cut(parts)


class _Tries:
    """Tries to cut points into parts.

    Attributes
    ----------
    costs
        The weight of the heaviest part, by the number of parts that was tried.
    """

    def __init__(self, cells: IntArray, weights: IntArray, k: int, whole: Box) -> None:
        self.costs: dict[int, int] = {}
        self._cells, self._weights = cells, weights
        self._k, self._whole = k, whole

    @property
    def best(self) -> int:
        """The number of parts of the best try."""
        return min(self.costs, key=self.costs.__getitem__)

    def cut(self, parts: int) -> Iterator[list[Box]]:
        """Yield the boxes of a tiling if it is the best so far."""
        boxes, heaviest = [], 0
        pending = [(np.arange(len(self._weights)), self._whole, parts)]
        while pending:
            points, box, count = pending.pop()
            cells, weights = self._cells[points], self._weights[points]
            cut = _cut(cells, weights, self._k, count)
            if cut is None:
                boxes.append(box)
                heaviest = max(heaviest, int(weights.sum()))
                continue
            before, beyond = list(box), list(box)
            before[cut.axis + 2] = beyond[cut.axis] = cut.line
            low = cells[:, cut.axis] < cut.line
            for side, (a, c, b, d), share in (
                (points[low], before, cut.before),
                (points[~low], beyond, cut.beyond),
            ):
                pending.append((side, (a, c, b, d), share))
        least = min(self.costs.values(), default=_NEVER)
        self.costs[parts] = min(heaviest, self.costs.get(parts, _NEVER))
        if heaviest < least:
            yield boxes


def _cut(cells: IntArray, weights: IntArray, k: int, parts: int) -> _Cut | None:
    """Return the best cut into this many parts, or fewer if that is impossible."""
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
