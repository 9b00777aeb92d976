"""Lower bounds of generalisation with certificates.

On attributes predictive tagging gives a certificate; on entries, weights of the records
or a tree of weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from atleastk.instances.diversity import Diversity
from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.generalization import (
    highest_refuses,
    is_checkable,
    is_expandable,
    least_at,
    pattern_problem,
)
from atleastk.models.generalization import check
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization.auto import run_of
from atleastk.solvers.generalization.blocks import proof_of_blocks
from atleastk.solvers.generalization.dropping import proof_of_tolls
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.predictive_tagging import (
    MOST_NODES,
    minimise_by_tagging,
)
from atleastk.solvers.pattern_trees.tree import tree_certificate
from atleastk.solvers.search import Proof, Search
from atleastk.solvers.tables.weights import SHARE, SHARE_OF_LESS, if_enough, weighed


def certify(
    instance: Generalization, bound: int | None, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate for a lower bound on the loss, or None if none was found.

    The bound None means that nothing is feasible.
    """
    short = instance.has_too_few
    if bound is None:
        highest = not short and highest_refuses(instance, least_at)
        return {"kind": "highest" if highest else "count"} if short or highest else None
    if short:
        return None
    if instance.on == "attributes":
        return _of_lattice(instance, bound, budget) if is_checkable(instance) else None
    return certify_entries(instance, bound, budget)


def certify_entries(
    instance: Generalization,
    bound: int,
    budget: Budget,
    diverse: Diversity | None = None,
) -> Mapping[str, Any] | None:
    """Return weights, or a tree of them; it knows sensitive values if there are any.

    The instance has no sensitive values itself; its classes have as many rows as these
    ask for.
    """
    found = if_enough(best_weights(instance, bound, budget.share(SHARE)), bound)
    unlimited = instance.levels is None and not instance.most_dropped
    if found is not None or not unlimited or not is_expandable(instance):
        return found
    problem = replace(pattern_problem(instance), diverse=diverse)
    return tree_certificate(problem, -(-bound // instance.unit), budget)


def certify_less(instance: Generalization, bound: int, budget: Budget) -> Proof | None:
    """Return what weights certify quickly, up to a bound."""
    return best_weights(instance, bound, budget.share(SHARE_OF_LESS))


def best_weights(instance: Generalization, bound: int, budget: Budget) -> Proof | None:
    """Return the weights that prove the best bound on entries, at most this one."""
    if instance.on == "attributes" or not is_checkable(instance):
        return None
    if instance.levels is not None:
        return proof_of_blocks(
            instance, bound, lambda block, most: best_weights(block, most, budget)
        )
    if instance.most_dropped:
        table = run_of(Search(instance, check, budget))
        return proof_of_tolls(table, bound, budget)
    records = records_of_levels(instance)
    return weighed(records, instance.k, bound, budget, unit=instance.unit)


def _of_lattice(
    instance: Generalization, bound: int, budget: Budget
) -> Mapping[str, Any] | None:
    if instance.nodes > MOST_NODES:
        return None
    search = Search(instance, check, budget)
    if begin(search, "tagging"):
        minimise_by_tagging(search, "tagging")
    proved = search.bound is not None and search.bound >= bound
    return search.certificate if proved else None
