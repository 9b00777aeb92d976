"""``{"kind": "count"}``: there are rows, but fewer than k, so nothing is feasible.

Shared by all problems on tables: a table of at least k rows has a solution unless
limits forbid it. Where all rows may be dropped, so has a smaller one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.generalization import Generalization
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.weights import kind_of


def expect_rows(instance: KAnonymity | Generalization) -> None:
    """Raise `CertificateError` if there are rows, but fewer than k."""
    if instance.has_too_few:
        raise CertificateError(
            'of fewer than k rows only a certificate of kind "count" proves anything'
        )


def kind_of_bound(
    certificate: Mapping[str, Any],
    instance: KAnonymity | Generalization,
    bound: int | None,
    *known: str,
) -> str:
    """Return the kind of a certificate: one of the known ones, or count.

    The bound None is accepted exactly if 0 < n < k and not all rows may be dropped:
    then nothing more has to be proved.
    Raise `CertificateError` if kind, bound and table contradict each other.
    """
    kind = kind_of(certificate, instance, "count", *known)
    too_few = instance.has_too_few
    if (kind == "count") != too_few or (bound is None) != too_few:
        raise CertificateError(
            'a certificate of kind "count" proves exactly that 0 < n < k'
        )
    return kind
