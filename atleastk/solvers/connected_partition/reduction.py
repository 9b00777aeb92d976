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
from typing import Final

import numpy as np

from atleastk.arrays import IntArray, distinct, distinct_places
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph

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


class _Search:
    """The branches of a component, as seen from a root; nodes go by their places."""

    def __init__(self, component: Component, root: int) -> None:
        tree, self._order = component.searched(root)
        assert tree.above is not None
        self._above, self._rest = tree.above, tree.total - tree.weights
        low, self._size = np.arange(tree.n), np.ones(tree.n, dtype=np.int64)
        _fill(tree.graph, tree.above, low, self._size)
        sums = np.append(0, np.cumsum(tree.weights))
        self._weight = sums[np.arange(tree.n) + self._size] - sums[:-1]
        below = np.arange(1, tree.n)
        self._heads = below[low[1:] >= tree.above[1:]]
        """The children below which the nodes are a component without the parent."""

    def node_above_a_light_rest(self, k: int) -> int | None:
        """Return the last node without which the part with the root is below k."""
        rest = self._rest.copy()
        np.subtract.at(rest, self._above[self._heads], self._weight[self._heads])
        light = np.flatnonzero(rest[1:] < k)
        return int(self._order[1 + light[-1]]) if len(light) else None

    def branches(self, most: int) -> Iterator[tuple[int, IntArray]]:
        """Yield cut nodes, each with the nodes of its branches of at most a weight."""
        small, order = self._heads[self._weight[self._heads] <= most], self._order
        small = small[np.argsort(self._size[small], kind="stable")]
        small = small[np.cumsum(self._size[small]) <= _NODES]
        small = small[np.argsort(self._above[small], kind="stable")]
        cuts = np.flatnonzero(np.diff(self._above[small])) + 1
        for heads in np.split(small, cuts) if len(small) else ():
            below = [order[head : head + self._size[head]] for head in heads]
            yield int(order[self._above[heads[0]]]), np.sort(np.concatenate(below))

    def tops_of_light_branches(self, k: int) -> IntArray | None:
        """Return the node that every node is contracted into; None if none is.

        What is below a node stands behind it.
        """
        light = self._heads[self._weight[self._heads] < k]
        ends = np.maximum.accumulate(light + self._size[light])
        light = light[np.append(True, light[1:] >= ends[:-1])[: len(light)]]
        if not len(light):
            return None
        top, size = np.arange(len(self._order)), self._size[light]
        inside = np.repeat(light - np.cumsum(size) + size, size) + np.arange(size.sum())
        top[inside] = np.repeat(self._above[light], size)
        into = np.empty_like(top)
        into[self._order] = self._order[top]
        return into


@compiled
def _fill(
    graph: Graph,
    above: IntArray,  # [place]: the parent
    low: IntArray,  # [place]: the earliest reached; at first its own
    size: IntArray,  # [place]: how many nodes are at and below; at first 1
) -> None:
    """Fill in of a tree of depth-first search, from the last node up.

    Reached are places from at or below a node by at most one edge outside the tree.
    """
    for i in range(len(above) - 1, 0, -1):
        p = above[i]
        for e in range(graph.starts[i], graph.starts[i + 1]):
            if graph.ends[e] != p:
                low[i] = min(low[i], graph.ends[e])
        low[p] = min(low[p], low[i])
        size[p] += size[i]


def contracted(component: Component, into: IntArray) -> Component:
    """Contract every node into the one named, which is contracted into itself."""
    remaining, number = distinct_places(into)
    n = len(remaining)
    tails = np.repeat(number, np.diff(component.starts))
    heads = number[component.ends]
    apart = tails != heads
    pairs = distinct(tails[apart] * n + heads[apart])
    counts = np.bincount(pairs // n, minlength=n)
    return Component(
        weights=component.masses(number),
        starts=np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts))),
        ends=pairs % n,
        members=component.parts(number),
    )
