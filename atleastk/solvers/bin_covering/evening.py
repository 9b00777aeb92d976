"""Evening out: swaps between two bins that bring their levels nearer to each other.

A swap of items i and j moves d = x_i - x_j from a fuller bin a to an emptier bin b. If
0 < d < L_a - L_b both new levels lie between the old ones: the greatest level never
grows, the least never falls, and sum L^2 falls by 2 d (L_a - L_b - d). Where items are
many such a j is found near x_i in order of size, however few of them a bin holds; so
levels end up apart by about a difference of neighbouring sizes, divided by the number
of items in a bin.

Complexity
----------
A pass visits every bin, those at the ends of the levels first, and looks at some places
around the best size for each of its items: O(n (log n + reach)). There are as many
passes as still bring the ends nearer to each other.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.solvers.bin_covering.algorithms.longest_first import Placed
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled

__all__ = ["evened"]


_NEAR = 24
_FAR = 512
_ENDS = 64
_PASSES = 200
_PATIENCE = 3
_TRIES = 8
_SHARE = 0.2


def evened(sizes: IntArray, placed: Placed, budget: Budget) -> Placed:
    """Return bins whose levels differ less; the items are in decreasing order.

    Their total is below 2^62. The greatest level is no greater, the least no less.
    """
    items, bins = sizes[placed.items], len(placed.levels)
    homes = placed.homes.copy()
    levels = np.array(placed.levels, dtype=np.int64)
    heads = np.full(bins, -1)
    after, before = np.full((2, len(items)), -1)
    _chain(homes, heads, after, before)
    mean, patience = levels.sum() / bins, _PATIENCE
    with budget.flagging() as flag:
        for turn in range(_PASSES):
            spread = np.ptp(levels)
            order = np.argsort(levels, kind="stable")
            swaps = _pass(
                items, homes, levels, heads, after, before, order, mean, turn, flag
            )
            patience = patience - 1 if np.ptp(levels) == spread else _PATIENCE
            if budget.spent or spread <= 1 or swaps == 0 or patience == 0:
                break
    return Placed(placed.items, homes, levels)


@compiled
def _chain(homes: IntArray, heads: IntArray, after: IntArray, before: IntArray) -> None:
    """Make a list of the items of every bin."""
    for i in range(len(homes)):
        _link(heads, after, before, homes[i], i)


@compiled
def _pass(
    sizes: IntArray,
    homes: IntArray,
    levels: IntArray,
    heads: IntArray,
    after: IntArray,
    before: IntArray,
    order: IntArray,
    mean: float,
    turn: int,
    flag: ByteArray,
) -> int:
    """Improve the fullest bin, the emptiest, the next and so on; return the swaps.

    Bins near the mean are left for later passes.
    """
    bins, swaps = len(levels), 0
    near = _SHARE * float(levels[order[bins - 1]] - levels[order[0]])
    for rank in range(bins):
        if (rank & 15) == 0 and flag[0] != 0:
            break
        a = order[rank // 2 if (rank & 1) == 1 else bins - 1 - rank // 2]
        if abs(levels[a] - mean) < near:
            continue
        opposite = order[0] if levels[a] > mean else order[bins - 1]
        reach = int(np.int64(_FAR if rank < _ENDS else _NEAR))
        share = 0.5 + 0.25 * ((turn + rank) % 3)
        for _ in range(_TRIES):
            goal = levels[a] + share * (mean - levels[a])
            if not _improve(
                sizes, homes, levels, heads, after, before, a, opposite, order[0],
                goal, reach,
            ):  # fmt: skip
                break
            swaps += 1
    return swaps


@compiled
def _improve(
    sizes: IntArray,
    homes: IntArray,
    levels: IntArray,
    heads: IntArray,
    after: IntArray,
    before: IntArray,
    a: int,
    opposite: int,
    emptiest: int,
    goal: float,
    reach: int,
) -> bool:
    """Make the best swap or move of an item of a bin that is met; tell if there is.

    A swap brings the level about to the goal. Nothing can gain more than with the
    opposite end, half the way.
    """
    n = len(sizes)
    most = 0.24 * float(levels[a] - levels[opposite]) ** 2
    best, gone, come, home = 0.0, -1, -1, -1
    i = heads[a]
    while i >= 0 and best < most:
        # To move it.
        gap = levels[a] - levels[emptiest]
        if sizes[i] < gap:
            gain = float(sizes[i]) * float(gap - sizes[i])
            if gain > best:
                best, gone, come, home = gain, i, -1, emptiest
        # The place of the size that would do best.
        wanted = sizes[i] - (levels[a] - goal)
        low, high = 0, n
        while low < high:
            middle = (low + high) // 2
            if sizes[middle] <= wanted:
                high = middle
            else:
                low = middle + 1
        # To swap it with an item near that place.
        for j in range(max(0, low - reach), min(n, low + reach)):
            b = homes[j]
            shift, gap = sizes[i] - sizes[j], levels[a] - levels[b]
            if 0 < shift < gap or gap < shift < 0:
                gain = float(shift) * float(gap - shift)
                if gain > best:
                    best, gone, come, home = gain, i, j, b
        i = after[i]
    if gone < 0:
        return False
    shift = sizes[gone]
    _unlink(heads, after, before, a, gone)
    _link(heads, after, before, home, gone)
    homes[gone] = home
    if come >= 0:
        shift -= sizes[come]
        _unlink(heads, after, before, home, come)
        _link(heads, after, before, a, come)
        homes[come] = a
    levels[a] -= shift
    levels[home] += shift
    return True


@compiled
def _link(
    heads: IntArray, after: IntArray, before: IntArray, home: int, item: int
) -> None:
    """Put an item first in the list of a bin."""
    head = heads[home]
    after[item] = head
    before[item] = -1
    if head >= 0:
        before[head] = item
    heads[home] = item


@compiled
def _unlink(
    heads: IntArray, after: IntArray, before: IntArray, home: int, item: int
) -> None:
    """Take an item out of the list of a bin."""
    if before[item] >= 0:
        after[before[item]] = after[item]
    else:
        heads[home] = after[item]
    if after[item] >= 0:
        before[after[item]] = before[item]
