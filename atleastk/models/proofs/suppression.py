"""Proofs of suppression: rows are assigned to patterns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.proofs.pattern_trees import assignments_refuted
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: Suppression, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    if certificate["kind"] == "weights":  # as of k-anonymity, without limits
        instance = Suppression(instance.table, instance.k)
    return assignments_refuted(PatternProblem(instance), certificate, bound)
