"""Proofs of k-anonymity: rows are assigned to patterns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import pattern_problem
from atleastk.models.proofs.pattern_trees import assignments_refuted
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: KAnonymity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    return assignments_refuted(pattern_problem(instance), certificate, bound)
