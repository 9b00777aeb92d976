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
"""Parts of a patch at most; chosen, not measured."""

_MOST_NODES: Final = 200
"""Nodes of a patch, if it has more than two parts; chosen, not measured."""

_LONG: Final = 0.5
"""The chance that a tree has long branches; chosen, not measured."""

_LAST: Final = 3
"""Edges from which the next edge of such a tree is drawn; chosen, not measured."""

_UNEVEN: Final = 0.2
"""What a cut costs that leaves all parts on one side: half of this, in mean weights of
a part; chosen, not measured."""


class Region(NamedTuple):
    """Some parts of a map that are connected.

    Arrays have room for all nodes of the map; only their beginnings are in use.
    """

    parts: IntArray  # [piece]
    """The numbers of the parts, as they were met."""
    nodes: IntArray  # [place]
    """The nodes of the parts, as they were met."""
    inside: IntArray  # [node]
    """Of every node of the map: 1 if it waits to get into a tree, or else -1."""


class Tree(NamedTuple):
    """A spanning tree of a region. Nodes go by their places in the order of growth."""

    order: IntArray  # [place], and so are the next three
    """The node at every place."""
    parent: IntArray
    """The place of the node above; -1 for the root, at place 0."""
    weight: IntArray
    size: IntArray
    """`weight`, `size`: the weight and the number of the nodes at and below."""
    edges: IntArray  # [2, edge]
    """While the tree grows, the edges that lead out of it: the node outside, and the
    place inside."""


class Preorder(NamedTuple):
    """The nodes of a tree in preorder: those below a node follow it."""

    number: IntArray  # [place]
    next_child: IntArray  # [place]
    """`number`, `next_child`: of every place in the tree, its number, and that of the
    child numbered next."""
    weight: IntArray  # [number]
    size: IntArray  # [number]
    """`weight`, `size`: of every number, the weight and the number of the nodes at and
    below."""


class Patch(NamedTuple):
    """Memory for a region and its tree."""

    region: Region
    tree: Tree
    preorder: Preorder

    @classmethod
    def within(cls, component: Component) -> Patch:
        """Return memory for regions of a map."""
        n = component.n
        parts = np.empty(MOST_PARTS, dtype=np.int64)
        nodes, inside = np.full((2, n), -1, dtype=np.int64)
        order, parent, weight, size = np.empty((4, n), dtype=np.int64)
        edges = np.empty((2, len(component.ends) + 1), dtype=np.int64)
        return cls(
            Region(parts, nodes, inside),
            Tree(order, parent, weight, size, edges),
            Preorder(*np.empty((4, n), dtype=np.int64)),
        )


def divided(component: Component, parts: int, rng: np.random.Generator) -> IntArray:
    """Return a partition into that many connected parts, at most n, of similar weight.

    Every part has its number as a label.
    """
    labels = np.zeros(component.n, dtype=np.int64)
    member = np.zeros(parts, dtype=np.int64)
    memory = Patch.within(component)
    shares = np.zeros(parts, dtype=np.int64)
    _divide(component.graph, labels, member, shares, memory.region, memory.tree, rng)
    return labels


@compiled
def gather(
    part: int,
    wanted: int,
    graph: Graph,
    labels: IntArray,
    member: IntArray,
    region: Region,
    rng: np.random.Generator,
) -> tuple[int, int]:
    """Gather a part and parts next to it; return how many nodes and parts.

    They are `wanted` parts, or fewer if these have many nodes or nothing is next to the
    part that came last. Time: linear in the edges at their nodes.

    Parameters
    ----------
    labels
        The part of every node.
    member
        Some node of every part.
    """
    starts, ends = graph.starts, graph.ends
    parts, nodes, inside = region.parts, region.nodes, region.inside
    parts[0] = part
    nodes[0] = member[part]
    inside[nodes[0]] = 1
    count, pieces, done = 1, 1, 0
    while True:
        # Meet all nodes of the last part. Of the edges to parts that are not
        # gathered one is drawn, all with the same chance; `other` is its end.
        last, met, other = parts[pieces - 1], 0, -1
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
        parts[pieces] = labels[other]
        pieces += 1
        inside[other] = 1
        nodes[count] = other
        count += 1


@compiled
def grow(
    count: int, graph: Graph, region: Region, tree: Tree, rng: np.random.Generator
) -> None:
    """Draw a spanning tree of the nodes of a region; none of them waits any more.

    Time: linear in the edges at these nodes.
    """
    starts, ends, inside = graph.starts, graph.ends, region.inside
    parent, weight, size, edges = tree.parent, tree.weight, tree.size, tree.edges
    width = _LAST if rng.random() < _LONG else len(ends)
    edges[0, 0], edges[1, 0] = region.nodes[int(rng.random() * count)], -1
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
        tree.order[place], parent[place] = v, above
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


@compiled
def enumerate_tree(count: int, tree: Tree, preorder: Preorder) -> None:
    """Give the nodes of a tree their numbers in preorder, in linear time.

    The nodes at and below number i have the numbers from i to below i + size[i].
    """
    parent, size = tree.parent, tree.size
    number, next_child = preorder.number, preorder.next_child
    number[0], next_child[0] = 0, 1
    for t in range(1, count):
        number[t] = next_child[parent[t]]
        next_child[parent[t]] += size[t]
        next_child[t] = number[t] + 1
    for t in range(count):
        preorder.weight[number[t]] = tree.weight[t]
        preorder.size[number[t]] = size[t]


@compiled
def _divide(
    graph: Graph,
    labels: IntArray,
    member: IntArray,
    shares: IntArray,
    region: Region,
    tree: Tree,
    rng: np.random.Generator,
) -> None:
    """Divide part 0, all nodes, into as many parts as `member` has places.

    `labels` and `member` are those of one part, all 0; so are `shares`, how many parts
    a part is still to become. Nodes that are to become several
    parts are cut in two, by an edge of a random spanning tree, until all are one part.
    """
    parts = len(member)
    order, parent, size = tree.order, tree.parent, tree.size
    shares[0] = parts
    fresh = 1
    for part in range(parts):
        while shares[part] > 1:
            count, _ = gather(part, number(1), graph, labels, member, region, rng)
            grow(count, graph, region, tree, rng)
            cut, taken = _best_cut(count, shares[part], tree)
            shares[part] -= taken
            shares[fresh] = taken
            # Nodes below the cut become the new part, and are marked by a size of 0.
            size[cut] = 0
            labels[order[cut]] = fresh
            for t in range(cut + 1, count):
                if size[parent[t]] == 0:
                    size[t] = 0
                    labels[order[t]] = fresh
            member[part], member[fresh] = order[0], order[cut]
            fresh += 1


@inlined
def _best_cut(count: int, share: int, tree: Tree) -> tuple[int, int]:
    """Return where to cut a tree that is to become `share` parts.

    The second value is how many parts the nodes below the cut become: at least 1, less
    than `share`, and no more than there are nodes, on both sides. Best is what makes
    these parts weigh the mean, and both sides as many parts.
    """
    mean = tree.weight[0] / share
    least, cut, taken = np.inf, 1, 1
    for t in range(1, count):
        weight, size = tree.weight[t], tree.size[t]
        fewest, most = max(1, share - (count - size)), min(share - 1, size)
        below = min(max(int(weight / max(mean, 1.0) + 0.5), fewest), most)
        uneven = abs(below / share - 0.5) * mean * _UNEVEN
        off = abs(weight - below * mean) / below + uneven
        if off < least:
            least, cut, taken = off, t, below
    return cut, taken
