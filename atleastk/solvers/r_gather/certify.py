"""Lower bounds of r-gather with certificates: counting, and weights of the points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates.cluster_trees import suits_trees
from atleastk.models.certificates.clustering import TOO_FEW, too_few
from atleastk.models.certificates.r_gather import question_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import (
    MOST_NEIGHBOURS,
    count_within,
    neighbourhoods,
)
from atleastk.solvers.clustering.trees import tree_of
from atleastk.solvers.r_gather.weights import refute

Certificate = Mapping[str, Any]


def certify(instance: RGather, bound: int | None, budget: Budget) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    The bound None stands for: nothing is feasible.
    """
    if bound is None and too_few(instance):
        return TOO_FEW
    if bound is not None and bound <= 0:
        return {"kind": "weights", "radius": -1, "weights": [], "most": 0}
    radius = _greatest_below(instance, FAR if bound is None else bound, budget)
    if radius is None or count_within(instance.space, radius) > MOST_NEIGHBOURS:
        return None
    near = neighbourhoods(instance.space, radius, budget)
    if budget.spent:  # rows may be missing
        return None
    found = refute(instance, radius, near, budget)
    if found is not None or not suits_trees(instance):
        return found
    tree = tree_of(question_of(instance, radius), budget)
    return None if tree is None else {"kind": "tree", "radius": radius, "tree": tree}


def _greatest_below(instance: RGather, bound: int, budget: Budget) -> int | None:
    """Return the greatest distance below a positive bound, 0 if there is none.

    None if the budget is spent before all are seen.
    """
    space = instance.space
    greatest = 0
    for start in range(0, space.n, space.at_a_time):
        if budget.spent:
            return None
        rows = np.arange(start, min(space.n, start + space.at_a_time))
        found = space.rows(rows)
        greatest = max(greatest, int(found[found < bound].max(initial=0)))
    return greatest
