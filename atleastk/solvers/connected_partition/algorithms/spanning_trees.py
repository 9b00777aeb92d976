"""Spanning trees of low degree.

Depth-first search that goes on where the fewest ways are left is nearly a path on most
maps. What degree is left is lowered by exchanges [Fürer94]: an edge outside the tree
closes a cycle, and some edge of the cycle at a node of the greatest degree d leaves the
tree. The ends of the new edge must have degree d - 2 at most, or be lowered first by
exchanges of their own. When no exchange is left, no spanning tree has a degree below
d - 1: the degree is at most one above the least possible one, unless `EFFORT` ends the
search before.

Every round costs O(m alpha(m) + n) and takes one node from the greatest degree.

References
----------
[Fürer94] M. Fürer, B. Raghavachari, "Approximating the minimum-degree Steiner tree to
within one of optimal", J. Algorithms 17, 1994.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.solvers.compiled.compile import compiled

__all__ = ["EFFORT", "adjacency", "degrees", "low_degree_forest"]


EFFORT: Final = 300_000_000
"""Exchanges end after so many looks at nodes and edges."""

_MANY: Final = 64
"""A node with more neighbours tries them in the order given."""


def adjacency(neighbours: Sequence[Sequence[int]]) -> tuple[IntArray, IntArray]:
    """Return where the neighbours of every node start, and all of them in a row."""
    counts = np.fromiter(map(len, neighbours), dtype=np.int64, count=len(neighbours))
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts)))
    ends = (v for around in neighbours for v in around)
    return starts, np.fromiter(ends, dtype=np.int64, count=int(starts[-1]))


def degrees(parent: IntArray) -> IntArray:
    """Return the degree of every node in a forest of parents, -1 at roots."""
    inner = parent >= 0
    degree: IntArray = np.bincount(parent[inner], minlength=len(parent)) + inner
    return degree


def low_degree_forest(
    starts: IntArray, ends: IntArray, seed: int = 0, effort: int = EFFORT
) -> IntArray:
    """Return the parents of a spanning forest of low degree, -1 at roots."""
    n = len(starts) - 1
    rng = np.random.default_rng(seed)
    rank = rng.permutation(n)
    rows = np.repeat(np.arange(n), np.diff(starts))
    shuffled = ends[np.lexsort((rank[ends], rows))]
    parent = np.full(n, -1, dtype=np.int64)
    new = np.ones(n, dtype=np.bool_)
    ways, at = np.diff(starts), starts[:-1].copy()
    _depth_first(starts, shuffled, rng.permutation(n), new, ways, at, parent)
    degree = degrees(parent)
    room = np.empty((6, n + 2), dtype=np.int64)
    while _lower(starts, shuffled, parent, degree, int(degree.max(initial=0)), *room):
        effort -= n + len(ends)
        if effort < 0:
            break
    return parent


@compiled
def _depth_first(
    starts: IntArray,
    ends: IntArray,
    order: IntArray,
    new: BoolArray,
    ways: IntArray,
    at: IntArray,
    parent: IntArray,
) -> None:
    """Fill in the parents, of nodes that are new and of ways to such nodes at first."""
    for root in order:
        if not new[root]:
            continue
        v = root
        while True:
            if new[v]:
                new[v] = False
                for i in range(starts[v], starts[v + 1]):
                    ways[ends[i]] -= 1
            following = np.int64(-1)
            for i in range(at[v], starts[v + 1]):
                u = ends[i]
                if new[u]:
                    if following < 0 or ways[u] < ways[following]:
                        following = u
                    if starts[v + 1] - starts[v] > _MANY:
                        break
                elif i == at[v]:
                    at[v] += 1
            if following >= 0:
                parent[following] = v
                v = following
            elif v == root:
                break
            else:
                v = parent[v]


@compiled
def _lower(
    starts: IntArray,
    ends: IntArray,
    parent: IntArray,
    degree: IntArray,
    d: int,
    depth: IntArray,
    top: IntArray,
    good: IntArray,
    by: IntArray,
    to: IntArray,
    queue: IntArray,
) -> bool:
    """Take one node from degree d, the greatest; tell whether there was a way.

    Edge (by, to) lowers a node of degree d - 1 or more. All arrays but the first four
    are room to work in.
    """
    n = len(parent)
    if d <= 2:
        return False
    _find_depths(parent, depth)
    # Parts of the tree whose nodes have degree d - 2, or could be brought to it, are
    # sets of a union-find structure whose root is the node of least depth.
    length = 0
    for v in range(n):
        good[v] = degree[v] <= d - 2
        top[v] = v
        if good[v]:
            queue[length] = v
            length += 1
            if parent[v] >= 0 and degree[parent[v]] <= d - 2:
                top[v] = parent[v]
    head = 0
    while head < length:
        v = queue[head]
        head += 1
        for i in range(starts[v], starts[v + 1]):
            u = ends[i]
            if not good[u]:
                continue
            a, b = _top(top, v), _top(top, u)
            while a != b:
                if depth[a] < depth[b]:
                    a, b = b, a
                above = parent[a]
                if not good[above]:
                    by[above] = v
                    to[above] = u
                    if degree[above] == d:
                        return _exchange(parent, degree, by, to, above, d, queue)
                    good[above] = 1
                    queue[length] = above
                    length += 1
                top[a] = above
                a = _top(top, above)
    return False


@compiled
def _exchange(
    parent: IntArray,
    degree: IntArray,
    by: IntArray,
    to: IntArray,
    node: int,
    d: int,
    todo: IntArray,
) -> bool:
    """Lower a node by its edge, after the ends of that edge; tell whether it went."""
    todo[0] = node
    count = 1
    while count > 0:
        w = todo[count - 1]
        u, v = by[w], to[w]
        if degree[u] >= d - 1 and count <= len(parent):
            todo[count] = u
            count += 1
        elif degree[v] >= d - 1 and count <= len(parent):
            todo[count] = v
            count += 1
        else:
            count -= 1
            if not _swap(parent, degree, u, v, w):
                return False
    return True


@compiled
def _swap(parent: IntArray, degree: IntArray, u: int, v: int, w: int) -> bool:
    """Put edge uv into the tree for an edge at w on its cycle, if w is inside it."""
    _evert(parent, u)
    below = np.int64(-1)
    x = np.int64(v)
    while x >= 0 and x != w:
        below = x
        x = parent[x]
    if x < 0 or below < 0 or parent[x] < 0:
        return False
    cut = x if degree[parent[x]] > degree[below] else below
    degree[cut] -= 1
    degree[parent[cut]] -= 1
    parent[cut] = -1
    _evert(parent, v)
    parent[v] = u
    degree[u] += 1
    degree[v] += 1
    return True


@compiled
def _evert(parent: IntArray, node: int) -> None:
    """Make a node the root of its tree."""
    before = np.int64(-1)
    v = np.int64(node)
    while v >= 0:
        above = parent[v]
        parent[v] = before
        before = v
        v = above


@compiled
def _top(top: IntArray, node: int) -> int:
    v = node
    while top[v] != v:
        top[v] = top[top[v]]
        v = top[v]
    return v


@compiled
def _find_depths(parent: IntArray, depth: IntArray) -> None:
    for v in range(len(parent)):
        depth[v] = -1
    for v in range(len(parent)):
        steps = 0
        u = v
        while u >= 0 and depth[u] < 0:
            steps += 1
            u = parent[u]
        at = steps + (depth[u] if u >= 0 else -1)
        u = v
        while u >= 0 and depth[u] < 0:
            depth[u] = at
            at -= 1
            u = parent[u]
