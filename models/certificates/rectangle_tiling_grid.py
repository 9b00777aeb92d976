"""Certificates of RTILE, checked in integers without any solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.errors import CertificateError
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid

__all__ = ["check_certificate"]


def check_certificate(
    instance: RectangleTilingGrid, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Raise `CertificateError` unless the certificate proves the bound."""
    message = f"certificate kind: {certificate.get('kind')!r} is not known"
    raise CertificateError(message)
