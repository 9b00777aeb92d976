"""Preprocessing by cut nodes: light branches are contracted into their cut node.

Fact
----
Let C be a component of G - v that weighs less than k. A part that meets C but does not
hold v lies in C, and is too light. So all of C is in the part of v, and C may be
contracted into v: no solution is lost, and every part keeps its weight.

Contracting one branch neither makes another node a cut node nor changes the weight of
other branches, so all of them can be found at once.

How it is done. In a tree of depth-first search the nodes below a child c of v are a
component of G - v if no edge leads from them to above v [Tarjan72]. The rest is the
component that holds the root. Let v be the last node found for which that is light too:
seen from v it is a branch like others. If some G - u had a light component with v in it
then the two together would be all of G, which weighs less than 2k: one part, and one
node. So two searches are enough: O(n + m).

References
----------
[Tarjan72] R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput.
1, 1972.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import IntArray, distinct
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.connected_partition.component import Component

_NODES: Final = 1_000_000
"""Nodes of branches that are listed, the smallest first: a path has a square of them.
Not tuned."""


def reduced(component: Component, k: int) -> Component:
    """Contract every branch that weighs less than k into its cut node."""
    if component.total < 2 * k:
        return contracted(component, np.zeros(component.n, dtype=np.int64))
    into = _rooted(component, k).tops_of_light_branches(k)
    return component if into is None else contracted(component, into)


def pockets_of(component: Component, most: int) -> Iterator[tuple[int, IntArray]]:
    """Yield cut nodes, each with the nodes of branches of at most a weight, ascending.

    All of them if two weigh less than the component, and they have few nodes in all.
    """
    yield from _rooted(component, most + 1).branches(most)


def _rooted(component: Component, k: int) -> _Search:
    """Search from where all branches that weigh less than k are below their nodes.

    If two weigh less than all together.
    """
    first = _Search(component, 0)
    root = first.node_above_a_light_rest(k)
    return first if root is None else _Search(component, root)


@dataclass(frozen=True, slots=True)
class _Tree:
    """A tree of depth-first search."""

    order: IntArray
    """The nodes as they were found."""
    place: IntArray
    """The place of a node in the order."""
    parent: IntArray
    """-1 at the root."""
    low: IntArray
    """The earliest place in the order that is reached from at or below a node by at
    most one edge outside the tree."""
    weight: IntArray
    size: IntArray
    """`weight`, `size`: what the nodes at and below weigh, and how many they are."""


class _Search:
    """The branches of a component, as seen from a root."""

    def __init__(self, component: Component, root: int) -> None:
        self._rest = component.total - component.weights
        self._tree = tree = _tree(component, root)
        below = tree.order[1:]
        self._heads = below[tree.low[below] >= tree.place[tree.parent[below]]]
        """The children below which the nodes are a component without the parent."""

    def node_above_a_light_rest(self, k: int) -> int | None:
        """Return the last node without which the part with the root is below k."""
        tree, rest, heads = self._tree, self._rest.copy(), self._heads
        np.subtract.at(rest, tree.parent[heads], tree.weight[heads])
        light = tree.order[1:][rest[tree.order[1:]] < k]
        return int(light[-1]) if len(light) else None

    def branches(self, most: int) -> Iterator[tuple[int, IntArray]]:
        """Yield cut nodes, each with the nodes of its branches of at most a weight."""
        tree = self._tree
        small = self._heads[tree.weight[self._heads] <= most]
        small = small[np.argsort(tree.size[small], kind="stable")]
        small = small[np.cumsum(tree.size[small]) <= _NODES]
        small = small[np.argsort(tree.parent[small], kind="stable")]
        cuts = np.flatnonzero(np.diff(tree.parent[small])) + 1
        for heads in np.split(small, cuts) if len(small) else ():
            starts, sizes = tree.place[heads], tree.size[heads]
            below = [tree.order[a : a + s] for a, s in zip(starts, sizes, strict=True)]
            yield int(tree.parent[heads[0]]), np.sort(np.concatenate(below))

    def tops_of_light_branches(self, k: int) -> IntArray | None:
        """Return the node that every node is contracted into; None if none is."""
        tree = self._tree
        light = {*self._heads[tree.weight[self._heads] < k].tolist()}
        if not light:
            return None
        into, parent = list(range(len(tree.order))), tree.parent.tolist()
        for node in tree.order[1:].tolist():
            above = parent[node]
            if node in light or into[above] != above:
                into[node] = into[above]
        return np.array(into, dtype=np.int64)


def _tree(component: Component, root: int) -> _Tree:
    """Search from a root, depth first."""
    n = component.n
    order, low = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    parent = np.full(n, -1, dtype=np.int64)
    below = np.stack((component.weights, np.ones(n, dtype=np.int64)))
    graph = component.starts, component.ends
    place, at = np.full(n, -1, dtype=np.int64), component.starts.copy()
    _depth_first(*graph, root, order, parent, low, below, place, at)
    return _Tree(order, place, parent, low, *below)


@compiled
def _depth_first(
    starts: IntArray,  # [node + 1]
    ends: IntArray,
    root: int,
    order: IntArray,  # [place]
    parent: IntArray,  # [node], and so are all others
    low: IntArray,
    below: IntArray,  # [2, node]
    place: IntArray,
    at: IntArray,
) -> None:
    """Fill in the tree; `below` comes with the weights of nodes, and ones.

    Places in the order are -1 at first; `at` are the next edges of the nodes.
    """
    n = len(order)
    order[0], place[root] = root, 0
    count, node = 1, root
    while node >= 0:
        # Go down the next edge, ...
        if at[node] < starts[node + 1]:
            v = ends[at[node]]
            at[node] += 1
            if place[v] < 0:
                parent[v] = node
                place[v] = count
                low[v] = count
                order[count] = v
                count += 1
                node = v
            elif v != parent[node]:
                low[node] = min(low[node], place[v])
        # ... or back up after the last one.
        else:
            above = parent[node]
            if above >= 0:
                low[above] = min(low[above], low[node])
            node = above
    # Children come after their parents: sum up from the last node to the root.
    for i in range(n - 1, 0, -1):
        v = order[i]
        below[0, parent[v]] += below[0, v]
        below[1, parent[v]] += below[1, v]


def contracted(component: Component, into: IntArray) -> Component:
    """Contract every node into the one named, which is contracted into itself."""
    remaining, number = np.unique(into, return_inverse=True)
    n = len(remaining)
    weights = np.zeros(n, dtype=np.int64)
    np.add.at(weights, number, component.weights)
    tails = np.repeat(number, np.diff(component.starts))
    heads = number[component.ends]
    pairs = distinct((tails * n + heads)[tails != heads])
    counts = np.bincount(pairs // n, minlength=n)
    return Component(
        weights=weights,
        starts=np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts))),
        ends=pairs % n,
        members=component.parts(number),
    )
