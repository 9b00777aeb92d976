"""RTILE: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.rectangle_tiling_grid.auto`, and what
all tilings have in :mod:`atleastk.solvers.tilings.methods`. Here are covers by boxes,
all at once or level by level.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.encodings.tilings import cell_cover, corner_cover, grid_model
from atleastk.models.rectangle_tiling_grid import tiling_of
from atleastk.models.tilings import Tiling
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.method import Method
from atleastk.solvers.rectangle_tiling_grid.auto import solve
from atleastk.solvers.rectangle_tiling_grid.first import first_answers
from atleastk.solvers.tilings.methods import TilingMethods, refuses_models

__all__ = ["METHODS", "solve"]

_MOST_BOXES: Final = 50_000
"""Boxes of one model that has four entries for a box: not tuned."""
_MOST_BOXES_OF_CELLS: Final = 10_000
"""Boxes of one model that has an entry for every cell of a box: not tuned."""
_WIDEST: Final = 2**31
"""Weights up to this one are safe in the arithmetic of all solvers."""


def _refuses_cost(tiling: Tiling) -> str | None:
    if tiling.total > _WIDEST:
        return f"it takes a weight of 2**31 in all, got {tiling.total}"
    return refuses_models(tiling, _MOST_BOXES_OF_CELLS)


_DECLARE: Final = TilingMethods(tiling_of, first_answers)

METHODS: Sequence[Method[RectangleTilingGrid]] = (
    *_DECLARE.exact.modelled(
        "choose among all boxes, cell by cell",
        grid_model,
        {"cells": CpSat(), "cells-highs": Highs()},
        _DECLARE.refusing(_refuses_cost),
    ),
    *_DECLARE.covers(
        "choose among light boxes, cell by cell",
        cell_cover,
        {"cells-sat": Sat()},
        partial(refuses_models, most=_MOST_BOXES_OF_CELLS),
    ),
    *_DECLARE.covers(
        "choose among light boxes by corners",
        corner_cover,
        {"corners": CpSat()},
        partial(refuses_models, most=_MOST_BOXES),
    ),
    *_DECLARE.shared(),
)
