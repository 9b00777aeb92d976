"""Certificates that no tiling has a cost of at most K, from fractional tilings.

One set of weights that refutes all numbers of parts is looked for first, then one for
either half of them, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.certificates.rectangles import hull
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.corner_lp import refute


def refuted_parts(
    grid: IntArray,
    k: int,
    parts: tuple[int, int],
    level: int,
    budget: Budget,
    required: BoolArray | None = None,
) -> Mapping[str, Any] | None:
    """Return a certificate that no number of parts in a range will do.

    Parts weigh at least k and at most `level`. None if no certificate was found: see
    :mod:`atleastk.models.certificates.rectangles`.
    """
    total = int(grid.sum())
    pending, refuted = [parts], []
    while pending:
        fewest, most = pending.pop()
        if fewest > most:
            continue
        window = hull(total, k, (fewest, most), level)
        found = refute(grid, window, budget, required, fewest)
        if found is not None:
            refuted.append(
                {
                    "parts": [fewest, most],
                    "weights": [
                        [*cell, int(found.weights[tuple(cell)])]
                        for cell in np.argwhere(found.weights).tolist()
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
