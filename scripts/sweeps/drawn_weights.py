"""Random sizes and maps of many shapes: bins, intervals, connected partitions."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

import networkx as nx

from atleastk import BinCovering, ConnectedPartition, IntervalCovering
from atleastk.instances.covering import Objective
from atleastk.instances.generators.planar_graphs import triangulated

OBJECTIVES: Final[Sequence[Objective]] = ("max", "excess", "quadratic")

Sizes = list[int]
Shape = Callable[[random.Random, int], Sizes]
Edges = list[tuple[int, int]]


def _uniform(rng: random.Random, n: int) -> Sizes:
    high = rng.choice([2, 5, 12, 100])
    return [rng.randint(1, high) for _ in range(n)]


def _duplicates(rng: random.Random, n: int) -> Sizes:
    palette = [rng.randint(1, 30) for _ in range(rng.randint(1, 3))]
    return [rng.choice(palette) for _ in range(n)]


def _heavy_and_light(rng: random.Random, n: int) -> Sizes:
    return [rng.choice([1, 2, 3, rng.randint(10, 40)]) for _ in range(n)]


def _near_a_multiple(rng: random.Random, n: int) -> Sizes:
    unit = rng.randint(2, 12)
    return [max(1, unit * rng.randint(1, 3) + rng.randint(-1, 1)) for _ in range(n)]


def _geometric(rng: random.Random, n: int) -> Sizes:
    return [2 ** rng.randint(0, 7) for _ in range(n)]


def _wide(rng: random.Random, n: int) -> Sizes:
    high = 10 ** rng.randint(3, 9)
    return [rng.randint(1, high) for _ in range(n)]


def _huge(rng: random.Random, n: int) -> Sizes:
    unit = 2 ** rng.choice([29, 30, 31, 53, 60, 61, 62, 63, 64, 90, 1100])
    return [unit * rng.randint(1, 6) + rng.randint(-1, 1) for _ in range(n)]


SHAPES: Mapping[str, Shape] = {
    "uniform": _uniform,
    "duplicates": _duplicates,
    "heavy and light": _heavy_and_light,
    "near a multiple": _near_a_multiple,
    "geometric": _geometric,
    "wide": _wide,
    "huge": _huge,
}
"""How the sizes of random instances are distributed."""


def random_bins(
    rng: random.Random,
    most_items: int = 8,
    shapes: Sequence[str] = tuple(SHAPES),
    objectives: Sequence[Objective] = OBJECTIVES,
) -> BinCovering:
    """Return an instance of a random shape; every k from 1 to beyond the total."""
    n = rng.choice([1, *range(2, most_items + 1), most_items])
    sizes = SHAPES[rng.choice(shapes)](rng, n)
    total, largest = sum(sizes), max(sizes)
    k = rng.choice(
        [
            1,
            rng.choice(sizes),
            largest + rng.randint(0, largest),
            max(1, total // rng.randint(1, n) + rng.randint(-1, 1)),
            rng.randint(1, total),
            total,
            total + 1,
        ]
    )
    return BinCovering(sizes, k, rng.choice(objectives))


def random_intervals(rng: random.Random) -> IntervalCovering:
    drawn = random_bins(rng)
    return IntervalCovering(drawn.sizes, drawn.k, drawn.objective)


def larger_intervals(rng: random.Random) -> IntervalCovering:
    drawn = larger_bins(rng)
    return IntervalCovering(drawn.sizes, drawn.k, drawn.objective)


def larger_bins(rng: random.Random) -> BinCovering:
    shape = rng.choice([shape for shape in SHAPES if shape != "huge"])
    sizes = SHAPES[shape](rng, rng.randint(11, 30))
    k = max(1, sum(sizes) // rng.randint(2, 8) - rng.randint(0, 3))
    return BinCovering(sizes, k, rng.choice(OBJECTIVES))


def random_map(rng: random.Random, n: int) -> ConnectedPartition:
    """Draw a graph of n nodes, their weights, and a k that may be too large."""
    edges = rng.choice(_GRAPHS)(rng, n)
    if rng.random() < 0.3:
        edges = [edge for edge in edges if rng.random() < 0.8]
    weights = rng.choice(_WEIGHTS)(rng, n)
    total = sum(weights)
    k = rng.choice(
        [
            1,
            rng.randint(1, max(1, total)),
            max(1, total // rng.randint(1, n + 1)),
            max([1, *weights]) + rng.randint(0, 2),
            max(1, sorted([0, *weights])[n // 2]),
        ]
    )
    return ConnectedPartition(weights, edges, k)


def _tree(rng: random.Random, n: int) -> Edges:
    return [(v, rng.randrange(v)) for v in range(1, n)]


def _path(rng: random.Random, n: int) -> Edges:
    return list(pairwise(rng.sample(range(n), n)))


def _cycle(rng: random.Random, n: int) -> Edges:
    order = rng.sample(range(n), n)
    return [*pairwise(order), *([(order[-1], order[0])] if n > 2 else [])]


def _grid(rng: random.Random, n: int) -> Edges:
    width = rng.randint(2, 4)
    across = [(i, i + 1) for i in range(n - 1) if (i + 1) % width]
    return across + [(i, i + width) for i in range(n - width)]


def _triangles(rng: random.Random, n: int) -> Edges:
    edges = triangulated([(rng.random(), rng.random()) for _ in range(n)])
    return [(u, v) for u, v in edges.tolist()]


def _star(rng: random.Random, n: int) -> Edges:
    rim = [(v, v + 1) for v in range(1, n - 1) if rng.random() < 0.5]
    return [(0, v) for v in range(1, n)] + rim


def _random(rng: random.Random, n: int) -> Edges:
    graph = nx.gnp_random_graph(n, rng.uniform(0.1, 1), seed=rng.randrange(2**32))
    return list(graph.edges)


_GRAPHS: Final[Sequence[Callable[[random.Random, int], Edges]]] = (
    _tree,
    _path,
    _cycle,
    _grid,
    _triangles,
    _triangles,
    _star,
    _random,
    _random,
)


def _up_to(rng: random.Random, n: int) -> list[int]:
    high = rng.choice([1, 2, 3, 6, 20, 1000, 10**6])
    least = rng.choice([0, 1])
    return [rng.randint(min(least, high), high) for _ in range(n)]


def _mostly_nothing(rng: random.Random, n: int) -> list[int]:
    return [rng.choice([0, 0, 0, 1, rng.randint(1, 9)]) for _ in range(n)]


def _few_heavy(rng: random.Random, n: int) -> list[int]:
    return [rng.choice([1, 2, 3, 3, 40, rng.randint(1, 100)]) for _ in range(n)]


def _equal(rng: random.Random, n: int) -> list[int]:
    return [rng.choice([1, 1, 7, 2**40])] * n


def _beyond(rng: random.Random, n: int) -> list[int]:
    scale = 2 ** rng.randint(28, 58)
    if rng.random() < 0.5:
        return [rng.randint(0, scale) for _ in range(n)]
    return [rng.randint(0, 4) * scale // 8 + rng.randint(0, 3) for _ in range(n)]


_WEIGHTS: Final[Sequence[Callable[[random.Random, int], list[int]]]] = (
    _up_to,
    _up_to,
    _up_to,
    _mostly_nothing,
    _few_heavy,
    _equal,
    _beyond,
)


def larger_map(rng: random.Random) -> ConnectedPartition:
    n = rng.randint(11, 22)
    edges = rng.choice([_grid, _triangles, _triangles, _tree])(rng, n)
    high = rng.choice([1, 5, 20, 1000])
    weights = [rng.randint(min(1, high), high) for _ in range(n)]
    return ConnectedPartition(weights, edges, max(1, sum(weights) // rng.randint(2, 6)))
