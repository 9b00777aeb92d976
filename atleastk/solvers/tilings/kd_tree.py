"""Cuts of weighted points into rectangles of weight at least k: kd-trees.

A rectangle is cut by a line parallel to an axis whenever both sides weigh at least k,
until none can be. The rule says which of these cuts is taken.

A rectangle that cannot be cut weighs at most kappa + 4 (k - 1), where kappa is the
weight of the heaviest location: across either axis there is a line with less than k on
both sides, and all points lie on both lines or off one of them.

A cut takes time in proportion to the points of the rectangle: O(n log n) in all for
rules that halve them, O(n^2 / k) if a rule cuts off the least it can.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.tilings.ranked_points import Points, part, ranked


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


class _Rectangles(NamedTuple):
    """The rectangles so far, of points that stand together in either order."""

    first: IntArray  # [rectangle], where its points begin
    end: IntArray  # [rectangle]
    boxes: IntArray  # [rectangle, side], its cells (a, c, b, d)
    totals: IntArray  # [rectangle], its weight
    turns: IntArray  # [rectangle], the axis of the next cut, if axes take turns


def kd_tree(
    cells: IntArray, weights: IntArray, k: int, rule: Rule, seed: int = 0
) -> tuple[IntArray, IntArray]:
    """Cut points at cells [x, y] until no rectangle can be cut.

    Returns the rectangle that every point is in, and the boxes (a, c, b, d) of cells
    that the rectangles are. There is one at least; it may weigh less than k.
    """
    n = len(weights)
    points, order = ranked(cells, weights)
    first, end, totals, turns = np.zeros((4, n + 1), dtype=np.int64)
    boxes = np.zeros((n + 1, 4), dtype=np.int64)
    end[0], totals[0] = n, weights.sum()
    boxes[0, 2:] = points.place.max(axis=1, initial=-1) + 1
    cut = _Rectangles(first, end, boxes, totals, turns)
    ranks = np.tile(np.arange(n), (2, 1))
    chances = np.random.default_rng(seed).random(n + 1)  # one for each cut
    count = _grow(points, ranks, cut, chances, min(k, 2**62 + 1), int(rule))
    homes, in_order = np.empty_like(order), np.argsort(first[:count])
    sizes = (end - first)[in_order]
    homes[order[ranks[0]]] = np.repeat(in_order, sizes)
    return homes, boxes[:count]


@compiled
def _grow(
    points: Points,
    ranks: IntArray,  # [axis, place]
    cut: _Rectangles,
    chances: FloatArray,
    k: int,
    rule: int,
) -> int:
    """Cut rectangle 0 and those that it becomes; return how many there are."""
    first, end, boxes, totals, turns = cut
    spare = np.empty(ranks.shape[1], np.int64)
    count, home, cuts = number(1), number(0), 0
    # All rectangles before `home` cannot be cut.
    while home < count:
        axis, middle = _choose(points, ranks, cut, home, k, rule, chances[cuts])
        if axis < 0:
            home += 1
            continue
        cuts += 1
        # The side with fewer points becomes a rectangle of its own.
        begin, stop, total = first[home], end[home], totals[home]
        line = points.place[axis, ranks[axis, middle]]
        lower = part(points, ranks, axis, begin, middle, stop, spare)
        below, above = count, home
        if middle - begin > stop - middle:
            below, above = home, count
        first[below], end[below], totals[below] = begin, middle, lower
        first[above], end[above], totals[above] = middle, stop, total - lower
        for side in range(4):
            boxes[count, side] = boxes[home, side]
        boxes[below, axis + 2] = boxes[above, axis] = line
        turns[home] = turns[count] = 1 - axis
        count += 1
    return count


@compiled
def _choose(
    points: Points,
    ranks: IntArray,
    cut: _Rectangles,
    home: int,
    k: int,
    rule: int,
    chance: float,
) -> tuple[int, int]:
    """Return the axis of the cut that a rule takes, and the first place beyond it.

    The axis is -1 if there is none.
    """
    total = cut.totals[home]
    if total - k < k:
        return -1, -1
    # Of all cuts, counted in a first walk along either axis, the one that is drawn.
    if rule == _RANDOM:
        end, axis, wanted = number(0), number(0), number(_ALL)
        first, _, _ = _scan(points, ranks, cut, home, axis, end, k, wanted)
        second, _, _ = _scan(points, ranks, cut, home, axis + 1, end, k, wanted)
        if first + second == 0:
            return -1, -1
        wanted = 1 + int(chance * (first + second))
        if wanted > first:
            axis, wanted = axis + 1, wanted - first
        _, _, middle = _scan(points, ranks, cut, home, axis, end, k, wanted)
        return axis, middle
    # The best of the most balanced cuts of both axes, or of the first from all ends.
    chosen, drawn, least = -1, -1, total
    for i in range(2):
        axis = (i + cut.turns[home]) % 2 if rule == _ALTERNATING else i
        for end in range(2 if rule == _SMALLEST_SIDE else 1):
            wanted = number(1 if rule == _SMALLEST_SIDE else _MIDDLE)
            cuts, side, middle = _scan(points, ranks, cut, home, axis, end, k, wanted)
            score = side if rule == _SMALLEST_SIDE else max(side, total - side)
            if cuts > 0 and score < least:
                chosen, drawn, least = axis, middle, score
        if rule == _ALTERNATING and chosen >= 0:
            break
    return chosen, drawn


@compiled
def _scan(
    points: Points,
    ranks: IntArray,
    cut: _Rectangles,
    home: int,
    axis: int,
    end: int,
    k: int,
    wanted: int,
) -> tuple[int, int, int]:
    """Walk from an end, 0 or 1, and return the cuts met, and a side and place of one.

    That is the cut of number `wanted`, where the walk ends, or the most balanced one;
    the side is the weight behind it, the place that of the first point beyond.
    """
    place, weight, order = points.place[axis], points.weight[axis], ranks[axis]
    first, last, total = cut.first[home], cut.end[home] - 1, cut.totals[home]
    cuts, side, best, middle = 0, 0, 0, -1
    for step in range(last - first + 1):
        # A cut behind this point leaves `side`, which grows, and the rest.
        i, after = first + step, first + step + 1
        if end == 1:
            i, after = last - step, last - step - 1
        side += weight[order[i]]
        if total - side < k:
            break
        if side >= k and place[order[i]] != place[order[after]]:
            cuts += 1
            worse = max(side, total - side) >= max(best, total - best)
            if wanted == _MIDDLE and worse:
                break
            best, middle = side, max(i, after)
            if cuts == wanted:
                break
    return cuts, best, middle
