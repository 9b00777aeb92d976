"""Gadgets for partitions of graphs into connected parts of three nodes.

In all of this file a *part* has three nodes and is connected. A *choice* is a node all
of whose neighbours belong to connectors.

Connector [Du09, Figure 2b]
    Between nodes u and v: a node next to both, and a leaf of it. The leaf's part is the
    leaf, the node, and either u or v: *a connector covers exactly one of its two ends*,
    and no part crosses it otherwise. Hence exactly one connector of a choice covers it.
Triple [Du09, Figure 2a]
    A triangle, each node with a connector to one of three ends. No part has exactly two
    of its nodes, as their connectors' leaves would be left alone. So *it covers all
    three ends, or none*: the triangle is a part or each of its nodes is covered by its
    own connector. In the first case the connectors cover the ends.
Crossover [the text names its centre and its four states; Figure 3b]
    A choice in the centre, four choices around it, and four triples: each of the centre
    and two neighbouring ones of the four. Exactly one triple covers the centre, and two
    neighbours with it; the other two have to be covered from outside. So *of each two
    opposite choices exactly one is covered from outside, in all four combinations*: a
    wire that goes in at one comes out of the opposite one as if it were one connector.
    41 nodes, in the plane.
Fan-out [Du09, end of the reduction]
    A choice of degree D >= 4 becomes a path of D - 2 choices of degree 3, joined by
    connectors, with the D connectors in their order. D - 3 inner connectors cover all
    but one of these, so one of the D outer connectors covers one; and any of them may.
Caps [the text has their property; Figure 4]
    A subgraph of 3j nodes that hangs at one node v only. A part that crosses to it
    contains v and one or two of its nodes, and leaves a number of them that is no
    multiple of 3: *none crosses*, whatever the subgraph is. For v to get degree 3 and
    all of it to be 3-regular, 9j - (3 - degree of v) must be even: 6 nodes are least
    at degree 1 (a prism, v in the midst of an edge), and 9 at degree 2, where 3 nodes
    would be a triangle with one edge too few (a cube, with a node in the midst of an
    edge and v next to it). A choice without any connector has 4 in all (K_4): it cannot
    be covered, which 4 nodes cannot either.

References
----------
[Du09] as in :mod:`atleastk.instances.connected_partition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_PRISM: Final = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (1, 4), (2, 5))
"""The edges of a prism: two triangles, joined at two of three corners."""

_CUBE: Final = (
    *((0, 8), (8, 1), (1, 2), (2, 3), (3, 0)),
    *((4, 5), (5, 6), (6, 7), (7, 4)),
    *((0, 4), (1, 5), (2, 6), (3, 7)),
)
_TRIANGLE: Final = ((0, 1), (1, 2), (2, 0))
"""The edges of a triangle."""

_CAPS: Final = {
    0: (3, _TRIANGLE, (0, 1, 2)),
    1: (6, _PRISM, (0, 3)),
    2: (9, _CUBE, (8,)),
}
"""Of each degree: the nodes of the cap, their edges, and which are next to the node."""


class GadgetGraph:
    """A graph that grows by gadgets.

    Attributes
    ----------
    around
        The neighbours of every node, in the order of the plane at choices.
    """

    def __init__(self) -> None:
        self.around: list[list[int]] = []

    @property
    def edges(self) -> list[tuple[int, int]]:
        """All edges, each once."""
        return [(u, v) for u, ends in enumerate(self.around) for v in ends if u < v]

    def nodes(self, count: int) -> range:
        """Add some nodes."""
        start = len(self.around)
        self.around += [[] for _ in range(count)]
        return range(start, start + count)

    def join(self, u: int, v: int) -> None:
        """Add an edge."""
        self.around[u].append(v)
        self.around[v].append(u)

    def triangle(self) -> range:
        """Add a triangle: a triple without its connectors."""
        corners = self.nodes(3)
        for i, j in _TRIANGLE:
            self.join(corners[i], corners[j])
        return corners

    def connector(self, u: int, v: int) -> int:
        """Add a connector between two nodes and return the node next to both."""
        middle, leaf = self.nodes(2)
        for end in (u, v, leaf):
            self.join(middle, end)
        return middle

    def triple(self, ends: Sequence[int]) -> range:
        """Add a triple of three nodes."""
        corners = self.triangle()
        for corner, end in zip(corners, ends, strict=True):
            self.connector(corner, end)
        return corners

    def crossover(self) -> range:
        """Add a crossover and return its four outer choices, in the order around it."""
        (centre,) = self.nodes(1)
        outer = self.nodes(4)
        for i in range(4):
            self.triple((centre, outer[i], outer[(i + 1) % 4]))
        return outer

    def fan_out(self, choice: int) -> None:
        """Spread the connectors of a choice over a path of choices of degree 3."""
        ends = self.around[choice]
        last = choice
        while len(ends) > 3:
            (following,) = self.nodes(1)
            moved = ends[2:]
            del ends[2:]
            for middle in moved:
                around = self.around[middle]
                around[around.index(last)] = following
            self.connector(last, following)
            ends = self.around[following]
            ends += moved
            last = following

    def cap(self, node: int) -> None:
        """Give a node of degree 0, 1 or 2 degree 3, by a subgraph of its own."""
        count, edges, near = _CAPS[len(self.around[node])]
        inner = self.nodes(count)
        for i, j in edges:
            self.join(inner[i], inner[j])
        for i in near:
            self.join(node, inner[i])
