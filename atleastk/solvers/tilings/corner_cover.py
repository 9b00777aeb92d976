"""Exact cover of a grid by listed boxes, in a back end: CP-SAT by default.

Rows are those of cells where boxes are small, else of vertices: see
:mod:`atleastk.models.encodings.tilings`.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.encodings.tilings import cell_cover, corner_cover
from atleastk.models.rectangles import Box
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision, decided_by

_SMALL: Final = 16
"""Mean cells of a box, up to which covers of cells are asked, not of corners."""


def decide_by_cover(
    shape: tuple[int, ...],
    boxes: IntArray,
    parts: int | None,
    budget: Budget,
    required: BoolArray | None = None,
    backend: Backend | None = None,
) -> Decision[list[Box]]:
    """Decide whether some boxes tile a grid, that many of them if a number is given.

    `required` are the cells that have to be covered, if others may stay uncovered.
    """
    if not len(boxes):
        return Decision.impossible()
    a, c, b, d = boxes.T
    cover = cell_cover if ((b - a) * (d - c)).mean() <= _SMALL else corner_cover
    held = np.ones(shape, dtype=np.bool_) if required is None else required
    model = cover(boxes, held, parts)
    return decided_by(backend or CpSat(), model, partial(_chosen, boxes), budget)


def _chosen(boxes: IntArray, values: IntArray) -> list[Box]:
    taken = boxes[values[: len(boxes)].nonzero()[0]]
    return [(a, c, b, d) for a, c, b, d in taken.tolist()]
