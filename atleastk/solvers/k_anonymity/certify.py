"""Certificates of k-anonymity: weights of the records, or a tree of weights."""

from __future__ import annotations

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import pattern_problem
from atleastk.solvers.budget import Budget
from atleastk.solvers.pattern_trees.tree import tree_certificate
from atleastk.solvers.search import Proof
from atleastk.solvers.tables.weights import (
    SHARE,
    SHARE_OF_LESS,
    Certificate,
    best_weights,
    weights_for,
)


def certify(
    instance: KAnonymity, bound: int | None, budget: Budget
) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    The bound None means that nothing is feasible.
    """
    if instance.has_too_few:
        return {"kind": "count"} if bound is None else None
    if bound is None:
        return None
    return weights_for(instance, bound, budget.share(SHARE)) or tree_certificate(
        pattern_problem(instance), bound, budget
    )


def certify_less(instance: KAnonymity, bound: int, budget: Budget) -> Proof | None:
    """Return what weights certify quickly, up to a bound."""
    return best_weights(instance, bound, budget.share(SHARE_OF_LESS))
