"""Lower bounds of cellular clustering with certificates: weights of the points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.certificates.cellular_clustering import (
    is_checkable,
    proven,
    question_of,
)
from atleastk.models.certificates.cluster_trees import suits_trees
from atleastk.models.certificates.clustering import TOO_FEW, too_few
from atleastk.models.certificates.weights import Prices
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.clusters import ClusterOracle
from atleastk.solvers.cellular_clustering.sites import above_all
from atleastk.solvers.clustering.trees import tree_of
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.master import Master

Certificate = Mapping[str, Any]

_QUICK: Final = 300
"""Points for which a certificate is read in a second."""


def certify(
    instance: CellularClustering, bound: int | None, budget: Budget
) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    The bound None stands for: nothing is feasible.
    """
    if too_few(instance):
        return TOO_FEW if bound is None else None
    if not is_checkable(instance):
        return None
    if bound is None or bound <= 0:
        nothing = Prices(1, np.zeros(instance.n, dtype=np.int64))
        found = certificate_of(instance, nothing, bound)
        return _tree(instance, None, budget) if found is None else found
    limit = above_all(instance)
    master = Master(ClusterOracle(instance, limit), limit, budget.seed)
    master.converge(budget)
    if master.proof.bound < bound:
        # with centres anywhere, those of the program may be less round than they cost
        known = None if instance.any_centre else master.groups
        return _tree(instance, bound, budget, known)
    return certificate_of(instance, master.proof.prices, bound)


def _tree(
    instance: CellularClustering,
    bound: int | None,
    budget: Budget,
    known: Groups | None = None,
) -> Certificate | None:
    """Return a tree for a bound of at least 1, None if none was found."""
    if not suits_trees(instance):
        return None
    tree = tree_of(question_of(instance, bound), budget, known)
    return None if tree is None else {"kind": "tree", "tree": tree}


def certificate_of(
    instance: CellularClustering, prices: Prices, bound: int | None
) -> Certificate | None:
    """Return a certificate for a bound that the weights of some prices prove.

    None if there are too many points, or if reading it proves less. Of few points the
    scale is the coarsest of a few that still prove the bound.
    """
    if not is_checkable(instance):
        return None
    weights, scale = prices.weights, prices.scale
    coarser = scale.bit_length() if instance.n <= _QUICK else 0
    for bits in range(0, coarser, 4):
        ratio = max(1, scale >> bits)
        coarse = (weights + ratio // 2) // ratio
        if _holds(instance, coarse, scale // ratio, bound):
            return _written(coarse, scale // ratio)
    return _written(weights, scale) if _holds(instance, weights, scale, bound) else None


def quick_certificate_of(
    instance: CellularClustering, prices: Prices, bound: int
) -> Certificate | None:
    """Return a certificate as :func:`certificate_of` does, None if that takes long."""
    if instance.n > _QUICK:
        return None
    return certificate_of(instance, prices, bound)


def _holds(
    instance: CellularClustering, weights: IntArray, scale: int, bound: int | None
) -> bool:
    proved = proven(instance, weights, scale)
    return proved is None or (bound is not None and proved >= bound)


def _written(weights: IntArray, scale: int) -> Certificate:
    return {"kind": "weights", "scale": scale, "weights": weights.tolist()}
