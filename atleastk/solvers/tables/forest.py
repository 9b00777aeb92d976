"""APPROX-GR: the forest algorithm of [Aggarwal05], as printed in [Chaytor06, 5.3].

FOREST joins rows to trees: as long as a tree has fewer than k rows, its root, the only
row without an edge of its own, gets one to its nearest row outside. DECOMPOSE-COMPONENT
breaks trees into parts of k rows or more; parts may share a row (a Steiner point of all
but one), never an edge.

Promise: cost <= (3k - 3) * OPT for k >= 2.

1. At the time of its edge a root u has at most k - 2 other rows in its tree, so the
   edge is no longer than the distance to its (k-1)-th nearest row: u pays at least that
   much in every solution. So the edges sum up to at most OPT.
2. A column that is not constant on a part differs along one of the edges of its tree,
   so each row of the part pays at most the weight of the tree.
3. Parts have at most 3k - 3 rows. Bottom-up, what remains of the subtrees of a row,
   each less than k, is gathered until there are k: 2k - 2 at most. What remains at the
   root, k - 1 at most, goes to a neighbouring part.

Copies are rows at distance 0, so a record is a tree of its copies to begin with. Parts
of only copies cost nothing, whatever their size.

Neighbours are found by increasing distance d: for every choice of d columns, records
that agree on the others are classes. If a tree has to be joined, all records nearer to
its root than d belong to it already; a choice of columns that offers nothing to a root
never will. Where there are too many choices, the nearest record is looked for among
all. No matrix of distances: space O(n m), time O(2^m n log n) or O(n^2 m).

As printed
----------
[Chaytor06, Lemma 5.3.1] derives that the edges sum up to at most OPT from the ratio of
cost and weight, from which it does not follow; and of the forest it asks only for
out-degree <= 1 and trees of >= k rows. Rows 0, 0, 1, 1 with k = 2 and the trees {0, 2},
{1, 3} fit that: they weigh 2, OPT is 0.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records, distinct_rows
from atleastk.solvers.compiled.compile import compiled


def forest(records: Records, k: int) -> IntArray:
    """Return the parents of the distinct records in trees of at least k rows each.

    Roots have none: -1. The edge to a parent is as long as the records differ in
    columns. The table has at least k rows.
    """
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
    return parent


def decomposed(
    parent: IntArray, copies: IntArray, k: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Break trees of at least k rows into parts of k..3k-3, or of copies alone.

    Returns parts, records and numbers of copies: entry i puts so many copies of the
    record into the part.
    """
    cut = _Cut(len(parent))
    above, waiting = parent.tolist(), np.bincount(parent + 1, minlength=len(parent) + 1)
    below = waiting[1:].tolist()
    order = [v for v, count in enumerate(below) if count == 0]
    for v in order:  # children come before their parents
        cut.gather(v, int(copies[v]), k)
        up = above[v]
        if up < 0:
            cut.finish(v, k)
            continue
        cut.hand_up(v, up, k)
        below[up] -= 1
        if below[up] == 0:
            order.append(up)
    entries = [
        (part, record, number)
        for part, held in enumerate(cut.parts)
        for record, number in held
    ]
    parts, records, numbers = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    return parts, records, numbers


class _Cut:
    """The parts of trees, and what remains of the subtree of each record.

    That is a bag of less than k rows; `near` is a part of the subtree that can take it.
    """

    def __init__(self, n: int) -> None:
        self.parts: list[list[tuple[int, int]]] = []  # records and numbers of copies
        self._alone = set[int]()  # parts of copies of one record
        self._bags: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        self._held = [0] * n
        self._near = [-1] * n

    def gather(self, v: int, own: int, k: int) -> None:
        """Put the copies of a record into its bag: all of them, or up to k rows.

        The others are a part of their own, or begin the bag anew.
        """
        if self._held[v] + own < k or self._held[v] > 0:
            share = min(own, k - self._held[v])
            self._put(v, v, share, k)
            own -= share
        if own >= k:
            self._alone.add(len(self.parts))
        if own > 0:
            self._put(v, v, own, k)

    def hand_up(self, v: int, up: int, k: int) -> None:
        """Put what is in a bag into that of the parent, the shorter list of the two."""
        few, many = sorted((self._bags[v], self._bags[up]), key=len)
        many += few
        self._bags[up] = many
        self._held[up] += self._held[v]
        if self._held[up] >= k:
            self._close(up)
        if self._near[up] < 0:
            self._near[up] = self._near[v]

    def finish(self, v: int, k: int) -> None:
        """Put what remains at a root into a part nearby, or take copies of that."""
        near, held = self._near[v], self._held[v]
        if not held:
            return
        record, number = self.parts[near][0]
        if near in self._alone and number + held >= 2 * k:
            self.parts[near][0] = record, number - (k - held)
            self._put(v, record, k - held, k)
        else:
            self.parts[near] += self._bags[v]

    def _put(self, v: int, record: int, number: int, k: int) -> None:
        """Put copies of a record into a bag, which is a part once it has k rows."""
        self._bags[v].append((record, number))
        self._held[v] += number
        if self._held[v] >= k:
            self._close(v)

    def _close(self, v: int) -> None:
        self._near[v] = len(self.parts)
        self.parts.append(self._bags[v])
        self._bags[v], self._held[v] = [], 0


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
def _top(joined: IntArray, u: int) -> int:
    """Return the record that names the tree of u."""
    while joined[u] != u:
        joined[u] = joined[joined[u]]
        u = joined[u]
    return u
