"""Lower bounds of rectangle tiling with certificates: those of all tilings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import tiling_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.certify import certified


def certify(
    instance: RectangleTiling, bound: int | None, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate of a bound, or None if none was found; see `certified`."""
    return certified(tiling_of(instance), bound, budget)
