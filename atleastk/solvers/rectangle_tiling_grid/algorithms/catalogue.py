"""RTILE: the approximation algorithms.

Let kappa be the greatest of the heaviest cell and ceil(W / p), at most the optimum.

Slices, jagged tilings
    Cost <= 7/3 kappa; see
    :mod:`atleastk.solvers.rectangle_tiling_grid.algorithms.jagged_tiling`.

kd-trees
    Theorem 4 of [Du09] with k = ceil(W / p), or 1: rectangles that weigh at least k are
    at most p, and cost at most kappa + 4 (k - 1) <= 5 kappa.

Balanced cuts
    No promise; see
    :mod:`atleastk.solvers.rectangle_tiling_grid.algorithms.balanced_cuts`.

Guillotine
    The best tiling by straight cuts, so as good as all the others, which are such too.

All promises are of guillotine tilings too. Better ratios than 7/3 are known for tilings
at large, by other algorithms.

References
----------
[Khanna98] S. Khanna, S. Muthukrishnan, M. Paterson, "On approximating rectangle tiling
and packing", SODA 1998. [Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On
the Approximability of Geometric and Geographic Generalization and the Min-Max Bin
Covering Problem", 2009, section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes, tiling_of
from atleastk.models.rectangles import Box, RectanglesSolution, box_weights, prefix_sums
from atleastk.models.results.guarantee import Guarantee, Regardless
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.method import Algorithm
from atleastk.solvers.rectangle_tiling_grid.algorithms.balanced_cuts import (
    balanced_cuts,
)
from atleastk.solvers.rectangle_tiling_grid.algorithms.jagged_tiling import (
    jagged_tiling,
    least_possible,
    slices,
)
from atleastk.solvers.tilings import guillotine
from atleastk.solvers.tilings.kd_tree import Rule, kd_tree

Cutter = Callable[[IntArray, int], list[Box]]


def _kappa(instance: RectangleTilingGrid) -> int:
    if instance.n == 0:
        return 0
    return least_possible(prefix_sums(instance.weights), instance.p)


def _seven_thirds(instance: RectangleTilingGrid) -> Fraction:
    return Fraction(7, 3) * _kappa(instance)


def _fivefold(instance: RectangleTilingGrid) -> int:
    return 5 * _kappa(instance)


SEVEN_THIRDS = Guarantee(
    statement="cost <= 7/3 * max(heaviest cell, ceil(W / p)) <= 7/3 * OPT",
    theorem="the proof in algorithms/jagged_tiling.py",
    ceiling=Regardless(_seven_thirds),
)

THEOREM_4 = Guarantee(
    statement="cost <= 5 * max(heaviest cell, ceil(W / p)) <= 5 * OPT",
    theorem="[Du09] Theorem 4 with k = ceil(W / p)",
    ceiling=Regardless(_fivefold),
)


def _tiling(instance: RectangleTilingGrid, cut: Cutter) -> RectanglesSolution:
    """Cut a grid by rows and by columns, and take the better."""
    if instance.n == 0:
        return RectanglesSolution(())
    sums, p = prefix_sums(instance.weights), min(instance.p, instance.n)
    by_rows = cut(sums, p)
    by_columns = [(a, c, b, d) for c, a, d, b in cut(sums.T.copy(), p)]
    best = min(
        by_rows, by_columns, key=lambda boxes: box_weights(sums, np.array(boxes)).max()
    )
    return solution_of_boxes(instance, best)


def _kd_balanced(instance: RectangleTilingGrid, _seed: int) -> RectanglesSolution:
    if instance.n == 0:
        return RectanglesSolution(())
    cells = np.argwhere(instance.weights >= 0)
    k = max(1, -(-instance.total // instance.p))
    _, boxes = kd_tree(cells, instance.weights.ravel(), k, Rule.BALANCED)
    return solution_of_boxes(instance, boxes.tolist())


def _guillotine(instance: RectangleTilingGrid, _seed: int) -> Solution:
    found = guillotine.guillotine_tiling(tiling_of(instance), Budget())
    assert found is not None
    return found


ALGORITHMS: Sequence[Algorithm[RectangleTilingGrid]] = (
    Algorithm(
        "slices",
        "Thin slabs of rows or columns, each cut at the same weight; O(n log W)",
        lambda instance, _seed: _tiling(instance, slices),
        SEVEN_THIRDS,
    ),
    Algorithm(
        "jagged",
        "The best tiling by slabs of rows or columns; O(rows^2 columns log W)",
        lambda instance, _seed: _tiling(instance, jagged_tiling),
        SEVEN_THIRDS,
    ),
    Algorithm(
        "kd-balanced",
        "Cut while both sides weigh at least W / p, where the heavier is lightest",
        _kd_balanced,
        THEOREM_4,
    ),
    Algorithm(
        "balanced",
        "Cut in halves for floor(p / 2) and ceil(p / 2) rectangles, again and again",
        lambda instance, _seed: _tiling(instance, balanced_cuts),
    ),
    Algorithm(
        "guillotine",
        "The best tiling by straight cuts; a dynamic program over all boxes",
        _guillotine,
        SEVEN_THIRDS,
        lambda instance: guillotine.refuses(tiling_of(instance)),
    ),
)
