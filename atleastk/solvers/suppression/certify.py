"""Certificates of suppression: weights of the records, or a tree of weights.

The weights of k-anonymity bound the entries, whatever the limits are. Where they do not
suffice, a tree refutes all cheaper assignments of rows to patterns within the limits:
:mod:`atleastk.models.certificates.pattern_trees`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.solvers.budget import Budget
from atleastk.solvers.pattern_trees.tree import tree_certificate
from atleastk.solvers.search import Proof
from atleastk.solvers.tables.weights import (
    SHARE,
    SHARE_OF_LESS,
    best_weights,
    weights_for,
)


def certify_less(instance: Suppression, bound: int, budget: Budget) -> Proof | None:
    """Return the bound on entries that weights certify quickly, up to `bound`."""
    if instance.minimise != "entries":
        return None
    plain = KAnonymity(instance.table, instance.k)
    return best_weights(plain, bound, budget.share(SHARE_OF_LESS))


def certify(
    instance: Suppression, bound: int | None, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    The bound None means that nothing is feasible.
    """
    if instance.has_too_few:
        return {"kind": "count"} if bound is None else None
    if bound is not None and instance.minimise == "entries":
        plain = KAnonymity(instance.table, instance.k)
        weights = weights_for(plain, bound, budget.share(SHARE))
        if weights is not None:
            return weights
    return tree_certificate(PatternProblem(instance), bound, budget)
