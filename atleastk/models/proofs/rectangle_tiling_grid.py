"""Proofs of RTILE: those of all tilings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.proofs.rectangles import tilings_refuted
from atleastk.models.proofs.vipr import Program
from atleastk.models.rectangle_tiling_grid import tiling_of


def refuted(
    instance: RectangleTilingGrid, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    return tilings_refuted(tiling_of(instance), certificate, bound)
