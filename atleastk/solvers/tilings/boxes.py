"""Enumeration and filtering of the boxes of cells that a tiling may use.

Listing
-------
Weights are at least 0. So for rows [a, b) and a first column c the boxes that weigh
from `least` to `most` end at consecutive columns, and the ends of the columns move
right as c does: two pointers per pair of rows find all boxes of the window, in time
O(rows^2 columns) and the length of the list.

If only some cells have to be covered (cover ``"points"``) every box can shrink to the
bounding box of those it holds: only such boxes are listed then.

Filters
-------
Boxes that no tiling of the whole grid by listed boxes contains are dropped:

*Remainders.* A box from side to side of the grid cuts the rest in two that are tiled
apart. Parts of R in all within [least, most] number from ceil(R / most) to
floor(R / least), and the parts of both remainders must add up to all but one.

*Neighbours.* Let [a, b) be the side of a box on a line inside the grid. The boxes that
cover the cells behind it are disjoint from the box, so they begin at that line, and
their sides are consecutive intervals that cover [a, b): a *chain* of sides of listed
boxes. The first interval begins at a or passes beyond it, the last ends at b or passes.
Round a corner of the box the chains of its two sides do not both pass: both would cover
the cell across the corner. If neither does, a listed box has its own corner there.

Dropped boxes break chains of others: repeated until nothing changes (propagation).
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined

MOST_BOXES = 2**24
"""The most boxes of a list, 32 bytes each."""


_MOST_INTERVALS = 2**26
"""Pairs of a line and an interval, a byte each, up to which chains are followed."""


def admissible_boxes(
    grid: IntArray,
    window: Window,
    budget: Budget,
    limit: int = MOST_BOXES,
    required: BoolArray | None = None,
    fewest: int | None = None,
) -> IntArray | None:
    """List the boxes that a partition of a window can have, as rows (a, c, b, d).

    Parameters
    ----------
    required
        The cells that have to be covered, if others may stay uncovered.
    fewest
        The fewest parts, if they may be fewer than those of the window.

    Returns
    -------
    None if there are more than `limit` before they are filtered, if they do not fit the
    budget's memory, or if its time is spent.
    """
    boxes = listed_boxes(grid, window.least, window.most, budget, limit, required)
    if boxes is None or required is not None:
        return boxes
    return None if budget.spent else filtered(grid, boxes, window, budget, fewest)


def filtered(
    grid: IntArray, boxes: IntArray, window: Window, budget: Budget, fewest: int | None
) -> IntArray:
    """Return those of all boxes of a window that a partition of all cells can have."""
    fitting = boxes[_remainders_fit(grid, boxes, window, fewest or window.parts)]
    return consistent_boxes(fitting, grid.shape, budget)


def listed_boxes(
    grid: IntArray,
    least: int,
    most: int,
    budget: Budget,
    limit: int = MOST_BOXES,
    required: BoolArray | None = None,
) -> IntArray | None:
    """List the boxes that weigh from `least` to `most`, as rows (a, c, b, d).

    With `required` only bounding boxes of required cells. None if there are more than
    `limit`, if they do not fit the budget's memory, or if its time is spent.
    """
    sums = prefix_sums(grid)
    bounding = required is not None
    counts = sums if required is None else prefix_sums(required.astype(np.int64))
    limit = int(min(limit, MOST_BOXES, budget.memory // 32))
    with budget.flagging() as flag:
        none = np.zeros((0, 4), dtype=np.int64)
        count = _sweep(sums, counts, bounding, least, most, limit, none, flag)
        if not 0 <= count <= limit:
            return None
        boxes = np.empty((count, 4), dtype=np.int64)
        count = _sweep(sums, counts, bounding, least, most, limit, boxes, flag)
    return None if count < 0 else boxes


def consistent_boxes(
    boxes: IntArray, shape: tuple[int, ...], budget: Budget
) -> IntArray:
    """Drop boxes that have no neighbours in the list, until all have some.

    Also right, but less, if the budget is spent or the grid is very large.
    """
    rows, columns = shape
    longest = max(rows, columns) + 1
    if longest**3 > min(_MOST_INTERVALS, budget.memory / 8):
        return boxes
    with budget.flagging() as flag:
        while len(boxes) and not budget.spent:
            sides = _sides(boxes, rows, columns, flag)
            corners = _corners(boxes, rows, columns)
            fits = np.ones(len(boxes), dtype=np.bool_)
            if sides is not None:
                _survivors(boxes, *sides, corners, fits, flag)
            if fits.all():
                break
            boxes = boxes[fits]
    return boxes


def _remainders_fit(
    grid: IntArray, boxes: IntArray, window: Window, fewest: int
) -> BoolArray:
    """Return which boxes leave remainders that can be partitioned, by counting."""
    rows, columns = grid.shape
    sums = prefix_sums(grid)
    a, c, b, d = boxes.T
    remaining = sums[-1, -1] - box_weights(sums, boxes)
    fits = np.ones(len(boxes), dtype=np.bool_)
    for across, before in (
        ((c == 0) & (d == columns), sums[a, -1]),
        ((a == 0) & (b == rows), sums[-1, c]),
    ):
        at_least = np.zeros(across.sum(), dtype=np.int64)
        at_most = at_least if window.least > 0 else at_least + window.parts
        for part in (before[across], (remaining - before)[across]):
            needed = -(-part // max(1, window.most))
            at_least = at_least + needed
            if window.least > 0:
                at_most = at_most + part // window.least
                fits[across] &= needed <= part // window.least
        fits[across] &= (at_least < window.parts) & (fewest - 1 <= at_most)
    return fits


def _sides(
    boxes: IntArray, rows: int, columns: int, flag: ByteArray
) -> tuple[ByteArray, ByteArray, ByteArray, ByteArray] | None:
    """Return the chains behind the upper, lower, left and right sides of boxes.

    Of every side [i, j) on a line, 4 bits: those of :func:`_chains`. None if the flag
    is raised.
    """
    a, c, b, d = boxes.T
    found = []
    for lines, line, first, end, length in (
        (rows, b, c, d, columns),
        (rows, a, c, d, columns),
        (columns, d, a, b, rows),
        (columns, c, a, b, rows),
    ):
        single = np.zeros((lines + 1, length + 1, length + 1), dtype=np.uint8)
        single[line, first, end] = 1
        chains = np.zeros_like(single)
        if not _chains(single, chains, flag):
            return None
        found.append(chains)
    upper, lower, left, right = found
    upper[0] = lower[rows] = left[0] = right[columns] = 1
    return upper, lower, left, right


def _corners(boxes: IntArray, rows: int, columns: int) -> ByteArray:
    """Return the corners of boxes at every vertex, as bits; all bits at the margin.

    Bits 1, 2, 4, 8: upper left (a, c), upper right (a, d), lower left (b, c), lower
    right (b, d).
    """
    a, c, b, d = boxes.T
    corners = np.zeros((rows + 1, columns + 1), dtype=np.uint8)
    for bit, x, y in ((1, a, c), (2, a, d), (4, b, c), (8, b, d)):
        there = np.zeros_like(corners)
        there[x, y] = bit
        corners |= there
    corners[[0, rows], :] = corners[:, [0, columns]] = 15
    return corners


@inlined
def weight_of(sums: IntArray, a: int, c: int, b: int, d: int) -> int:
    """Return the weight of a box from prefix sums."""
    weight: int = sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c]
    return weight


@compiled
def _sweep(
    sums: IntArray,  # [row + 1, column + 1]
    counts: IntArray,  # [row + 1, column + 1]
    bounding: bool,
    least: int,
    most: int,
    limit: int,
    boxes: IntArray,  # [box, side]
    flag: ByteArray,
) -> int:
    """Write the boxes of the window where there is place for them; return how many.

    -1 if the flag is raised. Stops when there are more than `limit`. ``bounding`` asks
    for bounding boxes of cells that ``counts`` counts.
    """
    rows, columns = sums.shape[0] - 1, sums.shape[1] - 1
    found = 0
    for a in range(rows):
        for b in range(a + 1, rows + 1):
            if flag[0] != 0:
                return -1
            if sums[b, columns] - sums[a, columns] < least:
                continue
            # Boxes from column c are in the window if they end in [start, end).
            start = end = 0
            for c in range(columns):
                before = sums[b, c] - sums[a, c]
                start = max(start, c + 1)
                while (
                    start <= columns
                    and sums[b, start] - sums[a, start] - before < least
                ):
                    start += 1
                if start > columns:
                    break
                end = max(end, start)
                while end <= columns and sums[b, end] - sums[a, end] - before <= most:
                    end += 1
                if not bounding:
                    for d in range(start, min(end, start + len(boxes) - found)):
                        _write(boxes, found + d - start, a, c, b, d)
                    found += end - start
                elif weight_of(counts, a, c, b, c + 1) > 0:
                    for d in range(start, end):
                        # The other sides of a bounding box hold something, too.
                        if (
                            weight_of(counts, a, d - 1, b, d) > 0
                            and weight_of(counts, a, c, a + 1, d) > 0
                            and weight_of(counts, b - 1, c, b, d) > 0
                        ):
                            if found < len(boxes):
                                _write(boxes, found, a, c, b, d)
                            found += 1
                if found > limit:
                    return found
    return found


@inlined
def _write(boxes: IntArray, place: int, a: int, c: int, b: int, d: int) -> None:
    boxes[place, 0], boxes[place, 1], boxes[place, 2], boxes[place, 3] = a, c, b, d


@compiled
def _chains(single: ByteArray, chains: ByteArray, flag: ByteArray) -> bool:
    """Find which intervals [i, j) of every line chains of single intervals cover.

    Both arrays are indexed [line, i, j]. False if the flag is raised.

    Bits: 1, from i to j exactly; 2, from i beyond j; 4, from before i to j; 8, from
    before i beyond j. O(columns^3) for each line.
    """
    lines, ends = single.shape[0], single.shape[1]
    for line in range(lines):
        if flag[0] != 0:
            return False
        here, covered = single[line], chains[line]
        # Chains of one: `ending` at j, or `passing` it, began before i.
        ending, passing = np.zeros(ends, np.uint8), np.zeros(ends, np.uint8)
        for i in range(ends):
            beyond = 0
            for j in range(ends - 1, i, -1):
                covered[i, j] = (
                    here[i, j] | beyond << 1 | ending[j] << 2 | passing[j] << 3
                )
                ending[j] |= here[i, j]
                passing[j] |= beyond
                beyond |= here[i, j]
        # Chains that end at m go on with those from there, which are all known.
        for i in range(ends - 1, -1, -1):
            for m in range(i + 1, ends):
                factor = covered[i, m] & 5
                if factor != 0:
                    for j in range(m + 1, ends):
                        covered[i, j] |= factor * (covered[m, j] & 3)
    return True


@compiled
def _survivors(
    boxes: IntArray,  # [box, side]
    upper: ByteArray,  # [line, first, end], and so are the next three
    lower: ByteArray,
    left: ByteArray,
    right: ByteArray,
    corners: ByteArray,  # [row + 1, column + 1]
    fits: BoolArray,  # [box]
    flag: ByteArray,
) -> None:
    """Find the boxes with chains behind all sides that are compatible at the corners.

    ``upper`` to ``right`` hold the bits of chains behind each side of a box, by line
    and interval; ``corners`` those of corners of boxes at each vertex. Boxes that are
    not looked at because the flag is raised stay as they are in ``fits``.
    """
    for t in range(len(boxes)):
        if flag[0] != 0:
            break
        a, c, b, d = boxes[t, 0], boxes[t, 1], boxes[t, 2], boxes[t, 3]
        above, below = upper[a, c, d], lower[b, c, d]
        before, behind = left[c, a, b], right[d, a, b]
        # Across a corner of the box is the opposite corner of another one.
        nw_met, ne_met = corners[a, c] & 8, corners[a, d] & 4
        sw_met, se_met = corners[b, c] & 2, corners[b, d] & 1
        fits[t] = False
        for state in range(81):
            nw, ne, sw, se = state % 3, state // 3 % 3, state // 9 % 3, state // 27
            # 0: neither chain passes; 1: that of the level side; 2: of the other.
            if (
                (nw != 0 or nw_met != 0)
                and (ne != 0 or ne_met != 0)
                and (sw != 0 or sw_met != 0)
                and (se != 0 or se_met != 0)
                and above >> ((2 if nw == 1 else 0) + (1 if ne == 1 else 0)) & 1
                and below >> ((2 if sw == 1 else 0) + (1 if se == 1 else 0)) & 1
                and before >> ((2 if nw == 2 else 0) + (1 if sw == 2 else 0)) & 1
                and behind >> ((2 if ne == 2 else 0) + (1 if se == 2 else 0)) & 1
            ):
                fits[t] = True
                break
