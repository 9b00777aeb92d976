"""k-anonymity: certificates of lower bounds, re-checked without any solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.errors import CertificateError
from atleastk.instances.k_anonymity import KAnonymity

__all__ = ["check_certificate"]


def check_certificate(
    instance: KAnonymity, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Raise CertificateError unless the certificate proves the bound."""
    message = f"unknown kind {certificate.get('kind')!r}"
    raise CertificateError(message)
