"""Certificates of k-ambiguity: single columns, weights of the records, or a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import pattern_problem
from atleastk.models.k_ambiguity import needed_by_columns
from atleastk.solvers.budget import Budget
from atleastk.solvers.pattern_trees.tree import tree_certificate


def certify(
    instance: KAmbiguity, bound: int | None, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    The bound None means that nothing is feasible.
    """
    if instance.has_too_few:
        return {"kind": "count"} if bound is None else None
    if bound is None:
        return None
    if needed_by_columns(instance) >= bound:
        return {"kind": "columns"}
    return tree_certificate(pattern_problem(instance), bound, budget)
