"""Pairwise interchange: swaps that bring the levels of two bins nearer to each other.

A swap of items i and j moves d = x_i - x_j from a fuller bin a to an emptier bin b. If
0 < d < L_a - L_b both new levels lie between the old ones: the greatest level never
grows, the least never falls, and sum L^2 falls by 2 d (L_a - L_b - d). Where items are
many such a j is found near x_i in order of size, however few of them a bin holds; so
levels end up apart by about a difference of neighbouring sizes, divided by the number
of items in a bin.

Items go in rows first (:mod:`~atleastk.solvers.bin_covering.rows`), whole rows of which
are put in again; swaps then have little left to do.

Complexity
----------
A pass visits every bin, those at the ends of the levels first, and looks at some places
around the best size for each of its items: O(n log n). There are as many
passes as still bring the ends nearer to each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray, stable_order
from atleastk.solvers.bin_covering.algorithms.longest_first import Placed, place
from atleastk.solvers.bin_covering.enumeration import first_fitting
from atleastk.solvers.bin_covering.rows import MOST_SHORT, in_rows
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined

_ROUNDS = 40
"""How often rows are put in again at most: a million items take 1 s."""
_NEAR = 24
"""Items tried on either side of the best size: not tuned."""
_SHARE = 0.2
"""Bins nearer to the mean level than this share of the spread wait: 300,000 items take
1.5 s, without it 2.6 s."""
_STRIDE = 40_503
"""Spreads what is tried of equal sizes: any large odd number."""
_PASSES = 200
"""The most passes: a bound; thousands of bins take 10 to 20."""
_PATIENCE = 3
"""Passes without less spread before it ends: swaps have three goals in turn."""


class _Bins(NamedTuple):
    """Items in bins, as lists that are linked both ways; -1 ends a list."""

    sizes: IntArray  # [item], decreasing
    homes: IntArray  # [item], the bin that it is in
    levels: IntArray  # [bin]
    heads: IntArray  # [bin], its first item
    after: IntArray  # [item], the next one in the same bin
    before: IntArray  # [item]


def evened(sizes: IntArray, placed: Placed, budget: Budget) -> Placed:
    """Return bins whose levels differ less; the items are in decreasing order.

    Their total is below 2^62. The greatest level is no greater, the least no less.
    """
    items, bins = sizes[placed.items], len(placed.levels)
    homes = placed.homes.copy()
    levels = np.array(placed.levels, dtype=np.int64)
    after, before = np.full((2, len(items)), -1)
    held = _Bins(items, homes, levels, np.full(bins, -1), after, before)
    _chain(held)
    mean, patience = levels.sum() / bins, _PATIENCE
    with budget.flagging() as flag:
        for turn in range(_PASSES):
            spread = np.ptp(levels)
            order = np.argsort(levels, kind="stable")
            swaps = _pass(held, order, mean, turn, flag)
            patience = patience - 1 if np.ptp(levels) == spread else _PATIENCE
            if budget.spent or spread <= 1 or swaps == 0 or patience == 0:
                break
    return Placed(placed.items, homes, levels)


def placed_evenly(
    sizes: IntArray, bins: int, budget: Budget, enough: int | None = None
) -> Placed:
    """Return bins whose levels differ little: in rows, the longest first, evened out.

    If all levels are `enough` on the way it ends there. Few bins take one by one.
    """
    if len(sizes) > MOST_SHORT * bins:
        return evened(sizes, place(sizes.tolist(), bins), budget)
    order = stable_order(-sizes)
    falling = sizes[order]

    def over(levels: IntArray) -> bool:
        return budget.spent or (enough is not None and levels.min() >= enough)

    homes, levels = in_rows(falling, bins, 1, _ROUNDS, over)
    if not over(levels):
        halves = in_rows(falling, bins, 2, _ROUNDS, over)
        homes, levels = max(halves, (homes, levels), key=lambda each: each[1].min())
    placed = Placed(order, homes, levels)
    return placed if over(levels) else evened(sizes, placed, budget)


@compiled
def _chain(bins: _Bins) -> None:
    """Make a list of the items of every bin."""
    for i in range(len(bins.homes)):
        _link(bins, i, bins.homes[i])


@compiled
def _pass(bins: _Bins, order: IntArray, mean: float, turn: int, flag: ByteArray) -> int:
    """Improve the fullest bin, the emptiest, the next and so on; return the swaps.

    ``order`` has the bins from the emptiest to the fullest. Those near the mean are
    left for later passes.
    """
    sizes, levels = bins.sizes, bins.levels
    m, swaps = len(levels), 0
    near = _SHARE * float(levels[order[m - 1]] - levels[order[0]])
    for rank in range(m):
        if (rank & 15) == 0 and flag[0] != 0:
            break
        a = order[rank // 2 if (rank & 1) == 1 else m - 1 - rank // 2]
        if abs(levels[a] - mean) < near:
            continue
        opposite = order[0] if levels[a] > mean else order[m - 1]
        # The goal is half way to the mean, three quarters, or the mean, in turn.
        share = 0.5 + 0.25 * ((turn + rank) % 3)
        for _ in range(8):  # swaps of a bin in a pass
            goal = levels[a] + share * (mean - levels[a])
            ends = (opposite, order[0])
            gone, come, home = _best_swap(bins, bins.heads[a], ends, goal, turn)
            if gone < 0:
                break
            shift = sizes[gone]
            _move(bins, gone, home)
            if come >= 0:
                shift -= sizes[come]
                _move(bins, come, a)
            levels[a] -= shift
            levels[home] += shift
            swaps += 1
    return swaps


@compiled
def _best_swap(
    bins: _Bins, i: int, ends: tuple[int, int], goal: float, turn: int
) -> tuple[int, int, int]:
    """Return the best swap, or move, of item i or one after it in its list.

    As the item that goes, the one that comes (-1 for none), and the bin of that; the
    first is -1 if nothing is gained. A swap brings the level about to the goal. The
    gain is d (L_a - L_b - d), half of what sum L^2 falls by: at most a quarter of the
    square of the gap to the opposite end, and near that the walk ends. An item takes
    O(log n). ``ends`` are the bins at the opposite end and the emptiest.
    """
    sizes, homes, levels = bins.sizes, bins.homes, bins.levels
    opposite, emptiest = ends
    best, gone, come, home = 0.0, -1, -1, -1
    if i < 0:
        return gone, come, home
    level = levels[homes[i]]
    most = 0.24 * float(level - levels[opposite]) ** 2
    while i >= 0 and best < most:
        size = sizes[i]
        # To move it.
        gap = level - levels[emptiest]
        if size < gap:
            gain = float(size) * float(gap - size)
            if gain > best:
                best, gone, come, home = gain, i, -1, emptiest
        # To swap it with an item near the place of the size that would do best.
        place = first_fitting(sizes, 0, size - (level - goal))
        for first in _windows(sizes, place, i + turn):
            for j in range(max(0, first), min(len(sizes), first + _NEAR)):
                b = homes[j]
                shift, gap = size - sizes[j], level - levels[b]
                if 0 < shift < gap or gap < shift < 0:
                    gain = float(shift) * float(gap - shift)
                    if gain > best:
                        best, gone, come, home = gain, i, j, b
        i = bins.after[i]
    return gone, come, home


@inlined
def _windows(sizes: IntArray, place: int, salt: int) -> tuple[int, int]:
    """Return where the items begin that are tried before a place and from it on.

    Of more equal sizes than are tried those in the middle of the order differ with the
    item and the pass: the same few would soon be in bins that are even.
    """
    before, behind = place - _NEAR, place
    if before >= 0 and sizes[before] == sizes[place - 1]:
        spare = before - first_fitting(sizes, 0, sizes[place - 1])
        before -= salt * _STRIDE % (spare + 1)
    if place + _NEAR <= len(sizes) and sizes[place] == sizes[place + _NEAR - 1]:
        spare = first_fitting(sizes, place, sizes[place] - 1) - place - _NEAR
        behind += salt * _STRIDE % (spare + 1)
    return before, behind


@inlined
def _move(bins: _Bins, item: int, home: int) -> None:
    """Take an item out of the list of its bin, and put it first in that of another."""
    earlier, later = bins.before[item], bins.after[item]
    if earlier >= 0:
        bins.after[earlier] = later
    else:
        bins.heads[bins.homes[item]] = later
    if later >= 0:
        bins.before[later] = earlier
    bins.homes[item] = home
    _link(bins, item, home)


@compiled
def _link(bins: _Bins, item: int, home: int) -> None:
    """Put an item first in the list of a bin."""
    head = bins.heads[home]
    bins.after[item], bins.before[item] = head, -1
    if head >= 0:
        bins.before[head] = item
    bins.heads[home] = item
