"""Depth-first search over skylines, with a hash table of failed states.

Is a grid tiled by exactly p boxes that weigh from `least` to `most`? Boxes are placed
in the one order in which every box lies in the leftmost corner of the lowest line that
is left. Then the covered cells are always a *skyline*, a number of cells of every
column, and all that matters is

    the skyline, and the number n of boxes so far.

Failed states are stored in a hash table, and not tried again. If
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
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.rectangles import Box, box_weights, prefix_sums
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.memory import Memory, place_of, remember
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.tilings.boxes import admissible_boxes

_GREATEST: Final = 2**62
"""Slacks are cut off here, so that they fit 64 bits."""
_FIRST: Final = 2**14
"""States of a side in the first round, four times as many in each further one; places
of the memory at first, for half as many states."""
_MEMORY: Final = 2.0**31
"""Bytes that the states take at most."""

_NONE, _FOUND, _STOPPED, _FULL, _TURN = range(5)
"""How a search ends: no tiling, a tiling, or the reason why it pauses."""


def decide_by_skyline(
    grid: IntArray,
    window: Window,
    budget: Budget,
    boxes: IntArray | None = None,
    potentials: Sequence[IntArray] = (),
    points: IntArray | None = None,
) -> Decision[list[Box]]:
    """Decide whether the boxes of a window tile a grid of weights of at least 0.

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
    cover = _cover_problem(grid, window, boxes, potentials, points)
    if cover is None:
        return Decision.impossible()
    memory = min(_MEMORY, budget.memory) / 4
    searches: list[_SideSearch] = []
    for side in range(4):
        if budget.spent:
            return Decision.unknown()
        searches.append(_SideSearch(cover, side))
    turn = _FIRST
    while True:
        for search in list(searches):
            status = search.go_on(turn, memory, budget)
            if status == _FOUND:
                return Decision.of(_split(search.boxes(), cover))
            if status == _NONE:
                return Decision.impossible()
            if status == _STOPPED:
                return Decision.unknown()
            if status == _FULL:
                searches.remove(search)
        if not searches:
            return Decision.unknown("the states of the search outgrow the memory")
        turn *= 4


@dataclass(frozen=True, eq=False)
class _Cover:
    """The exact cover problem: boxes, their potentials, and the number of parts."""

    shape: tuple[int, int]
    parts: int
    boxes: IntArray  # [box, side]
    counts: IntArray  # [box], whether it counts
    costs: IntArray  # [box, potential], z - y(B)
    slacks: IntArray  # [potential], p z - y(grid)
    exact: bool  # whether fewer boxes will not do
    counted: bool  # whether the number of boxes does not follow from the skyline


def _cover_problem(
    grid: IntArray,
    window: Window,
    boxes: IntArray,
    potentials: Iterable[IntArray],
    points: IntArray | None,
) -> _Cover | None:
    """Return the exact cover problem, None if it has no solution."""
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
    possible = (costs <= np.array(slacks)).all(axis=1)
    counted = exact and slacks[0] >= window.most
    return _Cover(
        (rows, columns),
        parts,
        boxes[possible],
        counts[possible],
        costs[possible],
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


def _split(boxes: list[Box], cover: _Cover) -> list[Box]:
    """Split boxes until there are as many as there should be."""
    if not cover.exact:
        while len(boxes) < cover.parts:
            boxes.sort(key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))
            a, c, b, d = boxes.pop()
            if b - a > 1:
                boxes += [(a, c, a + 1, d), (a + 1, c, b, d)]
            else:
                boxes += [(a, c, b, c + 1), (a, c + 1, b, d)]
    return boxes


class _Listed(NamedTuple):
    """The boxes seen from one side, those of a corner one behind the other."""

    starts: IntArray  # [cell + 1], where boxes with that first cell begin, row by row
    shapes: IntArray  # [box, 3], its end row and end column, and 1 if it counts
    costs: IntArray  # [box, potential], as of the problem, and so are the next four
    slacks: IntArray  # [potential]
    widths: IntArray  # [2, row, column], the least width of boxes whose first row has
    # its first ([0]) or last ([1]) cell there; more than all columns if there are none
    parts: int
    exact: bool
    counted: bool
    bits: int  # that a height takes


