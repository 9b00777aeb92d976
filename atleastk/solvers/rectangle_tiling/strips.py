"""Two-stage guillotine tilings ("strips"): nested dynamic programs.

A strip is all that lies between two lines across an axis. Cut along the other axis,
its heaviest part can weigh no less than

    f(j) = min over i of max(f(i), w(i, j)),   k <= w(i, j),

over the points of the strip in that order, of which the first i come before a cut. The
best strips side by side are the same program again, over lines. What reaches the
cost known is left out: parts weigh from k to that, few points more or less, so a strip
of s points takes about O(s).

Strips of about as many parts as there are strips are the squarest, and parts near them
are found among strips up to twice as heavy. On n points in P parts their lines are all
the lines between points, or fewer: first about eight to a strip, then twice as many
each time, until all were tried or strips between them have too many points in all.
Both axes are tried; all such tilings are by straight cuts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isqrt
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import solution_of_boxes
from atleastk.models.rectangles import Box, RectanglesSolution
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled

_LINES: Final = 8
"""Lines to a strip at first: not tuned."""

_WIDTH: Final = 2
"""The heaviest strip, in strips of squares: not tuned."""

_MOST_STEPS: Final = 6e8
"""Points of all strips between the lines that are tried after the first, a second for
some 10^9: not tuned."""

_END: Final = -1
"""Stands for an end of the plane."""

_NEVER: Final = 2**62 + 1
"""Above every weight."""


def strip_tilings(
    instance: RectangleTiling, cost: int, budget: Budget
) -> Iterator[RectanglesSolution]:
    """Yield tilings by strips below a cost, each cheaper than the one before.

    It ends when all lines were tried, or with the budget.
    """
    cells = np.array(instance.cells, dtype=np.int64).reshape(-1, 2)
    weights = np.array([weight for _, _, weight in instance.points], dtype=np.int64)
    cells, weights = cells[weights > 0], weights[weights > 0]
    parts = max(1, instance.total // instance.k)
    strips = max(1, isqrt(parts))
    heaviest = min(_WIDTH * -(-instance.total // strips), instance.total)
    lines = _LINES * strips
    while not budget.spent and len(weights):
        for axis in (0, 1):
            found = _tiled(
                cells, weights, instance.k, axis, lines, heaviest, cost, budget
            )
            if found is not None:
                cost, boxes = found
                whole = len(instance.xs), len(instance.ys)
                yield solution_of_boxes(instance, _spread(boxes, axis, whole))
        lines *= 2
        wide, long = _WIDTH * lines / strips, _WIDTH * len(weights) / strips
        if lines >= 2 * len(weights) or lines * wide * long > _MOST_STEPS:
            return


def _tiled(
    cells: IntArray,
    weights: IntArray,
    k: int,
    axis: int,
    lines: int,
    heaviest: int,
    cost: int,
    budget: Budget,
) -> tuple[int, list[Box]] | None:
    """Return the heaviest part and the parts of the best strips between some lines.

    A part says where it begins and where the next would: its strip from one place to
    another across the axis, and it along the other axis; -1 stands for an end of the
    plane. None if no strips stay below the cost, or if the budget ends first.
    """
    order = np.lexsort((cells[:, 1 - axis], cells[:, axis]))
    across, along = cells[order, axis], cells[order, 1 - axis]
    weights = weights[order]
    firsts = np.concatenate(([0], 1 + np.flatnonzero(np.diff(across))))
    wanted = np.linspace(0, len(weights), lines, endpoint=False)
    chosen = np.unique(firsts[np.searchsorted(firsts, wanted, side="right") - 1])
    starts = np.append(chosen, len(weights))
    between = np.repeat(np.arange(len(chosen)), np.diff(starts))
    edges = across[chosen].tolist()
    order = np.lexsort((along, between))
    along, weights = along[order], weights[order]
    with budget.flagging() as flag:
        best, since = _best_strips(along, weights, starts, k, heaviest, cost, flag)
    if budget.spent or best[-1] >= cost:
        return None
    boxes: list[Box] = []
    end = len(chosen)
    while end > 0:
        start = int(since[end])
        a = edges[start] if start else _END
        b = edges[end] if end < len(chosen) else _END
        points = slice(starts[start], starts[end])
        cuts = _places_cut(along[points], weights[points], k, cost)
        boxes += [(a, c, b, d) for c, d in pairwise([_END, *cuts, _END])]
        end = start
    return int(best[-1]), boxes


def _places_cut(along: IntArray, weights: IntArray, k: int, cost: int) -> list[int]:
    """Return the places where the best parts of a strip begin, but for the first."""
    order = np.argsort(along, kind="stable")
    along, weights = along[order], weights[order]
    tables = np.empty((3, len(along) + 1), dtype=np.int64)
    _cut(along, weights, len(along), k, cost, tables)
    places, end = [], int(tables[2, len(along)])
    while end > 0:
        places.append(int(along[end]))
        end = int(tables[2, end])
    return places[::-1]


def _spread(parts: list[Box], axis: int, whole: tuple[int, int]) -> Iterator[Box]:
    """Yield these parts as boxes of a grid of `whole` cells."""
    most, least = whole[axis], whole[1 - axis]
    for a, c, b, d in parts:
        first, last = max(a, 0), b if b >= 0 else most
        low, high = max(c, 0), d if d >= 0 else least
        yield (first, low, last, high) if axis == 0 else (low, first, high, last)


@compiled
def _best_strips(
    along: IntArray,  # [point]
    weights: IntArray,  # [point]
    starts: IntArray,  # [line + 1]
    k: int,
    heaviest: int,
    cost: int,
    flag: ByteArray,
) -> tuple[IntArray, IntArray]:
    """Return the heaviest part of the best strips up to every line, and their last.

    Points between two lines begin at ``starts`` and are sorted along the strips.
    """
    lines = len(starts) - 1
    best = np.full(lines + 1, _NEVER, dtype=np.int64)
    since = np.zeros(lines + 1, dtype=np.int64)
    best[0] = 0
    places = np.empty(len(along), dtype=np.int64)
    loads = np.empty(len(along), dtype=np.int64)
    tables = np.empty((3, len(along) + 1), dtype=np.int64)
    for first in range(lines):
        if best[first] >= cost:
            continue
        size = total = 0
        for end in range(first + 1, lines + 1):
            if flag[0] != 0:
                return best, since
            # The strip grows by the points up to the next line, ...
            size = _merge(
                places, loads, size, along, weights, starts[end - 1 : end + 1]
            )
            for i in range(starts[end - 1], starts[end]):
                total += weights[i]
            if total > heaviest and end > first + 1:
                break
            # ... is cut as well as can be, and added to the best strips before it.
            if total >= k:
                value = _cut(places, loads, size, k, min(cost, best[end]), tables)
                value = max(value, best[first])
                if value < best[end]:
                    best[end] = value
                    since[end] = first
    return best, since


@compiled
def _merge(
    places: IntArray,
    loads: IntArray,
    size: int,
    along: IntArray,
    weights: IntArray,
    span: IntArray,
) -> int:
    """Merge the points of a span into sorted ones, from the back; return how many."""
    i, j = size - 1, span[1] - 1
    last = size + span[1] - span[0]
    for at in range(last - 1, -1, -1):
        if j < span[0]:
            break
        if i >= 0 and places[i] > along[j]:
            places[at] = places[i]
            loads[at] = loads[i]
            i -= 1
        else:
            places[at] = along[j]
            loads[at] = weights[j]
            j -= 1
    return int(last)


@compiled
def _cut(
    places: IntArray,
    loads: IntArray,
    size: int,
    k: int,
    cost: int,
    tables: IntArray,
) -> int:
    """Return the least heaviest part of a strip, if that is below a cost.

    The tables become [row, first points]: the weight of these, that of their heaviest
    part, and how many come before the last cut. No cut is between points at one place.
    """
    sums, values, cuts = tables
    sums[0] = values[0] = 0
    near = 0
    for j in range(1, size + 1):
        sums[j] = sums[j - 1] + loads[j - 1]
        values[j] = _NEVER
        if j < size and places[j] == places[j - 1]:
            continue
        # The nearest cut that leaves k behind it, then those before.
        while near < j and sums[j] - sums[near + 1] >= k:
            near += 1
        least = cost
        i = near
        while i >= 0 and sums[j] - sums[i] < least:
            value = max(values[i], sums[j] - sums[i])
            if value < least and value >= k:
                least = value
                cuts[j] = i
            i -= 1
        if least < cost:
            values[j] = least
    return int(values[size])
