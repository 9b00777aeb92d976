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
from numpy.typing import NDArray

from atleastk.solvers.compiled import compiled, inlined

__all__ = ["Rule", "kd_tree"]

IntArray = NDArray[np.int64]


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
    count = _grow(orders, places, weights, least, int(rule), chances, homes, boxes)
    return homes, boxes[:count]


@compiled
def _grow(
    orders: IntArray,
    places: IntArray,
    weights: IntArray,
    k: int,
    rule: int,
    chances: NDArray[np.float64],
    homes: IntArray,
    boxes: IntArray,
) -> int:
    """Cut rectangle 0, fill in homes and boxes, and return how many there are."""
    n = len(weights)
    ranks = np.empty((2, n), dtype=np.int64)
    # Of every axis, the point after and the point before each; -1 for none.
    links = np.full((2, 2, n), -1, dtype=np.int64)
    # Of every axis, the first and the last point of every rectangle.
    ends = np.full((2, 2, n + 1), -1, dtype=np.int64)
    totals = np.zeros(n + 1, dtype=np.int64)
    turns = np.zeros(n + 1, dtype=np.int64)
    sequence = np.empty(n, dtype=np.int64)
    totals[0] = weights.sum()
    for axis in range(2):
        for rank in range(n):
            ranks[axis, orders[axis, rank]] = rank
        _chain(links[axis], ends[axis], 0, orders[axis])
    count, home, cuts = 1, 0, 0
    while home < count:
        axis, line = _choose(
            links, ends, places, weights, home, totals[home], k, rule, turns[home],
            chances[cuts],
        )  # fmt: skip
        if axis < 0:
            home += 1
            continue
        cuts += 1
        taken, low = _fewer(links[axis], ends[axis], home, places[axis], line)
        for point in taken:
            homes[point] = count
            totals[count] += weights[point]
            for other in range(2):
                _unlink(links[other], ends[other], home, point)
        for other in range(2):
            for i, point in enumerate(taken):
                sequence[i] = ranks[other, point]
            sequence[: len(taken)].sort()
            for i in range(len(taken)):
                sequence[i] = orders[other, sequence[i]]
            _chain(links[other], ends[other], count, sequence[: len(taken)])
        totals[home] -= totals[count]
        turns[home] = turns[count] = 1 - axis
        boxes[count] = boxes[home]
        boxes[count if low else home, axis + 2] = line
        boxes[home if low else count, axis] = line
        count += 1
    return count


@compiled
def _chain(links: IntArray, ends: IntArray, home: int, points: IntArray) -> None:
    """Make a list of points in this order."""
    last = -1
    ends[0, home] = -1
    for point in points:
        links[1, point] = last
        if last < 0:
            ends[0, home] = point
        else:
            links[0, last] = point
        last = point
    if last >= 0:
        links[0, last] = -1
    ends[1, home] = last


@inlined
def _unlink(links: IntArray, ends: IntArray, home: int, point: int) -> None:
    """Take a point out of its list."""
    after, before = links[0, point], links[1, point]
    if before < 0:
        ends[0, home] = after
    else:
        links[0, before] = after
    if after < 0:
        ends[1, home] = before
    else:
        links[1, after] = before


@compiled
def _fewer(
    links: IntArray, ends: IntArray, home: int, place: IntArray, line: int
) -> tuple[IntArray, bool]:
    """Return the points of the side of a line that has fewer, and if it is the low one.

    Both sides are walked at once, so it takes no longer than the fewer are.
    """
    count = 0
    low, high = ends[0, home], ends[1, home]
    while place[low] < line and place[high] >= line:
        low, high = links[0, low], links[1, high]
        count += 1
    forward = place[low] >= line
    taken = np.empty(count, dtype=np.int64)
    point = ends[0, home] if forward else ends[1, home]
    for i in range(count):
        taken[i] = point
        point = links[0, point] if forward else links[1, point]
    return taken, forward


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
        first, _, _ = _scan(
            links[0, 0], ends[0, 0, home], places[0], weights, total, k, _ALL
        )
        second, _, _ = _scan(
            links[1, 0], ends[1, 0, home], places[1], weights, total, k, _ALL
        )
        if first + second == 0:
            return -1, -1
        wanted = 1 + int(chance * (first + second))
        axis = 0 if wanted <= first else 1
        wanted -= axis * first
        _, _, line = _scan(
            links[axis, 0], ends[axis, 0, home], places[axis], weights, total, k, wanted
        )
        return axis, line
    chosen, drawn, least = -1, -1, total
    for i in range(2):
        axis = (i + turn) % 2 if rule == _ALTERNATING else i
        for end in range(2 if rule == _SMALLEST_SIDE else 1):
            cuts, side, line = _scan(
                links[axis, end],
                ends[axis, end, home],
                places[axis],
                weights,
                total,
                k,
                1 if rule == _SMALLEST_SIDE else _MIDDLE,
            )
            score = side if rule == _SMALLEST_SIDE else max(side, total - side)
            if cuts > 0 and score < least:
                chosen, drawn, least = axis, line, score
        if rule == _ALTERNATING and chosen >= 0:
            break
    return chosen, drawn


@compiled
def _scan(
    following: IntArray,
    start: int,
    place: IntArray,
    weights: IntArray,
    total: int,
    k: int,
    wanted: int,
) -> tuple[int, int, int]:
    """Walk from an end and return the cuts met, and of one the side behind and line.

    That is the cut of number `wanted`, where the walk ends, or the most balanced one.
    """
    cuts, side, best, line = 0, 0, 0, -1
    point = start
    while point >= 0:
        side += weights[point]
        after = following[point]
        if total - side < k:
            break
        if side >= k and place[after] != place[point]:
            cuts += 1
            worse = max(side, total - side) >= max(best, total - best)
            if wanted == _MIDDLE and worse:
                break
            best, line = side, max(place[point], place[after])
            if cuts == wanted:
                break
        point = after
    return cuts, best, line
