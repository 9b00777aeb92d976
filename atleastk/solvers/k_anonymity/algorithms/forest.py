"""APPROX-GR: the forest algorithm of [Aggarwal05], as told in [Chaytor06, 5.3].

FOREST joins rows to trees: as long as a tree has fewer than k rows, its root, the only
row without an edge of its own, gets one to its nearest row outside. DECOMPOSE-COMPONENT
breaks trees into parts of k rows or more; parts may share a row (a Steiner point of all
but one), never an edge.

Promise: cost <= (3k - 3) * OPT for k >= 2.

1. At the time of its edge a root u has at most k - 2 other rows in its tree, so the
   edge is no longer than the distance to its (k-1)-th nearest row: u pays at least that
   much in every solution. So the edges sum up to at most OPT. ([Chaytor06, Lemma 5.3.1]
   derives it from the ratio of cost and weight, which does not follow; and of the
   forest it asks only for out-degree <= 1 and trees of >= k rows. Rows 0, 0, 1, 1 with
   k = 2 and the trees {0, 2}, {1, 3} fit that: they weigh 2, OPT is 0.)
2. A column that is not constant on a part differs along one of the edges of its tree,
   so each row of the part pays at most the weight of the tree.
3. Parts have at most 3k - 3 rows. Bottom-up, what remains of the subtrees of a row,
   each less than k, is gathered until there are k: 2k - 2 at most. What remains at the
   root, k - 1 at most, goes to a neighbouring part.

Copies are rows at distance 0, so a record is a tree of its copies to begin with. Parts
of only copies cost nothing, whatever their size.

Neighbours are found by increasing distance d: for every choice of d columns, records
that agree on the others lie together. If a tree has to be joined, all records nearer to
its root than d belong to it already; a choice of columns that offers nothing to a root
never will. Where there are too many choices, the nearest record is looked for among
all. No matrix of distances: space O(n m), time O(2^m n log n) or O(n^2 m).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records, distinct_rows
from atleastk.solvers.compiled.compile import compiled

__all__ = ["Forest", "decomposed", "forest"]


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees over the distinct records: ``parent`` is -1 at roots, ``tree`` names them.

    The edge to the parent is as long as the records differ in columns.
    """

    parent: IntArray
    tree: IntArray


def forest(records: Records, k: int) -> Forest:
    """Return trees of at least k rows each, of a table with at least k rows."""
    distinct, m = records.distinct, records.m
    parent = np.full(distinct, -1, dtype=np.int64)
    joined = np.arange(distinct)
    root, sizes = np.arange(distinct), records.copies.copy()
    open_trees = int((sizes < k).sum())
    for stars in range(1, m + 1):
        if comb(m, stars) > open_trees:
            break
        for kept in combinations(range(m), m - stars):
            class_of = distinct_rows(records.codes[:, kept])[1]
            order = np.argsort(class_of, kind="stable")
            open_trees -= _join(order, class_of[order], k, parent, joined, root, sizes)
    if open_trees:
        _join_nearest(records.codes, k, parent, joined, root, sizes)
    return Forest(parent, _trees(joined))


