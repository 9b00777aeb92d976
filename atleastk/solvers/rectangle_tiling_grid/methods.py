"""RTILE: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.rectangle_tiling_grid.auto`. Most of
the methods here state the problem to general solvers, and share nothing with it:
neither bounds nor boxes that are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.rectangle_tiling_grid import (
    cells_model,
    corners_model,
    cost_model,
)
from atleastk.models.encodings.straight_cuts import straight_cuts
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.modelled import Methods, Stated
from atleastk.solvers.method import Method
from atleastk.solvers.rectangle_tiling import guillotine
from atleastk.solvers.rectangle_tiling.guillotine import too_many_boxes
from atleastk.solvers.rectangle_tiling.no_overlap import Placing, minimise_no_overlap
from atleastk.solvers.rectangle_tiling.skyline import decide_by_skyline
from atleastk.solvers.rectangle_tiling_grid.auto import solve
from atleastk.solvers.rectangle_tiling_grid.levels import (
    begin,
    open_levels,
    tile_by_levels,
)
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]

_MOST_BOXES: Final = 50_000
"""Boxes of one model that has four entries for a box: not tuned."""
_MOST_BOXES_OF_CELLS: Final = 10_000
"""Boxes of one model that has an entry for every cell of a box: not tuned."""
_MOST_LINES: Final = 200
"""Rows, or columns, that a search over skylines takes: not tuned."""
_WIDEST: Final = 2**31
"""Weights up to this one are safe in the arithmetic of all solvers."""

Encode = Callable[[RectangleTilingGrid, int], SolutionEncoding]


def _by_levels(encode: Encode) -> Callable[[Search[RectangleTilingGrid]], Stated]:
    """Return what states a model for every level."""
    return lambda search: (open_levels(search), partial(encode, search.instance))


def _cuts_model(instance: RectangleTilingGrid, level: int) -> SolutionEncoding:
    read = partial(solution_of_boxes, instance)
    return straight_cuts(instance.weights, 0, level, read, instance.p)


def _place(search: Search[RectangleTilingGrid], source: str) -> None:
    """Minimise by placing as many boxes as are allowed."""
    read = partial(solution_of_boxes, search.instance)
    minimise_no_overlap(search, _placing(search.instance), read, source)


def _placing(instance: RectangleTilingGrid) -> Placing:
    grid, parts = instance.weights, min(instance.p, instance.n)
    return Placing(grid, np.ones_like(grid), 0, parts, parts)


def _search_skylines(search: Search[RectangleTilingGrid], source: str) -> None:
    """Decide about one level after the other, by a search for each."""
    grid = search.instance.weights
    tile_by_levels(
        search, lambda window: decide_by_skyline(grid, window, search.budget), source
    )


def _refuses(instance: RectangleTilingGrid, most: int) -> str | None:
    """Say why models of boxes cannot take an instance."""
    return _STRAIGHT if instance.guillotine else too_many_boxes(instance, most)


_STRAIGHT: Final = "it does not know which tilings come from straight cuts"


def _refuses_cost(instance: RectangleTilingGrid) -> str | None:
    if instance.total > _WIDEST:
        return f"it takes a weight of 2**31 in all, got {instance.total}"
    return _refuses(instance, _MOST_BOXES_OF_CELLS)


def _refuses_placing(instance: RectangleTilingGrid) -> str | None:
    return _STRAIGHT if instance.guillotine else _placing(instance).refusal


def _refuses_skylines(instance: RectangleTilingGrid) -> str | None:
    if instance.guillotine:
        return _STRAIGHT
    if max(instance.rows, instance.columns) > _MOST_LINES:
        return f"{instance.rows} x {instance.columns} cells are too many for skylines"
    return None


def _refuses_cutting(instance: RectangleTilingGrid) -> str | None:
    if not instance.guillotine:
        return "it takes instances of straight cuts only"
    return guillotine.refuses(instance)


_EXACT: Final = Methods(begin)

METHODS: Sequence[Method[RectangleTilingGrid]] = (
    *_EXACT.modelled(
        "choose among all boxes, cell by cell",
        cost_model,
        {"cells": CpSat(), "cells-highs": Highs()},
        _refuses_cost,
    ),
    *_EXACT.decided(
        "choose among light boxes, cell by cell",
        _by_levels(cells_model),
        {"cells-sat": Sat()},
        partial(_refuses, most=_MOST_BOXES_OF_CELLS),
    ),
    *_EXACT.decided(
        "choose among light boxes by corners",
        _by_levels(corners_model),
        {"corners": CpSat()},
        partial(_refuses, most=_MOST_BOXES),
    ),
    _EXACT.one(
        "no-overlap",
        "place p boxes that do not overlap, in CP-SAT",
        CpSat.family,
        _place,
        _refuses_placing,
    ),
    _EXACT.one(
        "skyline",
        "a search over skylines with a memory, level by level",
        "combinatorial",
        _search_skylines,
        _refuses_skylines,
    ),
    *_EXACT.decided(
        "straight cuts as a flow from box to box",
        _by_levels(_cuts_model),
        {"cuts-highs": Highs({"presolve": "off"}), "cuts": CpSat()},
        guillotine.refuses_model,
    ),
    _EXACT.one(
        "guillotine",
        "a dynamic program over all boxes, for straight cuts",
        "combinatorial",
        guillotine.minimise_by_cuts,
        _refuses_cutting,
    ),
)
