"""Lower bounds of tilings with certificates: counting, straight cuts, cell weights.

One set of weights that refutes all numbers of parts is looked for first, then one for
either half of them, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from atleastk.instances.instance import Instance
from atleastk.models.certificates.rectangles import counted
from atleastk.models.certificates.straight_cuts import cuts_fit, fewest_boxes
from atleastk.models.tilings import Tiling
from atleastk.models.windows import hull
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.corner_lp import refute

Certificate = Mapping[str, Any]

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


def certified(
    tiling_of: Callable[[I], Tiling], instance: I, bound: int | None, budget: Budget
) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    A bound of None says that nothing is feasible.
    """
    tiling = tiling_of(instance)
    if counted(tiling, bound):
        return {"kind": "count"}
    if bound is None or not tiling.cells:
        return None
    level = bound - 1
    if tiling.guillotine and cuts_fit(tiling.grid):
        found = fewest_boxes(tiling.grid, tiling.k, level)
        return {"kind": "cuts", "level": level} if found > tiling.most else None
    return _refuted_parts(tiling, level, budget)


def _refuted_parts(tiling: Tiling, level: int, budget: Budget) -> Certificate | None:
    """Return a certificate that no possible number of parts will do at a level."""
    pending: list[tuple[int, int]] = [tiling.parts(level)]
    refuted = []
    while pending:
        fewest, most = pending.pop()
        if fewest > most:
            continue
        window = hull(tiling.total, tiling.k, (fewest, most), level)
        found = refute(tiling.grid, window, budget, tiling.required, fewest)
        if found is not None:
            refuted.append(
                {
                    "parts": [fewest, most],
                    "weights": [
                        [*cell, int(found.values[tuple(cell)])]
                        for cell in np.argwhere(found.values).tolist()
                    ],
                    "most": found.most,
                }
            )
        elif fewest == most or budget.spent:
            return None
        else:
            middle = (fewest + most) // 2
            pending += [(fewest, middle), (middle + 1, most)]
    return {"kind": "parts", "level": level, "refuted": refuted}
