"""Greedy (k, 2k-1)-covers, and partitions made of them: GEN-COVER and CONVERT.

GEN-COVER-FQ [ParkShim07, Figure 9] chooses again and again a set S of least

    r(S) = a(S) / min(|S - D|, 2k - 1),    D: the rows that are covered so far,

and puts into the cover a part of S: all of S if it has at most 2k-1 rows, else its new
rows, 2k-1 of them at most, filled up with covered ones to k. For sets of k..2k-1 rows
this is GEN-COVER (Figure 5). Here the first of equal sets is chosen, and then rows in
the order of their records, most recently covered ones last. The ratios only grow, so a
heap whose top is counted anew finds the least one.

CONVERT [Figure 6] makes the sets disjoint: a row in two sets leaves the larger one; if
both have just k rows they are merged.

Promise: cost <= (2k-1)/k * H(k) * OPT, H(g) = 1 + 1/2 + ... + 1/g, for every system
that offers each group of a best partition within a set of no greater weight; beta times
that if the weight is beta times as much. This is less than the 2 (1 + ln 2k) of the
paper, and the family ``worst-odd-rows`` attains it in the limit.

Proof. Let the new rows of a set share its weight. As long as j rows of a group S are
not covered, S is offered, and a new row pays a(S) / j at most: all of them pay at most
H(|S|) a(S). Sets have 2k-1 rows at most, after CONVERT as well, which does not raise
the sum of their weights. So where an optimum pays |S| a(S), the cost is at most (2k-1)
H(|S|) a(S); and from g = k on, H(g) / g only falls.

As printed
----------
- Lemma 4.9 has no case |S - D| = k - 1 (printed: "< k - 1"): the argument is that of
  fewer rows.
- Theorem 4.14 rests on r(S') > r(S'_C) for an itemset that is not closed. As sets of
  rows, which is how F_FQ is defined, both are the same and so are their ratios. The
  theorem holds all the more: F_FQ and F_CF are the same collection.
- Section 4.4 compares with m the suppression length of the sets of a solution, whereas
  the greedy choice among fewer sets may go another way altogether. The bound holds: a
  set of a(S) >= m / beta lies in the whole table, of weight <= m <= beta a(S), so the
  best cover that is left weighs at most beta times as much. The table must be left.
- CONVERT takes more time than stated, O(k) per step, since sets have to be merged.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.k_anonymity.algorithms.set_systems import SetSystem


def partition(system: SetSystem, copies: IntArray, k: int) -> IntArray:
    """Return the group of every row, in the order of their records."""
    starts, rows = cover(system, copies, k)
    return converted(starts, rows, int(copies.sum()), k)


def cover(system: SetSystem, copies: IntArray, k: int) -> tuple[IntArray, IntArray]:
    """Return a (k, 2k-1)-cover: set s is ``rows[starts[s]:starts[s + 1]]``.

    The copies of record 0 are the rows 0, 1, ..., then come those of record 1.
    """
    starts, rows = _cover(
        system.weights, system.starts, system.members.copy(), copies, k
    )
    return starts, rows


def converted(starts: IntArray, rows: IntArray, n: int, k: int) -> IntArray:
    """Return the set of every row after CONVERT."""
    inside = [{*rows[low:high].tolist()} for low, high in pairwise(starts.tolist())]
    holders: list[list[int]] = [[] for _ in range(n)]
    for s, held in enumerate(inside):
        for t in held:
            holders[t].append(s)
    merged_into = list(range(len(inside)))

    def top(s: int) -> int:
        """Return the set that holds what s held."""
        while merged_into[s] != s:
            merged_into[s] = merged_into[merged_into[s]]
            s = merged_into[s]
        return s

    home = np.full(n, -1, dtype=np.int64)
    for t, listed in enumerate(holders):
        remaining, met = -1, set[int]()
        for s in map(top, listed):
            if s in met:
                continue
            met.add(s)
            if remaining < 0:
                remaining = s
            elif max(len(inside[remaining]), len(inside[s])) > k:
                # The larger one loses the row.
                if len(inside[remaining]) > len(inside[s]):
                    remaining, s = s, remaining
                inside[s].discard(t)
            else:
                inside[remaining] |= inside[s]
                merged_into[s] = remaining
        home[t] = remaining
    return np.array([top(s) for s in home.tolist()], dtype=np.int64)


@compiled
def _cover(
    weights: IntArray,
    starts: IntArray,
    members: Int32Array,
    copies: IntArray,
    k: int,
) -> tuple[IntArray, IntArray]:
    """Return where sets end, from 0 on, and their rows; members are put in order.

    The first ``live[s]`` members of a set are those that may have rows to cover, and
    ``fresh[s]`` is how many rows these had at last, 2k-1 at most.
    """
    count, most = len(weights), 2 * k - 1
    first = np.cumsum(copies) - copies
    n = np.sum(copies)
    covered = np.zeros(len(copies), dtype=np.int64)
    live = starts[1:] - starts[:-1]
    support = np.zeros(count, dtype=np.int64)
    fresh = np.zeros(count, dtype=np.int64)
    for s in range(count):
        for i in range(starts[s], starts[s + 1]):
            support[s] += copies[members[i]]
        fresh[s] = min(support[s], most)
    heap = np.arange(count)
    for place in range(count // 2 - 1, -1, -1):
        _sift(heap, count, place, weights, fresh)
    ends = np.zeros(1024, dtype=np.int64)
    rows = np.empty(2 * n + 1024, dtype=np.int64)
    chosen, used, missing = 0, 0, n
    while missing > 0 and count > 0:
        # The new rows of the set on top; records that are covered go to its end.
        s = heap[0]
        low = starts[s]
        new, live[s] = _uncovered(members, low, live[s], covered, copies, most)
        # They became fewer: the set sinks to its place, or leaves without new rows.
        if new < fresh[s]:
            fresh[s] = new
            if new == 0:
                count -= 1
                heap[0] = heap[count]
            _sift(heap, count, 0, weights, fresh)
            continue
        if used + most > len(rows):
            rows = longer(rows, 2 * len(rows) + most)
        if chosen + 2 > len(ends):
            ends = longer(ends, 2 * len(ends))
        # No set has a lesser ratio: it is chosen. Covered rows first, then new ones.
        missing -= new
        again = support[s] - new if support[s] <= most else max(k - new, 0)
        end = used + again
        place = starts[s + 1] - 1
        while used < end:
            r = members[place]
            for copy in range(covered[r] - 1, max(-1, covered[r] - 1 - end + used), -1):
                rows[used] = first[r] + copy
                used += 1
            place -= 1
        end, place = used + new, low
        while used < end:
            r = members[place]
            while used < end and covered[r] < copies[r]:
                rows[used] = first[r] + covered[r]
                covered[r] += 1
                used += 1
            place += 1
        chosen += 1
        ends[chosen] = used
    return ends[: chosen + 1].copy(), rows[:used].copy()


@compiled
def _uncovered(
    members: Int32Array,
    low: int,
    live: int,
    covered: IntArray,
    copies: IntArray,
    most: int,
) -> tuple[int, int]:
    """Return how many new rows a set has, `most` at most, and its live members.

    Its members from `low` on are looked at; those that are covered go to the end.
    """
    new, i = 0, low
    while i < low + live and new < most:
        r = members[i]
        if covered[r] == copies[r]:
            live -= 1
            last = low + live
            members[i], members[last] = members[last], r
        else:
            new += copies[r] - covered[r]
            i += 1
    return min(new, most), live


@compiled
def _sift(
    heap: IntArray, count: int, place: int, weights: IntArray, fresh: IntArray
) -> None:
    """Move a set down in the heap until no set below has a lesser ratio."""
    moved = heap[place]
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and _before(heap[child + 1], heap[child], weights, fresh):
            child += 1
        if not _before(heap[child], moved, weights, fresh):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = moved


@compiled
def _before(s: int, t: int, weights: IntArray, fresh: IntArray) -> bool:
    """Tell whether s has the lesser ratio, or the same and comes first."""
    left, right = weights[s] * fresh[t], weights[t] * fresh[s]
    return bool(left < right or (left == right and s < t))
