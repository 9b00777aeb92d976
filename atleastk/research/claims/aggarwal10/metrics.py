"""Few points of a metric, as trials of [Aggarwal10] draw them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from atleastk.packages import nx

Distances = Sequence[Sequence[int]]
DRAWN: Final = "points of a line, grid, graph or cube of bits, 4 to 9 of them"
"""What is drawn of metrics, in words."""


def small_metric(rng: Random) -> dict[str, Any]:
    """Draw few points of an integer metric, as an instance takes them."""
    n = rng.randint(4, 9)
    if rng.random() < 0.3:
        graph = nx.path_graph(n)
        graph.add_edges_from(rng.sample(range(n), 2) for _ in range(3))
        for edge in graph.edges:
            graph.edges[edge]["weight"] = rng.randint(1, 4)
        lengths = dict(nx.all_pairs_dijkstra_path_length(graph))
        return {"distances": [[lengths[i][j] for j in range(n)] for i in range(n)]}
    side, wide = rng.choice([(9, 1), (4, 2), (1, 4)])
    points = [[rng.randint(0, side) for _ in range(wide)] for _ in range(n)]
    return {"points": points, "metric": "manhattan"}
