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
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.method import Method
from atleastk.solvers.rectangle_tiling.auto import solve
from atleastk.solvers.rectangle_tiling.tiling import tiling_of
from atleastk.solvers.tilings.methods import (
    TilingMethods,
    refuses_boxes,
    refuses_cuts,
)
from atleastk.solvers.tilings.tiling import Tiling

__all__ = ["METHODS", "solve"]

Form = Callable[[RectangleTiling, IntArray], SolutionEncoding]

_MOST_BOXES_OF_CELLS: Final = 2**18
"""Boxes of one model that has an entry for every cell of a box: not tuned."""
_MOST_BOXES: Final = 2**21
"""Boxes of one model that has four entries for a box: not tuned."""

_MAKE: Final = TilingMethods(tiling_of)


def _light(form: Form, instance: RectangleTiling, level: int) -> SolutionEncoding:
    """Return the model of all boxes of at most a level."""
    boxes, weights = heavy_boxes(instance)
    return form(instance, boxes[weights <= level])


def _refuses(tiling: Tiling, most: int) -> str | None:
    return refuses_boxes(tiling, most) or refuses_cuts(tiling)


def _corners(name: str, backend: Backend, called: str) -> Method[RectangleTiling]:
    return _MAKE.by_levels(
        name,
        f"a cover by boxes, with rows for vertices, in {called}",
        partial(_light, corner_model),
        backend,
        partial(_refuses, most=_MOST_BOXES),
    )


def _cells(name: str, backend: Backend, called: str) -> Method[RectangleTiling]:
    return _MAKE.by_levels(
        name,
        f"a cover by boxes, with rows for cells, in {called}",
        partial(_light, cells_model),
        backend,
        partial(_refuses, most=_MOST_BOXES_OF_CELLS),
    )


METHODS: Sequence[Method[RectangleTiling]] = (
    _corners("corner", CpSat(), "CP-SAT"),
    _corners("corner-highs", Highs(), "HiGHS"),
    _cells("cells", CpSat(), "CP-SAT"),
    _cells("cells-sat", Sat(), "SAT"),
    *_MAKE.shared(),
)
