"""Certificates of RTILE, checked in integers without any solver.

``{"kind": "count"}``
    The bound is at most max(w, ceil(W / p)), w the weight of the heaviest cell.
``{"kind": "parts", "level": K, "refuted": [...]}``
    Weights of cells refute p rectangles of at most K, or as many as there are cells if
    these are fewer, see :mod:`atleastk.models.certificates.rectangles`: the cost is
    above K. Fewer rectangles can be split.

``{"kind": "cuts", "level": K}``
    If only guillotine tilings count, none costs K or less, see
    :mod:`atleastk.models.certificates.straight_cuts`.

Bounds for all tilings hold for guillotine tilings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.certificates.forms import RECTANGLES, Forms
from atleastk.models.certificates.rectangles import check_parts, level_of
from atleastk.models.certificates.straight_cuts import check_cuts
from atleastk.models.certificates.weights import kind_of


def check_certificate(
    instance: RectangleTilingGrid, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of(certificate, instance, "count", "parts", "cuts")
    if bound is None:
        raise CertificateError("every grid can be tiled")
    if kind == "count":
        if not counted(instance, bound):
            raise CertificateError(f"counting does not prove the bound {bound}")
        return
    if kind == "cuts":
        most, _ = parts_needed(instance)
        check_cuts(instance, instance.weights, 0, most, certificate, bound)
        return
    level = level_of(certificate, bound)
    if instance.n == 0:
        raise CertificateError("without cells the cost is 0")
    grid = instance.weights
    required = np.ones(grid.shape, dtype=np.bool_)
    check_parts(grid, required, 0, parts_needed(instance), certificate, level)


def counted(instance: RectangleTilingGrid, bound: int) -> bool:
    """Tell whether counting proves a bound."""
    if instance.n == 0:
        return bound <= 0
    least = -(-instance.total // parts_needed(instance)[0])
    return bound <= max(least, int(instance.weights.max()))


def parts_needed(instance: RectangleTilingGrid) -> tuple[int, int]:
    """Return the range of the numbers of rectangles to refute, a single one."""
    parts = min(instance.p, instance.n)
    return parts, parts


FORMS: Final[Forms] = RECTANGLES
