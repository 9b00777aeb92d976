"""Proofs of generalisation: of lattices, or rows of a wider table that are dealt.

On entries the columns of that table are the levels of the hierarchies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.deals import Dealing
from atleastk.models.certificates.generalization import dealing_of
from atleastk.models.proofs.deals import deals_refuted
from atleastk.models.proofs.lattice import lattice_refuted
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: Generalization, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    if bound is not None and certificate["kind"] == "lattice":
        return lattice_refuted(instance, certificate, bound)
    return in_units(instance, dealing_of(instance), certificate, bound)


def in_units(
    instance: Generalization,
    dealing: Dealing,
    certificate: Mapping[str, Any],
    bound: int | None,
) -> Program:
    """Return the refuted program of rows that are dealt, in units of the loss."""
    scaled = {**certificate, "scale": certificate.get("scale", 0) * instance.unit}
    units = None if bound is None else -(-bound // instance.unit)
    return deals_refuted(dealing, scaled, units)
