"""Cuts of weighted points into rectangles of weight at least k: kd-trees.

A rectangle is cut by a line parallel to an axis whenever both sides weigh at least k,
until none can be. The rule says which of these cuts is taken.

A rectangle that cannot be cut weighs at most kappa + 4 (k - 1), where kappa is the
weight of the heaviest location: across either axis there is a line with less than k on
both sides, and all points lie on both lines or off one of them.

The points of a rectangle are two linked lists, one in the order of either axis. A cut
takes the side with fewer points out of both and sorts it anew: each point log2(n) times
at most. Looking for cuts takes O(n log n) in all for rules that halve rectangles or
look at their ends alone; others may take O(n) for each rectangle.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import arrange, number


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

_MIDDLE = 0
"""A scan searches for the most balanced cut; for the n-th one if n > 0."""
_ALL = -1
"""A scan counts all cuts."""


class _Points(NamedTuple):
    """The points, and random numbers."""

    places: IntArray  # [axis, point] its cell
    weights: IntArray  # [point]
    ranks: IntArray  # [axis, point] where it is in the order of that axis
    chances: FloatArray  # [cut] from 0 to below 1


class _Lists(NamedTuple):
    """The points of every rectangle in order of either axis, linked both ways."""

    links: IntArray  # [axis, 0 or 1, point] which is after or before it, -1 for none
    ends: IntArray  # [axis, 0 or 1, rectangle] its first or last point


class _Rectangles(NamedTuple):
    """The rectangles so far."""

    homes: IntArray  # [point] the rectangle that it is in
    boxes: IntArray  # [rectangle, side] its cells (a, c, b, d)
    totals: IntArray  # [rectangle] its weight
    turns: IntArray  # [rectangle] across which axis its next cut goes, if in turn


def kd_tree(
    cells: IntArray, weights: IntArray, k: int, rule: Rule, seed: int = 0
) -> tuple[IntArray, IntArray]:
    """Cut points at cells [x, y] until no rectangle can be cut.

    Returns the rectangle that every point is in, and the boxes (a, c, b, d) of cells
    that the rectangles are. There is one at least; it may weigh less than k.
    """
    n = len(weights)
    orders = np.stack([np.argsort(cells[:, axis], kind="stable") for axis in (0, 1)])
    points = _Points(
        np.ascontiguousarray(cells.T),
        weights.copy(),  # writable; else the loop would be compiled twice
        np.argsort(orders, axis=1),
        np.random.default_rng(seed).random(n + 1),
    )
    lists = _Lists(np.full((2, 2, n), -1), np.full((2, 2, n + 1), -1))
    homes, (totals, turns) = np.zeros(n, np.int64), np.zeros((2, n + 1), np.int64)
    boxes = np.zeros((n + 1, 4), dtype=np.int64)
    boxes[0, 2:] = points.places.max(axis=1, initial=-1) + 1
    totals[0] = weights.sum()
    cut = _Rectangles(homes, boxes, totals, turns)
    for axis in (0, 1):
        _chain(lists, axis, 0, orders[axis], n)
    count = _grow(points, lists, cut, min(k, 2**62 + 1), int(rule))
    return homes, boxes[:count]


@compiled
def _grow(points: _Points, lists: _Lists, cut: _Rectangles, k: int, rule: int) -> int:
    """Cut rectangle 0, fill in homes and boxes, and return how many there are."""
    weights, ranks = points.weights, points.ranks
    links, ends, homes, boxes = lists.links, lists.ends, cut.homes, cut.boxes
    totals, turns = cut.totals, cut.turns
    n, count, home, cuts = len(weights), number(1), number(0), 0
    # Room for the points of the lighter side of a cut, and their ranks.
    taken, order = np.empty(n, np.int64), np.empty(n, np.int64)
    # All rectangles before `home` cannot be cut.
    while home < count:
        axis, line = _choose(
            points, lists, home, totals[home], k, rule, turns[home],
            points.chances[cuts],
        )  # fmt: skip
        if axis < 0:
            home += 1
            continue
        cuts += 1
        # The side of the line with fewer points leaves both lists ...
        fewer, low = _fewer(links, ends, points.places, axis, home, line, taken)
        for i in range(fewer):
            point = taken[i]
            homes[point] = count
            totals[count] += weights[point]
            for other in range(2):
                _unlink(links, ends, other, home, point)
        # ... and becomes a rectangle of its own, with lists in order.
        for other in range(2):
            for i in range(fewer):
                order[i] = ranks[other, taken[i]]
            arrange(taken, order, fewer)
            _chain(lists, other, count, taken, fewer)
        totals[home] -= totals[count]
        turns[home] = turns[count] = 1 - axis
        for side in range(4):
            boxes[count, side] = boxes[home, side]
        boxes[count if low else home, axis + 2] = line
        boxes[home if low else count, axis] = line
        count += 1
    return count


@compiled
def _chain(lists: _Lists, axis: int, home: int, points: IntArray, count: int) -> None:
    """Make the list of a rectangle from its points, in order."""
    links, ends = lists.links, lists.ends
    last = -1
    ends[axis, 0, home] = -1
    for i in range(count):
        point = points[i]
        links[axis, 1, point] = last
        if last < 0:
            ends[axis, 0, home] = point
        else:
            links[axis, 0, last] = point
        last = point
    if last >= 0:
        links[axis, 0, last] = -1
    ends[axis, 1, home] = last


@inlined
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
    places: IntArray,
    axis: int,
    home: int,
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
    points: _Points,
    lists: _Lists,
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
    places, weights = points.places, points.weights
    links, ends = lists.links, lists.ends
    # Of all cuts, counted in a first walk along either axis, the one that is drawn.
    if rule == _RANDOM:
        end, wanted = number(0), number(_ALL)
        first, second = 0, 0
        for axis in range(2):
            point = ends[axis, end, home]
            cuts, _, _ = _scan(
                places, weights, links, axis, end, point, total, k, wanted
            )
            first, second = second, cuts
        if first + second == 0:
            return -1, -1
        wanted = 1 + int(chance * (first + second))
        axis = number(0 if wanted <= first else 1)
        wanted -= axis * first
        point = ends[axis, end, home]
        _, _, line = _scan(places, weights, links, axis, end, point, total, k, wanted)
        return axis, line
    # The best of the most balanced cuts of both axes, or of the first from all ends.
    chosen, drawn, least = -1, -1, total
    for i in range(2):
        axis = (i + turn) % 2 if rule == _ALTERNATING else i
        for end in range(2 if rule == _SMALLEST_SIDE else 1):
            wanted = number(1 if rule == _SMALLEST_SIDE else _MIDDLE)
            point = ends[axis, end, home]
            cuts, side, line = _scan(
                places, weights, links, axis, end, point, total, k, wanted
            )
            score = side if rule == _SMALLEST_SIDE else max(side, total - side)
            if cuts > 0 and score < least:
                chosen, drawn, least = axis, line, score
        if rule == _ALTERNATING and chosen >= 0:
            break
    return chosen, drawn


@compiled
def _scan(
    places: IntArray,
    weights: IntArray,
    links: IntArray,
    axis: int,
    end: int,
    point: int,
    total: int,
    k: int,
    wanted: int,
) -> tuple[int, int, int]:
    """Walk from an end, a point, and return the cuts met, and a side and line of one.

    That is the cut of number `wanted`, where the walk ends, or the most balanced one;
    the side is the weight behind it.
    """
    cuts, side, best, line = 0, 0, 0, -1
    while point >= 0:
        # A cut behind this point leaves `side`, which grows, and the rest.
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
