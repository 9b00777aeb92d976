"""Longest processing time first (LPT), for bins that have to reach a level.

Into m bins the items go in decreasing order, each to the bin that is emptiest then. If
all bins reach k that is a solution. The rule is that of [Graham69] for machines; here
the number of bins is to be found: from the most there can be, M = floor(sum min(x_i, k)
/ k), down in doubling steps until all bins reach k, then by bisection. So m bins of the
solution reach k, and m = M or m + 1 bins do not. (There may be gaps: a still greater
number can succeed.)

Theorem 1. The greatest level is at most 2 OPT. [Du09] has 5/2 OPT for another rule, and
that less than 2 is NP-hard. It is tight: {k / 2 x2, k / 3 x3} makes one bin of 2k, and
k is the optimum.

Lemma. If N bins fail, as one ends below k, and some items are in P disjoint sets of k
each or more, then 2P <= 3N - 2.

Proof. Let k be 1. An item of 1 or more is alone in its bin; without it, its bin and its
set, N and P are one less, so let all items be below 1. *Large* is above 1/2, the others
are small. Let l < 1 be the least level; what is put on a bin finds at most l there.

If no bin has two large items, the last of several in a bin is small, so all levels but
l are below 3/2, and P is at most their sum, which is below 3 (N - 1) / 2 + 1.

Else D >= 1 bins have two. They have nothing else, being above 1, and every bin begins
with a large item. The N - D *open* bins begin with the largest of all; these lack e_i
<= E to be 1, other large items E or more. All small items are in open bins. Let one
count for E at most, which is below 1/2. Then an open bin counts less than e_i + E, of
which the last item is E at most, and the bin of level l less than e_i. Of the P sets q
have one large item, z none, others two or more: 2P <= N + D + q + 2z. A set of one
counts min(e_i, E) at least, a set of none 2E. If all items of open bins are among the
q, these count the sum of e_i, and E for each other one. For each that is not, e_i <= E
is missing, and one more of the q counts E, which is no less. So

    sum e_i + (q - (N - D) + 2z) E < sum e_i + (N - D - 1) E,

hence q + 2z <= 2 (N - D) - 2, and 2P <= 3N - D - 2.

Proof of Theorem 1. Let k be 1, c >= 1 the optimum, of P bins, and h > 2c the greatest
level. Its bin has several items; the last, y, found the level e = h - y there and at
least e in all m bins. As y <= e, e > c. All items weigh m e + y at least, and c P at
most, so P > m, and m + 1 bins fail.

If y <= 1/2: c P >= m h - (m - 1) y > 2cm - c (m - 1) / 2, so 2P >= 3m + 2. The lemma
says 2P <= 3m + 1.

If y > 1/2: no item is above c < e, so every bin has two before y comes, and 2m + 1
items or more are large. Of m + 1 bins the one below 1 has one of them at most, others
two, with which they are above 1. So all have just that many, the one is the largest,
and all small items are with it, below 1. So each group of the optimum needs two large
items: 2P <= 2m + 1, against P > m.

Theorem 2. The greatest level is at most k - 1 + max x + max(k - 1, max x).

Proof. Write l and h for the least and the greatest level, x for max x. In any number of
bins h <= l + x: an item is the last of a bin only if that was the emptiest. If m + 1
bins fail then l <= k - 1 among them, so S <= (m + 1)(k - 1) + m x. In m bins the others
have levels of at least h - x, so S >= h + (m - 1)(h - x). Both together: h <=
(k - 1)(1 + 1 / m) + x (2 - 1 / m), which is linear in 1 / m and at most as stated for m
= 1 and in the limit. Let m = M. If a fullest bin has one item then h <= x. Else let e
be the level on which its last item y was put, so h = e + y, and all levels were at
least e. Now y < k: else m + 1 items weigh k or more, and M > m. If e < k then h <= 2k -
2. Else trimmed to k the items of t bins with an item >= k weigh k, of the others at
least e: (M - t)(e - k) + y < k, so h <= 2k - 1 if M > t. If M = t every bin has one
item >= k, and all light items together weigh less than k: h < x + k.

Complexity
----------
O(n log n), and O(n log m) for each of O(log M) numbers of bins.

References
----------
[Graham69] R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969.
[Du09] see the catalogue of algorithms.
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
