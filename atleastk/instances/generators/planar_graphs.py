"""Random planar graphs, and places in the plane where no edges cross.

References
----------
[Tutte63] W. T. Tutte, "How to draw a graph", Proceedings of the London Mathematical
Society 13, 1963.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from math import cos, pi, sin
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from atleastk.arrays import FloatArray, IntArray, distinct
from atleastk.packages import linalg, nx, sparse, spatial

Edge = tuple[int, int]
Place = tuple[float, float]

_SLACK: Final = 0.7
"""The factor of the weight of an edge one step farther from the border: not tuned."""


def triangulated(places: ArrayLike) -> IntArray:
    """Return the edges of the Delaunay triangulation; all pairs of up to 3 points.

    Each begins with its lesser node, and they ascend.
    """
    points = np.asarray(places, dtype=np.float64)
    n = len(points)
    if n <= 3:
        return np.array([*combinations(range(n), 2)], dtype=np.int64).reshape(-1, 2)
    corners = spatial.Delaunay(points).simplices
    sides = np.concatenate([corners[:, pair] for pair in combinations(range(3), 2)])
    keys = sides.min(axis=1).astype(np.int64) * n + sides.max(axis=1)
    return np.stack(np.divmod(distinct(keys), n), axis=1)


def dual_of_the_sphere(
    rng: random.Random, points: int
) -> tuple[list[Edge], list[list[float]]]:
    """Return the neighbours among triangles of uniform points, and flat places.

    The triangles around one point, of most triangles, are the border of the picture.
    """
    normal = np.array([[rng.gauss(0, 1) for _ in range(3)] for _ in range(points)])
    sphere = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    hull = spatial.ConvexHull(sphere)
    edges = sorted(
        (f, g)
        for f, around in enumerate(hull.neighbors.tolist())
        for g in around
        if f < g
    )
    corner = np.bincount(hull.simplices.ravel()).argmax()
    border = np.flatnonzero((hull.simplices == corner).any(axis=1)).tolist()
    graph = nx.Graph(edges)
    cycle = [u for u, _ in nx.find_cycle(graph.subgraph(border))]
    return edges, _balanced(graph, cycle).round(6).tolist()


def _balanced(graph: nx.Graph[int], border: Sequence[int]) -> FloatArray:
    """Put a cycle on a circle and all else in balance, see [Tutte63].

    If the cycle is a face of a 3-connected planar graph, no edges cross. Edges pull
    less the farther they are from the border, lest the middle be crowded.
    """
    n = len(graph)
    found = np.zeros((n, 2))
    found[border] = circle(len(border))
    away = nx.multi_source_dijkstra_path_length(graph, set(border))
    ends = np.array(graph.edges)
    pulls = [_SLACK ** min(away[u], away[v]) for u, v in graph.edges]
    forces: Any = sparse.coo_array((pulls, ends.T), shape=(n, n)).tocsr()
    forces += forces.T
    inner = np.setdiff1d(np.arange(n), border)
    held = sparse.diags_array(forces.sum(axis=1)[inner]) - forces[inner][:, inner]
    outward = forces[inner][:, border] @ found[border]
    found[inner] = linalg.spsolve(held.tocsc(), outward)
    return found


def circle(n: int, turned: float = 0.0) -> list[Place]:
    """Return n places on a circle, from its top, clockwise."""
    angles = [pi / 2 - 2 * pi * i / n - turned for i in range(n)]
    return [(round(cos(a), 6), round(sin(a), 6)) for a in angles]
