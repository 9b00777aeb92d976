"""Proofs of l-diversity and t-closeness on entries: rows are dealt to patterns.

What is said of sensitive values is left out, and a tree that needs it is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.diversity import Diversity
from atleastk.models.certificates.diversity import dealing_of
from atleastk.models.proofs.generalization import in_units
from atleastk.models.proofs.vipr import Program

__all__ = ["refuted"]


def refuted(
    instance: Diversity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    return in_units(instance.relaxed, dealing_of(instance), certificate, bound)
