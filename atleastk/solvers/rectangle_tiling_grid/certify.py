"""Lower bounds of RTILE with certificates: those of all tilings."""

from __future__ import annotations

from functools import partial
from typing import Final

from atleastk.models.rectangle_tiling_grid import tiling_of
from atleastk.solvers.tilings.certify import certified

certify: Final = partial(certified, tiling_of)
"""Looks for a certificate of a bound of an instance, within a budget."""
