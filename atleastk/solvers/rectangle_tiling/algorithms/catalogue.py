"""Rectangle tiling: the approximation algorithms of [Du09].

kd-trees (Theorem 4)
    Cut a rectangle in two wherever both sides weigh at least k, until none can be cut.
    Cost <= kappa + 4 (k - 1) <= 5 OPT - 4, with kappa the greatest of k and the weight
    of a location: whichever cuts are taken. kappa is at most the optimum of either
    cover and of guillotine tilings, and a tiling of the plane serves all of them.

Guillotine
    The best tiling by straight cuts, so as good as any kd-tree; see
    :mod:`atleastk.solvers.tilings.guillotine`.

As printed
----------
The printed worst case of kd-trees is incomplete: four points of weight k - 1 around a
centre of weight k cost 5k - 4, but nothing costs less, as the box of any two of the
four holds the centre. With a point of weight 1 further out on every arm, and one of
weight k still further, the optimum is k, and 5k - 4 is reached if the outermost points
are cut off first, each with its neighbour. See the family ``tight-kd``.

References
----------
[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009,
section 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from atleastk.arrays import stable_order
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import solution_of_boxes, tiling_of
from atleastk.models.rectangles import RectanglesSolution
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.method import Algorithm
from atleastk.solvers.tilings import guillotine
from atleastk.solvers.tilings.kd_tree import Rule, kd_tree


def _ceiling(instance: RectangleTiling, _optimum: int) -> int:
    places: Counter[tuple[float, float]] = Counter()
    for x, y, weight in instance.points:
        places[x, y] += weight
    kappa = max([instance.k, *places.values()])
    return kappa + 4 * (instance.k - 1)


THEOREM_4 = Guarantee(
    statement="cost <= kappa + 4 (k - 1) <= 5 * OPT, kappa = max(k, heaviest location)",
    theorem="[Du09] Theorem 4",
    ceiling=_ceiling,
)


def kd_tiling(
    instance: RectangleTiling, rule: Rule, seed: int = 0
) -> RectanglesSolution:
    """Cut the plane as long as both sides weigh at least k."""
    if instance.n == 0:
        return RectanglesSolution(())
    homes, boxes = kd_tree(instance.cells, instance.amounts, instance.k, rule, seed)
    ends = np.cumsum(np.bincount(homes, minlength=len(boxes)))
    groups = PackedGroups(stable_order(homes), np.append(0, ends))
    return solution_of_boxes(instance, boxes, groups)


def _guillotine(instance: RectangleTiling, _seed: int) -> Solution:
    found = guillotine.guillotine_tiling(tiling_of(instance), Budget())
    return kd_tiling(instance, Rule.BALANCED) if found is None else found


def _kd(name: str, rule: Rule, cut: str) -> Algorithm[RectangleTiling]:
    return Algorithm(
        name,
        f"Cut while both sides weigh at least k, {cut}",
        lambda instance, seed: kd_tiling(instance, rule, seed),
        THEOREM_4,
    )


ALGORITHMS: Sequence[Algorithm[RectangleTiling]] = (
    _kd("kd-balanced", Rule.BALANCED, "where the heavier side is lightest"),
    _kd("kd-smallest-side", Rule.SMALLEST_SIDE, "where one side is lightest"),
    _kd("kd-alternating", Rule.ALTERNATING, "balanced, across the axes in turn"),
    _kd("kd-random", Rule.RANDOM, "anywhere"),
    Algorithm(
        "guillotine",
        "The best tiling by straight cuts; a dynamic program over all boxes",
        _guillotine,
        THEOREM_4,
        lambda instance: guillotine.refuses(tiling_of(instance)),
    ),
)
