"""Proofs of l-diversity and t-closeness on entries: rows are assigned to groups.

For a tree, all groups of a pattern are listed that keep sensitive values apart; weights
ignore the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.diversity import Diversity
from atleastk.models.certificates.diversity import pattern_problem
from atleastk.models.proofs import generalization
from atleastk.models.proofs.generalization import in_units
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: Diversity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    relaxed = instance.relaxed
    if certificate["kind"] == "tree":
        return in_units(relaxed, pattern_problem(instance), certificate, bound)
    return generalization.refuted(relaxed, certificate, bound)