class _State(NamedTuple):
    """The state of a search; depth is the number of boxes placed before."""

    heights: IntArray  # [column], how many of its cells are covered: the skyline
    depth: IntArray  # [1], the number of boxes placed
    stored: IntArray  # [1], the number of states stored
    row: IntArray  # [depth], of the notch of each skyline
    first: IntArray  # [depth], its columns are [first, end)
    end: IntArray  # [depth]
    box: IntArray  # [depth], the next one to be tried in it
    counted: IntArray  # [depth], how many of the boxes so far count
    used: IntArray  # [depth, potential], their costs


class _SideSearch:
    """The search from one side of the grid: 1 flips rows, 2 exchanges the axes."""

    def __init__(self, cover: _Cover, side: int) -> None:
        rows, columns = cover.shape[::-1] if side & 2 else cover.shape
        a, c, b, d = cover.boxes.T
        if side & 2:
            a, c, b, d = c, a, d, b
        if side & 1:
            a, b = rows - b, rows - a
        corners = a * columns + c
        scale = np.maximum(cover.slacks, 1).astype(np.float64)
        order = np.lexsort(((cover.costs / scale).sum(axis=1), corners))
        widths = np.full((2, rows, columns), columns + 1, dtype=np.int64)
        np.minimum.at(widths[0], (a, c), d - c)
        np.minimum.at(widths[1], (a, d - 1), d - c)
        self._cover, self._order = cover, order
        self._listed = _Listed(
            np.searchsorted(corners[order], np.arange(rows * columns + 1)),
            np.stack([b, d, cover.counts], axis=1)[order].astype(np.int64),
            np.ascontiguousarray(cover.costs[order]),
            cover.slacks,
            widths,
            cover.parts,
            cover.exact,
            cover.counted,
            bits=rows.bit_length(),
        )
        steps = 1 + (cover.parts if cover.counts.all() else rows * columns)
        row, first, end, box, counted = np.zeros((5, steps), dtype=np.int64)
        self._state = _State(
            np.zeros(columns, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            row,
            first,
            end,
            box,
            counted,
            np.zeros((steps, len(cover.slacks)), dtype=np.int64),
        )
        words = -(-columns // (63 // self._listed.bits)) + cover.counted
        self._memory = Memory.of(_FIRST, words)

    def go_on(self, turn: int, memory: float, budget: Budget) -> int:
        """Look at up to `turn` more states; return how that ended."""
        while True:
            with budget.flagging() as flag:
                status: int = _search(
                    self._listed, self._state, self._memory, turn, flag
                )
            if status != _FULL or not self._grow(memory):
                return status

    def boxes(self) -> list[Box]:
        """Return the boxes that are placed."""
        placed = self._state.box[: self._state.depth[0]] - 1
        chosen = self._order[placed]
        chosen = chosen[self._cover.counts[chosen] == 1]
        return [(a, c, b, d) for a, c, b, d in self._cover.boxes[chosen].tolist()]

    def _grow(self, memory: float) -> bool:
        """Double the memory if that is allowed."""
        if 4 * sum(array.nbytes for array in self._memory) > memory:
            return False
        self._memory = self._memory.doubled()
        return True


@inlined
def _pack(
    heights: IntArray, count: int, counted: bool, bits: int, key: IntArray
) -> None:
    """Write a state as a key: the heights in words of 63 bits, and a word to count."""
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


@inlined
def _lowest(heights: IntArray, widths: IntArray) -> tuple[bool, int, int, int]:
    """Return whether boxes fit into all corners, and the lowest leftmost notch.

    That is its row, below the last one unless all is covered, and its columns.
    """
    columns, rows = len(heights), widths.shape[1]
    row, first, last = rows, 0, 0
    start = 0
    while start < columns:
        height = heights[start]
        end = start + 1
        while end < columns and heights[end] == height:
            end += 1
        if height < rows:
            if height < row:
                row, first, last = height, start, end
            # From a corner at the left, a box reaches to a higher column at most, ...
            if start == 0 or heights[start - 1] > height:
                wall = end
                while wall < columns and heights[wall] <= height:
                    wall += 1
                if widths[0, height, start] > wall - start:
                    return False, row, first, last
            # ... and from one at the right.
            if end == columns or heights[end] > height:
                wall = start
                while wall > 0 and heights[wall - 1] <= height:
                    wall -= 1
                if widths[1, height, end - 1] > end - wall:
                    return False, row, first, last
        start = end
    return True, row, first, last


@compiled
def _search(
    listed: _Listed, state: _State, memory: Memory, turn: int, flag: ByteArray
) -> int:
    """Go on with a depth-first search; return how it ends.

    Failed states are stored with the fewest boxes with which they failed. A state takes
    O(columns) beside the boxes of its corner, O(potentials) each.
    """
    starts, shapes, widths = listed.starts, listed.shapes, listed.widths
    costs, slacks, parts = listed.costs, listed.slacks, listed.parts
    heights, used, fewest = state.heights, state.used, memory.numbers
    row, first, last, box, count = (
        state.row, state.first, state.end, state.box, state.counted,
    )  # fmt: skip
    placed, stored = state.depth, state.stored
    counted, bits = listed.counted, listed.bits
    key = np.zeros(memory.keys.shape[1], dtype=np.int64)
    depth, new, looked = placed[0], True, 0
    while True:
        fits = True
        if new:
            placed[0] = depth
            if looked >= turn:
                return _TURN
            if flag[0] != 0:
                return _STOPPED
            if 2 * stored[0] >= len(fewest):
                return _FULL
            # A new skyline is a tiling, or cannot be filled, or its notch is next.
            looked += 1
            fits, row[depth], first[depth], last[depth] = _lowest(heights, widths)
            if row[depth] == widths.shape[1]:
                if not listed.exact or count[depth] == parts:
                    return _FOUND
                fits = False
            if fits:
                _pack(heights, count[depth], counted, bits, key)
                failed = fewest[place_of(key, memory)]
                fits = failed < 0 or failed > count[depth]
            box[depth] = starts[row[depth] * len(heights) + first[depth]]
            new = False
        if fits:
            # The next box with its corner in the notch that can be paid is placed.
            corner = row[depth] * len(heights) + first[depth]
            end, room = last[depth], parts - count[depth]
            for b in range(box[depth], starts[corner + 1]):
                if shapes[b, 1] <= end and shapes[b, 2] <= room:
                    new = _affordable(costs, slacks, used, b, depth)
                    if new:
                        break
            if new:
                box[depth] = b + 1
                for i in range(len(slacks)):
                    used[depth + 1, i] = used[depth, i] + costs[b, i]
                count[depth + 1] = count[depth] + shapes[b, 2]
                _raise(heights, first[depth], shapes[b, 1], shapes[b, 0])
                depth += 1
                continue
            # After the last one the state has failed.
            _pack(heights, count[depth], counted, bits, key)
            stored[0] += remember(key, count[depth], memory)
        # Back: the last box is taken away.
        if depth == 0:
            return _NONE
        depth -= 1
        _raise(heights, first[depth], shapes[box[depth] - 1, 1], row[depth])


@inlined
def _raise(heights: IntArray, first: int, end: int, height: int) -> None:
    """Raise, or lower, some columns of a skyline to a height."""
    for column in range(first, end):
        heights[column] = height


@inlined
def _affordable(
    costs: IntArray, slacks: IntArray, used: IntArray, box: int, depth: int
) -> bool:
    """Return whether the costs of a box and those before it are within the slacks."""
    i = 0
    while i < len(slacks) and costs[box, i] <= slacks[i] - used[depth, i]:
        i += 1
    return i == len(slacks)
