"""Rectangle tiling: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.rectangle_tiling.auto`, and what all
tilings have in :mod:`atleastk.solvers.tilings.methods`. Here are covers by boxes of at
least k, level by level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.rectangle_tiling import (
    cells_model,
    corner_model,
    heavy_boxes,
)
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.method import Method
from atleastk.solvers.rectangle_tiling.auto import solve
from atleastk.solvers.rectangle_tiling.tiling import tiling_of
from atleastk.solvers.tilings.methods import TilingMethods, refuses_models

__all__ = ["METHODS", "solve"]

_MOST_BOXES_OF_CELLS: Final = 2**18
"""Boxes of one model that has an entry for every cell of a box: not tuned."""
_MOST_BOXES: Final = 2**21
"""Boxes of one model that has four entries for a box: not tuned."""


def _light(
    form: Callable[[RectangleTiling, IntArray], SolutionEncoding],
    instance: RectangleTiling,
    level: int,
) -> SolutionEncoding:
    """Return the model of all boxes of at most a level."""
    boxes, weights = heavy_boxes(instance)
    return form(instance, boxes[weights <= level])


_DECLARE: Final = TilingMethods(tiling_of)

METHODS: Sequence[Method[RectangleTiling]] = (
    *_DECLARE.covers(
        "a cover by boxes, with rows for vertices",
        partial(_light, corner_model),
        {"corner": CpSat(), "corner-highs": Highs()},
        partial(refuses_models, most=_MOST_BOXES),
    ),
    *_DECLARE.covers(
        "a cover by boxes, with rows for cells",
        partial(_light, cells_model),
        {"cells": CpSat(), "cells-sat": Sat()},
        partial(refuses_models, most=_MOST_BOXES_OF_CELLS),
    ),
    *_DECLARE.shared(),
)
