"""Colours of clusters, and of parts of a map: neighbours differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import FloatArray
from atleastk.packages import nx, spatial

Hues = NDArray[np.str_]

HUES: Final = (
    *("#3a7ca5", "#d98f2b", "#4f9d69", "#8e6bb0"),
    *("#2a9d9a", "#b5577b", "#8a7a3f", "#16425b"),
)

_NEAREST: Final = 6
"""The number of near places whose hues are avoided."""


def hues_apart(places: FloatArray) -> Hues:
    """Return a colour for every place, other ones than those of its nearest have."""
    ranks = [*range(1, min(_NEAREST + 1, len(places)) + 1)]
    near = np.asarray(spatial.KDTree(places).query(places, k=ranks)[1] if ranks else [])
    pairs = ((i, j) for i, row in enumerate(near.tolist()) for j in row if j != i)
    return np.array(hues_of(len(places), pairs), dtype=np.str_)


def hues_of(parts: int, borders: Iterable[tuple[int, int]]) -> list[str]:
    """Return a colour for every part; those with a common border differ.

    Parts with few neighbours are coloured last, which takes at most six colours for a
    planar map; all are used about as often. Of a map that is not planar, neighbours may
    be alike if all colours are taken.
    """
    graph: nx.Graph[int] = nx.empty_graph(parts)
    graph.add_edges_from(borders)
    used = [0] * len(HUES)
    found: dict[int, int] = {}
    for part in nx.coloring.strategy_smallest_last(graph, None):
        taken = {found[other] for other in graph[part] if other in found}
        hues = [hue for hue in range(len(HUES)) if hue not in taken] or range(len(HUES))
        best = min(hues, key=lambda hue: (used[hue], hue))
        found[part] = best
        used[best] += 1
    return [HUES[found[part]] for part in range(parts)]
