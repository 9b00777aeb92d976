"""Certificates of RTILE: those of all tilings."""

from __future__ import annotations

from functools import partial
from typing import Final

from atleastk.models.certificates.forms import RECTANGLES, Forms
from atleastk.models.certificates.rectangles import check_tiling
from atleastk.models.rectangle_tiling_grid import tiling_of

check_certificate: Final = partial(check_tiling, tiling_of)
"""Checks that a certificate proves a bound of an instance; see the package."""

FORMS: Final[Forms] = RECTANGLES
