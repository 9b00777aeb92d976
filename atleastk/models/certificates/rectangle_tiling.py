"""Certificates of rectangle tiling: those of all tilings.

See :mod:`atleastk.models.certificates.rectangles`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.certificates.forms import RECTANGLES, Forms
from atleastk.models.certificates.rectangles import check_tiling
from atleastk.models.rectangle_tiling import tiling_of


def check_certificate(
    instance: RectangleTiling, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    check_tiling(instance, tiling_of(instance), certificate, bound)


FORMS: Final[Forms] = RECTANGLES
