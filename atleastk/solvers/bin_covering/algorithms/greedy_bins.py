"""Fold and Spread: the greedy bins of [Du09], Theorem 7 and section 5.

Both give every heavy item (size >= k) a bin of its own and fill further bins with the
light items in order, closing a bin as soon as its level reaches k. They differ in what
becomes of the light items left over, whose total is below k:

- ``FOLD_LEAST``, ``FOLD_LAST``: all of them go to the bin of least level, or to the bin
  closed last;
- ``SPREAD``: one by one to the emptiest bin while that does not raise the fullest, then
  round robin from bin 0 (heavy items come first);
- ``SPREAD_EMPTIEST``: one by one to the emptiest bin, to the end.

Without any other bin the leftovers stay a bin of their own, which the checker rejects:
the instance is infeasible.

Complexity
----------
A bin's end is found by bisection in the prefix sums, so with b bins and r leftovers
Fold takes O(b log n + r) and Spread O(b log n + r b) after O(n) for the prefix sums.
For every k above the greatest size the prefix sums are the same: :func:`costs_over_k`
needs nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from itertools import accumulate, repeat

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.rows import WORD, Row, row, worth_compiling

__all__ = ["Leftovers", "costs_over_k", "pack"]


class Leftovers(IntEnum):
    """What becomes of the items left over; see the module."""

    FOLD_LEAST = 0
    FOLD_LAST = 1
    SPREAD = 2
    SPREAD_EMPTIEST = 3


_FOLD_LEAST, _FOLD_LAST, _SPREAD, _ = map(int, Leftovers)


def pack(
    sizes: Sequence[int], k: int, order: Sequence[int], leftovers: Leftovers
) -> list[list[int]]:
    """Return the bins that Fold or Spread makes of the items, taken in order."""
    fits = worth_compiling(len(sizes), max(k, sum(sizes)))
    heavy, own, light, prefix = (_split if fits else _split_exactly)(sizes, k, order)
    most = len(heavy) + int(prefix[-1]) // k
    levels = row(repeat(0, most), fits=fits)
    ends = row(repeat(0, most), fits=fits)
    homes = row(repeat(0, len(light)), fits=fits)
    fill = _fill_compiled if fits else _fill
    bins = fill(prefix, own, k, int(leftovers), levels, ends, homes)
    if bins == 0:
        return [light] if light else []
    groups = [[item] for item in heavy]
    start = 0
    for end in map(int, ends[: bins - len(heavy)]):
        groups.append(light[start:end])
        start = end
    for item, home in zip(light[start:], homes, strict=False):
        groups[home].append(item)
    return groups


def _split(
    sizes: Sequence[int], k: int, order: Sequence[int]
) -> tuple[list[int], Row, list[int], Row]:
    """Return heavy items and their sizes, light items and their prefix sums."""
    items = np.array(order, dtype=np.int64)
    ordered = np.array(sizes, dtype=np.int64)[items]
    heavy = ordered >= k
    prefix = np.concatenate(([0], np.cumsum(ordered[~heavy])))
    return items[heavy].tolist(), ordered[heavy], items[~heavy].tolist(), prefix


def _split_exactly(
    sizes: Sequence[int], k: int, order: Sequence[int]
) -> tuple[list[int], Row, list[int], Row]:
    """Do the same with integers of any magnitude."""
    heavy = [item for item in order if sizes[item] >= k]
    light = [item for item in order if sizes[item] < k]
    prefix = list(accumulate((sizes[item] for item in light), initial=0))
    return heavy, [sizes[item] for item in heavy], light, prefix


def costs_over_k(
    sizes: Sequence[int],
    ks: Sequence[int],
    leftovers: Leftovers,
    workers: int = 1,
) -> list[int]:
    """Return the greatest level for every k, with the items in the given order.

    Every k must be at most the total size.
    """
    if sum(sizes) >= WORD:
        order = range(len(sizes))
        packings = (pack(sizes, k, order, leftovers) for k in ks)
        return [max(sum(sizes[i] for i in g) for g in groups) for groups in packings]
    items = np.array(sizes, dtype=np.int64)
    chunks = np.array_split(np.array(ks, dtype=np.int64), 8 * workers)
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(lambda part: _costs(items, part, leftovers), chunks)
        return [int(cost) for part in parts for cost in part]


@inlined
def _first_reaching(prefix: Row, target: int, low: int, high: int) -> int:
    """Return the least index in low..high whose prefix sum is at least the target."""
    while low < high:
        middle = (low + high) // 2
        if prefix[middle] >= target:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def _emptiest(levels: Row, bins: int) -> int:
    least = 0
    for b in range(1, bins):
        if levels[b] < levels[least]:
            least = b
    return least


@inlined
def _fill(
    prefix: Row,
    heavy: Row,
    k: int,
    leftovers: int,
    levels: Row,
    ends: Row,
    homes: Row,
) -> int:
    """Fill the bins and return how many there are: heavy ones, then greedy ones.

    ``levels`` receives the level of every bin, ``ends`` the position after the last
    light item of every greedy bin, ``homes`` the bin of every item left over.
    """
    light = len(prefix) - 1
    bins, start = len(heavy), 0
    for b in range(bins):
        levels[b] = heavy[b]
    while prefix[light] - prefix[start] >= k:
        end = _first_reaching(prefix, prefix[start] + k, start + 1, light)
        levels[bins] = prefix[end] - prefix[start]
        ends[bins - len(heavy)] = end
        bins, start = bins + 1, end
    if bins == 0 or start == light:
        return bins
    if leftovers in (_FOLD_LEAST, _FOLD_LAST):
        home = bins - 1 if leftovers == _FOLD_LAST else _emptiest(levels, bins)
        levels[home] += prefix[light] - prefix[start]
        for position in range(light - start):
            homes[position] = home
        return bins
    fullest = levels[0]
    for b in range(1, bins):
        fullest = max(fullest, levels[b])
    turn = -1
    for position in range(start, light):
        size = prefix[position + 1] - prefix[position]
        home = turn
        if turn < 0:
            home = _emptiest(levels, bins)
            if leftovers == _SPREAD and levels[home] + size > fullest:
                turn = home = 0
        if turn >= 0:
            turn = (turn + 1) % bins
        levels[home] += size
        homes[position - start] = home
    return bins


_fill_compiled = compiled(_fill)


def _costs(sizes: IntArray, ks: IntArray, leftovers: Leftovers) -> IntArray:
    n, costs = len(sizes), np.empty(len(ks), dtype=np.int64)
    most = n + int(sizes.sum()) // int(ks.min()) if len(ks) else n
    levels, ends = np.empty((2, most), dtype=np.int64)
    prefix, some, own, homes = np.zeros((4, n + 1), dtype=np.int64)
    np.cumsum(sizes, out=prefix[1:])
    _fill_in_costs(
        sizes, int(sizes.max()), ks, int(leftovers), costs, prefix, some, own, levels,
        ends, homes,
    )  # fmt: skip
    return costs


@compiled
def _fill_in_costs(
    sizes: IntArray,
    greatest: int,
    ks: IntArray,
    leftovers: int,
    costs: IntArray,
    prefix: IntArray,
    some: IntArray,
    own: IntArray,
    levels: IntArray,
    ends: IntArray,
    homes: IntArray,
) -> None:
    """Fill in the greatest level for every k; room is for prefix sums of light items.

    The first of those is 0.
    """
    for j in range(len(ks)):
        k = ks[j]
        light, heavy, sums = len(sizes), 0, prefix
        if k <= greatest:
            light, sums = 0, some
            for i in range(len(sizes)):
                if sizes[i] < k:
                    some[light + 1] = some[light] + sizes[i]
                    light += 1
                else:
                    own[heavy] = sizes[i]
                    heavy += 1
        bins = _fill(sums[: light + 1], own[:heavy], k, leftovers, levels, ends, homes)
        cost = levels[0]
        for b in range(1, bins):
            cost = max(cost, levels[b])
        costs[j] = cost
