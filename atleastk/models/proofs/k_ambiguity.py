"""Proofs of k-ambiguity: there are none. Rows match each other in no groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.proofs.listed import expect_kind
from atleastk.models.proofs.vipr import Program

__all__ = ["refuted"]


def refuted(
    instance: KAmbiguity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Refuse whatever certificate there is."""
    expect_kind(certificate)
    return Program([f"{instance.problem}, bound {bound}"])
