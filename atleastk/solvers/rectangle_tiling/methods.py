"""Rectangle tiling: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.rectangle_tiling.auto`, and what all
tilings have in :mod:`atleastk.solvers.tilings.methods`. Here are covers by boxes of at
least k, level by level.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.encodings.tilings import cell_cover, corner_cover
from atleastk.models.rectangle_tiling import tiling_of
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.method import Method
from atleastk.solvers.rectangle_tiling.auto import solve
from atleastk.solvers.rectangle_tiling.first import first_answers
from atleastk.solvers.tilings.methods import TilingMethods, refuses_models

__all__ = ["METHODS", "solve"]

_MOST_BOXES_OF_CELLS: Final = 2**18
"""Boxes of one model that has an entry for every cell of a box: not tuned."""
_MOST_BOXES: Final = 2**21
"""Boxes of one model that has four entries for a box: not tuned."""


_DECLARE: Final = TilingMethods(tiling_of, first_answers)

METHODS: Sequence[Method[RectangleTiling]] = (
    *_DECLARE.covers(
        "a cover by boxes, with rows for vertices",
        corner_cover,
        {"corner": CpSat(), "corner-highs": Highs()},
        partial(refuses_models, most=_MOST_BOXES),
    ),
    *_DECLARE.covers(
        "a cover by boxes, with rows for cells",
        cell_cover,
        {"cells": CpSat(), "cells-sat": Sat()},
        partial(refuses_models, most=_MOST_BOXES_OF_CELLS),
    ),
    *_DECLARE.shared(),
)
