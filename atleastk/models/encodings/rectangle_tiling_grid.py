"""RTILE as a linear model, see :mod:`~atleastk.models.encodings.tilings`.

All choose p boxes that cover every cell exactly once: fewer can be split, up to one for
every cell.
"""

from __future__ import annotations

from typing import Final

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.encodings import tilings
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.tilings import MOST_CELLS, any_tiling, cells_of
from atleastk.models.rectangle_tiling_grid import tiling_of


def cost_model(instance: RectangleTilingGrid) -> Encoding:
    """All boxes are listed, and p of them are taken.

    Variables: x_a_c_b_d, the box of rows a, .., b - 1 and columns c, .., d - 1 is
    taken; K, the heaviest box. With w(B), the weight of a box:

    minimise    K
    subject to  sum_{B holds q} x_B = 1                    for every cell q,
                sum_{B holds q} w(B) x_B <= K              for every cell q,
                sum_B x_B = min(p, the number of cells),

    as fewer boxes can be split.
    """
    return tilings.cost_model(tiling_of(instance))


FORMULATIONS: Final = (
    Formulation("boxes", cost_model, any_tiling, MOST_CELLS, "cells", cells_of),
)
