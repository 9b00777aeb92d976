"""Random points, distances and grids of many shapes: clusterings and tilings."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Final

import networkx as nx

from atleastk import CellularClustering, RectangleTilingGrid, RGather
from atleastk.instances.clustering import CENTRES, Clustering
from atleastk.instances.rectangle_tiling import COVERS, RectangleTiling
from atleastk.instances.spaces.graph_distances import shortest_paths

Rows = list[list[int]]
Fields = dict[str, Any]
Place = tuple[int, int]

METRIC_SHAPES: Final = ("plane", "line", "graph", "hamming", "two values", "tree")
"""What obeys the triangle inequality, and has no point out of reach."""


def _plane(rng: random.Random, n: int) -> Fields:
    high = rng.choice([3, 6, 20, 1000])
    points = [[rng.randrange(high), rng.randrange(high)] for _ in range(n)]
    return {"points": points, "metric": rng.choice([None, "euclidean", "manhattan"])}


def _line(rng: random.Random, n: int) -> Fields:
    high = rng.choice([4, 10, 1000])
    return {"points": [[rng.randrange(high)] for _ in range(n)], "metric": "manhattan"}


def _graph(rng: random.Random, n: int) -> Fields:
    graph = nx.gnp_random_graph(n, rng.uniform(0.2, 0.7), seed=rng.randrange(2**32))
    nx.add_path(graph, rng.sample(range(n), n))
    return {"distances": _lengths(rng, graph)}


def _tree(rng: random.Random, n: int) -> Fields:
    graph: nx.Graph[int] = nx.empty_graph(n)
    graph.add_edges_from((v, rng.randrange(v)) for v in range(1, n))
    return {"distances": _lengths(rng, graph)}


def _lengths(rng: random.Random, graph: nx.Graph[int]) -> Any:
    longest = rng.choice([1, 2, 5, 20])
    for _, _, edge in graph.edges(data=True):
        edge["weight"] = rng.randint(rng.choice([0, 1]) if longest > 2 else 1, longest)
    return shortest_paths(graph)


def _hamming(rng: random.Random, n: int) -> Fields:
    columns, values = rng.randint(1, 6), rng.randint(2, 3)
    rows = [[rng.randrange(values) for _ in range(columns)] for _ in range(n)]
    return {"points": rows, "metric": "hamming"}


def _two_values(rng: random.Random, n: int) -> Fields:
    share = rng.random()
    return _matrix(n, lambda: 1 if rng.random() < share else 2)


def _sphere(rng: random.Random, n: int) -> Fields:
    degrees = [[rng.uniform(-90, 90), rng.uniform(-180, 180)] for _ in range(n)]
    return {"points": degrees, "metric": "great-circle"}


def _wild(rng: random.Random, n: int) -> Fields:
    """Return distances that need not obey the triangle inequality."""
    high = rng.choice([2, 5, 100])
    return _matrix(n, lambda: rng.randint(0, high))


def _apart(rng: random.Random, n: int) -> Fields:
    """Return distances some of which are missing."""
    share, high = rng.choice([0.1, 0.3, 0.6]), rng.choice([2, 9])
    return _matrix(n, lambda: None if rng.random() < share else rng.randint(0, high))


def _matrix(n: int, draw: Callable[[], int | None]) -> Fields:
    rows: list[list[int | None]] = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            rows[i][j] = rows[j][i] = draw()
    return {"distances": rows}


SHAPES: Mapping[str, Callable[[random.Random, int], Fields]] = {
    "plane": _plane,
    "line": _line,
    "graph": _graph,
    "hamming": _hamming,
    "two values": _two_values,
    "tree": _tree,
    "sphere": _sphere,
    "wild": _wild,
    "apart": _apart,
}


def random_clustering(
    rng: random.Random, problem: str, n: int, shapes: Sequence[str] = (*SHAPES,)
) -> Clustering:
    """Return an instance of n points, with limits and a reading of centres at random.

    A quarter of them have no limits; r may be too great.
    """
    fields = SHAPES[rng.choice(shapes)](rng, n) if n else {"distances": []}
    fields["r"] = rng.choice([1, 2, 2, 3, 3, 4, max(1, n // 2), max(1, n), n + 1])
    if rng.random() < 0.5:
        fields["max_outliers"] = rng.choice([0, 1, 1, 2, n // 2, n])
    if rng.random() < 0.4:
        fields["max_clusters"] = rng.randint(1, 3)
    fields["centres"] = rng.choice(CENTRES)
    if problem == "r-gather":
        return RGather(**fields)
    if fields.get("metric") in (None, "euclidean") and "points" in fields:
        fields["scale"] = rng.choice([None, 1, 10])
    if rng.random() < 0.5 and fields["centres"] != "any":
        most = rng.choice([1, 5, 30])
        fields["facility_costs"] = [rng.randint(0, most) for _ in range(n)]
    return CellularClustering(**fields)


def larger_clustering(rng: random.Random, problem: str) -> Clustering:
    return random_clustering(rng, problem, rng.randint(10, 24))


MOST_CELLS: Final = 16
"""Of small tilings."""


def random_tiling(rng: random.Random) -> RectangleTiling:
    """Draw points on at most 16 cells, k, and what counts as a tiling."""
    places = rng.choice(_SPREADS)(rng)
    draw = rng.choice(_WEIGHTS)(rng)
    points = [(x, y, draw()) for x, y in places]
    total = sum(weight for _, _, weight in points)
    k = rng.choice(
        [
            rng.randint(1, 4),
            max(1, total // rng.randint(1, len(points) + 1)),
            max(1, total // rng.randint(2, 5)),
            max([1, *(weight for _, _, weight in points)]),
            total + 1,
        ]
    )
    cover = rng.choice(COVERS)
    guillotine = cover == "plane" and rng.random() < 0.25
    return RectangleTiling(points, k, cover=cover, guillotine=guillotine)


def random_grid(rng: random.Random) -> RectangleTilingGrid:
    """Draw weights of at most 16 cells, and p."""
    rows, columns = _sides(rng)
    draw = rng.choice(_WEIGHTS)(rng)
    grid = [[draw() for _ in range(columns)] for _ in range(rows)]
    p = rng.choice([1, 2, 3, 4, rng.randint(1, rows * columns + 1)])
    return RectangleTilingGrid(grid, p, guillotine=rng.random() < 0.25)


def _sides(rng: random.Random) -> Place:
    rows = rng.randint(1, 5)
    return rows, rng.randint(1, min(6, MOST_CELLS // rows))


def _scattered(rng: random.Random) -> list[Place]:
    rows, columns = _sides(rng)
    count = rng.randint(0, 12)
    return [(rng.randrange(rows), rng.randrange(columns)) for _ in range(count)]


def _in_general_position(rng: random.Random) -> list[Place]:
    n = rng.randint(1, 4)
    return [*zip(rng.sample(range(n), n), range(n), strict=True)]


def _in_a_line(rng: random.Random) -> list[Place]:
    across = rng.random() < 0.5
    places = [rng.randrange(10) for _ in range(rng.randint(1, 10))]
    return [(0, at) if across else (at, 0) for at in places]


def _full(rng: random.Random) -> list[Place]:
    rows, columns = _sides(rng)
    return [*product(range(rows), range(columns))]


_SPREADS: Final[Sequence[Callable[[random.Random], list[Place]]]] = (
    _scattered,
    _scattered,
    _in_general_position,
    _in_a_line,
    _full,
    _full,
)


def _up_to(rng: random.Random) -> Callable[[], int]:
    low, high = rng.choice([0, 1]), rng.choice([1, 3, 9, 20, 1000])
    return lambda: rng.randint(low, high)


def _mostly_nothing(rng: random.Random) -> Callable[[], int]:
    return lambda: rng.choice([0, 0, 0, 1, rng.randint(1, 9)])


def _huge(rng: random.Random) -> Callable[[], int]:
    scale = 2 ** rng.randint(28, 57)
    return lambda: rng.randint(0, scale)


_WEIGHTS: Final[Sequence[Callable[[random.Random], Callable[[], int]]]] = (
    _up_to,
    _up_to,
    _up_to,
    _mostly_nothing,
    _huge,
)


def larger_tiling(rng: random.Random) -> RectangleTiling:
    side, n = rng.randint(5, 9), rng.randint(10, 24)
    high = rng.choice([1, 9, 20])
    points = [
        (rng.randrange(side), rng.randrange(side), rng.randint(1, high))
        for _ in range(n)
    ]
    k = max(1, sum(weight for _, _, weight in points) // rng.randint(3, 8))
    return RectangleTiling(points, k, cover=rng.choice(COVERS))


def larger_grid(rng: random.Random) -> RectangleTilingGrid:
    rows, columns = rng.randint(4, 7), rng.randint(4, 7)
    high = rng.choice([1, 9])
    grid = [[rng.randint(0, high) for _ in range(columns)] for _ in range(rows)]
    return RectangleTilingGrid(grid, rng.randint(2, rows * columns // 2))
