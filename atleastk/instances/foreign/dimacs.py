"""DIMACS: graphs of colourings and cliques, whose nodes may have weights.

    c a comment
    p edge 4 3
    n 1 5
    e 1 2
    e 2 3
    e 3 4

Nodes without a line ``n`` weigh 1. Edges that come twice, as some files have them in
both directions, count once.
"""

from __future__ import annotations

from typing import Any

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.foreign.words import integer, lines_of

_MOST_NODES = 10_000_000
"""Nodes that a file may announce: a list of them takes 80 megabytes."""


def read_dimacs(path: AnyPath) -> dict[str, Any]:
    """Return the weights and edges of a graph; errors name the line."""
    weights: list[int] | None = None
    edges: dict[tuple[int, int], None] = {}
    for place, (kind, *words) in lines_of(path):
        if kind == "c":
            continue
        if kind == "p" and weights is None and len(words) == 3:
            nodes = integer(place, words[1])
            if not 1 <= nodes <= _MOST_NODES:
                raise InvalidInstanceError(
                    f"{place}: expected 1..{_MOST_NODES} nodes, got {nodes}"
                )
            weights = [1] * nodes
        elif weights is None or kind not in ("n", "e", "a") or len(words) < 2:
            raise InvalidInstanceError(
                f"{place}: expected p edge N M once, then n NODE WEIGHT and e U V"
            )
        else:
            first = _node(place, words[0], len(weights))
            if kind == "n":
                weights[first] = integer(place, words[1])
            else:
                second = _node(place, words[1], len(weights))
                edges[min(first, second), max(first, second)] = None
    if weights is None:
        raise InvalidInstanceError(f"{path}: no line p edge N M")
    return {"weights": weights, "edges": list(edges)}


def _node(place: str, word: str, nodes: int) -> int:
    node = integer(place, word)
    if not 1 <= node <= nodes:
        raise InvalidInstanceError(f"{place}: expected a node 1..{nodes}, got {node}")
    return node - 1
