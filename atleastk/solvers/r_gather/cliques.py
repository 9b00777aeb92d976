"""Maximal cliques: maximal sets of points of which any two are near each other.

They are for clusters with a limited diameter what balls are for those with a limited
radius: every cluster lies in one, and parts of them, disjoint, are clusters.

They are listed by the Bron-Kerbosch algorithm on bit sets, from every point among its
neighbours, with a pivot that leaves the fewest branches. Branches that cannot reach the
least size are cut. There may be exponentially many cliques, so the work is limited.

References
----------
[BronKerbosch73] C. Bron, J. Kerbosch: Algorithm 457: finding all cliques of an
undirected graph. Communications of the ACM 16(9), 1973.
[Tomita06] E. Tomita, A. Tanaka, H. Takahashi: The worst-case time complexity for
generating all maximal cliques. Theoretical Computer Science 363(1), 2006.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray, WordArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.bits import NONE, ONE, ones
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.sorting import number


def maximal_cliques(
    near: Balls, least: int, budget: Budget, room: int, work: int
) -> Balls | None:
    """Return the maximal cliques of at least `least` points.

    Parameters
    ----------
    near
        For every point those that are near, itself among them.
    room, work
        The most points of all cliques, and the most words of bits that are read.

    Returns
    -------
    None if there are too many or the budget is spent.
    """
    listed = _Listed.within(room)
    with budget.flagging() as flag:
        if not _list(near.starts, near.points, least, work, flag, listed):
            return None
    cliques, entries, _ = listed.counts
    starts = listed.starts[: cliques + 1].copy()
    return Balls(starts, listed.found[:entries].copy())


def greedy_cliques(near: Balls, least: int, budget: Budget) -> Balls:
    """Return a greedy clique from every point, near ones first, while there is time.

    `near` has its points nearest first. Cliques below the least size and copies are
    left out.
    """
    cliques: set[tuple[int, ...]] = set()
    stamps = np.zeros(len(near), dtype=np.int64)
    for p in range(len(near)):
        if budget.spent:
            break
        clique = _grown(near.starts, near.points, p, stamps)
        if len(clique) >= least:
            cliques.add(tuple(np.sort(clique).tolist()))
    return Balls.of_all([np.array(clique) for clique in sorted(cliques)])


class _Listed(NamedTuple):
    """The cliques listed so far, and room for more."""

    found: Int32Array  # [entry] their points, one clique after the other
    starts: IntArray  # [clique + 1] where in `found` it starts
    counts: IntArray  # [3] of cliques, entries, and words looked at

    @classmethod
    def within(cls, room: int) -> Self:
        """Return room for cliques of so many points in all."""
        found, starts = np.empty(room, np.int32), np.empty(room + 1, np.int64)
        starts[0] = 0
        return cls(found, starts, np.zeros(3, dtype=np.int64))


_CLIQUES, _ENTRIES, _WORK = range(3)


class _Around(NamedTuple):
    """The points near the first of a clique, and which of them are near others."""

    points: IntArray  # [neighbour]
    adjacent: WordArray  # [neighbour, word] in bits, the neighbours that are near it


@compiled
def _list(
    starts: IntArray,  # [point + 1]
    points: Int32Array,  # [entry]
    least: int,
    work: int,
    flag: ByteArray,  # [1]
    listed: _Listed,
) -> bool:
    """List cliques by their first point; return whether all are listed.

    There may be 3^(n / 3) of them.
    """
    place = np.full(len(starts) - 1, -1, dtype=np.int64)
    for v in range(len(place)):
        after = number(0)
        for e in range(starts[v], starts[v + 1]):
            after += points[e] > v
        if after + 1 >= least:
            around = _around(starts, points, v, place)
            listed.counts[_WORK] += around.adjacent.size
            if flag[0] != 0 or listed.counts[_WORK] > work:
                return False
            if not _list_from(around, v, after, least, work, flag, listed):
                return False
    return True


@compiled
def _around(starts: IntArray, points: Int32Array, v: int, place: IntArray) -> _Around:
    """Return the neighbourhood of a point; `place` is all -1, before and after."""
    size = 0
    near = np.empty(starts[v + 1] - starts[v], dtype=np.int64)
    for e in range(starts[v], starts[v + 1]):
        u = points[e]
        if u != v:
            near[size] = u
            place[u] = size
            size += 1
    adjacent = np.zeros((size, max(1, (size + 63) >> 6)), dtype=np.uint64)
    for i in range(size):
        for e in range(starts[near[i]], starts[near[i] + 1]):
            j = place[points[e]]
            if j >= 0 and j != i:
                adjacent[i, j >> 6] |= ONE << np.uint64(j & 63)
    for i in range(size):
        place[near[i]] = -1
    return _Around(near[:size], adjacent)


@compiled
def _list_from(
    around: _Around,
    v: int,
    after: int,
    least: int,
    work: int,
    flag: ByteArray,  # [1]
    listed: _Listed,
) -> bool:
    """List the cliques whose first point is v, which has `after` neighbours behind it.

    Return whether all are listed: False without room, or after too much work.
    """
    adjacent = around.adjacent
    size, words = adjacent.shape
    # By depth: the point that was taken last; in bits, the neighbours near all that was
    # taken, with which larger cliques are listed here, or elsewhere; and those that are
    # still to be taken.
    clique = np.empty(after + 1, dtype=np.int64)
    possible = np.zeros((after + 1, words), dtype=np.uint64)
    excluded = np.zeros((after + 1, words), dtype=np.uint64)
    branches = np.zeros((after + 1, words), dtype=np.uint64)
    clique[0] = v
    for i in range(size):
        bits = possible if around.points[i] > v else excluded
        bits[0, i >> 6] |= ONE << np.uint64(i & 63)
    if after == 0:
        # v is alone, or other points are listed as the first of all its cliques.
        return size > 0 or _write(clique, number(1), listed)
    _branch(possible[0], excluded[0], adjacent, branches[0])
    depth = 0
    while depth >= 0:
        # All cliques of what was taken from the branches up to this depth are listed.
        u = _taken(branches[depth])
        if u < 0:
            depth -= 1
            continue
        # It joins the clique, and is excluded from later ones at this depth.
        clique[depth + 1] = around.points[u]
        left, barred = 0, False
        for i in range(words):
            word = possible[depth, i] & adjacent[u, i]
            possible[depth + 1, i] = word
            left += ones(word)
            word = excluded[depth, i] & adjacent[u, i]
            excluded[depth + 1, i] = word
            barred = barred or word != NONE
        possible[depth, u >> 6] &= ~(ONE << np.uint64(u & 63))
        excluded[depth, u >> 6] |= ONE << np.uint64(u & 63)
        if depth + 2 + left < least:
            continue
        if left == 0:
            if not barred and not _write(clique, depth + 2, listed):
                return False
            continue
        depth += 1
        listed.counts[_WORK] += size * words
        if flag[0] != 0 or listed.counts[_WORK] > work:
            return False
        _branch(possible[depth], excluded[depth], adjacent, branches[depth])
    return True


@compiled
def _branch(
    possible: WordArray, excluded: WordArray, adjacent: WordArray, branches: WordArray
) -> None:
    """Write the branches: the possible points not near the pivot, or the pivot itself.

    The pivot is near most possible points. Every maximal clique has a branch, else the
    pivot could join it.
    """
    words = len(possible)
    pivot, most = -1, -1
    for u in range(len(adjacent)):
        w, bit = u >> 6, ONE << np.uint64(u & 63)
        if (possible[w] | excluded[w]) & bit == NONE:
            continue
        seen = 0
        for i in range(words):
            seen += ones(possible[i] & adjacent[u, i])
        if seen > most:
            pivot, most = u, seen
    for i in range(words):
        branches[i] = possible[i] & ~adjacent[pivot, i]


@compiled
def _taken(bits: WordArray) -> int:
    """Take the first bit out of some and return its place, -1 if there is none."""
    for i in range(len(bits)):
        word = bits[i]
        if word != NONE:
            low = word & (~word + ONE)
            bits[i] = word ^ low
            return (i << 6) + ones(low - ONE)
    return -1


@compiled
def _write(clique: IntArray, size: int, listed: _Listed) -> bool:
    """Add a clique to the list; return whether there was room."""
    begin = listed.counts[_ENTRIES]
    if begin + size > len(listed.found):
        return False
    for i in range(size):
        listed.found[begin + i] = clique[i]
    listed.counts[_CLIQUES] += 1
    listed.counts[_ENTRIES] = begin + size
    listed.starts[listed.counts[_CLIQUES]] = begin + size
    return True


@compiled
def _grown(
    starts: IntArray, points: Int32Array, first: int, stamps: IntArray
) -> IntArray:
    """Return a clique that is grown from a point; stamps are 0 before and after."""
    clique = np.empty(starts[first + 1] - starts[first], dtype=np.int64)
    size = 0
    for e in range(starts[first], starts[first + 1]):
        p = points[e]
        if stamps[p] != size:
            continue
        clique[size] = p
        size += 1
        for f in range(starts[p], starts[p + 1]):
            if stamps[points[f]] == size - 1:
                stamps[points[f]] = size
    for i in range(size):
        for f in range(starts[clique[i]], starts[clique[i] + 1]):
            stamps[points[f]] = 0
    return clique[:size]
