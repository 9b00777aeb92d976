"""Distances in a graph: the lengths of shortest paths, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from atleastk.instances.fields.attributes import USUAL, Attribute, numbers_of
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.packages import nx

_USUAL_LENGTHS: Final = ("weight",)


def shortest_paths(
    graph: nx.Graph[Any], weight: Attribute = USUAL
) -> tuple[tuple[int | None, ...], ...]:
    """Return the distances between the nodes of a graph, in the order of its nodes.

    None stands for nodes that no path joins. Lengths of edges are in the attribute
    `weight`; all are 1 with None, and in a graph whose edges have no attributes. Of
    parallel edges the shortest counts; loops are left out. In time O(n (m + n log n)).
    """
    if graph.is_directed():
        raise InvalidInstanceError(
            "graph: expected an undirected graph, since distances are symmetric; "
            "graph.to_undirected() is one"
        )
    nodes = list(graph.nodes)
    found = dict(nx.all_pairs_dijkstra_path_length(_plain(graph, weight)))
    return tuple(tuple(found[u].get(v) for v in nodes) for u in nodes)


def _plain(graph: nx.Graph[Any], weight: Attribute) -> nx.Graph[Any]:
    """Return the graph with lengths of any magnitude and an edge for parallel ones."""
    edges: Sequence[tuple[Any, Any, dict[Any, Any]]] = list(graph.edges(data=True))
    items = [(f"edge {u!r} - {v!r}", data) for u, v, data in edges]
    lengths = numbers_of(items, weight, _USUAL_LENGTHS, "attribute of edges")
    plain: nx.Graph[Any] = nx.Graph()
    plain.add_nodes_from(graph.nodes)
    for (u, v, _), length in zip(edges, lengths, strict=True):
        if not plain.has_edge(u, v) or length < plain.edges[u, v]["weight"]:
            plain.add_edge(u, v, weight=length)
    return plain
