"""Proofs of k-anonymity and suppression: rows are assigned to patterns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.k_anonymity import pattern_problem
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.proofs.pattern_trees import assignments_refuted
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: KAnonymity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    problem = pattern_problem(instance)
    # Weights know no limits.
    if isinstance(instance, Suppression) and certificate["kind"] != "weights":
        problem = PatternProblem(instance)
    return assignments_refuted(problem, certificate, bound)