def decomposed(
    parent: IntArray, copies: IntArray, k: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Break trees of at least k rows into parts of k..3k-3, or of copies alone.

    Returns parts, records and numbers of copies: entry i puts so many copies of the
    record into the part.
    """
    parts, records, numbers = _decomposed(parent, copies, k)
    return parts, records, numbers


@compiled
def _join(
    order: IntArray,
    class_of: IntArray,
    k: int,
    parent: IntArray,
    joined: IntArray,
    root: IntArray,
    sizes: IntArray,
) -> int:
    """Give roots of small trees an edge to the first record of their class outside.

    Returns by how many the trees of less than k rows became fewer.
    """
    n, closed, low = len(order), 0, 0
    while low < n:
        high = low + 1
        while high < n and class_of[high] == class_of[low]:
            high += 1
        for i in range(low, high):
            u = order[i]
            tree = _top(joined, u)
            if sizes[tree] >= k or root[tree] != u:
                continue
            for j in range(low, high):
                other = _top(joined, order[j])
                if other != tree:
                    closed += _link(u, order[j], tree, other, k, parent, joined, sizes)
                    break
        low = high
    return closed


@compiled
def _join_nearest(
    codes: Int32Array,
    k: int,
    parent: IntArray,
    joined: IntArray,
    root: IntArray,
    sizes: IntArray,
) -> None:
    """Give roots of small trees an edge to the nearest of all records outside."""
    n, m = codes.shape
    for first in range(n):
        tree = _top(joined, first)
        while sizes[tree] < k:
            u = root[tree]
            nearest, least = -1, m + 1
            for v in range(n):
                distance = 0
                for j in range(m):
                    if codes[u, j] != codes[v, j]:
                        distance += 1
                if distance < least and _top(joined, v) != tree:
                    nearest, least = v, distance
            other = _top(joined, nearest)
            _link(u, nearest, tree, other, k, parent, joined, sizes)
            tree = other


@compiled
def _link(
    u: int,
    v: int,
    tree: int,
    other: int,
    k: int,
    parent: IntArray,
    joined: IntArray,
    sizes: IntArray,
) -> int:
    """Join the tree of root u to another one; return how many small ones are fewer."""
    fewer = 2 if sizes[other] < k else 1
    parent[u] = v
    joined[tree] = other
    sizes[other] += sizes[tree]
    if sizes[other] < k:
        fewer -= 1
    return fewer


@compiled
def _trees(joined: IntArray) -> IntArray:
    tree = np.empty_like(joined)
    for u in range(len(joined)):
        tree[u] = _top(joined, u)
    return tree


@compiled
def _top(joined: IntArray, u: int) -> int:
    """Return the record that names the tree of u."""
    while joined[u] != u:
        joined[u] = joined[joined[u]]
        u = joined[u]
    return u


@compiled
def _decomposed(
    parent: IntArray, copies: IntArray, k: int
) -> tuple[IntArray, IntArray, IntArray]:
    n = len(parent)
    # Entries (record, copies) are chained; a bag is a chain that is in no part yet.
    record = np.empty(3 * n, dtype=np.int64)
    number = np.empty(3 * n, dtype=np.int64)
    after = np.empty(3 * n, dtype=np.int64)
    part = np.full(3 * n, -1, dtype=np.int64)
    entries, parts = 0, 0
    head = np.full(n, -1, dtype=np.int64)
    tail = np.full(n, -1, dtype=np.int64)
    held = np.zeros(n, dtype=np.int64)
    near = np.full(n, -1, dtype=np.int64)  # a part that can take what remains
    pure = np.full(n + 1, -1, dtype=np.int64)  # the entry of a part of copies alone
    waiting = np.zeros(n, dtype=np.int64)
    for v in range(n):
        if parent[v] >= 0:
            waiting[parent[v]] += 1
    queue = np.empty(n, dtype=np.int64)
    filled = 0
    for v in range(n):
        if waiting[v] == 0:
            queue[filled] = v
            filled += 1
    for at in range(n):
        v = queue[at]
        own = copies[v]
        if held[v] + own < k or held[v] > 0:
            share = own if held[v] + own < k else k - held[v]
            record[entries], number[entries] = v, share
            after[entries] = head[v]
            head[v] = entries
            if tail[v] < 0:
                tail[v] = entries
            entries += 1
            held[v] += share
            own -= share
            if held[v] >= k:
                _close(head[v], parts, part, after)
                near[v] = parts
                parts += 1
                head[v], tail[v], held[v] = -1, -1, 0
        if own > 0:
            record[entries], number[entries], after[entries] = v, own, -1
            if own >= k:
                part[entries] = parts
                pure[parts] = entries
                near[v] = parts
                parts += 1
            else:
                head[v], tail[v], held[v] = entries, entries, own
            entries += 1
        up = parent[v]
        if up < 0:
            if held[v] > 0:
                target = near[v]
                alone = pure[target]
                if alone >= 0 and number[alone] + held[v] >= 2 * k:
                    share = k - held[v]
                    number[alone] -= share
                    record[entries], number[entries] = record[alone], share
                    after[entries] = head[v]
                    head[v] = entries
                    entries += 1
                    target = parts
                    parts += 1
                _close(head[v], target, part, after)
            continue
        if held[v] > 0:
            after[tail[v]] = head[up]
            if head[up] < 0:
                tail[up] = tail[v]
            head[up] = head[v]
            held[up] += held[v]
            if held[up] >= k:
                _close(head[up], parts, part, after)
                near[up] = parts
                parts += 1
                head[up], tail[up], held[up] = -1, -1, 0
        if near[up] < 0:
            near[up] = near[v]
        waiting[up] -= 1
        if waiting[up] == 0:
            queue[filled] = up
            filled += 1
    return part[:entries], record[:entries], number[:entries]


@compiled
def _close(entry: int, target: int, part: IntArray, after: IntArray) -> None:
    """Put the entries of a bag into a part."""
    while entry >= 0:
        part[entry] = target
        entry = after[entry]
