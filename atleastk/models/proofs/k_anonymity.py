"""Proofs of k-anonymity: rows are assigned to patterns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.models.proofs import suppression
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: KAnonymity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    table = Suppression(instance.written_out.table, instance.k)
    return suppression.refuted(table, certificate, bound)
