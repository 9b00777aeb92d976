"""Fold and Spread: the greedy bins of [Du09], Theorem 7 and section 5.

Both give every heavy item (size >= k) a bin of its own and fill further bins with the
light items in order, ending a bin as soon as its level reaches k. They differ in what
they do with the light items left over, whose total is below k:

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
from enum import IntEnum
from itertools import accumulate, repeat

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.rows import WORD, Row, row, worth_compiling


class Leftovers(IntEnum):
    """Where the items left over go; see the module."""

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
    heavy = [item for item in order if sizes[item] >= k]
    light = [item for item in order if sizes[item] < k]
    own = row((sizes[item] for item in heavy), fits=fits)
    prefix = row(accumulate((sizes[item] for item in light), initial=0), fits=fits)
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


def costs_over_k(
    sizes: Sequence[int],
    ks: Sequence[int],
    leftovers: Leftovers,
) -> list[int]:
    """Return the greatest level for every k, with the items in the given order.

    Every k must be at most the total size.
    """
    if sum(sizes) >= WORD:
        order = range(len(sizes))
        packings = (pack(sizes, k, order, leftovers) for k in ks)
        return [max(sum(sizes[i] for i in g) for g in groups) for groups in packings]
    items = np.array(sizes, dtype=np.int64)
    costs: list[int] = _costs(
        items, np.array(ks, dtype=np.int64), int(leftovers)
    ).tolist()
    return costs


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
    prefix: Row,  # [light item + 1]
    heavy: Row,  # [heavy item]
    k: int,
    leftovers: int,
    levels: Row,  # [bin]
    ends: Row,  # [greedy bin]
    homes: Row,  # [item left over]
) -> int:
    """Fill the bins and return how many there are: heavy ones, then greedy ones.

    ``levels`` receives the level of every bin, ``ends`` the position after the last
    light item of every greedy bin, ``homes`` the bin of every item left over.
    """
    light, start = len(prefix) - 1, 0
    # Heavy items are bins.
    bins = len(heavy)
    for b in range(bins):
        levels[b] = heavy[b]
    # As long as light items suffice, the next of them fill a bin.
    while prefix[light] - prefix[start] >= k:
        end = _first_reaching(prefix, prefix[start] + k, start + 1, light)
        levels[bins] = prefix[end] - prefix[start]
        ends[bins - len(heavy)] = end
        bins, start = bins + 1, end
    if bins == 0 or start == light:
        return bins
    # Those left over go to one bin, ...
    if leftovers in (_FOLD_LEAST, _FOLD_LAST):
        home = bins - 1 if leftovers == _FOLD_LAST else _emptiest(levels, bins)
        levels[home] += prefix[light] - prefix[start]
        for position in range(light - start):
            homes[position] = home
        return bins
    # ... or one by one to the emptiest; once that would raise the fullest, in turn.
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


@compiled
def _costs(sizes: IntArray, ks: IntArray, leftovers: int) -> IntArray:
    """Return the greatest level for every k; O(n + b log n) for each."""
    n, greatest = len(sizes), 0
    prefix = np.zeros(n + 1, np.int64)
    for i in range(n):
        prefix[i + 1] = prefix[i] + sizes[i]
        greatest = max(greatest, sizes[i])
    least = prefix[n] + 1
    for k in ks:
        least = min(least, k)
    # Room for the bins of any k: light items' prefix sums, heavy sizes, results.
    light, heavy = np.zeros(n + 1, np.int64), np.empty(n, np.int64)
    levels = np.empty(n + prefix[n] // least, np.int64)
    ends, homes = np.empty(len(levels), np.int64), np.empty(n, np.int64)
    costs = np.empty(len(ks), np.int64)
    for j in range(len(ks)):
        k = ks[j]
        lights, heavies, sums = n, 0, prefix
        # If some are heavy the light items have prefix sums of their own.
        if k <= greatest:
            lights, sums = 0, light
            for i in range(n):
                if sizes[i] < k:
                    light[lights + 1] = light[lights] + sizes[i]
                    lights += 1
                else:
                    heavy[heavies] = sizes[i]
                    heavies += 1
        bins = _fill(
            sums[: lights + 1], heavy[:heavies], k, leftovers, levels, ends, homes
        )
        costs[j] = 0
        for b in range(bins):
            costs[j] = max(costs[j], levels[b])
    return costs
