"""Certificates of Connected partition, checked in integers without any solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.errors import CertificateError

__all__ = ["check_certificate"]


def check_certificate(
    instance: ConnectedPartition, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Raise `CertificateError` unless the certificate proves the bound."""
    message = f"certificate kind: {certificate.get('kind')!r} is not known"
    raise CertificateError(message)
