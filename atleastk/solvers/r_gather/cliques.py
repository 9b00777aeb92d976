"""Maximal cliques: the largest sets of points of which any two are near each other.

They are for clusters with a limited diameter what balls are for those with a limited
radius: every cluster lies in one, and parts of them, disjoint, are clusters.

Listing is that of Bron and Kerbosch with a pivot that leaves the fewest branches, from
every point among its neighbours, on bits. Branches that cannot reach the least size are
cut. There may be exponentially many cliques, so there is a limit to the work.

References
----------
[BronKerbosch73] C. Bron, J. Kerbosch: Algorithm 457: finding all cliques of an
undirected graph. Communications of the ACM 16(9), 1973.
[Tomita06] E. Tomita, A. Tanaka, H. Takahashi: The worst-case time complexity for
generating all maximal cliques. Theoretical Computer Science 363(1), 2006.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray, WordArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.compile import compiled

__all__ = ["greedy_cliques", "maximal_cliques"]


_FIRST_ROOM: Final = 1 << 16


def maximal_cliques(
    near: Balls, least: int, budget: Budget, room: int, work: int
) -> Balls | None:
    """Return the maximal cliques of at least so many points.

    Parameters
    ----------
    near
        For every point those that are near, itself among them.
    room, work
        So many points, of all cliques, and words that are looked at are too many.

    Returns
    -------
    None if there are too many or the budget is spent.
    """
    n = len(near)
    found = np.empty(min(room, _FIRST_ROOM), dtype=np.int32)
    ends = np.empty(len(found), dtype=np.int64)
    state = np.zeros(4, dtype=np.int64)
    with budget.flagging() as flag:
        while True:
            _list(near.starts, near.points, least, work, flag, found, ends, state)
            if state[_POINT] == n:
                break
            if flag[0] or state[_WORK] > work or len(found) >= room:
                return None
            found = np.resize(found, min(room, 2 * len(found)))
            ends = np.resize(ends, len(found))
    starts = np.zeros(state[_CLIQUES] + 1, dtype=np.int64)
    starts[1:] = ends[: state[_CLIQUES]]
    return Balls(starts, found[: state[_ENTRIES]].copy())


def greedy_cliques(near: Balls, least: int, budget: Budget) -> Balls:
    """Return for every point a clique, while there is time: near points that fit.

    `near` has to give them nearest first. Those of fewer than the least size are left
    out, and so are equal ones.
    """
    cliques: set[tuple[int, ...]] = set()
    stamps = np.zeros(len(near), dtype=np.int64)
    for p in range(len(near)):
        if budget.spent:
            break
        clique = _grown(near.starts, near.points, p, stamps)
        if len(clique) >= least:
            cliques.add(tuple(np.sort(clique).tolist()))
    listed = sorted(cliques)
    starts = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(clique) for clique in listed], out=starts[1:])
    points = [p for clique in listed for p in clique]
    return Balls(starts, np.array(points, dtype=np.int32))


# Where _list is, kept between calls.
_POINT, _CLIQUES, _ENTRIES, _WORK = range(4)

_ONE: Final = np.uint64(1)
_ZERO: Final = np.uint64(0)
_ALL: Final = np.uint64(2**64 - 1)
_BY_TWO: Final = np.uint64(0x5555555555555555)
_BY_FOUR: Final = np.uint64(0x3333333333333333)
_BY_EIGHT: Final = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUMMING: Final = np.uint64(0x0101010101010101)
_TOP: Final = np.uint64(56)
_TWO: Final = np.uint64(2)
_FOUR: Final = np.uint64(4)


@compiled
def _count(word: np.uint64) -> Any:
    """Return the number of bits, as a signed integer."""
    word = word - ((word >> _ONE) & _BY_TWO)
    word = (word & _BY_FOUR) + ((word >> _TWO) & _BY_FOUR)
    word = (word + (word >> _FOUR)) & _BY_EIGHT
    return np.int64((word * _SUMMING) >> _TOP)


@compiled
def _branch(
    possible: WordArray,
    excluded: WordArray,
    adjacent: WordArray,
    branches: WordArray,
    size: int,
) -> None:
    """Write down the candidates that a best pivot does not see."""
    words = len(possible)
    best, most = -1, -1
    for u in range(size):
        w, bit = u >> 6, _ONE << np.uint64(u & 63)
        if (possible[w] | excluded[w]) & bit == _ZERO:
            continue
        seen = 0
        for i in range(words):
            seen += _count(possible[i] & adjacent[u, i])
        if seen > most:
            best, most = u, seen
    for i in range(words):
        branches[i] = possible[i] & ~adjacent[best, i]


@compiled
def _list(
    starts: IntArray,
    points: Int32Array,
    least: int,
    work: int,
    flag: ByteArray,
    found: Int32Array,
    ends: IntArray,
    state: IntArray,
) -> None:
    """List cliques by their first point, from state on, as far as there is room."""
    n = len(starts) - 1
    local = np.full(n, -1, dtype=np.int64)
    for v in range(state[_POINT], n):
        if flag[0] != 0 or state[_WORK] > work:
            return
        size, after = 0, 0
        around = np.empty(starts[v + 1] - starts[v], dtype=np.int64)
        for e in range(starts[v], starts[v + 1]):
            u = points[e]
            if u != v:
                around[size] = u
                local[u] = size
                size += 1
                after += u > v
        if after + 1 < least:
            for i in range(size):
                local[around[i]] = -1
            state[_POINT] = v + 1
            continue
        words = max(1, (size + 63) >> 6)
        adjacent = np.zeros((size, words), dtype=np.uint64)
        possible = np.zeros((after + 1, words), dtype=np.uint64)
        excluded = np.zeros((after + 1, words), dtype=np.uint64)
        branches = np.zeros((after + 1, words), dtype=np.uint64)
        clique = np.empty(after + 1, dtype=np.int64)
        clique[0] = v
        for i in range(size):
            u = around[i]
            bit = _ONE << np.uint64(i & 63)
            if u > v:
                possible[0, i >> 6] |= bit
            else:
                excluded[0, i >> 6] |= bit
            for e in range(starts[u], starts[u + 1]):
                j = local[points[e]]
                if j >= 0 and j != i:
                    adjacent[i, j >> 6] |= _ONE << np.uint64(j & 63)
        for i in range(size):
            local[around[i]] = -1
        state[_WORK] += size * words
        cliques, entries = state[_CLIQUES], state[_ENTRIES]
        depth = 0
        if size == 0:
            depth = -1
            if entries >= len(found):
                return
            found[entries] = v
            entries += 1
            ends[cliques] = entries
            cliques += 1
        elif after == 0:
            depth = -1
        else:
            _branch(possible[0], excluded[0], adjacent, branches[0], size)
        while depth >= 0:
            u = -1
            for i in range(words):
                word = branches[depth, i]
                if word != _ZERO:
                    low = word & (~word + _ONE)
                    branches[depth, i] = word ^ low
                    u = (i << 6) + _count(low - _ONE)
                    break
            if u < 0:
                depth -= 1
                continue
            left, barred = 0, False
            for i in range(words):
                word = possible[depth, i] & adjacent[u, i]
                possible[depth + 1, i] = word
                left += _count(word)
                word = excluded[depth, i] & adjacent[u, i]
                excluded[depth + 1, i] = word
                barred = barred or word != _ZERO
            bit = _ONE << np.uint64(u & 63)
            possible[depth, u >> 6] &= ~bit
            excluded[depth, u >> 6] |= bit
            clique[depth + 1] = around[u]
            if depth + 2 + left < least:
                continue
            if left == 0:
                if barred:
                    continue
                if entries + depth + 2 > len(found):
                    return
                for i in range(depth + 2):
                    found[entries + i] = clique[i]
                entries += depth + 2
                ends[cliques] = entries
                cliques += 1
                continue
            depth += 1
            state[_WORK] += size * words
            if flag[0] != 0 or state[_WORK] > work:
                return
            _branch(possible[depth], excluded[depth], adjacent, branches[depth], size)
        state[_POINT], state[_CLIQUES], state[_ENTRIES] = v + 1, cliques, entries


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
