"""Rectangle tiling as a linear model, see :mod:`~atleastk.models.encodings.tilings`."""

from __future__ import annotations

from typing import Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.tilings import (
    MOST_CELLS,
    any_tiling,
    cells_of,
    cost_model,
)
from atleastk.models.rectangle_tiling import tiling_of


def whole_boxes(instance: RectangleTiling) -> Encoding:
    """All boxes of weight at least k are listed.

    Variables: x_a_c_b_d, the box of rows a, .., b - 1 and columns c, .., d - 1 is
    taken; K, the heaviest box. With w(B), the weight of a box:

    minimise    K
    subject to  sum_{B holds q} x_B = 1                    for every cell q,
                sum_{B holds q} w(B) x_B <= K              for every cell q,

    where cells that may stay uncovered have <= 1.
    """
    return cost_model(tiling_of(instance))


FORMULATIONS: Final = (
    Formulation("boxes", whole_boxes, any_tiling, MOST_CELLS, "cells", cells_of),
)
