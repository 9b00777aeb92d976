"""Certificates of rectangle tiling, checked in integers without any solver.

``{"kind": "count"}``
    There are points, but they weigh less than k: infeasible. Or the bound is at most
    max(k, w, ceil(W / floor(W / k))), where w is the weight of the heaviest place.
``{"kind": "parts", "level": K, "refuted": [...]}``
    Weights of cells refute every possible number of rectangles at level K,
    see :mod:`atleastk.models.certificates.rectangles`: the cost is above K.

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
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.certificates.forms import RECTANGLES, Forms
from atleastk.models.certificates.rectangles import check_parts, counted_parts, level_of
from atleastk.models.certificates.straight_cuts import check_cuts
from atleastk.models.certificates.weights import kind_of
from atleastk.models.rectangle_tiling import counting_bound, required_cells


def check_certificate(
    instance: RectangleTiling, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of(certificate, instance, "count", "parts", "cuts")
    if kind == "count":
        if not counted(instance, bound):
            raise CertificateError(f"counting does not prove the bound {bound}")
        return
    if kind == "cuts":
        check_cuts(instance, instance.grid, instance.k, instance.n, certificate, bound)
        return
    level = level_of(certificate, bound)
    if instance.n == 0:
        raise CertificateError("without points the cost is 0")
    left = parts_left(instance, level)
    required = required_cells(instance)
    check_parts(instance.grid, required, instance.k, left, certificate, level)


def counted(instance: RectangleTiling, bound: int | None) -> bool:
    """Tell whether counting proves a bound."""
    if instance.n == 0:
        return bound is not None and bound <= 0
    if instance.total < instance.k:
        return True
    return bound is not None and bound <= counting_bound(instance)


def parts_left(instance: RectangleTiling, level: int) -> tuple[int, int]:
    """Return the fewest and the most rectangles that are possible at a level."""
    cells = int(np.count_nonzero(instance.grid))
    return counted_parts(instance.total, instance.k, level, cells)


FORMS: Final[Forms] = RECTANGLES
