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

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records, distinct_rows
from atleastk.solvers.compiled.compile import compiled, inlined


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


class _Entries(NamedTuple):
    """Copies of records, each in a part of the table or in a bag that is in none yet.

    Entry e stands for ``number[e]`` copies of ``record[e]``, in part ``part[e]`` or
    -1. ``after[e]`` is the next entry of the same bag, -1 at its end. ``made`` counts
    entries and parts.
    """

    record: IntArray
    number: IntArray
    after: IntArray
    part: IntArray
    made: IntArray


class _Bags(NamedTuple):
    """What remains of the subtree of every record: less than k rows, in no part yet.

    The bag of v has ``held[v]`` rows, in the entries from ``head[v]`` to ``tail[v]``,
    -1 if it is empty. ``near[v]`` is a part of its subtree that can take what remains,
    -1 if there is none.
    """

    head: IntArray
    tail: IntArray
    held: IntArray
    near: IntArray


_ENTRIES, _PARTS = 0, 1
"""Where the counts of entries and of parts are found in `made`."""


@compiled
def _decomposed(
    parent: IntArray, copies: IntArray, k: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Gather the rows of each subtree from the leaves up: parts, records, copies."""
    n = len(parent)
    entries = _Entries(
        np.empty(3 * n, dtype=np.int64),
        np.empty(3 * n, dtype=np.int64),
        np.empty(3 * n, dtype=np.int64),
        np.full(3 * n, -1, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )
    bags = _Bags(
        np.full(n, -1, dtype=np.int64),
        np.full(n, -1, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.full(n, -1, dtype=np.int64),
    )
    pure = np.full(n + 1, -1, dtype=np.int64)  # the entry of a part of copies alone
    order = _leaves_first(parent)
    for v in order:
        own = copies[v]
        # Copies join the bag of the subtrees below: all of them, or up to k rows.
        if bags.held[v] + own < k or bags.held[v] > 0:
            share = min(own, k - bags.held[v])
            _put(entries, bags, v, v, share)
            own -= share
            if bags.held[v] >= k:
                _close(entries, bags, v)
        # The other copies are a part of their own, or begin the bag anew.
        if own > 0:
            _put(entries, bags, v, v, own)
            if own >= k:
                pure[entries.made[_PARTS]] = bags.head[v]
                _close(entries, bags, v)
        # What remains goes up; at a root, less than k rows, to a part nearby.
        if parent[v] >= 0:
            _hand_up(entries, bags, v, parent[v], k)
        elif bags.held[v] > 0:
            alone = pure[bags.near[v]]
            if alone >= 0 and entries.number[alone] + bags.held[v] >= 2 * k:
                share = k - bags.held[v]
                entries.number[alone] -= share
                _put(entries, bags, v, entries.record[alone], share)
                _close(entries, bags, v)
            else:
                _join_part(entries, bags, v, bags.near[v])
    made = entries.made[_ENTRIES]
    return entries.part[:made], entries.record[:made], entries.number[:made]


@inlined
def _leaves_first(parent: IntArray) -> IntArray:
    """Return the records in an order in which children come before their parents."""
    waiting = np.zeros(len(parent), dtype=np.int64)
    for v in range(len(parent)):
        if parent[v] >= 0:
            waiting[parent[v]] += 1
    order = np.empty(len(parent), dtype=np.int64)
    filled = 0
    for v in range(len(parent)):
        if waiting[v] == 0:
            order[filled] = v
            filled += 1
    for at in range(len(parent)):
        up = parent[order[at]]
        if up >= 0:
            waiting[up] -= 1
            if waiting[up] == 0:
                order[filled] = up
                filled += 1
    return order


@inlined
def _put(entries: _Entries, bags: _Bags, v: int, record: int, number: int) -> None:
    """Put copies of a record into the bag of v, first."""
    entry = entries.made[_ENTRIES]
    entries.made[_ENTRIES] += 1
    entries.record[entry], entries.number[entry] = record, number
    entries.after[entry] = bags.head[v]
    if bags.head[v] < 0:
        bags.tail[v] = entry
    bags.head[v] = entry
    bags.held[v] += number


@inlined
def _close(entries: _Entries, bags: _Bags, v: int) -> None:
    """Make a part of the bag of v."""
    bags.near[v] = entries.made[_PARTS]
    entries.made[_PARTS] += 1
    _join_part(entries, bags, v, bags.near[v])


@inlined
def _join_part(entries: _Entries, bags: _Bags, v: int, part: int) -> None:
    """Put what is in the bag of v into a part; the bag is empty then."""
    entry = bags.head[v]
    while entry >= 0:
        entries.part[entry] = part
        entry = entries.after[entry]
    bags.head[v], bags.tail[v], bags.held[v] = -1, -1, 0


@inlined
def _hand_up(entries: _Entries, bags: _Bags, v: int, up: int, k: int) -> None:
    """Put what is in the bag of v into that of its parent, a part if it has k rows."""
    if bags.held[v] > 0:
        entries.after[bags.tail[v]] = bags.head[up]
        if bags.head[up] < 0:
            bags.tail[up] = bags.tail[v]
        bags.head[up] = bags.head[v]
        bags.held[up] += bags.held[v]
        if bags.held[up] >= k:
            _close(entries, bags, up)
    if bags.near[up] < 0:
        bags.near[up] = bags.near[v]
