"""Depth-first search for straight cuts into parts that weigh from k to a level.

Where parts may have any weight, but are p at most (RTILE), k is what more than p of
them cannot weigh each: floor(W / (p + 1)) + 1 of the weight W of all.

A rectangle of weight w can become m such parts only if m k <= w <= m K for the level K.
The *slack* of w is the greatest min(w - m k, m K - w) over all such m. A line is worth
trying if both its sides have such an m. Light rectangles have few of these lines, and
often none that leads on; heavy ones have many. A cut made, its sides are cut apart, so
a failure is mended where it happens: lines with much slack on both sides come first,
among these the even ones; the lighter side is cut first; if either side fails, the next
line is taken. Rectangles that failed are remembered.

The points are sorted once, and stay in order along both axes on both sides of a cut.
So a rectangle of s points takes O(s), and all take O(n log n) if none fails.

Levels between the bound and the cost are tried by bisection. When none is reached, more
lines of more rectangles are tried, and those of like slack in another order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, FloatArray, IntArray, stable_order
from atleastk.models.in_time import look_up
from atleastk.models.rectangles import Box
from atleastk.models.tilings import Tiling
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.engine.stages import MORE

_EFFORT: Final = 2_000
_FOR_A_PART: Final = 4
"""Rectangles that are looked at for a level at first, and more for every part: with 2 a
million points cost 118 where with 4 they cost 112, in as much time."""

_LINES: Final = 24
"""Lines of a rectangle that are tried at first, twice as many in each later round: not
tuned."""

_DRAWN: Final = 0.1
"""The part of chance in the order of lines: not tuned."""

_DEPTH: Final = 256
"""Rectangles within each other, at most."""

_FAILURES: Final = 2**18
"""Places for rectangles that failed."""

_NEW, _CUT, _FAILED = range(3)
"""States of a rectangle."""


class _Points(NamedTuple):
    """Points by rank along either axis; ranks of equal places are in any order."""

    place: IntArray  # [axis, rank], the cell
    other: IntArray  # [axis, rank], the rank along the other axis
    weight: IntArray  # [axis, rank]


class _Level(NamedTuple):
    """What the parts weigh, and how lines are compared."""

    k: int
    most: int
    enough: int  # slack beyond which more does not help
    tries: int  # lines of a rectangle
    seed: int


class _Stack(NamedTuple):
    """The rectangles within each other that are being cut."""

    first: IntArray  # [depth], where its points begin
    end: IntArray  # [depth]
    weight: IntArray  # [depth]
    box: IntArray  # [depth, 4], in cells
    parts: IntArray  # [depth], how many were found before it
    lines: IntArray  # [depth, place], 2 * end of the lower side + axis; best first
    listed: IntArray  # [depth], how many lines
    tried: IntArray  # [depth], how many were taken
    place: IntArray  # [depth], of the line that was taken last
    lower: IntArray  # [depth], the weight below it
    sides: IntArray  # [depth], how many of its sides are cut

    @classmethod
    def of(cls, tries: int) -> _Stack:
        """Return an empty stack, with room for so many lines of a rectangle."""
        lines, box = (np.zeros((_DEPTH, many), np.int64) for many in (tries, 4))
        first, end, weight, parts, *others = np.zeros((9, _DEPTH), dtype=np.int64)
        return cls(first, end, weight, box, parts, lines, *others)


def tilings_by_cuts(
    tiling: Tiling, bound: int, cost: int, budget: Budget, most: int
) -> Iterator[list[Box]]:
    """Yield tilings by straight cuts below a cost, each cheaper than the one before.

    It ends at the bound, with the budget, or when a level would take more than `most`
    rectangles.
    """
    points, least = _points(tiling), tiling.least
    whole = np.array([0, 0, *tiling.shape], dtype=np.int64)
    enough = 2 * tiling.total // max(1, points.place.shape[1])
    effort, tries = _EFFORT + _FOR_A_PART * (tiling.total // least), _LINES
    seed, low = budget.seed, bound
    with budget.flagging() as flag:
        while bound < cost and not budget.spent:
            if low == cost:
                effort, tries = MORE * effort, 2 * tries
                seed, low = seed + 1, bound
                if effort > most:
                    return
            level = _Level(least, (low + cost - 1) // 2, enough, tries, seed)
            stack = _Stack.of(tries)
            heaviest, boxes = _tiled(points, whole, level, stack, effort, flag)
            if heaviest:
                yield [(a, c, b, d) for a, c, b, d in boxes.tolist()]
                cost = heaviest
                low = min(low, cost)
            else:
                low = level.most + 1


def _points(tiling: Tiling) -> _Points:
    """Return the cells that weigh anything by their ranks."""
    placed, weights = tiling.placed()
    cells, order = placed.T, np.empty(placed.T.shape, dtype=np.int64)
    rank = np.empty_like(order)
    for axis in (0, 1):
        look_up()
        order[axis] = stable_order(cells[axis])
        rank[axis, order[axis]] = np.arange(len(weights))
    look_up()
    other = np.stack((rank[1][order[0]], rank[0][order[1]]))
    return _Points(np.take_along_axis(cells, order, axis=1), other, weights[order])


@compiled
def _tiled(
    points: _Points,
    whole: IntArray,
    level: _Level,
    stack: _Stack,
    effort: int,
    flag: ByteArray,
) -> tuple[int, IntArray]:
    """Return the heaviest part of a tiling of this level, and the boxes of all.

    Zero and none if it was not found by looking at so many rectangles.
    """
    n = points.place.shape[1]
    total = points.weight[0].sum()
    boxes = np.empty((total // level.k, 4), dtype=np.int64)
    weights = np.empty(total // level.k, dtype=np.int64)
    # ranks[axis]: the points by their ranks, in order within each rectangle.
    ranks = np.empty((2, n), dtype=np.int64)
    ranks[:] = np.arange(n)
    spare = np.empty(n, dtype=np.int64)
    scores = np.empty(level.tries, dtype=np.float64)
    failures = np.zeros(_FAILURES, dtype=np.uint64)
    stack.end[0], stack.weight[0], stack.box[0] = n, total, whole
    found, depth, state = 0, 0, _NEW
    while depth >= 0:
        if state == _NEW and stack.weight[depth] <= level.most:
            boxes[found] = stack.box[depth]
            weights[found] = stack.weight[depth]
            found += 1
            depth -= 1
            state = _CUT
        elif state == _NEW:
            effort -= 1
            if effort < 0 or flag[0] != 0:
                return 0, boxes[:0]
            stack.parts[depth] = found
            stack.listed[depth] = stack.tried[depth] = 0
            if depth + 1 < _DEPTH and not _is_known(failures, ranks, stack, depth):
                _list_lines(points, ranks, level, stack, depth, scores)
            state = _FAILED
        elif state == _CUT and stack.sides[depth] == 0:
            stack.sides[depth] = 1
            _enter(stack, depth, 1)
            depth += 1
            state = _NEW
        elif state == _CUT:
            depth -= 1
        else:
            # Some line failed, or none was tried: take the next one.
            first, end = stack.first[depth], stack.end[depth]
            found = stack.parts[depth]
            if stack.tried[depth] > 0:
                ranks[0, first:end].sort()
                ranks[1, first:end].sort()
            if stack.tried[depth] == stack.listed[depth]:
                _remember(failures, ranks, stack, depth)
                depth -= 1
                continue
            _part(points, ranks, stack, depth, spare)
            stack.tried[depth] += 1
            stack.sides[depth] = 0
            _enter(stack, depth, 0)
            depth += 1
            state = _NEW
    if state == _FAILED:
        return 0, boxes[:0]
    return weights[:found].max(), boxes[:found]


@inlined
def _list_lines(
    points: _Points,
    ranks: IntArray,
    level: _Level,
    stack: _Stack,
    depth: int,
    scores: FloatArray,
) -> None:
    """List the best lines of a rectangle, both of whose sides have slack."""
    first, end, weight = stack.first[depth], stack.end[depth], stack.weight[depth]
    lines, count = stack.lines[depth], 0
    for axis in range(2):
        place, weights = points.place[axis], points.weight[axis]
        lower = 0
        for i in range(first, end - 1):
            rank = ranks[axis, i]
            lower += weights[rank]
            if place[rank] == place[ranks[axis, i + 1]]:
                continue
            slack = _slack(lower, level)
            if slack < 0.0:
                continue
            slack = min(slack, _slack(weight - lower, level))
            if slack < 0.0:
                continue
            even = min(lower, weight - lower) / weight
            drawn = (rank * 7919 + level.seed * 104729) % 1009 / 1009
            score = min(slack, level.enough) + level.enough * (even + _DRAWN * drawn)
            if count == level.tries and score <= scores[count - 1]:
                continue
            # Insert it among the best.
            at = count if count < level.tries else count - 1
            count = at + 1
            while at > 0 and scores[at - 1] < score:
                scores[at] = scores[at - 1]
                lines[at] = lines[at - 1]
                at -= 1
            scores[at] = score
            lines[at] = 2 * (i + 1) + axis
    stack.listed[depth] = count


@inlined
def _slack(weight: int, level: _Level) -> float:
    """Return how far a weight is from having no number of parts; -1 if it has none."""
    fewest, most = -(-weight // level.most), weight // level.k
    if fewest > most:
        return -1.0
    middle = weight // (level.k + (level.most - level.k) // 2)
    slack = 0.0
    for parts in range(max(middle, fewest), min(middle + 1, most) + 1):
        over, under = weight - 1.0 * parts * level.k, 1.0 * parts * level.most - weight
        slack = max(slack, min(over, under))
    return slack


@inlined
def _part(
    points: _Points, ranks: IntArray, stack: _Stack, depth: int, spare: IntArray
) -> None:
    """Part the points of a rectangle by its next line, both sides in order."""
    first, end = stack.first[depth], stack.end[depth]
    line = stack.lines[depth, stack.tried[depth]]
    axis, middle = line % 2, line // 2
    beyond = ranks[axis, middle]
    stack.place[depth] = points.place[axis, beyond]
    low, high, lower = first, 0, 0
    for i in range(first, end):
        rank = ranks[1 - axis, i]
        if points.other[1 - axis, rank] < beyond:
            ranks[1 - axis, low] = rank
            lower += points.weight[1 - axis, rank]
            low += 1
        else:
            spare[high] = rank
            high += 1
    ranks[1 - axis, low:end] = spare[:high]
    stack.lower[depth] = lower


@inlined
def _enter(stack: _Stack, depth: int, side: int) -> None:
    """Enter the lighter side of the line that was taken last, or the other one."""
    line = stack.lines[depth, stack.tried[depth] - 1]
    axis, middle = line % 2, line // 2
    lower, weight = stack.lower[depth], stack.weight[depth]
    stack.box[depth + 1] = stack.box[depth]
    if (lower <= weight - lower) == (side == 0):
        stack.first[depth + 1], stack.end[depth + 1] = stack.first[depth], middle
        stack.weight[depth + 1] = lower
        stack.box[depth + 1, axis + 2] = stack.place[depth]
    else:
        stack.first[depth + 1], stack.end[depth + 1] = middle, stack.end[depth]
        stack.weight[depth + 1] = weight - lower
        stack.box[depth + 1, axis] = stack.place[depth]


@inlined
def _signature(ranks: IntArray, stack: _Stack, depth: int) -> np.uint64:
    """Return a hash of the least and greatest ranks of a rectangle in order."""
    first, last = stack.first[depth], stack.end[depth] - 1
    mixed = np.uint64(0)
    for rank in (ranks[0, first], ranks[0, last], ranks[1, first], ranks[1, last]):
        mixed = (mixed + np.uint64(rank + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


@inlined
def _is_known(failures: Any, ranks: IntArray, stack: _Stack, depth: int) -> bool:
    """Return whether a rectangle is known to have failed."""
    mixed = _signature(ranks, stack, depth)
    return bool(failures[mixed % np.uint64(_FAILURES)] == mixed)


@inlined
def _remember(failures: Any, ranks: IntArray, stack: _Stack, depth: int) -> None:
    """Remember that a rectangle failed, in place of another one perhaps."""
    mixed = _signature(ranks, stack, depth)
    failures[mixed % np.uint64(_FAILURES)] = mixed
