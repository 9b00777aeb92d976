"""Proofs of l-diversity and t-closeness on entries: rows are dealt to groups.

Of every pattern all groups are listed that keep sensitive values apart, if a tree needs
that. Weights do without.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.diversity import Diversity
from atleastk.models.certificates.diversity import dealing_of
from atleastk.models.proofs import generalization
from atleastk.models.proofs.generalization import in_units
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: Diversity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    relaxed = instance.relaxed
    if certificate["kind"] == "tree":
        return in_units(relaxed, dealing_of(instance), certificate, bound)
    return generalization.refuted(relaxed, certificate, bound)
