"""Distances in a graph: the lengths of shortest paths, exactly."""

from __future__ import annotations

from operator import index
from typing import Any

import networkx as nx

from atleastk.instances.errors import InvalidInstanceError

__all__ = ["shortest_paths"]


def shortest_paths(
    graph: nx.Graph[Any], weight: str = "weight"
) -> tuple[tuple[int | None, ...], ...]:
    """Return the distances between the nodes of a graph, in the order of its nodes.

    None stands for nodes that no path joins; an edge without a weight has length 1.
    In time O(n (m + n log n)).
    """
    if graph.is_directed():
        message = "graph: expected an undirected graph; distances are symmetric"
        raise InvalidInstanceError(message)
    for u, v, length in graph.edges(data=weight, default=1):
        whole = hasattr(length, "__index__") and not isinstance(length, bool)
        if not whole or index(length) < 0:
            message = (
                f"graph: edge {u!r} - {v!r}: expected a whole {weight} of at least 0, "
                f"got {length!r}"
            )
            raise InvalidInstanceError(message)
    nodes = list(graph.nodes)
    found = dict(nx.all_pairs_dijkstra_path_length(graph, weight=weight))
    return tuple(tuple(found[u].get(v) for v in nodes) for u in nodes)
