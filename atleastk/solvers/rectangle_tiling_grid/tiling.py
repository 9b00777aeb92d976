"""RTILE as a problem of tilings: boxes of any weight.

Fewer boxes than p can be split until there are p, or one for every cell: that many are
asked for.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.solvers.rectangle_tiling_grid.first import first_answers
from atleastk.solvers.tilings.tiling import Tiling


def tiling_of(instance: RectangleTilingGrid) -> Tiling:
    """Return the tiling of an instance."""
    parts = min(instance.p, instance.n)
    heaviest = int(instance.weights.max(initial=0))
    return Tiling(
        shape=(instance.rows, instance.columns),
        total=instance.total,
        k=0,
        fewest=parts,
        most=parts,
        bound=max(heaviest, -(-instance.total // instance.p)),
        guillotine=instance.guillotine,
        weights=lambda: instance.weights,
        placed=partial(_placed, instance),
        held=None,
        first=partial(first_answers, instance),
        read=partial(solution_of_boxes, instance),
        fitted=lambda solution: solution,
    )


def _placed(instance: RectangleTilingGrid) -> tuple[IntArray, IntArray]:
    weights = instance.weights
    return np.argwhere(weights), weights[weights > 0]
