"""RTILE: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.rectangle_tiling_grid.auto`, and what
all tilings have in :mod:`atleastk.solvers.tilings.methods`. Here are covers by boxes,
all at once or level by level.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.encodings.rectangle_tiling_grid import (
    cells_model,
    corners_model,
    cost_model,
)
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.method import Method
from atleastk.solvers.rectangle_tiling_grid.auto import solve
from atleastk.solvers.rectangle_tiling_grid.tiling import tiling_of
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.methods import (
    TilingMethods,
    refuses_boxes,
    refuses_cuts,
)
from atleastk.solvers.tilings.tiling import Tiling

__all__ = ["METHODS", "solve"]

_MOST_BOXES: Final = 50_000
"""Boxes of one model that has four entries for a box: not tuned."""
_MOST_BOXES_OF_CELLS: Final = 10_000
"""Boxes of one model that has an entry for every cell of a box: not tuned."""
_WIDEST: Final = 2**31
"""Weights up to this one are safe in the arithmetic of all solvers."""

_MAKE: Final = TilingMethods(tiling_of)


def _refuses(tiling: Tiling, most: int) -> str | None:
    return refuses_cuts(tiling) or refuses_boxes(tiling, most)


def _refuses_cost(tiling: Tiling) -> str | None:
    if tiling.total > _WIDEST:
        return f"it takes a weight of 2**31 in all, got {tiling.total}"
    return _refuses(tiling, _MOST_BOXES_OF_CELLS)


def _by_cost(name: str, backend: Backend, called: str) -> Method[RectangleTilingGrid]:
    def minimise(search: Search[Any], _: Tiling, source: str) -> None:
        minimise_encoded(search, cost_model(search.instance), backend, source)

    summary = f"choose among all boxes, cell by cell, in {called}"
    return _MAKE.method(name, summary, backend.family, minimise, _refuses_cost)


METHODS: Sequence[Method[RectangleTilingGrid]] = (
    _by_cost("cells", CpSat(), "CP-SAT"),
    _by_cost("cells-highs", Highs(), "HiGHS"),
    _MAKE.by_levels(
        "cells-sat",
        "choose among light boxes, cell by cell, level by level, in SAT",
        cells_model,
        Sat(),
        partial(_refuses, most=_MOST_BOXES_OF_CELLS),
    ),
    _MAKE.by_levels(
        "corners",
        "choose among light boxes by corners, level by level, in CP-SAT",
        corners_model,
        CpSat(),
        partial(_refuses, most=_MOST_BOXES),
    ),
    *_MAKE.shared(),
)
