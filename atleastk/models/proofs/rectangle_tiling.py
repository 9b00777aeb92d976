"""Proofs of rectangle tiling: those of all tilings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.proofs.rectangles import tilings_refuted
from atleastk.models.proofs.vipr import Program
from atleastk.models.rectangle_tiling import tiling_of


def refuted(
    instance: RectangleTiling, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    return tilings_refuted(tiling_of(instance), certificate, bound)
