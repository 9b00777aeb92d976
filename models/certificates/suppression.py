"""Certificates of suppression, checked without any solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.errors import CertificateError
from atleastk.instances.suppression import Suppression

__all__ = ["check_certificate"]


def check_certificate(
    _instance: Suppression, certificate: Mapping[str, Any], _bound: int | None
) -> None:
    """Raise `CertificateError` unless the certificate proves the bound."""
    message = f"certificate kind: {certificate.get('kind')!r} is not known"
    raise CertificateError(message)
