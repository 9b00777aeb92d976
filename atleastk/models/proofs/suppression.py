"""Proofs of suppression: rows are dealt to patterns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.deals import Dealing
from atleastk.models.proofs.deals import deals_refuted
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: Suppression, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    if certificate["kind"] == "weights":  # of k-anonymity, whatever else is asked
        instance = Suppression(instance.table, instance.k)
    return deals_refuted(Dealing(instance), certificate, bound)
