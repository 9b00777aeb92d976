"""Connected partition: the instance.

Definition [Du09, section 2]
----------------------------
Given a graph whose nodes have weights of at least 0, and k >= 1, partition the nodes
into parts that are connected and weigh at least k each, so that the heaviest part is as
light as possible. The number of parts is free. Zip codes, counties or tracts are nodes,
records or inhabitants are weights, and neighbours share an edge. The paper asks for
planar graphs; here any graph will do, and whether it is planar is reported.

Components of the graph are independent: the optimum is the greatest of theirs, and
there is none if one of them weighs less than k. A node of weight k or more need not be
a part of its own: it may have to take in light neighbours.

Complexity
----------
NP-complete for planar 3-regular graphs, unit weights and k = 3; no ratio below 4/3
unless P = NP [Du09, Theorem 3].

References
----------
[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from sys import float_info
from typing import Any, ClassVar, Final, Self

import numpy as np

from atleastk.arrays import IntArray, fresh
from atleastk.instances.fields.attributes import (
    USUAL,
    USUAL_WEIGHTS,
    Attribute,
    numbers_of,
)
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, TEXTS, WHOLES
from atleastk.instances.fields.shapes import (
    Integer,
    IntegerRows,
    ListOf,
    Number,
    NumberCell,
    Table,
    are_plain,
    shown,
)
from atleastk.instances.instance import Instance, shaped
from atleastk.packages import nx

MOST_WEIGHT: Final = 2**62
"""The most that all weights may add up to, so that twice the sum fits 64 bits."""


@dataclass(frozen=True)
class ConnectedPartition(Instance):
    """Partition a graph into connected parts of at least k; minimise the heaviest.

    Attributes
    ----------
    weights
        The weight of every node 0..n-1.
    edges
        Pairs of nodes.
    k
        The least weight of a part.
    labels, positions
        The names and coordinates of nodes, for pictures and tables.

    Examples
    --------
    >>> edges = [[0, 1], [1, 2]]
    >>> path = atleastk.ConnectedPartition(weights=[4, 1, 5], edges=edges, k=5)
    >>> atleastk.solve(path).groups
    ((0, 1), (2,))
    """

    problem: ClassVar[str] = "connected-partition"
    always_nested: ClassVar[bool] = True

    weights: Sequence[int] = field(metadata=WHOLES)
    edges: Sequence[Sequence[int]] = field(
        metadata=shaped(IntegerRows(ListOf(Integer(minimum=0))))
    )
    k: int = field(metadata=COUNT)
    labels: Sequence[str] | None = field(default=None, metadata=TEXTS, compare=False)
    positions: Sequence[Sequence[float]] | None = field(
        default=None, metadata=shaped(Table(NumberCell())), compare=False
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not _all_join(self.edges, self.n):
            i, edge = next(
                (i, edge)
                for i, edge in enumerate(self.edges)
                if not _all_join([edge], self.n)
            )
            raise InvalidInstanceError(
                f"edges[{i}]: expected two different nodes of 0..{self.n - 1}, got "
                f"{list(edge)}"
            )
        if self.total > MOST_WEIGHT:
            raise InvalidInstanceError(
                "weights: they add up to more than 2**62; take larger units"
            )
        self.expect_for_each(self.n, "nodes", "labels", "positions")
        positions = self.positions or ()
        for i, position in enumerate(() if _are_places(positions) else positions):
            finite = (
                isinstance(x, int | float) and abs(x) <= float_info.max
                for x in position
            )
            if len(position) != 2 or not all(finite):
                got = shown(list(position))
                raise InvalidInstanceError(
                    f"positions[{i}]: expected [x, y], finite numbers, got {got}"
                )

    @classmethod
    def of_graph(
        cls, graph: nx.Graph[Any], k: int, *, weight: Attribute = USUAL, **fields: Any
    ) -> Self:
        """Return the instance of a networkx graph, nodes in the order of the graph.

        Parallel edges count once and loops are left out. A directed graph has to have
        both directions of every edge.

        Parameters
        ----------
        weight
            The attribute of nodes with their weight, by default ``"weight"`` or
            ``"population"``. With None every node weighs 1, and so it does if nodes
            have no attributes at all.
        """
        items = [(f"node {node!r}", data) for node, data in graph.nodes(data=True)]
        weights = numbers_of(items, weight, USUAL_WEIGHTS, "attribute of nodes")
        number = {node: i for i, node in enumerate(graph.nodes)}
        pairs = dict.fromkeys(
            (number[u], number[v]) for u, v in graph.edges() if u != v
        )
        if graph.is_directed():
            nodes = list(graph.nodes)
            for u, v in pairs:
                if (v, u) not in pairs:
                    raise InvalidInstanceError(
                        f"graph: {nodes[u]!r} -> {nodes[v]!r} goes one way only; "
                        "neighbours are mutual, as in graph.to_undirected()"
                    )
        edges: dict[frozenset[int], tuple[int, int]] = {}
        for pair in pairs:
            edges.setdefault(frozenset(pair), pair)
        labels = fields.pop("labels", tuple(map(str, graph.nodes)))
        return cls(weights, tuple(edges.values()), k, labels=labels, **fields)

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.weights)

    @cached_property
    def total(self) -> int:
        """The weight of all nodes."""
        return sum(self.weights)

    @cached_property
    def amounts(self) -> IntArray:
        """The weight of every node, as an array."""
        return np.array(self.weights, dtype=np.int64)

    @cached_property
    def ends(self) -> tuple[IntArray, IntArray]:
        """Of every edge, one node and the other."""
        u, v = _pairs(self.edges).T
        return u.copy(), v.copy()

    @cached_property
    def adjacency(self) -> tuple[IntArray, IntArray]:
        """Starts and ends: the neighbours of v are ``ends[starts[v]:starts[v + 1]]``.

        They are ascending.
        """
        bits = self.n.bit_length()
        u, v = self.ends
        both = np.append(u << bits, v << bits)
        for half, other in zip(np.split(both, 2), (v, u), strict=True):
            half |= other
            half.sort()  # two runs are one in little time
        both.sort(kind="stable")
        if not (is_new := fresh(both)).all():
            both = both[is_new]
        starts = np.zeros(self.n + 1, dtype=np.int64)
        np.cumsum(np.bincount(both >> bits, minlength=self.n), out=starts[1:])
        both &= (1 << bits) - 1
        return starts, both

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of every node, ascending."""
        starts, ends = (row.tolist() for row in self.adjacency)
        return tuple(tuple(ends[a:b]) for a, b in pairwise(starts))

    @cached_property
    def graph(self) -> nx.Graph[int]:
        """The graph itself."""
        graph: nx.Graph[int] = nx.empty_graph(self.n)
        graph.add_edges_from((u, v) for u, v in self.edges)
        return graph

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        edges = len(self.adjacency[1]) // 2
        yield f"n={self.n} edges={edges} k={self.k} total={self.total}"


def _all_join(edges: Sequence[Sequence[int]], n: int) -> bool:
    """Tell whether all edges join two different nodes of 0 to n - 1."""
    if isinstance(edges, CodedTable):
        paired = edges.codes.shape[1] == 2
        return paired and bool((edges.codes < n).all() and np.diff(edges.codes).all())
    return all(len({*edge}) == len(edge) == 2 and max(edge) < n for edge in edges)


def _pairs(edges: Sequence[Sequence[int]]) -> IntArray:
    """Return edges as an array."""
    if isinstance(edges, CodedTable):
        return edges.codes.astype(np.int64, copy=False)
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _are_places(positions: Sequence[Sequence[float]]) -> bool:
    """Tell whether all positions are pairs of plain finite numbers."""
    if isinstance(positions, CodedTable):
        return bool(positions.codes.shape[1] == 2)
    pairs = set(map(len, positions)) <= {2}
    return pairs and are_plain(Number(), tuple(chain.from_iterable(positions)))
