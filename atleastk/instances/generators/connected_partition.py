"""Connected partition: families of generated graphs.

Random graphs take k itself or ``parts``: then k is the total weight divided by that,
rounded down, which leaves parts little room. Real maps are read by
:mod:`atleastk.instances.datasets.counties` and :mod:`atleastk.instances.datasets.maps`.

The two tight families make the algorithm of [Du09, Theorem 3] pay almost 4 and 3 times
the optimum, if it cuts the tree :func:`tight_tree` and the path of all nodes.
[Du09] as in :mod:`atleastk.instances.connected_partition`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import pi
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.counties import sample_counties
from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.generators.planar_graphs import (
    Edge,
    circle,
    dual_of_the_sphere,
    triangulated,
)
from atleastk.packages import nx

_SIDE: Final = 10_000
"""The side of the square in which points are drawn."""


def delaunay(
    seed: int, n: int = 40, w: int = 20, parts: int = 10, k: int | None = None
) -> ConnectedPartition:
    """Triangulate uniform points; nodes weigh 1..w."""
    at_least(1, n=n, w=w)
    rng = random.Random(seed)
    points = _places(rng, n)
    edges = CodedTable(triangulated(points))
    return _map(rng, edges, CodedTable(points), w, parts, k)


def grid(
    seed: int,
    rows: int = 6,
    columns: int = 7,
    w: int = 20,
    parts: int = 10,
    k: int | None = None,
) -> ConnectedPartition:
    """Join the neighbours in rows and columns; nodes weigh 1..w."""
    at_least(1, rows=rows, columns=columns)
    at_least(1, n=rows * columns, w=w)
    across = [(i, i + 1) for i in range(rows * columns) if (i + 1) % columns]
    down = [(i, i + columns) for i in range((rows - 1) * columns)]
    places = [(i % columns, rows - 1 - i // columns) for i in range(rows * columns)]
    return _map(random.Random(seed), across + down, places, w, parts, k)


def cubic(seed: int, n: int = 60, w: int = 1, k: int = 3) -> ConnectedPartition:
    """Take the dual of a triangulation of the sphere: hard for unit weights and k = 3.

    By n / 2 + 2 uniform points. It is planar, 3-connected and 3-regular; with unit
    weights and k = 3 it belongs to the class that is shown to be hard in [Du09, section
    2].
    """
    require(n >= 4 and n % 2 == 0, f"n: expected an even number from 4, got {n}")
    at_least(1, n=n, w=w)
    rng = random.Random(seed)
    edges, places = dual_of_the_sphere(rng, n // 2 + 2)
    return _map(rng, edges, places, w, None, k)


def wheel(
    seed: int, n: int = 20, w: int = 20, parts: int = 5, k: int | None = None
) -> ConnectedPartition:
    """Join a hub, node 0, to all nodes of a cycle; nodes weigh 1..w."""
    at_least(4, n=n)
    at_least(1, n=n, w=w)
    rim = list(range(1, n))
    edges = [(0, i) for i in rim] + _around(rim)
    places = [(0.0, 0.0), *circle(n - 1)]
    return _map(random.Random(seed), edges, places, w, parts, k)


def tree(
    seed: int, n: int = 30, w: int = 20, parts: int = 6, k: int | None = None
) -> ConnectedPartition:
    """Draw one of all trees on n nodes, each as likely; nodes weigh 1..w."""
    at_least(1, n=n, w=w)
    rng = random.Random(seed)
    drawn = nx.empty_graph(n)
    if n > 1:
        drawn = nx.from_prufer_sequence([rng.randrange(n) for _ in range(n - 2)])
    weights = _weights(rng, n, w)
    edges = sorted((min(edge), max(edge)) for edge in drawn.edges)
    return ConnectedPartition(weights, edges, _least(weights, parts, k))


def path(
    seed: int, n: int = 30, w: int = 20, parts: int = 6, k: int | None = None
) -> ConnectedPartition:
    """Join every node to the next; nodes weigh 1..w. It is interval covering."""
    at_least(1, n=n, w=w)
    places, edges = [(i, 0) for i in range(n)], list(pairwise(range(n)))
    return _map(random.Random(seed), edges, places, w, parts, k)


def mississippi(_seed: int, k: int = 100_000) -> ConnectedPartition:
    """Return the 82 counties of Mississippi with their inhabitants of 2020."""
    source = "US Census Bureau, public domain"
    return replace(sample_counties(k), source=source)


def tight_3_connected(_seed: int, k: int = 20) -> ConnectedPartition:
    """Truncate K4 at three of its corners: the optimum is k, cutting a tree 4k - 3.

    The nodes are the centre of weight k, and in each of three triangles a leaf of
    k - 1, a node of k and one of 1; see :func:`tight_tree`.
    """
    at_least(2, k=k)
    weights = [k, *[k - 1, k, 1] * 3]
    edges = [*tight_tree(), (1, 3), (4, 6), (7, 9), (3, 5), (6, 8), (9, 2)]
    inner = [(0.45 * x, 0.45 * y) for x, y in circle(3)]
    outer = circle(6, -pi / 6)
    places = [(0.0, 0.0)]
    for i in range(3):
        places += [inner[i], outer[2 * i], outer[2 * i + 1]]
    names = [f"{kind} {i}" for i in range(3) for kind in ("leaf", "heavy", "light")]
    labels = ["centre", *names]
    return ConnectedPartition(weights, edges, k, labels=labels, positions=places)


def tight_tree() -> list[Edge]:
    """Return the spanning tree of `tight_3_connected`, of degree 3, to be cut.

    Only pairs of a heavy and a light node come off, and the centre keeps three leaves.
    """
    return [edge for a in (1, 4, 7) for edge in ((0, a), (a, a + 1), (a + 1, a + 2))]


def tight_4_connected(_seed: int, k: int = 20) -> ConnectedPartition:
    """Return a double pyramid of 7 nodes: the optimum is k, cutting a path 3k - 2.

    In the order of a Hamiltonian path, to be cut, nodes weigh 1, k, k - 1, k, k - 1, k,
    1. Nodes 2 and 4 are the apices; only the ends of the path come off, two nodes each.
    """
    at_least(2, k=k)
    rim = [0, 1, 3, 5, 6]
    edges = _around(rim) + [(apex, i) for apex in (2, 4) for i in rim]
    places = [(-2, -1), (-1, 0.5), (0, 0), (0, 1), (0, 3), (1, 0.5), (2, -1)]
    weights = [1, k, k - 1, k, k - 1, k, 1]
    return ConnectedPartition(weights, edges, k, positions=places)


def tight_spider(
    _seed: int, k: int = 200, legs: int = 3, clique: int = 100
) -> ConnectedPartition:
    """Return a spider whose optimum is k, while cutting trees pays k + legs (k - 1).

    A centre of weight k has legs: a leaf of k - 1, joined to one of weight 1 and to a
    clique of weight k, which are joined, too. Of the few spanning trees that are good
    all first go from a leaf to the node of weight 1; from others only what hangs below
    the leaf, k + 1, comes off, and then the centre keeps all leaves. Nodes of the
    clique weigh 2, but for one.
    """
    at_least(1, legs=legs, clique=clique)
    require(k >= 2 * clique, f"k: expected at least 2 * clique = {2 * clique}, got {k}")
    weights, edges = [k], list[Edge]()
    for _ in range(legs):
        leaf = len(weights)
        weights += [k - 1, 1, *[2] * (clique - 1), k - 2 * (clique - 1)]
        edges += [(0, leaf), *combinations(range(leaf, len(weights)), 2)]
    return ConnectedPartition(weights, edges, k)


FAMILIES: Sequence[Family[ConnectedPartition]] = families(
    delaunay,
    grid,
    cubic,
    wheel,
    tree,
    path,
    mississippi,
    tight_3_connected,
    tight_4_connected,
    tight_spider,
)


def _around(nodes: Sequence[int]) -> list[Edge]:
    return [*pairwise(nodes), (nodes[-1], nodes[0])]


def _map(
    rng: random.Random,
    edges: Sequence[Sequence[int]],
    places: Sequence[Sequence[float]],
    w: int,
    parts: int | None,
    k: int | None,
) -> ConnectedPartition:
    """Return a map of nodes at these places, which weigh 1..w."""
    weights = _weights(rng, len(places), w)
    least = _least(weights, parts, k)
    return ConnectedPartition(weights, edges, least, positions=places)


def _places(rng: random.Random, n: int) -> IntArray:
    """Draw different places of a square."""
    drawn: dict[int, None] = {}
    while len(drawn) < n:
        drawn[_SIDE * rng.randrange(_SIDE) + rng.randrange(_SIDE)] = None
    return np.stack(np.divmod(np.fromiter(drawn, np.int64, n), _SIDE), axis=1)


def _weights(rng: random.Random, n: int, w: int) -> list[int]:
    return [rng.randint(1, w) for _ in range(n)]


def _least(weights: Sequence[int], parts: int | None, k: int | None) -> int:
    """Return k, or the weight divided by the number of parts."""
    total = sum(weights)
    if k is not None:
        good = isinstance(k, int) and 1 <= k <= total
        require(good, f"k: expected 1..{total}, got {k!r}")
        return k
    good = isinstance(parts, int) and 1 <= parts <= total
    require(good, f"parts: expected 1..{total}, or a k, got {parts!r}")
    assert parts is not None
    return total // parts
