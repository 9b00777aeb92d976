"""Lower bounds of RTILE with certificates: counting and cell weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.certificates.rectangle_tiling_grid import counted, parts_needed
from atleastk.models.certificates.straight_cuts import cuts_fit, fewest_boxes
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.corner_weights import refuted_parts

Certificate = Mapping[str, Any]


def certify(
    instance: RectangleTilingGrid, bound: int | None, budget: Budget
) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found."""
    if bound is None:
        return None
    if counted(instance, bound):
        return {"kind": "count"}
    if instance.n == 0:
        return None
    parts = parts_needed(instance)
    if instance.guillotine and cuts_fit(instance.weights):
        found = fewest_boxes(instance.weights, 0, bound - 1)
        return {"kind": "cuts", "level": bound - 1} if found > parts[0] else None
    return refuted_parts(instance.weights, 0, parts, bound - 1, budget)
