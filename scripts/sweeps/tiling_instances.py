"""Random rectangle tilings and RTILE grids for the scripts that judge, and optima."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Final

from atleastk.instances.instance import Instance
from atleastk.instances.rectangle_tiling import COVERS, RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.solvers.brute_force import rectangle_tiling, rectangle_tiling_grid

__all__ = ["DRAWN", "LARGER", "OPTIMUM", "random_grid", "random_tiling"]

MOST_CELLS: Final = 16
"""Of small instances."""

Place = tuple[int, int]


def random_tiling(rng: random.Random) -> RectangleTiling:
    """Draw points on at most 16 cells, k, and what counts as a tiling."""
    places = rng.choice(_SHAPES)(rng)
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
    """Return places on few cells, some more than once."""
    rows, columns = _sides(rng)
    count = rng.randint(0, 12)
    return [(rng.randrange(rows), rng.randrange(columns)) for _ in range(count)]


def _apart(rng: random.Random) -> list[Place]:
    """Return places in general position."""
    n = rng.randint(1, 4)
    return [*zip(rng.sample(range(n), n), range(n), strict=True)]


def _line(rng: random.Random) -> list[Place]:
    across = rng.random() < 0.5
    places = [rng.randrange(10) for _ in range(rng.randint(1, 10))]
    return [(0, at) if across else (at, 0) for at in places]


def _full(rng: random.Random) -> list[Place]:
    rows, columns = _sides(rng)
    return [*product(range(rows), range(columns))]


_SHAPES: Final[Sequence[Callable[[random.Random], list[Place]]]] = (
    _scattered,
    _scattered,
    _apart,
    _line,
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


def _larger_tiling(rng: random.Random) -> RectangleTiling:
    """Draw points that cannot be enumerated, with room for a few rectangles."""
    side, n = rng.randint(5, 9), rng.randint(10, 24)
    high = rng.choice([1, 9, 20])
    points = [
        (rng.randrange(side), rng.randrange(side), rng.randint(1, high))
        for _ in range(n)
    ]
    total = sum(weight for _, _, weight in points)
    k = max(1, total // rng.randint(3, 8))
    return RectangleTiling(points, k, cover=rng.choice(COVERS))


def _larger_grid(rng: random.Random) -> RectangleTilingGrid:
    rows, columns = rng.randint(4, 7), rng.randint(4, 7)
    high = rng.choice([1, 9])
    grid = [[rng.randint(0, high) for _ in range(columns)] for _ in range(rows)]
    return RectangleTilingGrid(grid, rng.randint(2, rows * columns // 2))


def _optimum_of_tiling(instance: Any) -> int | None:
    best = rectangle_tiling.optimum(instance)
    return None if best is None else best[0]


def _optimum_of_grid(instance: Any) -> int | None:
    best = rectangle_tiling_grid.optimum(instance)
    return None if best is None else best[0]


DRAWN: Final[Mapping[str, Callable[[random.Random], Instance]]] = {
    "rectangle-tiling": random_tiling,
    "rectangle-tiling-grid": random_grid,
}
"""Small instances by problem."""

LARGER: Final[Mapping[str, Callable[[random.Random], Instance]]] = {
    "rectangle-tiling": _larger_tiling,
    "rectangle-tiling-grid": _larger_grid,
}
"""Instances that nobody can enumerate."""

OPTIMUM: Final[Mapping[str, Callable[[Any], int | None]]] = {
    "rectangle-tiling": _optimum_of_tiling,
    "rectangle-tiling-grid": _optimum_of_grid,
}
"""The least cost by enumeration; None if infeasible."""
