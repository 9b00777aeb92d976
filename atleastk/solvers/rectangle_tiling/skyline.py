"""Tilings of a grid decided by a search over skylines, with a memory.

Is a grid tiled by exactly p boxes that weigh from `least` to `most`? Boxes are placed
in the one order in which every box lies in the leftmost corner of the lowest line that
is left. Then what is covered is always a *skyline*, so many cells of every column, and
all that matters is

    the skyline, and the number n of boxes so far.

States from which nothing was found are kept in a hash table, and not tried again. If
`least` is 0 boxes can be split, so that a state fails if it failed with fewer boxes.

Potentials
----------
Let y be weights of cells, of any sign, and z at least y(B) for every box B that may be
used. Tilings by p boxes have

    sum over boxes of (z - y(B)) = p z - y(grid),

where no summand is negative. So a box of z - y(B) above the right side is in no tiling,
and a state (S, n) in none if n z - y(S) is above it. Weights are such potentials, w
with `most` and -w with -`least`; optimal duals of linear programs are better ones.

Corners
-------
A corner of a skyline, below a line and beside a higher column, is a corner of the box
that covers it, which has to fit in between higher columns.

Holes
-----
If only the cells with points must be covered, every other cell may be left out: a box
of its own that does not count.

The number of skylines is exponential in the number of columns. Grids are searched from
four sides in turn, as one may be far better.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.models.rectangles import Box, box_weights, prefix_sums
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.rectangle_tiling.boxes import admissible_boxes

__all__ = ["decide_by_skyline"]


_GREATEST: Final = 2**62
_FIRST_TURN: Final = 2**14
_FIRST_STATES: Final = 2**14
_MEMORY: Final = 2.0**31
"""Bytes that the states take at most."""

_NONE, _FOUND, _STOPPED, _FULL, _TURN = range(5)
"""What a search came to: nothing is left, a tiling, or why it does not go on."""


def decide_by_skyline(
    grid: IntArray,
    window: Window,
    budget: Budget,
    boxes: IntArray | None = None,
    potentials: Sequence[IntArray] = (),
    points: IntArray | None = None,
) -> Decision[list[Box]]:
    """Decide whether so many boxes tile a grid of weights of at least 0.

    Parameters
    ----------
    boxes
        The boxes that may be used, if they are known, all of a weight in the window.
    potentials
        Weights of cells, an array like the grid each, to cut the search by, below
        2**61 in all. Right whatever they are, but only good ones are of use.
    points
        The number of points of every cell, if cells without any may be left out.
    """
    if boxes is None:
        required = None if points is None else points > 0
        boxes = admissible_boxes(grid, window, budget, required=required)
        if boxes is None:
            return Decision.unknown("there are too many boxes to list them")
    ground = _ground(grid, window, boxes, potentials, points)
    if ground is None:
        return Decision.impossible()
    memory = min(_MEMORY, budget.memory) / 4
    hunts: list[_Hunt] = []
    for side in range(4):
        if budget.spent:
            return Decision.unknown()
        hunts.append(_Hunt(ground, side))
    turn = _FIRST_TURN
    while True:
        for hunt in list(hunts):
            status = hunt.go_on(turn, memory, budget)
            if status == _FOUND:
                return Decision.of(_split(hunt.boxes(), ground))
            if status == _NONE:
                return Decision.impossible()
            if status == _STOPPED:
                return Decision.unknown()
            if status == _FULL:
                hunts.remove(hunt)
        if not hunts:
            return Decision.unknown("the states of the search outgrow the memory")
        turn *= 4


@dataclass(frozen=True, eq=False)
class _Ground:
    """What there is to search for.

    Attributes
    ----------
    boxes, counts, costs
        Boxes, whether they count, and z - y(B) for every potential.
    slacks
        p z - y(grid) for every potential.
    exact
        Whether fewer boxes will not do.
    counted
        Whether the number of boxes does not follow from the skyline.
    """

    shape: tuple[int, int]
    parts: int
    boxes: IntArray
    counts: IntArray
    costs: IntArray
    slacks: IntArray
    exact: bool
    counted: bool


def _ground(
    grid: IntArray,
    window: Window,
    boxes: IntArray,
    potentials: Iterable[IntArray],
    points: IntArray | None,
) -> _Ground | None:
    """Return what there is to search for, None if there is nothing to be found."""
    rows, columns = grid.shape
    parts = window.parts
    exact = points is not None or window.least > 0
    if len(boxes) == 0 or parts > grid.size:
        return None
    sums = prefix_sums(grid)
    free = np.argwhere(points == 0) if points is not None else boxes[:0, :2]
    counts = np.repeat([1, 0], [len(boxes), len(free)])
    boxes = np.concatenate([boxes, np.hstack([free, free + 1])])
    lines = [
        _line(sums, boxes, counts, parts, window.most, 1),
        _line(sums, boxes, counts, parts, -window.least, -1),
    ]
    for potential in potentials:
        other = prefix_sums(potential)
        of_boxes = box_weights(other, boxes)
        highest = int(of_boxes[counts == 1].max(initial=0 if not exact else -_GREATEST))
        if of_boxes[counts == 0].max(initial=0) <= 0:
            lines.append(_line(other, boxes, counts, parts, highest, 1))
    slacks = [slack for slack, _ in lines]
    if min(slacks) < 0:
        return None
    costs = np.stack([cost for _, cost in lines], axis=1)
    kept = (costs <= np.array(slacks)).all(axis=1)
    counted = exact and slacks[0] >= window.most
    return _Ground(
        (rows, columns),
        parts,
        boxes[kept],
        counts[kept],
        costs[kept],
        np.array(slacks),
        exact,
        counted,
    )


def _line(
    sums: IntArray, boxes: IntArray, counts: IntArray, parts: int, z: int, sign: int
) -> tuple[int, IntArray]:
    """Return p z - y(grid), cut off where it does not fit, and z - y(B) of all boxes.

    The potential is that of the prefix sums, times the sign.
    """
    slack = parts * z - sign * int(sums[-1, -1])
    return min(slack, _GREATEST), z * counts - sign * box_weights(sums, boxes)


def _split(boxes: list[Box], ground: _Ground) -> list[Box]:
    """Split boxes until there are as many as there should be."""
    if not ground.exact:
        while len(boxes) < ground.parts:
            boxes.sort(key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))
            a, c, b, d = boxes.pop()
            if b - a > 1:
                boxes += [(a, c, a + 1, d), (a + 1, c, b, d)]
            else:
                boxes += [(a, c, b, c + 1), (a, c + 1, b, d)]
    return boxes


class _Hunt:
    """The search from one side of the grid: 1 flips rows, 2 exchanges the axes."""

    def __init__(self, ground: _Ground, side: int) -> None:
        self._ground, self._side = ground, side
        rows, columns = ground.shape[::-1] if side & 2 else ground.shape
        a, c, b, d = ground.boxes.T
        if side & 2:
            a, c, b, d = c, a, d, b
        if side & 1:
            a, b = rows - b, rows - a
        corners = a * columns + c
        scale = np.maximum(ground.slacks, 1).astype(np.float64)
        order = np.lexsort(((ground.costs / scale).sum(axis=1), corners))
        self._order = order
        self._starts = np.searchsorted(corners[order], np.arange(rows * columns + 1))
        self._shapes = np.stack([b, d, ground.counts], axis=1)[order].astype(np.int64)
        self._costs = np.ascontiguousarray(ground.costs[order])
        self._widths = np.full((2, rows, columns), columns + 1, dtype=np.int64)
        np.minimum.at(self._widths[0], (a, c), d - c)
        np.minimum.at(self._widths[1], (a, d - 1), d - c)
        self._heights = np.zeros(columns, dtype=np.int64)
        steps = 1 + (ground.parts if ground.counts.all() else rows * columns)
        self._trail = np.zeros((steps, 5), dtype=np.int64)
        self._used = np.zeros((steps, len(ground.slacks)), dtype=np.int64)
        self._state = np.array([0, 1, 0], dtype=np.int64)
        self._bits = rows.bit_length()
        words = -(-columns // (63 // self._bits)) + ground.counted
        self._keys = np.empty((_FIRST_STATES, words), dtype=np.int64)
        self._fewest = np.full(_FIRST_STATES, -1, dtype=np.int32)

    def go_on(self, turn: int, memory: float, budget: Budget) -> int:
        """Look at so many more states."""
        ground = self._ground
        while True:
            with budget.flagging() as flag:
                status: int = _search(
                    self._starts,
                    self._shapes,
                    self._costs,
                    self._widths,
                    ground.slacks,
                    ground.parts,
                    ground.exact,
                    ground.counted,
                    self._bits,
                    self._heights,
                    self._trail,
                    self._used,
                    self._state,
                    self._keys,
                    self._fewest,
                    turn,
                    flag,
                )
            if status != _FULL or not self._grow(memory):
                return status

    def boxes(self) -> list[Box]:
        """Return the boxes that are placed."""
        placed = self._trail[: self._state[0], 3] - 1
        chosen = self._order[placed]
        chosen = chosen[self._ground.counts[chosen] == 1]
        return [(a, c, b, d) for a, c, b, d in self._ground.boxes[chosen].tolist()]

    def _grow(self, memory: float) -> bool:
        """Double the memory if that is allowed."""
        if 4 * (self._keys.nbytes + self._fewest.nbytes) > memory:
            return False
        keys = np.empty((2 * len(self._keys), self._keys.shape[1]), dtype=np.int64)
        fewest = np.full(len(keys), -1, dtype=np.int32)
        _move(self._keys, self._fewest, keys, fewest)
        self._keys, self._fewest = keys, fewest
        return True


@inlined
def _slot(key: IntArray, keys: IntArray, fewest: Int32Array) -> int:
    """Return where a key is in the table, or where it would be."""
    mixed = 0
    for word in key:
        mixed = (mixed ^ word) * -7046029254386353131
        mixed ^= mixed >> 29
    mixed *= -4658895280553007687
    mixed ^= mixed >> 32
    mask = len(fewest) - 1
    at = mixed & mask
    while fewest[at] >= 0:
        same = True
        for i in range(len(key)):
            if keys[at, i] != key[i]:
                same = False
                break
        if same:
            break
        at = (at + 1) & mask
    return at


@compiled
def _move(
    keys: IntArray,
    fewest: Int32Array,
    other_keys: IntArray,
    other_fewest: Int32Array,
) -> None:
    """Enter all of a table into another one."""
    for at in range(len(fewest)):
        if fewest[at] >= 0:
            slot = _slot(keys[at], other_keys, other_fewest)
            other_fewest[slot] = fewest[at]
            for i in range(keys.shape[1]):
                other_keys[slot, i] = keys[at, i]


@inlined
def _pack(
    heights: IntArray, count: int, counted: bool, bits: int, key: IntArray
) -> int:
    """Write a state as a key."""
    word, room, value = 0, 63, 0
    for height in heights:
        if room < bits:
            key[word] = value
            word, room, value = word + 1, 63, 0
        value = (value << bits) | height
        room -= bits
    key[word] = value
    if counted:
        key[word + 1] = count
    return word


@inlined
def _lowest(heights: IntArray, widths: IntArray, place: IntArray) -> bool:
    """Find the lowest leftmost notch; tell whether boxes fit into all corners."""
    columns, rows = len(heights), widths.shape[1]
    place[0] = rows
    start = 0
    while start < columns:
        height = heights[start]
        end = start + 1
        while end < columns and heights[end] == height:
            end += 1
        if height < rows:
            if height < place[0]:
                place[0], place[1], place[2] = height, start, end
            if start == 0 or heights[start - 1] > height:
                wall = end
                while wall < columns and heights[wall] <= height:
                    wall += 1
                if widths[0, height, start] > wall - start:
                    return False
            if end == columns or heights[end] > height:
                wall = start
                while wall > 0 and heights[wall - 1] <= height:
                    wall -= 1
                if widths[1, height, end - 1] > end - wall:
                    return False
        start = end
    return True


@compiled
def _search(
    starts: IntArray,
    shapes: IntArray,
    costs: IntArray,
    widths: IntArray,
    slacks: IntArray,
    parts: int,
    exact: bool,
    counted: bool,
    bits: int,
    heights: IntArray,
    trail: IntArray,
    used: IntArray,
    state: IntArray,
    keys: IntArray,
    fewest: Int32Array,
    turn: int,
    flag: ByteArray,
) -> int:
    """Go on with a depth-first search.

    `state` is the number of boxes placed, whether the skyline is new, and the number
    of states kept. A step of the `trail` has the row, first and last column of its
    notch, the next box to be tried, and the number of boxes that count.
    """
    rows, columns = widths.shape[1], len(heights)
    key = np.zeros(keys.shape[1], dtype=np.int64)
    depth, new = state[0], state[1] == 1
    looked = 0
    while True:
        place = trail[depth]
        if new:
            state[0], state[1] = depth, 1
            if looked >= turn:
                return _TURN
            if flag[0] != 0:
                return _STOPPED
            if 2 * state[2] >= len(fewest):
                return _FULL
            looked += 1
            fits = _lowest(heights, widths, place)
            if place[0] == rows:
                if not exact or place[4] == parts:
                    return _FOUND
                fits = False
            if fits:
                _pack(heights, place[4], counted, bits, key)
                slot = _slot(key, keys, fewest)
                fits = fewest[slot] < 0 or fewest[slot] > place[4]
            if fits:
                place[3] = starts[place[0] * columns + place[1]]
                new = False
        if not new:
            end = starts[place[0] * columns + place[1] + 1]
            while place[3] < end:
                box = place[3]
                place[3] += 1
                if shapes[box, 1] > place[2] or place[4] + shapes[box, 2] > parts:
                    continue
                new = True
                for i in range(len(slacks)):
                    if costs[box, i] > slacks[i] - used[depth, i]:
                        new = False
                        break
                if new:
                    for i in range(len(slacks)):
                        used[depth + 1, i] = used[depth, i] + costs[box, i]
                    for column in range(place[1], shapes[box, 1]):
                        heights[column] = shapes[box, 0]
                    trail[depth + 1, 4] = place[4] + shapes[box, 2]
                    depth += 1
                    break
            if new:
                continue
            _pack(heights, place[4], counted, bits, key)
            slot = _slot(key, keys, fewest)
            if fewest[slot] < 0:
                state[2] += 1
                for i in range(len(key)):
                    keys[slot, i] = key[i]
            fewest[slot] = place[4]
        if depth == 0:
            return _NONE
        depth -= 1
        new = False
        for column in range(trail[depth, 1], shapes[trail[depth, 3] - 1, 1]):
            heights[column] = trail[depth, 0]
