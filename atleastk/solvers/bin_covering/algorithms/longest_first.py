"""Longest processing time first (LPT), for bins that have to reach a level.

Into m bins the items go in decreasing order, each to the bin that is emptiest then. If
all bins reach k that is a solution. The rule is that of [Graham69] for machines; here
the number of bins is to be found: from the most there can be, M = floor(sum min(x_i, k)
/ k), down in doubling steps until all bins reach k, then by bisection. So m bins of the
solution reach k, and m = M or m + 1 bins do not. (There may be gaps: a still greater
number can succeed.)

Theorem. The greatest level is at most k - 1 + max x + max(k - 1, max x) <= 3 OPT.

Proof. Write l and h for the least and the greatest level, x for max x. In any number of
bins h <= l + x: an item is the last of a bin only if that was the emptiest. If m + 1
bins fail then l <= k - 1 among them, so S <= (m + 1)(k - 1) + m x. In m bins the others
have levels of at least h - x, so S >= h + (m - 1)(h - x). Both together: h <=
(k - 1)(1 + 1 / m) + x (2 - 1 / m), which is linear in 1 / m and at most as stated for m
= 1 and in the limit. If m = M let e be the level on which the last item y of a fullest
bin of several items was put, so h = e + y, y < k and all levels were at least e; e < k
gives h <= 2k - 2. Else trimmed to k the items of t bins with an item >= k weigh k, of
the others at least e: (M - t)(e - k) + y < k, so h <= 2k - 1 if M > t. If M = t
all light items together weigh less than k and e <= x: h < k + x.

Complexity
----------
O(n log n), and O(n log m) for each of O(log M) numbers of bins.

References
----------
[Graham69] R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapreplace
from typing import TypeVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import most_bins
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.rows import WORD, Row, row
from atleastk.solvers.compiled.sorting import number, sink

PLAIN = 1_000
"""Up to this many items are placed as fast without compiled loops."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Placed:
    """Items in some order, the bin of each, and the level of every bin."""

    items: IntArray
    homes: IntArray
    levels: Row

    def bins(self) -> PackedGroups:
        """Return the items of every bin."""
        together = self.items[np.argsort(self.homes, kind="stable")]
        ends = np.cumsum(np.bincount(self.homes, minlength=len(self.levels)))
        return PackedGroups(together, np.append(0, ends))


def gallop(
    most: int, attempt: Callable[[int], T | None], precision: int = 1
) -> T | None:
    """Return the result for a number up to `most` at which an attempt succeeds.

    It goes down in doubling steps until one does, and then bisects, to within the
    precision of the first that fails. None if not even 1 does.
    """
    failed, step = most + 1, 1
    tried, found = 0, None
    while found is None:
        if failed == 1:
            return None
        tried = max(1, failed - step)
        found = attempt(tried)
        if found is None:
            failed, step = tried, max(precision, 2 * step)
    while failed - tried > precision:
        middle = (tried + failed) // 2
        better = attempt(middle)
        if better is None:
            failed = middle
        else:
            tried, found = middle, better
    return found


def place(sizes: Sequence[int], bins: int, *, plainly: bool = False) -> Placed:
    """Put items one by one, longest first, into the emptiest of the bins.

    Of several emptiest bins the first. The compiled loop takes many items that are safe
    in 64 bits; others are placed without it, and so are all that are placed `plainly`.
    """
    fits = sum(sizes) < WORD
    if len(sizes) > PLAIN and fits and not plainly:
        array = np.array(sizes, dtype=np.int64)
        items = np.argsort(-array, kind="stable")
        homes = np.zeros(len(sizes), dtype=np.int64)
        filled = np.zeros(bins, dtype=np.int64)
        _place(array[items], homes, filled, np.arange(bins))
        return Placed(items, homes, filled)
    order = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)
    heap = list(range(bins))  # level * bins + bin: numbers compare faster than pairs
    placed = []
    for i in order:
        home = heap[0] % bins
        heapreplace(heap, heap[0] + sizes[i] * bins)
        placed.append(home)
    levels = row((one // bins for one in sorted(heap, key=bins.__rmod__)), fits=fits)
    return Placed(np.array(order), np.array(placed, dtype=np.int64), levels)


def longest_first(
    instance: BinCovering, _seed: int = 0, *, plainly: bool = False
) -> Solution:
    """Run the algorithm of the module; one bin of all if nothing reaches k."""

    def attempt(bins: int) -> Placed | None:
        placed = place(instance.sizes, bins, plainly=plainly)
        return placed if min(placed.levels) >= instance.k else None

    found = gallop(most_bins(instance), attempt)
    if found is None:
        return Solution.of([range(instance.n)] if instance.n else [])
    return Solution.of(found.bins())


@compiled
def _place(sizes: IntArray, homes: IntArray, levels: IntArray, heap: IntArray) -> None:
    """Put decreasing sizes into the emptiest bin, the root of a heap of bins."""
    bins = len(levels)
    for i in range(len(sizes)):
        home = heap[0]
        homes[i] = home
        levels[home] += sizes[i]
        sink(heap, bins, number(0), levels, levels)
