"""Lower bounds of diversity with certificates.

On attributes predictive tagging gives a certificate; on entries weights of records
prove a bound without the sensitive values, or a tree of weights proves one with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.diversity import Diversity
from atleastk.models.certificates.generalization import is_checkable
from atleastk.models.diversity import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.node_counts import minimise_by_tagging
from atleastk.solvers.generalization import certify as generalization
from atleastk.solvers.generalization.predictive_tagging import MOST_NODES
from atleastk.solvers.search import Proof, Search


def certify_less(instance: Diversity, bound: int, budget: Budget) -> Proof | None:
    """Return what weights without sensitive values certify quickly, up to a bound."""
    return generalization.certify_less(instance.relaxed, bound, budget)


def certify(
    instance: Diversity, bound: int | None, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate for a lower bound on the loss, or None if none was found.

    The bound None means that nothing is feasible.
    """
    search = Search(instance, check, budget)
    more = begin(search, "tagging")
    if search.infeasible or bound is None:
        proved = search.infeasible and bound is None
        return search.certificate if proved else None
    if instance.on == "entries":
        return generalization.certify_entries(
            instance.relaxed, bound, budget, diverse=instance
        )
    if not is_checkable(instance) or instance.nodes > MOST_NODES:
        return None
    if more:
        minimise_by_tagging(search, "tagging", certified=True)
    proved = search.bound is not None and search.bound >= bound
    return search.certificate if proved else None
