"""Random spanning trees of parts of a map, and partitions cut from them.

A tree grows from a random node, edge by edge. The next edge is drawn from all edges
that lead out of the tree, or from the last few of them. The first kind of tree is
bushy. The second has long branches, and so more edges that leave two pieces of similar
weight.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph

MOST_PARTS: Final = 4
"""Parts of a move at most; chosen, not measured."""

_MOST_NODES: Final = 200
"""Nodes of a patch, if it has more than two parts; chosen, not measured."""

_LONG: Final = 0.5
"""The chance that a tree has long branches; chosen, not measured."""

_LAST: Final = 3
"""Edges from which the next edge of such a tree is drawn; chosen, not measured."""

_UNEVEN: Final = 0.2
"""What a cut costs that leaves all parts on one side: half of this, in mean weights of
a part; chosen, not measured."""


class Patch(NamedTuple):
    """Some parts of a map that are connected, and a spanning tree of their nodes.

    Nodes of the tree go by their places in the order of growth. Arrays have room for
    all nodes of the map; only their beginnings are in use.
    """

    parts: IntArray  # [piece]: the numbers of the parts, as they were met
    shares: IntArray  # [piece]: how many parts it is still to become
    masses: IntArray  # [piece]: its weight
    nodes: IntArray  # [place]: the nodes of the parts, as they were met
    inside: IntArray  # [node of the map]: 1 if it waits to get into the tree, else -1
    order: IntArray  # [place]: the node there
    parent: IntArray  # [place]: that of the node above; -1 for the root, at place 0
    weight: IntArray  # [place]: of the nodes at and below
    size: IntArray  # [place]: the number of these
    edges: IntArray  # [2, edge] out of a tree that grows: node outside, place inside

    @classmethod
    def within(cls, component: Component, pieces: int = MOST_PARTS) -> Patch:
        """Return memory for so many parts of a map."""
        parts, shares, masses = np.zeros((3, pieces), dtype=np.int64)
        nodes, inside = np.full((2, component.n), -1, dtype=np.int64)
        order, parent, weight, size = np.empty((4, component.n), dtype=np.int64)
        edges = np.empty((2, len(component.ends) + 1), dtype=np.int64)
        tree = order, parent, weight, size, edges
        return cls(parts, shares, masses, nodes, inside, *tree)


def divided(component: Component, parts: int, rng: np.random.Generator) -> IntArray:
    """Return a partition into that many connected parts, at most n, of similar weight.

    Every part has its number as a label.
    """
    labels, member = np.zeros(component.n, dtype=np.int64), np.zeros(parts, np.int64)
    patch, graph = Patch.within(component, parts), component.graph
    patch.parts[:] = np.arange(parts)
    mean, more = divmod(component.total, parts)
    ends = mean, mean + (more > 0)
    gather(0, 1, graph, labels, member, patch, rng)
    everything = component.n, parts, ends, _UNEVEN, 2**62
    divide(*everything, graph, labels, member, patch, rng)
    return labels


@compiled
def gather(
    piece: int,  # the place of the part; others are at the next ones
    wanted: int,
    graph: Graph,
    labels: IntArray,  # [node]: its part
    member: IntArray,  # [part]: some node of it
    patch: Patch,
    rng: np.random.Generator,
) -> tuple[int, int]:
    """Gather a part of a patch and parts next to it; return how many nodes and parts.

    They are `wanted` parts, or fewer if these have many nodes or nothing is next to the
    part that came last. Time: linear in the edges at their nodes.
    """
    starts, ends = graph.starts, graph.ends
    nodes, inside, parts = patch.nodes, patch.inside, patch.parts[piece:]
    other, count, pieces, done = member[parts[0]], 0, 0, 0
    while True:
        # Meet all nodes of the last part. Of the edges to parts that are not gathered
        # one is drawn, all with the same chance; `other` is its end.
        parts[pieces], nodes[count], inside[other] = labels[other], other, 1
        last, met, other = parts[pieces], 0, -1
        pieces, count = pieces + 1, count + 1
        while done < count:
            v = nodes[done]
            done += 1
            for e in range(starts[v], starts[v + 1]):
                u = ends[e]
                if inside[u] >= 0:
                    continue
                label = labels[u]
                if label == last:
                    inside[u] = 1
                    nodes[count] = u
                    count += 1
                    continue
                known = False
                for i in range(pieces - 1):
                    known |= label == parts[i]
                if not known:
                    met += 1
                    if rng.random() * met < 1.0:
                        other = u
        if other < 0 or pieces == wanted or (pieces >= 2 and count > _MOST_NODES):
            return count, pieces


@compiled
def divide(
    count: int,
    pieces: int,
    ends: tuple[int, int],  # of the weight that a part is to have
    uneven: float,  # what a cut costs in addition that leaves all parts on one side
    limit: int,  # what all parts may lack or have too much
    graph: Graph,
    labels: IntArray,
    member: IntArray,
    patch: Patch,
    rng: np.random.Generator,
) -> bool:
    """Divide the nodes of a patch, which are gathered, into its parts anew.

    What is to become several parts is cut in two, by an edge of a random spanning tree,
    until all are one part. Return whether that may be within the limit.
    """
    parts, shares, masses = patch.parts, patch.shares, patch.masses
    shares[0], fresh = pieces, 1
    for piece in range(pieces):
        while shares[piece] > 1:
            if fresh > 1:
                count, _ = gather(piece, number(1), graph, labels, member, patch, rng)
            grow(count, graph, patch, rng)
            cut, taken, off = best_cut(count, shares[piece], ends, uneven, patch, rng)
            if off > limit:
                return False
            shares[piece] -= taken
            shares[fresh] = taken
            masses[fresh] = patch.weight[cut]
            masses[piece] = patch.weight[0] - patch.weight[cut]
            _split(count, cut, parts[piece], parts[fresh], patch, labels, member)
            fresh += 1
    return True


@compiled
def grow(count: int, graph: Graph, patch: Patch, rng: np.random.Generator) -> None:
    """Draw a spanning tree of the nodes gathered; none of them waits any more.

    Time: linear in the edges at these nodes.
    """
    starts, ends, inside = graph.starts, graph.ends, patch.inside
    parent, weight, size, edges = patch.parent, patch.weight, patch.size, patch.edges
    width = _LAST if rng.random() < _LONG else len(ends)
    edges[0, 0], edges[1, 0] = patch.nodes[int(rng.random() * count)], -1
    place, open_ = 0, 1
    # Take the open edges in random order. Each brings a node into the tree, unless
    # another edge brought it before.
    while open_ > 0:
        e = open_ - 1 - int(rng.random() * min(open_, width))
        v, above = edges[0, e], edges[1, e]
        open_ -= 1
        edges[0, e], edges[1, e] = edges[0, open_], edges[1, open_]
        if inside[v] < 0:
            continue
        inside[v] = -1
        patch.order[place], parent[place] = v, above
        weight[place], size[place] = graph.weights[v], 1
        for f in range(starts[v], starts[v + 1]):
            if inside[ends[f]] >= 0:
                edges[0, open_], edges[1, open_] = ends[f], place
                open_ += 1
        place += 1
    # Parents come before their children: sum up from the last node to the root.
    for t in range(count - 1, 0, -1):
        weight[parent[t]] += weight[t]
        size[parent[t]] += size[t]


@inlined
def best_cut(
    count: int,
    share: int,
    ends: tuple[int, int],
    uneven: float,
    patch: Patch,
    rng: np.random.Generator,
) -> tuple[int, int, int]:
    """Return where to cut a tree that is to become `share` parts.

    Then how many parts the nodes below the cut become: at least 1, less than `share`,
    and no more than there are nodes, on both sides. And what both sides lack or have
    too much, which is the least; ties are broken at random.
    """
    total = patch.weight[0]
    mean, shift = total / share, int(rng.random() * (count - 1))
    least, cut, taken, off = np.inf, 1, number(1), number(0)
    for step in range(count - 1):
        t = 1 + (step + shift) % (count - 1)
        weight, size = patch.weight[t], patch.size[t]
        fewest, most = max(1, share - (count - size)), min(share - 1, size)
        below = min(max(int(weight / max(mean, 1.0) + 0.5), fewest), most)
        missed = amiss(weight, below, ends) + amiss(total - weight, share - below, ends)
        price = missed + abs(below / share - 0.5) * mean * uneven
        if price < least:
            least, cut, taken, off = price, t, below, missed
    return cut, taken, off


@inlined
def amiss(weight: int, parts: int, ends: tuple[int, int]) -> int:
    """Return what some parts of this weight lack, or have too much, at least.

    Weights are at most 2^62: those that any two parts may have need no product.
    """
    over = weight - ends[1] - (parts - 1) * min(ends[1], 2**61)
    return max(parts * ends[0] - weight, 0) + max(over, 0)


@inlined
def _split(
    count: int,
    cut: int,
    above: int,
    below: int,
    patch: Patch,
    labels: IntArray,
    member: IntArray,
) -> None:
    """Cut a tree: nodes at and below a place become one part, the others another.

    The former are marked by a size of 0.
    """
    order, parent, size = patch.order, patch.parent, patch.size
    size[cut] = 0
    for t in range(count):
        if t > cut and size[parent[t]] == 0:
            size[t] = 0
        labels[order[t]] = below if size[t] == 0 else above
    member[above], member[below] = order[0], order[cut]
