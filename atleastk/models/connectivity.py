"""Planarity and vertex connectivity of maps: the hypotheses of theorems.

A 3-connected planar graph has a spanning tree of degree 3 [Barnette66], a 4-connected
one a Hamiltonian cycle [Tutte56]; [Du09, Theorem 3] builds on both. Few real maps are
3-connected: a county with two neighbours, or one, is enough.

The connectivity of a component is the size of a least vertex cut, and n - 1 for a
complete graph. No theorem needs more than 4, so 4 stands for 4 or more. Least degrees
and cut nodes settle most maps. Otherwise take an order v1, v2, ...: with c the
connectivity, min(c, 4) is the least of

- the numbers of disjoint paths between two of v1..v4;
- for each later node the number of paths, up to 4, to different earlier nodes that are
  disjoint but for their beginning [Even75].

In breadth-first order those paths are short, and the time is near to linear on maps.

References
----------
[Barnette66] D. Barnette, "Trees in polyhedral graphs", Canad. J. Math. 18, 1966.
[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009.
[Even75] S. Even, "An algorithm for determining whether the connectivity of a graph is
at least k", SIAM J. Comput. 4, 1975.
[Tutte56] W. T. Tutte, "A theorem on planar graphs", Trans. AMS 82, 1956.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import breadth_first
from atleastk.packages import nx

MOST: Final = 4
"""The greatest connectivity that is computed: this or more."""

Neighbours = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Connectivity:
    """Whether a map is planar, and the connectivity of its components, up to `MOST`."""

    planar: bool
    """Whether the graph can be drawn in the plane without crossings."""
    components: tuple[int, ...]
    """The connectivity of every component, by their first nodes."""
    sizes: tuple[int, ...]
    """Their numbers of nodes."""

    def at_least(self, c: int) -> bool:
        """Tell whether the graph is planar with c-connected or complete components."""
        return self.planar and all(
            found >= min(c, size - 1)
            for found, size in zip(self.components, self.sizes, strict=True)
        )

    def __str__(self) -> str:
        number = len(self.components)
        parts = [
            "planar" if self.planar else "not planar",
            f"{number} component{'' if number == 1 else 's'}",
        ]
        if number:
            least = min(self.components)
            parts.append(f"connectivity {least}{' or more' if least == MOST else ''}")
        return ", ".join(parts)


def connectivity(instance: ConnectedPartition) -> Connectivity:
    """Return whether the graph is planar and how connected its components are."""
    graph = instance.graph
    orders = list(breadth_first(instance.neighbours))
    return Connectivity(
        planar=nx.check_planarity(graph)[0],
        components=tuple(_connectivity(instance.neighbours, order) for order in orders),
        sizes=tuple(map(len, orders)),
    )


def _connectivity(neighbours: Neighbours, order: Sequence[int]) -> int:
    least = min(MOST, *(len(neighbours[v]) for v in order), len(order) - 1)
    if least <= 1:
        return least
    part: nx.Graph[int] = nx.Graph((u, v) for u in order for v in neighbours[u])
    if not nx.is_biconnected(part):
        return 1
    if least == 2:
        return 2
    first = order[:MOST]
    for u, v in combinations(first, 2):
        around = set(neighbours[v])
        adjacent = u in around
        ends = around - {u}
        least = min(least, adjacent + _fan(neighbours, u, ends, least - adjacent, v))
    earlier = set(first)
    for v in order[MOST:]:
        least = min(least, _fan(neighbours, v, earlier, least))
        earlier.add(v)
    return least


def _fan(
    neighbours: Neighbours,
    source: int,
    ends: Collection[int],
    most: int,
    without: int | None = None,
) -> int:
    """Return how many paths, up to `most`, join a node to different ones of `ends`.

    They share nothing but their beginning, and avoid the node `without`.
    """
    after: dict[int, int] = {}
    before: dict[int, int] = {}
    if without is not None:
        before[without] = source  # as if a path had taken it
    found = 0
    while found < most and _augment(neighbours, source, ends, after, before):
        found += 1
    return found


def _augment(
    neighbours: Neighbours,
    source: int,
    ends: Collection[int],
    after: dict[int, int],
    before: dict[int, int],
) -> bool:
    """Find an augmenting path, breadth first; tell whether there is one.

    The states of the search are (node, False), a node that is entered, and (node,
    True), a node whose path is rerouted.
    """
    came: dict[tuple[int, bool], tuple[int, bool]] = {}
    queue = deque([(source, True)])

    def go(to: tuple[int, bool], at: tuple[int, bool]) -> None:
        if to not in came:
            came[to] = at
            queue.append(to)

    while queue:
        at = queue.popleft()
        node, leaving = at
        taken = node in before
        if not leaving and not taken and node in ends:
            _reroute(at, source, came, after, before)
            return True
        if taken and before[node] != source:
            go((before[node], True), at)
        if leaving or not taken:
            for u in neighbours[node]:
                if u != source and after.get(node) != u and before.get(u) != node:
                    go((u, False), at)
    return False


def _reroute(
    end: tuple[int, bool],
    source: int,
    came: dict[tuple[int, bool], tuple[int, bool]],
    after: dict[int, int],
    before: dict[int, int],
) -> None:
    steps = []
    at = end
    while at != (source, True):
        steps.append((came[at], at))
        at = came[at]
    for (node, _), (to, leaving) in steps:
        if leaving:
            del after[to], before[node]
    for (node, _), (to, leaving) in steps:
        if not leaving:
            before[to] = node
            if node != source:
                after[node] = to
