"""Rectangle tiling as a problem of tilings: a grid of one cell for each location."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import (
    counting_bound,
    required_cells,
    solution_of_boxes,
)
from atleastk.solvers.rectangle_tiling.first import first_answers, fitted
from atleastk.solvers.tilings.tiling import Tiling


def tiling_of(instance: RectangleTiling) -> Tiling:
    """Return the tiling of an instance; its grid is made when it is needed."""
    weighty = {cell for cell, _ in _placed(instance)}
    feasible = instance.total >= instance.k
    return Tiling(
        shape=(len(instance.xs), len(instance.ys)),
        total=instance.total,
        k=instance.k,
        fewest=1,
        most=min(instance.total // instance.k, len(weighty)),
        bound=counting_bound(instance) if feasible else 0,
        guillotine=instance.guillotine,
        weights=lambda: instance.grid,
        placed=partial(_places, instance),
        held=None if instance.cover == "plane" else partial(required_cells, instance),
        first=partial(first_answers, instance),
        read=partial(solution_of_boxes, instance),
        fitted=partial(fitted, instance),
    )


def _placed(instance: RectangleTiling) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the cells and weights of the points that weigh anything."""
    for cell, (_, _, weight) in zip(instance.cells, instance.points, strict=True):
        if weight:
            yield cell, weight


def _places(instance: RectangleTiling) -> tuple[IntArray, IntArray]:
    placed = [*_placed(instance)]
    cells = np.array([cell for cell, _ in placed], dtype=np.int64).reshape(-1, 2)
    return cells, np.array([weight for _, weight in placed], dtype=np.int64)
