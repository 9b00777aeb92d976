"""Minimum-degree spanning trees, within one of the optimum [Fürer94].

A depth-first search that goes on to the neighbour with the fewest new neighbours is
nearly a path on most maps. Exchanges lower the degree further [Fürer94]: an edge
outside the tree closes a cycle, and some edge of the cycle at a node of the greatest
degree d leaves the tree. The ends of the new edge must have degree d - 2 at most, or be
lowered first by exchanges of their own. When no exchange is left, no spanning tree has
a degree below d - 1. So the degree is at most one above the least possible one, unless
`EFFORT` ends the search before.

Every round costs O(m alpha(m) + n) and takes one node from the greatest degree.

References
----------
[Fürer94] M. Fürer, B. Raghavachari, "Approximating the minimum-degree Steiner tree to
within one of optimal", J. Algorithms 17, 1994.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled, inlined

EFFORT: Final = 300_000_000
"""Exchanges end after this many looks at nodes and edges: about a second (measured)."""

_MANY: Final = 64
"""Neighbours of a node above which the search goes on to the first new one.

A bound on the work: fewer are looked at again at every return. Not tuned.
"""


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
    _, parent = searched_forest(starts, shuffled, rng.permutation(n))
    tree = _Tree(parent, degrees(parent))
    exchanges = _Exchanges(*np.empty((6, n + 2), dtype=np.int64))
    _lower(starts, shuffled, tree, exchanges, effort)
    return parent


def searched_forest(
    starts: IntArray, ends: IntArray, first: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the nodes as a depth-first search finds them, and their parents.

    Roots, which are tried in the order of `first`, have -1. Every node is followed by
    the neighbour with the fewest new neighbours.
    """
    n = len(starts) - 1
    found, parent = np.empty(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    degree, at = np.diff(starts), starts[:-1].copy()
    _depth_first(starts, ends, first, degree, at, parent, found)
    return found, parent


class _Tree(NamedTuple):
    """A spanning forest, by node."""

    parent: IntArray  # [node]: the parent, -1 at roots
    degree: IntArray  # [node]: the number of neighbours in the forest


class _Exchanges(NamedTuple):
    """Exchanges that lower nodes of a tree, by node; and room to work in."""

    depth: IntArray  # [node]: in the tree
    low: IntArray  # [node]: 1 if the degree is d - 2 or less, or can be brought there
    top: IntArray  # [node]: one on the path to the highest of the low nodes around it
    one: IntArray  # [node]: an end of the edge that lowers it, if it has such an edge
    other: IntArray  # [node]: the other end; nodes of degree d - 1 or d may have one
    queue: IntArray  # nodes still to be processed


@compiled
def _depth_first(
    starts: IntArray,
    ends: IntArray,
    order: IntArray,  # [place]: nodes, as they are tried as roots
    degree: IntArray,  # [node]: its new neighbours; below 0 once it is in the forest
    at: IntArray,  # [node]: where its neighbours start that may be new
    parent: IntArray,
    found: IntArray,
) -> None:
    """Fill in nodes as they are found, and their parents.

    Go on to the new neighbour with the fewest new neighbours. O(m), times `_MANY` at
    worst for edges that are looked at again at a return.
    """
    count = 0
    for root in order:
        if degree[root] < 0:
            continue
        v = root
        while True:
            if degree[v] >= 0:
                degree[v] = -1
                found[count] = v
                count += 1
                for i in range(starts[v], starts[v + 1]):
                    degree[ends[i]] -= 1
            # Of the new neighbours, the first with the fewest of its own is next.
            following = np.int64(-1)
            for i in range(at[v], starts[v + 1]):
                u = ends[i]
                if degree[u] >= 0:
                    if following < 0 or degree[u] < degree[following]:
                        following = u
                    if starts[v + 1] - starts[v] > _MANY:
                        break
                elif i == at[v]:
                    at[v] += 1
            # If there is none, the search goes back, and ends at the root.
            if following >= 0:
                parent[following] = v
                v = following
            elif v == root:
                break
            else:
                v = parent[v]


@compiled
def _lower(
    starts: IntArray, ends: IntArray, tree: _Tree, exchanges: _Exchanges, effort: int
) -> None:
    """Lower the degree by exchanges, until there is none or the effort is spent."""
    while effort >= 0:
        d = 0
        for degree in tree.degree:
            d = max(d, degree)
        if d <= 2:
            break
        _find_depths(tree.parent, exchanges.depth)
        count = _list_low(tree, exchanges, d)
        node = _find_exchange(starts, ends, tree, exchanges, count, d)
        if node < 0 or not _exchange(tree, exchanges, node, d):
            break
        effort -= len(tree.degree) + len(ends)


@inlined
def _list_low(tree: _Tree, exchanges: _Exchanges, d: int) -> int:
    """List the nodes of degree d - 2 or less in the queue; return how many there are.

    Each is in one set with its parent if that is low as well. O(n).
    """
    parent, degree = tree
    count = 0
    for v in range(len(parent)):
        exchanges.low[v] = degree[v] <= d - 2
        exchanges.top[v] = v
        if exchanges.low[v]:
            exchanges.queue[count] = v
            count += 1
            if parent[v] >= 0 and degree[parent[v]] <= d - 2:
                exchanges.top[v] = parent[v]
    return count


@inlined
def _find_exchange(
    starts: IntArray,
    ends: IntArray,
    tree: _Tree,
    exchanges: _Exchanges,
    count: int,
    d: int,
) -> int:
    """Return a node of degree d, the greatest, that exchanges can lower; -1 if none.

    Low nodes that are connected in the tree are a set. An edge of the graph between two
    sets closes a cycle through nodes that are not low yet, and putting it in lowers any
    of them: they are low from then on, and in one set with what the cycle joins.
    O(m alpha(m) + n).
    """
    parent, degree = tree
    depth, low, top, one, other, queue = exchanges
    head = 0
    while head < count:
        v = queue[head]
        head += 1
        for i in range(starts[v], starts[v + 1]):
            u = ends[i]
            if not low[u]:
                continue
            # From the deeper set of both up, until both are one: that is the cycle.
            a, b = _top(top, v), _top(top, u)
            while a != b:
                if depth[a] < depth[b]:
                    a, b = b, a
                above = parent[a]
                if not low[above]:
                    one[above] = v
                    other[above] = u
                    if degree[above] == d:
                        return int(above)
                    low[above] = 1
                    queue[count] = above
                    count += 1
                top[a] = above
                a = _top(top, above)
    return -1


@inlined
def _exchange(tree: _Tree, exchanges: _Exchanges, node: int, d: int) -> bool:
    """Lower a node by its edge, after the ends of that edge; return whether it went.

    The nodes yet to be lowered are a stack, each by an edge at the one after it.
    """
    one, other, stack = exchanges.one, exchanges.other, exchanges.queue
    most = len(tree.parent) + 1
    stack[0] = node
    count = 1
    while count > 0:
        w = stack[count - 1]
        u, v = one[w], other[w]
        if tree.degree[u] >= d - 1 and count < most:
            stack[count] = u
            count += 1
        elif tree.degree[v] >= d - 1 and count < most:
            stack[count] = v
            count += 1
        else:
            count -= 1
            if not _swap(tree, u, v, w):
                return False
    return True


@inlined
def _swap(tree: _Tree, u: int, v: int, w: int) -> bool:
    """Put edge uv into the tree for an edge at w on its cycle, if w is inside it."""
    parent, degree = tree
    # With u as the root, the cycle is uv and the path from v up to u.
    _evert(parent, u)
    below = np.int64(-1)
    x = np.int64(v)
    while x >= 0 and x != w:
        below = x
        x = parent[x]
    if x < 0 or below < 0 or parent[x] < 0:
        return False
    # Of the two edges at w the one whose other end has the greater degree leaves.
    cut = x if degree[parent[x]] > degree[below] else below
    degree[cut] -= 1
    degree[parent[cut]] -= 1
    parent[cut] = -1
    _evert(parent, v)
    parent[v] = u
    degree[u] += 1
    degree[v] += 1
    return True


@inlined
def _evert(parent: IntArray, node: int) -> None:
    """Make a node the root of its tree."""
    before = np.int64(-1)
    v = np.int64(node)
    while v >= 0:
        above = parent[v]
        parent[v] = before
        before = v
        v = above


@inlined
def _top(top: IntArray, node: int) -> int:
    """Return the root of a node's set (find, with path halving)."""
    v = node
    while top[v] != v:
        top[v] = top[top[v]]
        v = top[v]
    return v


@inlined
def _find_depths(parent: IntArray, depth: IntArray) -> None:
    """Fill in the depth of every node in its tree: O(n)."""
    for v in range(len(parent)):
        depth[v] = -1
    for v in range(len(parent)):
        # Count the nodes up to the first one of known depth, or to above the root.
        steps = 0
        u = v
        while u >= 0 and depth[u] < 0:
            steps += 1
            u = parent[u]
        # Their depths fall by one along the same path.
        at = steps + (depth[u] if u >= 0 else -1)
        u = v
        while u >= 0 and depth[u] < 0:
            depth[u] = at
            at -= 1
            u = parent[u]
