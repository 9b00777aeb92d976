"""Places of nodes: given positions, or a layout of the graph.

Components without positions are placed in rows, the largest first, each by the method
of Kamada and Kawai [KamadaKawai89], started at a planar drawing if there is one; large
ones by a spring layout.

References
----------
[KamadaKawai89] T. Kamada, S. Kawai, "An algorithm for drawing general undirected
graphs", Information Processing Letters 31, 1989.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.packages import nx

_MOST_MEASURED: Final = 500
"""The most nodes of a component for shortest paths, in time O(n^3): 1.6 s of 400."""

_STEEPEST: Final = 80.0
"""Greatest latitude in degrees, as the stretch is unbounded at the poles."""


def places_of(instance: ConnectedPartition) -> FloatArray:
    """Return a place across and up for every node."""
    if instance.positions is not None:
        return np.array(instance.positions, dtype=np.float64).reshape(-1, 2)
    places = np.zeros((instance.n, 2))
    pieces = sorted(
        map(sorted, nx.connected_components(instance.graph)), key=len, reverse=True
    )
    drawn = [_drawn(instance.graph, piece) for piece in pieces]
    sizes = [np.ptp(own, axis=0) + 1 for own in drawn]
    width = 1.3 * float(sum(size.prod() for size in sizes)) ** 0.5
    right = above = height = 0.0
    for piece, own, size in zip(pieces, drawn, sizes, strict=True):
        if right and right + size[0] > width:
            right, above, height = 0.0, above - height, 0.0
        places[piece] = own - [own[:, 0].min() - right, own[:, 1].max() - above]
        right, height = right + size[0], max(height, size[1])
    return places


def stretch_of(places: FloatArray) -> float:
    """Return the aspect ratio: the length of a unit upwards by that of one across.

    Degrees of longitude are shorter off the equator. Coordinates in the range of
    degrees are taken for degrees, unless they are integers.
    """
    if not len(places) or (places == places.round()).all():
        return 1.0
    if (np.abs(places) > [180, 90]).any():
        return 1.0
    middle = float(places[:, 1].min() + places[:, 1].max()) / 2
    return 1 / cos(radians(min(abs(middle), _STEEPEST)))


def _drawn(whole: nx.Graph[int], piece: Sequence[int]) -> FloatArray:
    """Return the places of a component, with neighbours at a distance of about 1."""
    n = len(piece)
    if n == 1:
        return np.zeros((1, 2))
    graph: nx.Graph[Any] = nx.relabel_nodes(
        whole.subgraph(piece), {node: i for i, node in enumerate(piece)}
    )
    planar, _ = nx.check_planarity(graph)
    start = nx.planar_layout(graph) if planar else nx.circular_layout(graph)
    if n <= _MOST_MEASURED:
        found = nx.kamada_kawai_layout(graph, pos=start)
    else:
        found = nx.spring_layout(graph, pos=start, seed=0)
    places = np.array([found[node] for node in range(n)])
    ends = np.array(list(graph.edges))
    lengths = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    return np.asarray((places - places.mean(axis=0)) / max(lengths.mean(), 1e-9))
