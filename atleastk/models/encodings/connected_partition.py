"""Encodings of connected partition as linear models over bounded integers.

They take plain weights and neighbours; parts weigh from `least` to `most`, and their
number is given or free. The graph may be disconnected, weights may be 0.

- *Roots*: x_ij says that node i is in the part of root j, the heaviest node of its
  part, of the least number among equals (the model of [Hess65] without symmetry). A
  root takes what it can reach within `most` through nodes that are not before it:
  there are no other variables. Parts are connected by *levels* (:func:`whole_levels`):
  every node that is no root has one parent among its neighbours, in the same part and
  at a lower level; or by *flows* (:func:`whole_flows`): a root sends a unit to every
  other node of its part through nodes of its part [Shirabe05]. Units count nodes and
  not weights, so that a node of weight 0 takes part like any other.

- *Lists*: set partitioning over all connected sets, for small graphs.

The compact models can minimise the heaviest part; lists only decide.

References
----------
[Hess65] S. W. Hess, J. B. Weaver, H. J. Siegfeldt, J. N. Whelan, P. A. Zitlau,
"Nonpartisan political redistricting by computer", Operations Research 13, 1965.
[Shirabe05] T. Shirabe, "A model of contiguity for spatial unit allocation",
Geographical Analysis 37, 2005.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.admissible.decided import members
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.set_partition import set_partition
from atleastk.models.groups import Group, Parts
from atleastk.models.kinds import Kinds
from atleastk.models.linear import LinearModelBuilder

Neighbours = Sequence[Sequence[int]]
Entries = Iterator[tuple[int, int]]


def roots(
    weights: Sequence[int], neighbours: Neighbours, least: int, most: int
) -> dict[int, list[int]]:
    """Return every possible root and the nodes that may be in its part, ascending.

    They are reached from it, through nodes that it is root of, by a path of at most
    `most`; together they weigh `least`.
    """
    order = sorted(range(len(weights)), key=lambda v: (-weights[v], v))
    later = set(order)
    found: dict[int, list[int]] = {}
    for j in order:
        within = _within(weights, neighbours, j, later, most)
        if sum(weights[i] for i in within) >= least:
            found[j] = sorted(within)
        later.remove(j)
    return dict(sorted(found.items()))


def rooted_model(
    weights: Sequence[int],
    neighbours: Neighbours,
    least: int,
    most: int,
    parts: int | None = None,
    *,
    minimise: bool = False,
) -> Encoding:
    """Return the model of roots, parents and levels."""
    rooted = _Roots(weights, neighbours, least, most, parts, minimise)
    n, x, builder = len(weights), rooted.x, rooted.builder
    level = [builder.variable(0, n - 1, 0, "level", i) for i in range(n)]
    parent: dict[tuple[int, int], int] = {}
    for i, homes in enumerate(rooted.homes):
        others = [j for j in homes if j != i]
        for u in neighbours[i]:
            if all((u, j) not in x for j in others):
                continue
            arc = parent[i, u] = builder.variable(0, 1, 0, "p", i, u)
            builder.row([level[i], level[u], arc], [1, -1, -n], at_least=1 - n)
            for j in others:
                if (u, j) in x:
                    builder.row([arc, x[i, j], x[u, j]], [1, 1, -1], at_most=1)
                else:
                    builder.row([arc, x[i, j]], at_most=1)
        arcs = [parent[i, u] for u in neighbours[i] if (i, u) in parent]
        builder.equation([*arcs, *([x[i, i]] if (i, i) in x else [])], 1, 1)

    def entries(tree: Mapping[int, tuple[int, int]], _root: int) -> Entries:
        for i, (u, depth) in tree.items():
            yield level[i], depth
            yield parent[i, u], 1

    return rooted.encoding(entries)


def flow_model(
    weights: Sequence[int],
    neighbours: Neighbours,
    least: int,
    most: int,
    parts: int | None = None,
    *,
    minimise: bool = False,
) -> Encoding:
    """Return the model of roots and flows."""
    rooted = _Roots(weights, neighbours, least, most, parts, minimise)
    x, builder = rooted.x, rooted.builder
    flow: dict[tuple[int, int, int], int] = {}
    for j, within in rooted.within.items():
        units = len(within) - 1
        for i in within:
            for u in neighbours[i]:
                if i != j and (u, j) in x:
                    flow[i, u, j] = builder.variable(0, units, 0, "f", i, u, j)
        for i in within:
            if i == j:
                continue
            around = [u for u in neighbours[i] if (u, j) in x]
            into = [flow[i, u, j] for u in around]
            out = [flow[u, i, j] for u in around if u != j]
            factors = [1] * len(into) + [-1] * len(out) + [-1]
            builder.equation([*into, *out, x[i, j]], factors, 0)
            builder.row([*into, x[i, j]], [1] * len(into) + [-units], at_most=0)

    def entries(tree: Mapping[int, tuple[int, int]], root: int) -> Entries:
        for i in tree:
            while i != root:
                u = tree[i][0]
                yield flow[i, u, root], 1
                i = u

    return rooted.encoding(entries)


def listed_model(
    n: int, sets: Iterable[Sequence[int]], parts: int | None = None
) -> Encoding:
    """Return the model of partitions of n nodes into listed sets."""
    groups = [Group(tuple(nodes), 0) for nodes in sets]
    number = Parts(0, n) if parts is None else Parts(parts, parts)
    return set_partition(groups, Kinds.apart([0] * n), number)


def connected_sets(
    weights: Sequence[int], neighbours: Neighbours, least: int, most: int, limit: int
) -> list[list[int]] | None:
    """Return all connected sets that weigh from `least` to `most`.

    None if more than `limit` are connected and weigh at most `most`. Every set is
    reached once, from its first node, by deciding on one neighbour after the other.
    """
    around = [sum(1 << v for v in found) for found in neighbours]
    found: list[list[int]] = []
    seen = 0
    for first, weight in enumerate(weights):
        if weight > most:
            continue
        later = -1 << (first + 1)
        # The set and its weight, the neighbours to decide on, all decided against.
        stack = [(1 << first, weight, around[first] & later, 0)]
        while stack:
            inside, weighs, ends, out = stack.pop()
            if not ends:
                seen += 1
                if seen > limit:
                    return None
                if weighs >= least:
                    found.append(list(members(inside)))
                continue
            end = ends & -ends
            v = end.bit_length() - 1
            stack.append((inside, weighs, ends ^ end, out | end))
            if weighs + weights[v] <= most:
                more = around[v] & later & ~inside & ~out
                stack.append(
                    (inside | end, weighs + weights[v], ends ^ end | more, out)
                )
    return found


class _Roots:
    """The shared variables and rows of the compact models.

    Attributes
    ----------
    builder
        Takes the rows of how parts are connected.
    within
        The nodes that may be in the part of every possible root.
    x
        The variable of every node and root that may be together.
    homes
        The roots in whose parts a node may be.
    """

    def __init__(
        self,
        weights: Sequence[int],
        neighbours: Neighbours,
        least: int,
        most: int,
        parts: int | None,
        minimise: bool,
    ) -> None:
        self._weights, self._neighbours = weights, neighbours
        self.builder = builder = LinearModelBuilder()
        self.within = roots(weights, neighbours, least, most)
        self.x = {
            (i, j): builder.variable(0, 1, 0, "x", i, j)
            for j, within in self.within.items()
            for i in within
        }
        self.homes: list[list[int]] = [[] for _ in weights]
        for i, j in self.x:
            self.homes[i].append(j)
        for i, homes in enumerate(self.homes):
            builder.equation([self.x[i, j] for j in homes], 1, 1)
        self._heaviest: int | None = None
        if minimise:
            floor = max((least, *weights)) if weights else 0
            self._heaviest = builder.variable(floor, max(floor, most), 1, "K")
        for j, within in self.within.items():
            others = [i for i in within if i != j]
            for i in others:
                builder.row([self.x[i, j], self.x[j, j]], [1, -1], at_most=0)
            members = [self.x[i, j] for i in [j, *others]]
            own, *rest = (weights[i] for i in [j, *others])
            builder.row(members, [own - least, *rest], at_least=0)
            builder.row(members, [own - most, *rest], at_most=0)
            if self._heaviest is not None:
                builder.row([*members, self._heaviest], [own, *rest, -1], at_most=0)
        if parts is not None:
            builder.equation([self.x[j, j] for j in self.within], 1, parts)

    def encoding(
        self, entries: Callable[[Mapping[int, tuple[int, int]], int], Entries]
    ) -> Encoding:
        """Return the encoding, given the entries of a spanning tree of a part."""
        model = self.builder.build()

        def decode(values: IntArray) -> list[list[int]]:
            parts = (
                [i for i in within if values[self.x[i, j]]]
                for j, within in self.within.items()
            )
            return [part for part in parts if part]

        def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
            ones: list[tuple[int, int]] = []
            for group in groups:
                j = max(group, key=lambda v: (self._weights[v], -v))
                if any((i, j) not in self.x for i in group):
                    return None
                ones += ((self.x[i, j], 1) for i in group)
                ones += entries(_tree(self._neighbours, group, j), j)
            if self._heaviest is not None:
                sums = (sum(self._weights[i] for i in group) for group in groups)
                ones.append((self._heaviest, max(sums, default=0)))
            return point(model.columns, ones)

        return Encoding.of_groups(model, decode, encode)


def _within(
    weights: Sequence[int],
    neighbours: Neighbours,
    root: int,
    allowed: set[int],
    most: int,
) -> dict[int, int]:
    """Return the allowed nodes on paths of at most `most` from a root, with weights."""
    reached: dict[int, int] = {}
    heap = [(weights[root], root)]
    while heap:
        distance, v = heappop(heap)
        if distance > most:
            break
        if v in reached:
            continue
        reached[v] = distance
        for u in neighbours[v]:
            if u in allowed and u not in reached:
                heappush(heap, (distance + weights[u], u))
    return reached


def _tree(
    neighbours: Neighbours, part: Iterable[int], root: int
) -> dict[int, tuple[int, int]]:
    """Return the parent and the depth of every other node of a part, breadth first."""
    left = set(part) - {root}
    found: dict[int, tuple[int, int]] = {}
    queue = [(root, 0)]
    for v, depth in queue:
        for u in neighbours[v]:
            if u in left:
                left.remove(u)
                found[u] = v, depth + 1
                queue.append((u, depth + 1))
    return found


def whole_levels(instance: ConnectedPartition) -> Encoding:
    """Nodes are assigned to roots, and parents lead to roots along levels.

    Variables: x_i_j, node i is in the part of root j, its heaviest node; p_i_u, the
    parent of node i is its neighbour u; level_i, how far node i is below its root; K,
    the heaviest part. With weights w_i:

    minimise    K
    subject to  sum_j x_i_j = 1,   x_i_j <= x_j_j          for all i, j,
                k x_j_j <= sum_i w_i x_i_j <= K            for every root j,
                sum_u p_i_u + x_i_i = 1                    for every node i,
                p_i_u + x_i_j - x_u_j <= 1                 for j other than i,
                level_i >= level_u + 1 - n (1 - p_i_u),
                0 <= level_i <= n - 1.
    """
    return _whole(rooted_model, instance)


def whole_flows(instance: ConnectedPartition) -> Encoding:
    """Nodes are assigned to roots, which send a unit to each [Shirabe05].

    Variables: x_i_j, node i is in the part of root j, its heaviest node; f_i_u_j, what
    node i gets from its neighbour u of what root j sends; K, the heaviest part. With
    weights w_i, and at most m_j nodes in the part of root j:

    minimise    K
    subject to  sum_j x_i_j = 1,   x_i_j <= x_j_j          for all i, j,
                k x_j_j <= sum_i w_i x_i_j <= K            for every root j,
                sum_u f_i_u_j - sum_u f_u_i_j = x_i_j      for i other than j,
                sum_u f_i_u_j <= (m_j - 1) x_i_j           for i other than j.
    """
    return _whole(flow_model, instance)


def _whole(model: Callable[..., Encoding], instance: ConnectedPartition) -> Encoding:
    weights, neighbours = instance.weights, instance.neighbours
    return model(weights, neighbours, instance.k, instance.total, minimise=True)


FORMULATIONS: Final = (
    Formulation("levels", whole_levels),
    Formulation("flows", whole_flows),
)
