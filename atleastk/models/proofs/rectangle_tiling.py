"""Proofs of rectangle tiling: all boxes are listed, or all straight cuts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.proofs.parts import Levels, refute_all
from atleastk.models.proofs.rectangles import boxes_listed, cases_of
from atleastk.models.proofs.straight_cuts import cuts_refuted
from atleastk.models.proofs.vipr import Program
from atleastk.models.rectangle_tiling import required_cells


def refuted(
    instance: RectangleTiling, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    level = instance.total if bound is None else bound - 1
    if certificate["kind"] == "cuts":
        return cuts_refuted(instance.grid, instance.k, level, instance.n)
    listed = boxes_listed(instance.grid, required_cells(instance), instance.k, level)
    levels = Levels(listed, instance.grid.ravel().tolist(), instance.k, level)
    shape = instance.grid.shape
    refute_all(levels, lambda numbers: cases_of(certificate, shape, numbers))
    return listed.program
