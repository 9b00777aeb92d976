"""Tilings by straight cuts and wheels, by dynamic programs over all boxes of cells.

A tiling by straight cuts is a single box, or a cut and a tiling of either side. So for
rectangle tiling the least cost g(B) of a box B of weight w(B) is

    g(B) = infinite                                          if w(B) < k,
    g(B) = min(w(B), min over cuts B = L + R of max(g(L), g(R)))        else.

If boxes may have any weight (RTILE), the fewest rectangles of weight at most K that B
can be cut into are

    f(B) = 1                                                 if w(B) <= K,
    f(B) = min over cuts B = L + R of f(L) + f(R)            else,

and the least K with f(grid) <= p is found by bisection, between max(w, W / p) and the
cost of the best tiling met.

Below a known cost, a box that no number of parts of less can share is worth nothing: g
is infinite unless ceil(w(B) / (cost - 1)) <= floor(w(B) / k). Near the bound that is
most small boxes, and takes half of the time.

Empty margins change neither, so a box with one takes the value of the box without: a
tiling of B cuts the box without margins too, and weights stay; conversely, the pieces
at a margin grow over it. Cuts stay straight in both cases. A box is done when its value
meets ceil(w / floor(w / k)), or ceil(w / K).

The cost is optimal for instances that ask for guillotine tilings, and for the others an
upper bound, for either cover: a tiling of the plane holds all points. It can be above
the optimum: 16 unit points around a 5 x 5 lattice, one of weight 4 in its centre, k = 4
cost 4 (a pinwheel), by straight cuts 5.

With X x Y cells there are about X^2 Y^2 / 4 boxes and at most X + Y cuts of each.

Wheels
------
The simplest tiling without a straight cut is a *wheel*: four boxes turn about a fifth.
With wheels beside cuts, f and g are those of all tilings that are made of both. Where
straight cuts miss the optimum by one unit, that often reaches it. A box has X^2 Y^2 / 2
wheels at most; those of boxes whose value cuts cannot lower any more are left out, and
those whose first two parts are worth as much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations
from math import comb
from typing import NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.rectangles import Box, cuts_of, prefix_sums
from atleastk.models.results.solution import Solution
from atleastk.models.tilings import Tiling
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.tilings.boxes import weight_of

MOST_BOXES = 2**26
"""The most boxes that the dynamic programs take, 8 bytes each."""

FEW_CELLS = 1_600
"""Cells of a grid for which a program takes 0.05 s: half a million boxes."""

_MOST_WHEELS = 2**32
"""The most wheels of all boxes for a table with wheels: some seconds."""

_WHEEL = 5
"""The parts of a wheel."""

_NEVER = 2**62 + 1
"""Above every weight; the value of a box that has no tiling."""


def refuses(tiling: Tiling) -> str | None:
    """Say why the dynamic programs cannot take a tiling, or None if they can."""
    if tiling.boxes <= MOST_BOXES:
        return None
    return f"{too_many_boxes(tiling)}; guillotine tilings take {MOST_BOXES}"


def too_many_boxes(tiling: Tiling) -> str:
    """Say how many boxes of cells there are."""
    rows, columns = tiling.shape
    return f"{rows} x {columns} cells have {tiling.boxes} boxes"


def wheels_fit(tiling: Tiling) -> bool:
    """Return whether there are wheels, and not too many."""
    rows, columns = (comb(length + 1, 4) for length in tiling.shape)
    return 0 < 2 * rows * columns <= _MOST_WHEELS


def guillotine_tiling(tiling: Tiling, budget: Budget) -> Solution | None:
    """Return a cheapest tiling by straight cuts.

    None if there is none, if the budget ends first, or if the boxes do not fit its
    memory or :func:`refuses` them.
    """
    if not tiling.cells:
        return tiling.solution([])
    found: list[Solution] = []
    done = cheaper_tilings(tiling, budget, tiling.total + 1, found.append)
    return found[-1] if done and found else None


def cheaper_tilings(
    tiling: Tiling,
    budget: Budget,
    cost: int,
    offer: Callable[[Solution], object],
    *,
    turning: bool = False,
) -> bool:
    """Offer tilings by straight cuts below a cost, each cheaper than the one before.

    And by wheels, if `turning`. There are cells. Return whether it is proved that no
    other is cheaper than all of these; it is not if the budget ends, or if the boxes do
    not fit its memory or :func:`refuses` them.
    """
    if refuses(tiling) is not None or 8 * tiling.boxes > budget.memory:
        return False
    sums, counts = prefix_sums(tiling.grid), tiling.k == 0

    def filled(low: int, high: int) -> _Table | None:
        table = _Table(sums, _Asked(low, high, counts, turning))
        return table if table.filled(budget) else None

    if not counts:
        if tiling.total < tiling.k or cost <= tiling.k:
            return True
        table = filled(tiling.k, cost - 1)
        if table is not None and table.value < cost:
            offer(tiling.solution(table.boxes()))
        return table is not None
    least = tiling.bound
    if cost > tiling.total:
        offer(tiling.solution([(0, 0, *tiling.shape)]))
        cost = tiling.total
    while least < cost:
        level = (least + cost) // 2
        table = filled(0, level)
        if table is None:
            return False
        if table.value <= tiling.most:
            boxes = list(table.boxes())
            cost = max(table.weight(box) for box in boxes)
            offer(tiling.solution(boxes))
        else:
            least = level + 1
    return True


class _Asked(NamedTuple):
    """What boxes may be, and what is asked of them.

    A box that weighs from `low` to `high` can stand alone, at the price 1 if `counts`,
    else at its weight. Prices are added if `counts`; else the greatest is the value.
    """

    low: int
    high: int
    counts: bool
    turning: bool  # whether there are wheels


class _Table:
    """The value of every box: of [a, b) x [c, d) in row (a, b) and column (c, d)."""

    def __init__(self, sums: IntArray, asked: _Asked) -> None:
        self._sums, self._asked = sums, asked
        self._rows, self._columns = sums.shape[0] - 1, sums.shape[1] - 1
        shape = (comb(self._rows + 1, 2), comb(self._columns + 1, 2))
        self._values = np.empty(shape, dtype=np.int64)

    def filled(self, budget: Budget) -> bool:
        """Compute all values; return whether the budget sufficed."""
        with budget.flagging() as flag:
            done: bool = _fill(self._sums, self._asked, self._values, flag)
        return done

    @property
    def value(self) -> int:
        """The value of the whole grid."""
        return self._of((0, 0, self._rows, self._columns))

    def weight(self, box: Box) -> int:
        """Return the weight of a box."""
        return int(weight_of(self._sums, *box))

    def boxes(self) -> Iterator[Box]:
        """Yield the boxes of a best tiling of the grid."""
        pending = [(0, 0, self._rows, self._columns)]
        while pending:
            box = pending.pop()
            weight, value = self.weight(box), self._of(box)
            price = 1 if self._asked.counts else weight
            if self._asked.low <= weight <= self._asked.high and value >= price:
                yield box
            else:
                pending += next(
                    parts
                    for parts in chain(cuts_of(box), wheels_of(box))
                    if self._joined(*parts) == value
                )

    def _joined(self, *parts: Box) -> int:
        values = map(self._of, parts)
        return sum(values) if self._asked.counts else max(values)

    def _of(self, box: Box) -> int:
        a, c, b, d = box
        return int(self._values[_interval(a, b), _interval(c, d)])


def wheels_of(box: Box) -> Iterator[tuple[Box, ...]]:
    """Yield the five parts of every wheel of a box, the middle one last."""
    a, c, b, d = box
    for m, n in combinations(range(a + 1, b), 2):
        for s, t in combinations(range(c + 1, d), 2):
            middle = m, s, n, t
            yield (a, c, m, t), (a, t, n, d), (n, s, b, d), (m, c, b, s), middle
            yield (a, s, m, d), (m, t, b, d), (n, c, b, t), (a, c, n, s), middle


@inlined
def _interval(first: int, end: int) -> int:
    """Return the number of an interval [first, end), by end and then by length."""
    return (end - 1) * end // 2 + end - 1 - first


@compiled
def _fill(
    sums: IntArray,  # [row + 1, column + 1]
    asked: _Asked,
    values: IntArray,  # [interval of rows, interval of columns]
    flag: ByteArray,
) -> bool:
    """Compute the value of every box; stop and return False if the flag is raised.

    Every box comes after all boxes inside it.
    """
    low, high, counts = asked.low, asked.high, asked.counts
    for b in range(1, sums.shape[0]):
        for a in range(b - 1, -1, -1):
            if flag[0] != 0:
                return False
            across = _interval(a, b)
            for d in range(1, sums.shape[1]):
                for c in range(d - 1, -1, -1):
                    along = _interval(c, d)
                    weight = weight_of(sums, a, c, b, d)
                    if weight < low or (
                        not counts and -(-weight // high) > weight // low
                    ):
                        value = _NEVER
                    elif counts and weight <= high:
                        value = 1
                    elif not counts and weight - low < low:
                        value = weight
                    # With an empty margin it has the value of the box without.
                    elif weight_of(sums, a, c, a + 1, d) == 0:
                        value = values[_interval(a + 1, b), along]
                    elif weight_of(sums, b - 1, c, b, d) == 0:
                        value = values[_interval(a, b - 1), along]
                    elif weight_of(sums, a, c, b, c + 1) == 0:
                        value = values[across, _interval(c + 1, d)]
                    elif weight_of(sums, a, d - 1, b, d) == 0:
                        value = values[across, _interval(c, d - 1)]
                    else:
                        value = _best(weight, asked, values, a, c, b, d)
                    values[across, along] = value
    return True


@compiled
def _best(
    weight: int, asked: _Asked, values: IntArray, a: int, c: int, b: int, d: int
) -> int:
    """Return the value of a box that may have to be cut, once all parts have one.

    No value is below `least`: the weight is shared by `parts` parts at most. O(rows +
    columns), but for wheels.
    """
    counts, across, along = asked.counts, _interval(a, b), _interval(c, d)
    best = _NEVER if weight > asked.high else weight
    parts = asked.high if counts else weight // asked.low
    least = (weight - 1) // parts + 1
    # Cuts between columns, ...
    for m in range(c + 1, d):
        if best <= least:
            return best
        value = values[across, _interval(c, m)]
        if value < best:
            other = values[across, _interval(m, d)]
            best = min(best, _together(counts, value, other))
    # ... and between rows.
    for m in range(a + 1, b):
        if best <= least:
            return best
        value = values[_interval(a, m), along]
        if value < best:
            other = values[_interval(m, b), along]
            best = min(best, _together(counts, value, other))
    enough = best > _WHEEL if counts else parts >= _WHEEL
    if asked.turning and best > least and enough:
        best = _best_wheel(best, least, counts, values, a, c, b, d)
    return best


@compiled
def _best_wheel(
    best: int,
    least: int,
    counts: bool,
    values: IntArray,
    a: int,
    c: int,
    b: int,
    d: int,
) -> int:
    """Return the value of a box that may be a wheel, or that which it has without.

    O(rows^2 columns^2).
    """
    for m in range(a + 1, b - 1):
        for n in range(m + 1, b):
            above, below = _interval(a, m), _interval(n, b)
            down, up = _interval(m, b), _interval(a, n)
            middle = _interval(m, n)
            for s in range(c + 1, d - 1):
                if best <= least:
                    return best
                # What goes left and right of column s, in wheels of either turn.
                left, right = _interval(c, s), _interval(s, d)
                one = _together(counts, values[down, left], values[below, right])
                two = _together(counts, values[up, left], values[above, right])
                if best <= min(one, two):
                    continue
                for t in range(s + 1, d):
                    centre = values[middle, _interval(s, t)]
                    left, right = _interval(c, t), _interval(t, d)
                    some = _together(counts, one, centre)
                    if some < best:
                        some = _together(counts, some, values[above, left])
                        best = min(best, _together(counts, some, values[up, right]))
                    some = _together(counts, two, centre)
                    if some < best:
                        some = _together(counts, some, values[below, left])
                        best = min(best, _together(counts, some, values[down, right]))
    return best


@inlined
def _together(counts: bool, one: int, other: int) -> int:
    """Return the value of two parts."""
    return one + other if counts else max(one, other)
