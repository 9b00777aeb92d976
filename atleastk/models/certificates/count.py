"""``{"kind": "count"}``: there are rows, but fewer than k, so nothing is feasible.

What all problems on tables share: every table of at least k rows has a solution unless
limits forbid it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.errors import CertificateError
from atleastk.models.certificates.weights import kind_of

__all__ = ["kind_of_bound"]


def kind_of_bound(
    certificate: Mapping[str, Any], n: int, k: int, bound: int | None
) -> str:
    """Return the kind of certificate that is to prove the bound.

    The bound None stands for 0 < n < k, which then holds: nothing more is to prove.

    Raises
    ------
    CertificateError
        If kind, bound and table do not go together.
    """
    kind = kind_of(certificate)
    if (kind == "count") != (bound is None) or (0 < n < k) != (bound is None):
        message = 'a certificate of kind "count" proves exactly that 0 < n < k'
        raise CertificateError(message)
    return kind
