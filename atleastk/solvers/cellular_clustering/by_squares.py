"""Cellular clustering: clusters of many points by least squares, about near centres.

Annealing by squares (:mod:`~atleastk.solvers.clustering.point_search`) takes a tenth of
the time of a search by size times radius, and its clusters are good starts: after a
second 30,000 points, r = 3, are 16 % cheaper than in blocks. Any point may be a centre,
so every cluster has the best that a walk over near points finds: 3 % cheaper again.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import Int32Array
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.near_points import is_indexed, tree_of
from atleastk.models.clustering import solution_of
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import labels_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.blocks import least_size
from atleastk.solvers.clustering.neighbourhoods import MOST_NEAR, near_points
from atleastk.solvers.clustering.point_search import (
    centres_of,
    cooled,
    ground_of,
    near_in_all,
)
from atleastk.solvers.search import Search

_ROUNDS: Final = 30
"""Changes a point, without heat, which changed 0.2 %. With 10, 30 and 60 of them
100,000 points, r = 3, cost 312,022, 305,266 and 307,169 after 4 s of these and of local
search."""

_MOST: Final = 100
"""Near points of each, at most. Of 5,000 points, r = 60 or 250, clusters were as cheap
after 4 s as with all that their sizes ask for, and there was more time for bounds."""


def suits(instance: CellularClustering) -> bool:
    """Tell whether clusters pay for no centres, and are small among near points."""
    free = is_indexed(instance.space) and not instance.facilities.any()
    return free and _wanted(instance) * instance.n <= MOST_NEAR


def near_of(instance: CellularClustering, budget: Budget) -> Int32Array | None:
    """Return the near points of every point, which are kept for bounds, too."""
    return near_points(instance.space, min(_MOST, _wanted(instance)), budget)


def _wanted(instance: CellularClustering) -> int:
    """Return how many near points clusters of this size ask for."""
    return 1 + near_in_all(instance.n, least_size(instance))


def improve_by_squares(search: Search[CellularClustering], budget: Budget) -> None:
    """Improve the best clusters known, if they are of least size to twice that."""
    instance, solution = search.instance, search.solution
    least = least_size(instance)
    if solution is None or solution.ungrouped:
        return
    groups = PackedGroups.of(solution.groups)
    if groups.sizes.max() >= 2 * least or groups.sizes.min() < least:
        return
    near, tree = near_of(instance, budget), tree_of(instance.space)
    if near is None or tree is None:
        return
    points, order = np.asarray(tree.tree.data), np.asarray(tree.tree.indices)
    ground = ground_of(points, near, least, order)
    member = instance.centres == "member"

    def offer(groups: PackedGroups, source: str) -> None:
        centres: list[int] = []
        if not instance.any_centre:
            held = groups.items, groups.starts
            centres = centres_of(points, near, tree.norm, member, *held).tolist()
        search.offer(solution_of(groups, centres), source)

    offer(groups, "near centres")
    known = labels_of(groups, instance.n)
    rng = np.random.default_rng(budget.seed)
    labels = cooled(ground, known, 0.0, _ROUNDS, rng, budget)
    if labels is not None:
        offer(PackedGroups.labelled(labels), "squares")
