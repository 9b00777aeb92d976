"""A component of a map: what the exact methods for connected partition work on.

Nodes are numbered afresh. A node may stand for several of the instance: for one that
has taken in what cannot be a part without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from atleastk.arrays import IntArray, stable_order
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import components_by
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.solvers.connected_partition.graph import Graph


@dataclass(frozen=True)
class Component:
    """A connected graph with weights."""

    weights: IntArray
    """The weight of every node 0..n-1."""
    starts: IntArray
    ends: IntArray
    """`starts`, `ends`: the neighbours of node v, ascending: ``ends[starts[v]:starts[v
    + 1]]``."""
    members: PackedGroups
    """The nodes of the instance that every node stands for."""

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

    def arranged(self, order: IntArray) -> Component:
        """Return the component with its nodes in another order: near ones together.

        Neighbours stand as they stood: they need not ascend any more.
        """
        place = np.empty_like(order)
        place[order] = np.arange(self.n)
        tails, ends = self.arcs(order)
        starts = np.searchsorted(tails, np.arange(self.n + 1))
        members = self.members.taken(order)
        return Component(self.weights[order], starts, place[ends], members)

    def parts(self, labels: IntArray) -> PackedGroups:
        """Return the parts, in nodes of the instance, of nodes of equal label."""
        homes = labels[self.members.homes]
        order = stable_order(homes)
        return PackedGroups.runs(self.members.items[order], homes[order])


def whole_of(instance: ConnectedPartition) -> Component:
    """Return the graph of an instance as one component, even if it is not connected."""
    alone = PackedGroups(np.arange(instance.n), np.arange(instance.n + 1))
    return Component(instance.amounts, *instance.adjacency, alone)


def components_of(
    instance: ConnectedPartition, solution: Solution | None = None
) -> list[Component]:
    """Return the components of the graph of an instance, by their first nodes.

    The parts of a solution are connected, which saves time.
    """
    known = None
    if solution is not None:
        held = PackedGroups.of(solution.groups)
        known = np.empty(instance.n, dtype=np.int64)
        known[held.items] = np.repeat(held.items[held.starts[:-1]], held.sizes)
    whole = whole_of(instance)
    parts = components_by(instance.n, *instance.ends, known)
    return [whole] if len(parts) == 1 else [whole.within(nodes) for nodes in parts]
