"""A component of a map: what the exact methods for connected partition work on.

Nodes are numbered afresh. A node may stand for several of the instance: for one that
has taken in what cannot be a part without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from atleastk.arrays import IntArray, stable_order
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import components_by
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.connected_partition.algorithms.spanning_trees import (
    searched_forest,
)
from atleastk.solvers.connected_partition.graph import Graph

_SOME: Final = 30_000
"""Nodes up to which no loop is compiled at first: it takes 0.1 s without."""


@dataclass(frozen=True)
class Component:
    """A connected graph with weights."""

    weights: IntArray  # [node]
    starts: IntArray  # [node + 1]
    ends: IntArray  # [place]: the neighbours of v: ``ends[starts[v]:starts[v + 1]]``
    members: PackedGroups  # [node]: the nodes of the instance that it stands for
    above: IntArray | None = None
    """The parent of every node, at a root itself, where nodes stand as a depth-first
    search finds them. Neighbours need not ascend then, as else they do."""

    @cached_property
    def graph(self) -> Graph:
        """The graph, for compiled loops."""
        return Graph(self.starts, self.ends, self.weights)

    @property
    def firsts(self) -> IntArray:
        """The first node of the instance that every node stands for."""
        return self.members.items[self.members.starts[:-1]]

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.weights)

    @cached_property
    def total(self) -> int:
        """The weight of all nodes."""
        return int(self.weights.sum())

    @cached_property
    def heaviest(self) -> int:
        """The greatest weight of a node."""
        return int(self.weights.max())

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of every node, ascending."""
        return tuple(
            tuple(self.ends[a:b].tolist())
            for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)
        )

    def arcs(self, nodes: IntArray) -> tuple[IntArray, IntArray]:
        """Return the edges at some nodes: the place of the node, and the other end."""
        counts = self.starts[nodes + 1] - self.starts[nodes]
        tails = np.repeat(np.arange(len(nodes)), counts)
        before = self.starts[nodes] - np.cumsum(counts) + counts
        return tails, self.ends[np.arange(len(tails)) + before[tails]]

    def within(self, nodes: IntArray) -> Component:
        """Return what some nodes induce, ascending; it need not be connected."""
        tails, ends = self.arcs(nodes)
        number = np.searchsorted(nodes, ends)
        inside = nodes[np.minimum(number, len(nodes) - 1)] == ends
        starts = np.searchsorted(tails[inside], np.arange(len(nodes) + 1))
        members = self.members.taken(nodes)
        return Component(self.weights[nodes], starts, number[inside], members)

    def searched(self, root: int = 0) -> tuple[Component, IntArray]:
        """Return it with its nodes as a depth-first search finds them, and these.

        Near ones stand together. The graph need not be connected.
        """
        if self.above is not None and root == 0:
            return self, np.arange(self.n)
        firsts = np.append(root, np.arange(self.n))
        order, parent = searched_forest(self.starts, self.ends, firsts)
        place, starts = np.empty_like(order), np.zeros_like(self.starts)
        place[order] = np.arange(self.n)
        np.cumsum(np.diff(self.starts)[order], out=starts[1:])
        ends, above = np.empty_like(self.ends), parent[order]
        _renumber(self.graph, order, place, ends)
        above = np.where(above < 0, np.arange(self.n), place[above])
        members = self.members.taken(order)
        return Component(self.weights[order], starts, ends, members, above), order

    def trees(self) -> list[Component]:
        """Return the components of a graph that was searched, as they were found."""
        assert self.above is not None
        firsts = np.flatnonzero(self.above == np.arange(self.n))
        if len(firsts) == 1:
            return [self]
        found = []
        for a, b in pairwise((*firsts.tolist(), self.n)):
            starts, members = self.starts[a : b + 1], self.members
            ends = self.ends[starts[0] : starts[-1]] - a
            own = members.taken(np.arange(a, b))
            weights, above = self.weights[a:b], self.above[a:b] - a
            found.append(Component(weights, starts - starts[0], ends, own, above))
        return found

    def masses(self, labels: IntArray, parts: int | None = None) -> IntArray:
        """Return the weight of every part, given the part of every node."""
        count = int(labels.max(initial=-1)) + 1 if parts is None else parts
        masses = np.zeros(count, dtype=np.int64)
        np.add.at(masses, labels, self.weights)
        return masses

    def cost(self, labels: IntArray) -> int:
        """Return the weight of the heaviest part."""
        return int(self.masses(labels).max())

    def spread(self, labels: IntArray) -> IntArray:
        """Return the label of every node of the instance, for those of all nodes."""
        found = np.empty(len(self.members.items), dtype=np.int64)
        found[self.members.items] = labels[self.members.homes]
        return found

    def parts(self, labels: IntArray) -> PackedGroups:
        """Return the parts, in nodes of the instance, of nodes of equal label."""
        homes = labels[self.members.homes]
        order = stable_order(homes)
        return PackedGroups.runs(self.members.items[order], homes[order])


@compiled
def _renumber(graph: Graph, order: IntArray, place: IntArray, ends: IntArray) -> None:
    """Fill in the ends of the edges of nodes in an order, by their places in it."""
    count = 0
    for v in order:
        for e in range(graph.starts[v], graph.starts[v + 1]):
            ends[count] = place[graph.ends[e]]
            count += 1


def whole_of(instance: ConnectedPartition) -> Component:
    """Return the graph of an instance as one component, even if it is not connected."""
    alone = PackedGroups(np.arange(instance.n), np.arange(instance.n + 1))
    return Component(instance.amounts, *instance.adjacency, alone)


def searched_of(instance: ConnectedPartition) -> Component:
    """Return the same; if it has many nodes as it is searched, and kept for next time.

    It takes ten million nodes some seconds.
    """
    kept = vars(instance)
    if "_searched" not in kept:
        whole = whole_of(instance)
        kept["_searched"] = whole if whole.n <= _SOME else whole.searched()[0]
    found: Component = kept["_searched"]
    return found


def components_of(instance: ConnectedPartition) -> list[Component]:
    """Return the components of the graph of an instance, by their first nodes."""
    whole = whole_of(instance)
    parts = components_by(instance.n, *instance.ends)
    return [whole] if len(parts) == 1 else [whole.within(nodes) for nodes in parts]
