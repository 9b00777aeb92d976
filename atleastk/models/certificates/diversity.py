"""Certificates of l-diversity and t-closeness, checked without any solver.

``{"kind": "count"}``
    There are rows, but fewer than k: infeasible.
``{"kind": "whole"}``
    Not even the whole table keeps its sensitive values apart: infeasible.
On entries
    Weights as of generalisation (:mod:`~atleastk.models.certificates.generalization`),
    of the instance without sensitive values, and with `Diversity.least_rows` for k; or
    ``{"kind": "tree", "tree": node}`` that knows the values, with that k as well
    (:mod:`~atleastk.models.certificates.deals`).
On attributes
    A lattice, as of generalisation; refused nodes have a class of less than k rows, or
    one that breaks a condition.

Theorems and proofs: :mod:`atleastk.instances.diversity`, "Joins" and "Bounds".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from atleastk.instances.diversity import Diversity
from atleastk.instances.errors import CertificateError
from atleastk.models.certificates import generalization
from atleastk.models.certificates.count import expect_rows
from atleastk.models.certificates.deals import Dealing, check_tree
from atleastk.models.certificates.weights import kind_of
from atleastk.models.diversity import keeps, node_keeps

__all__ = ["check_certificate", "dealing_of"]


def check_certificate(
    instance: Diversity, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check what proves a bound; see :mod:`atleastk.models.certificates`."""
    wanted = ("lattice",) if instance.on == "attributes" else ("weights", "tree")
    kind = kind_of(certificate, instance, "count", "whole", *wanted)
    few = 0 < instance.n < instance.k
    whole = keeps(instance, range(instance.n))
    refuted = {"count": few, "whole": not whole}.get(kind, False)
    if refuted != (bound is None) or (bound is not None and not whole):
        message = f'a certificate of kind "{kind}" does not prove the bound {bound}'
        raise CertificateError(message)
    if bound is None:
        return
    expect_rows(instance)
    if kind == "lattice":
        generalization.require_checkable(instance)
        generalization.check_lattice(
            instance, certificate, bound, lambda levels: node_keeps(instance, levels)
        )
    elif kind == "tree":
        check_tree(dealing_of(instance), certificate, -(-bound // instance.unit))
    else:
        generalization.check_certificate(instance.relaxed, certificate, bound)


def dealing_of(instance: Diversity) -> Dealing:
    """Return diversity on entries as rows that are dealt, in units of the loss."""
    return replace(generalization.dealing_of(instance.relaxed), diverse=instance)
