"""Cuts of weighted points into rectangles of weight at least k: kd-trees.

A rectangle is cut by a line parallel to an axis whenever both sides weigh at least k,
until none can be. The rule says which of these cuts is taken.

A rectangle that cannot be cut weighs at most kappa + 4 (k - 1), where kappa is the
weight of the heaviest location: across either axis there is a line with less than k on
both sides, and all points lie on both lines or off one of them.

The points of a rectangle are two linked lists, one in the order of either axis. A cut
takes the side with fewer points out of both and sorts it anew, which takes
O(n log^2 n) in all. So does looking for cuts, for rules that halve rectangles or look
at their ends alone; others may take O(n) for each rectangle.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.solvers.compiled.compile import compiled

__all__ = ["Rule", "kd_tree"]


class Rule(IntEnum):
    """Which of the possible cuts of a rectangle is taken; ties go to the first axis."""

    BALANCED = 0
    """The one whose heavier side is lightest."""
    SMALLEST_SIDE = 1
    """The one with the lightest side of all."""
    RANDOM = 2
    """Any, with equal chances."""
    ALTERNATING = 3
    """As balanced, across one axis and the other in turn, if that has any."""


_SMALLEST_SIDE = int(Rule.SMALLEST_SIDE)
_RANDOM = int(Rule.RANDOM)
_ALTERNATING = int(Rule.ALTERNATING)

# Which cut of a walk is wanted, beside the first, the second, ...
_MIDDLE = 0
_ALL = -1


def kd_tree(
    cells: IntArray, weights: IntArray, k: int, rule: Rule, seed: int = 0
) -> tuple[IntArray, IntArray]:
    """Cut points at cells [x, y] until no rectangle can be cut.

    Returns the rectangle that every point is in, and the boxes (a, c, b, d) of cells
    that the rectangles are. There is one at least; it may weigh less than k.
    """
    n = len(weights)
    chances = np.random.default_rng(seed).random(n + 1)
    orders = np.stack([np.argsort(cells[:, axis], kind="stable") for axis in (0, 1)])
    places = np.ascontiguousarray(cells.T)
    homes = np.zeros(n, dtype=np.int64)
    boxes = np.zeros((n + 1, 4), dtype=np.int64)
    boxes[0, 2:] = places.max(axis=1, initial=-1) + 1
    least = min(k, 2**62 + 1)
    # Of every axis, the point after and the point before each; -1 for none.
    links = np.full((2, 2, n), -1, dtype=np.int64)
    # Of every axis, the first and the last point of every rectangle.
    ends = np.full((2, 2, n + 1), -1, dtype=np.int64)
    totals = np.zeros(n + 1, dtype=np.int64)
    totals[0] = weights.sum()
    turns = np.zeros(n + 1, dtype=np.int64)
    room = np.empty((3, n), dtype=np.int64)
    weights = weights.copy()  # writable; else the loop would be compiled twice
    ranks = np.argsort(orders, axis=1)
    count = _grow(
        orders, ranks, places, weights, least, int(rule), chances, links, ends,
        totals, turns, homes, boxes, *room,
    )  # fmt: skip
    return homes, boxes[:count]


@compiled
def _grow(
    orders: IntArray,
    ranks: IntArray,
    places: IntArray,
    weights: IntArray,
    k: int,
    rule: int,
    chances: FloatArray,
    links: IntArray,
    ends: IntArray,
    totals: IntArray,
    turns: IntArray,
    homes: IntArray,
    boxes: IntArray,
    taken: IntArray,
    sequence: IntArray,
    spare: IntArray,
) -> int:
    """Cut rectangle 0, fill in homes and boxes, and return how many there are."""
    n = len(weights)
    # Loops are compiled anew for constants: hence numbers that are none.
    count, home, cuts = int(np.int64(1)), int(np.int64(0)), 0
    for axis in range(2):
        for rank in range(n):
            sequence[rank] = rank
        _chain(links, ends, axis, home, orders, sequence, n)
    while home < count:
        axis, line = _choose(
            links, ends, places, weights, home, totals[home], k, rule, turns[home],
            chances[cuts],
        )  # fmt: skip
        if axis < 0:
            home += 1
            continue
        cuts += 1
        fewer, low = _fewer(links, ends, axis, home, places, line, taken)
        for i in range(fewer):
            point = taken[i]
            homes[point] = count
            totals[count] += weights[point]
            for other in range(2):
                _unlink(links, ends, other, home, point)
        for other in range(2):
            for i in range(fewer):
                sequence[i] = ranks[other, taken[i]]
            _sort(sequence, spare, fewer)
            _chain(links, ends, other, count, orders, sequence, fewer)
        totals[home] -= totals[count]
        turns[home] = turns[count] = 1 - axis
        for side in range(4):
            boxes[count, side] = boxes[home, side]
        boxes[count if low else home, axis + 2] = line
        boxes[home if low else count, axis] = line
        count += 1
    return count


@compiled
def _sort(keys: IntArray, spare: IntArray, count: int) -> None:
    """Sort the first keys by merging runs."""
    width = 1
    while width < count:
        i = middle = j = stop = 0
        for at in range(count):
            if at == stop:
                i, middle = at, min(at + width, count)
                j, stop = middle, min(middle + width, count)
            if j == stop or (i < middle and keys[i] < keys[j]):
                spare[at] = keys[i]
                i += 1
            else:
                spare[at] = keys[j]
                j += 1
        for at in range(count):
            keys[at] = spare[at]
        width *= 2


@compiled
def _chain(
    links: IntArray,
    ends: IntArray,
    axis: int,
    home: int,
    orders: IntArray,
    ranks: IntArray,
    count: int,
) -> None:
    """Make a list of the points of these ranks."""
    last = -1
    ends[axis, 0, home] = -1
    for i in range(count):
        point = orders[axis, ranks[i]]
        links[axis, 1, point] = last
        if last < 0:
            ends[axis, 0, home] = point
        else:
            links[axis, 0, last] = point
        last = point
    if last >= 0:
        links[axis, 0, last] = -1
    ends[axis, 1, home] = last


@compiled
def _unlink(links: IntArray, ends: IntArray, axis: int, home: int, point: int) -> None:
    """Take a point out of its list."""
    after, before = links[axis, 0, point], links[axis, 1, point]
    if before < 0:
        ends[axis, 0, home] = after
    else:
        links[axis, 0, before] = after
    if after < 0:
        ends[axis, 1, home] = before
    else:
        links[axis, 1, after] = before


@compiled
def _fewer(
    links: IntArray,
    ends: IntArray,
    axis: int,
    home: int,
    places: IntArray,
    line: int,
    taken: IntArray,
) -> tuple[int, bool]:
    """List the points of the side of a line that has fewer, and if it is the low one.

    Both sides are walked at once, so it takes no longer than the fewer are.
    """
    count = 0
    low, high = ends[axis, 0, home], ends[axis, 1, home]
    while places[axis, low] < line and places[axis, high] >= line:
        low, high = links[axis, 0, low], links[axis, 1, high]
        count += 1
    forward = places[axis, low] >= line
    end = 0 if forward else 1
    point = ends[axis, end, home]
    for i in range(count):
        taken[i] = point
        point = links[axis, end, point]
    return count, forward


@compiled
def _choose(
    links: IntArray,
    ends: IntArray,
    places: IntArray,
    weights: IntArray,
    home: int,
    total: int,
    k: int,
    rule: int,
    turn: int,
    chance: float,
) -> tuple[int, int]:
    """Return the axis and the line of the cut that a rule takes; axis -1 for none."""
    if total - k < k:
        return -1, -1
    if rule == _RANDOM:
        end, wanted = int(np.int64(0)), int(np.int64(_ALL))
        first, second = 0, 0
        for axis in range(2):
            cuts, _, _ = _scan(
                links, ends, places, weights, axis, end, home, total, k, wanted
            )
            first, second = second, cuts
        if first + second == 0:
            return -1, -1
        wanted = 1 + int(chance * (first + second))
        axis = int(np.int64(0 if wanted <= first else 1))
        wanted -= axis * first
        _, _, line = _scan(
            links, ends, places, weights, axis, end, home, total, k, wanted
        )
        return axis, line
    chosen, drawn, least = -1, -1, total
    for i in range(2):
        axis = (i + turn) % 2 if rule == _ALTERNATING else i
        for end in range(2 if rule == _SMALLEST_SIDE else 1):
            wanted = int(np.int64(1 if rule == _SMALLEST_SIDE else _MIDDLE))
            cuts, side, line = _scan(
                links, ends, places, weights, axis, end, home, total, k, wanted
            )
            score = side if rule == _SMALLEST_SIDE else max(side, total - side)
            if cuts > 0 and score < least:
                chosen, drawn, least = axis, line, score
        if rule == _ALTERNATING and chosen >= 0:
            break
    return chosen, drawn


@compiled
def _scan(
    links: IntArray,
    ends: IntArray,
    places: IntArray,
    weights: IntArray,
    axis: int,
    end: int,
    home: int,
    total: int,
    k: int,
    wanted: int,
) -> tuple[int, int, int]:
    """Walk from an end and return the cuts met, and of one the side behind and line.

    That is the cut of number `wanted`, where the walk ends, or the most balanced one.
    """
    cuts, side, best, line = 0, 0, 0, -1
    point = ends[axis, end, home]
    while point >= 0:
        side += weights[point]
        after = links[axis, end, point]
        if total - side < k:
            break
        if side >= k and places[axis, after] != places[axis, point]:
            cuts += 1
            worse = max(side, total - side) >= max(best, total - best)
            if wanted == _MIDDLE and worse:
                break
            best, line = side, max(places[axis, point], places[axis, after])
            if cuts == wanted:
                break
        point = after
    return cuts, best, line
