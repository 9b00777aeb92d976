"""Certificates of suppression, checked in integers without any solver.

``{"kind": "count"}``
    There are rows, but fewer than k: infeasible.
``{"kind": "weights", "scale": D, "weights": [u per distinct record]}``
    A bound of suppressed entries, as in k-anonymity.

Every solution, whatever it minimises and is limited by, is one of k-anonymity on the
same table: its entries are no fewer. So what is proved there is proved here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.errors import CertificateError
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates import k_anonymity

__all__ = ["check_certificate"]


def check_certificate(
    instance: Suppression, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check what proves a bound; see :mod:`atleastk.models.certificates`."""
    if bound is not None and instance.minimise != "entries":
        message = f"minimise: certificates bound entries, not {instance.minimise}"
        raise CertificateError(message)
    k_anonymity.check_certificate(instance, certificate, bound)
