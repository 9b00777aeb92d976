"""Sweep: connected partition against plain enumeration.

    python -m scripts.sweeps.connected_partition [--problem NAME] [--instances N] ...
    python -m scripts.sweeps.connected_partition --way NAME [--instances N] [--seed S]
    python -m scripts.sweeps.connected_partition --agree [--instances N] [--seconds T]

Without ``--agree`` every instance is small: graphs of at most nine nodes that are
trees, paths, cycles, grids, triangulated, dense, sparse or in pieces; weights may be 0,
equal, or as large as they may be, and nodes heavier than k. Each is enumerated, and
solved by the automatic choice or a method drawn at random, or by the one that is named.
Algorithms that take it have to keep their promise, and certificates are checked.

With ``--agree`` larger instances are solved by the automatic choice and by all methods
that take them; all that end with a proof must prove the same.

A mismatch is printed as one JSON object; the exit code is then 1. The same seed sweeps
the same.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import networkx as nx

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.generators.planar_graphs import triangulated
from atleastk.solvers.brute_force import connected_partition
from atleastk.solving import AUTO
from scripts.sweeps.sweep import (
    Told,
    agreed,
    broken_promise,
    fault,
    parser_of,
    sweep,
    ways,
)

Edges = list[tuple[int, int]]


def random_map(rng: random.Random, n: int) -> ConnectedPartition:
    """Draw a graph of n nodes, their weights, and a k that may be too large."""
    edges = rng.choice(_SHAPES)(rng, n)
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
    return triangulated([(rng.random(), rng.random()) for _ in range(n)])


def _star(rng: random.Random, n: int) -> Edges:
    rim = [(v, v + 1) for v in range(1, n - 1) if rng.random() < 0.5]
    return [(0, v) for v in range(1, n)] + rim


def _random(rng: random.Random, n: int) -> Edges:
    graph = nx.gnp_random_graph(n, rng.uniform(0.1, 1), seed=rng.randrange(2**32))
    return list(graph.edges)


_SHAPES: Final[Sequence[Callable[[random.Random, int], Edges]]] = (
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


def _uniform(rng: random.Random, n: int) -> list[int]:
    high = rng.choice([1, 2, 3, 6, 20, 1000, 10**6])
    least = rng.choice([0, 1])
    return [rng.randint(min(least, high), high) for _ in range(n)]


def _mostly_nothing(rng: random.Random, n: int) -> list[int]:
    return [rng.choice([0, 0, 0, 1, rng.randint(1, 9)]) for _ in range(n)]


def _few_heavy(rng: random.Random, n: int) -> list[int]:
    return [rng.choice([1, 2, 3, 3, 40, rng.randint(1, 100)]) for _ in range(n)]


def _equal(rng: random.Random, n: int) -> list[int]:
    return [rng.choice([1, 1, 7, 2**40])] * n


def _huge(rng: random.Random, n: int) -> list[int]:
    scale = 2 ** rng.randint(28, 58)
    if rng.random() < 0.5:
        return [rng.randint(0, scale) for _ in range(n)]
    return [rng.randint(0, 4) * scale // 8 + rng.randint(0, 3) for _ in range(n)]


_WEIGHTS: Final[Sequence[Callable[[random.Random, int], list[int]]]] = (
    _uniform,
    _uniform,
    _uniform,
    _mostly_nothing,
    _few_heavy,
    _equal,
    _huge,
)


def _larger_map(rng: random.Random, n: int) -> ConnectedPartition:
    """Draw a map that only methods of some wit can solve."""
    edges = rng.choice([_grid, _triangles, _triangles, _tree])(rng, n)
    high = rng.choice([1, 5, 20, 1000])
    weights = [rng.randint(min(1, high), high) for _ in range(n)]
    return ConnectedPartition(weights, edges, max(1, sum(weights) // rng.randint(2, 6)))


def _optimum_of_map(instance: Any) -> int | None:
    best = connected_partition.optimum(instance)
    return None if best is None else best[0]


DRAWN: Final[Mapping[str, Callable[[random.Random], Any]]] = {
    "connected-partition": lambda rng: random_map(
        rng, rng.choice([0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9])
    ),
}
"""Small instances by problem."""

LARGER: Final[Mapping[str, Callable[[random.Random], Any]]] = {
    "connected-partition": lambda rng: _larger_map(rng, rng.randint(11, 22)),
}
"""Instances that nobody can enumerate."""

OPTIMUM: Final[Mapping[str, Callable[[Any], int | None]]] = {
    "connected-partition": _optimum_of_map,
}
"""The least cost by enumeration; None if infeasible."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    parser = parser_of(__doc__, [*DRAWN])
    parser.add_argument("--way", help="a method, instead of any of them")
    chosen = parser.parse_args(arguments)
    drawn = LARGER if chosen.agree else DRAWN

    def judge(instance: Any, rng: random.Random) -> Told:
        if chosen.agree:
            return agreed(instance, chosen.seconds)
        return [_judged(instance, rng, chosen.way)]

    return sweep(chosen, [*DRAWN], lambda problem, rng: drawn[problem](rng), judge)


def _judged(
    instance: Any, rng: random.Random, way: str | None
) -> tuple[str, str | None]:
    known, seed = ways(instance), rng.randrange(2**31)
    drawn = AUTO if rng.random() < 0.3 else rng.choice([*known])
    name = drawn if way is None else way
    if name not in known:
        return f"{name}: refused", None
    best = OPTIMUM[instance.problem](instance)
    wrong = fault(instance, known[name], seed, best)
    if wrong is None and best is not None:
        wrong = broken_promise(instance, seed, best)
    return name, wrong


if __name__ == "__main__":
    sys.exit(main())
