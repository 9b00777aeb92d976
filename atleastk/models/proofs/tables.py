"""Proofs of tables: rows are assigned to patterns, or nodes of a lattice are excluded.

Of generalisation on entries the patterns are those of a table whose columns are the
levels of the hierarchies. Of l-diversity and t-closeness a tree lists all groups of a
pattern that keep sensitive values apart; weights ignore the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.generalization import Generalization
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates import diversity, generalization, k_anonymity
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.proofs.lattice import lattice_refuted
from atleastk.models.proofs.pattern_trees import assignments_refuted
from atleastk.models.proofs.vipr import Program


def refuted_cells(
    instance: KAnonymity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of k-anonymity or suppression below a bound."""
    problem = k_anonymity.pattern_problem(instance)
    # Weights know no limits.
    if isinstance(instance, Suppression) and certificate["kind"] != "weights":
        problem = PatternProblem(instance)
    return assignments_refuted(problem, certificate, bound)


def refuted_levels(
    instance: Generalization, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return that of generalisation or diversity, by a lattice or by patterns."""
    told = instance
    if isinstance(instance, Diversity):
        instance = instance.relaxed
    if instance.conditions or instance.levels is not None:
        raise NotApplicableError(
            "proofs know neither limits of levels nor conditions besides k"
        )
    if instance.most_dropped:
        raise NotApplicableError("proofs know no rows that may be dropped")
    if bound is not None and certificate["kind"] == "lattice":
        return lattice_refuted(instance, certificate, bound)
    if isinstance(told, Diversity) and certificate["kind"] == "tree":
        problem = diversity.pattern_problem(told)
    else:
        problem = generalization.pattern_problem(instance)
    scaled = {**certificate, "scale": certificate.get("scale", 0) * instance.unit}
    units = None if bound is None else -(-bound // instance.unit)
    return assignments_refuted(problem, scaled, units)
