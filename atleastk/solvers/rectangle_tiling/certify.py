"""Lower bounds of rectangle tiling with certificates: counting and cell weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.certificates.rectangle_tiling import counted, parts_left
from atleastk.models.certificates.straight_cuts import cuts_fit, fewest_boxes
from atleastk.models.rectangle_tiling import required_cells
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.corner_weights import refuted_parts

Certificate = Mapping[str, Any]


def certify(
    instance: RectangleTiling, bound: int | None, budget: Budget
) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    A bound of None says that nothing is feasible.
    """
    if counted(instance, bound):
        return {"kind": "count"}
    if bound is None or instance.n == 0:
        return None
    level = bound - 1
    if instance.guillotine and cuts_fit(instance.grid):
        found = fewest_boxes(instance.grid, instance.k, level)
        return {"kind": "cuts", "level": level} if found > instance.n else None
    required = None if instance.cover == "plane" else required_cells(instance)
    left = parts_left(instance, level)
    return refuted_parts(instance.grid, instance.k, left, level, budget, required)
