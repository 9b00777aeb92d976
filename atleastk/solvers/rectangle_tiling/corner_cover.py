"""Exact cover of a grid by boxes of a window: propagation, LP duals, then a solver.

Boxes that cannot be part of a tiling are dropped first; often none is left. Weights
from the linear relaxation refute most of what remains, see
:mod:`atleastk.solvers.rectangle_tiling.corner_lp`. The others go to a back end, as the
model of corners of :mod:`atleastk.models.encodings.rectangle_tiling`.

For several numbers of parts at once, the tiling is into one of them.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.encodings.rectangle_tiling import corner_cover
from atleastk.models.groups import Parts
from atleastk.models.rectangles import Box
from atleastk.models.windows import Window
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision, decided_by
from atleastk.solvers.rectangle_tiling.boxes import admissible_boxes
from atleastk.solvers.rectangle_tiling.corner_lp import fractional_tiling

Tiling = Decision[list[Box]]

_MOST_BOXES: Final = 2**18
"""Boxes: longer lists are not worth the wait, not tuned."""


def decide_by_cover(
    grid: IntArray,
    window: Window,
    budget: Budget,
    required: BoolArray | None = None,
    fewest: int | None = None,
    backend: Backend | None = None,
) -> Tiling:
    """Decide whether a grid can be tiled by boxes of a window.

    Parameters
    ----------
    required
        The cells that have to be covered, if others may stay uncovered.
    fewest
        The fewest parts, if they may be fewer than those of the window.
    backend
        Decides if the relaxation does not; CP-SAT by default.
    """
    boxes = admissible_boxes(grid, window, budget, _MOST_BOXES, required, fewest)
    if boxes is None:
        return Decision.unknown(f"there are more than {_MOST_BOXES} boxes")
    parts = fewest or window.parts, window.parts
    relaxed = fractional_tiling(boxes, grid.shape, parts, budget, required)
    if relaxed.refutation is not None:
        return Decision.impossible()
    if budget.spent:
        return Decision.unknown()
    covered = np.ones(grid.shape, np.bool_) if required is None else required
    model = corner_cover(boxes, covered, Parts(*parts))
    return decided_by(backend or CpSat(), model, partial(chosen, boxes), budget)


def chosen(boxes: IntArray, values: IntArray) -> list[Box]:
    """Return the boxes that a point of the model selects."""
    taken = boxes[values[: len(boxes)].nonzero()[0]]
    return [(a, c, b, d) for a, c, b, d in taken.tolist()]
