"""Lower bounds of connected partition with certificates: counting, and node weights.

A level K of a component is refuted for every number of parts that counting leaves, by
weights from the linear program over all admissible parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.certificates.connected_partition import (
    COUNT,
    counted,
    open_windows,
)
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component, components_of
from atleastk.solvers.connected_partition.connected_sets import connected_sets
from atleastk.solvers.connected_partition.cover_lp import CoverLp

__all__ = ["certify"]

Certificate = Mapping[str, Any]

_MOST_SETS: Final = 200_000
"""Lists that are longer take a reader without compiled loops too long."""


def certify(
    instance: ConnectedPartition, bound: int | None, budget: Budget
) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    The bound None stands for: nothing is feasible.
    """
    known = counted(instance)
    if known is None or bound is None:
        return COUNT if known is bound else None
    if bound <= known:
        return COUNT
    for component in components_of(instance):
        refuted = _refute(component, instance.k, bound - 1, budget)
        if refuted is not None:
            first = component.members[0][0]
            return {
                "kind": "parts",
                "component": first,
                "level": bound - 1,
                "refuted": refuted,
            }
    return None


def _refute(
    component: Component, k: int, level: int, budget: Budget
) -> list[Certificate] | None:
    """Return what refutes a level of a component; None if nothing was found."""
    refuted = []
    for window in open_windows(component.weights.tolist(), k, level):
        claim = _claim(component, window, budget)
        if claim is None:
            return None
        refuted.append(claim)
    return refuted


def _claim(component: Component, window: Window, budget: Budget) -> Certificate | None:
    """Return weights that refute a window; None if none were found."""
    sets = connected_sets(
        component, window.least, window.most, budget, _MOST_SETS, parts=window.parts
    )
    if sets is None:
        return None
    if len(sets) == 0:
        return {"parts": window.parts, "weights": [], "most": -1}
    relaxed = CoverLp(component.n, sets, window.parts, budget.seed).solve(budget)
    if relaxed is None or relaxed.refuted is None:
        return None
    values = relaxed.refuted.values.tolist()
    return {
        "parts": window.parts,
        "weights": [
            [component.members[i][0], value] for i, value in enumerate(values) if value
        ],
        "most": relaxed.refuted.most,
    }
