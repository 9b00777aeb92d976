"""Rectangle tiling: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.rectangle_tiling.auto`. The methods
here share nothing with it but the skyline search: boxes are listed plainly, and none is
left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.rectangle_tiling import (
    cells_model,
    corner_model,
    heavy_boxes,
)
from atleastk.models.encodings.straight_cuts import straight_cuts
from atleastk.models.rectangle_tiling import required_cells, solution_of_boxes
from atleastk.models.rectangles import RectanglesSolution
from atleastk.models.results.solution import Solution
from atleastk.models.windows import Window
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.levels import Levels, among, minimise_by_levels
from atleastk.solvers.engine.modelled import Methods, Stated
from atleastk.solvers.engine.part_counts import PartCounts
from atleastk.solvers.method import Method
from atleastk.solvers.rectangle_tiling.auto import solve
from atleastk.solvers.rectangle_tiling.guillotine import (
    minimise_by_cuts,
    refuses,
    refuses_model,
    too_many_boxes,
)
from atleastk.solvers.rectangle_tiling.no_overlap import Placing, minimise_no_overlap
from atleastk.solvers.rectangle_tiling.skyline import decide_by_skyline
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]

Form = Callable[[RectangleTiling, IntArray], SolutionEncoding]

_MOST_BOXES_OF_CELLS: Final = 2**18
"""Boxes of one model that has an entry for every cell of a box: not tuned."""
_MOST_BOXES: Final = 2**21
"""Boxes of one model that has four entries for a box, or of one search: not tuned."""


def _cover(form: Form) -> Callable[[Search[RectangleTiling]], Stated]:
    """Return what states a model of all boxes of at most some weight."""

    def stated(search: Search[RectangleTiling]) -> Stated:
        instance = search.instance
        boxes, weights = heavy_boxes(instance)
        return _levels(instance), lambda level: form(instance, boxes[weights <= level])

    return stated


def _flow(search: Search[RectangleTiling]) -> Stated:
    """State a model of straight cuts for every level."""
    instance = search.instance
    read = partial(solution_of_boxes, instance)
    return _levels(instance), lambda level: straight_cuts(
        instance.grid, instance.k, level, read
    )


def minimise_by_skyline(search: Search[RectangleTiling], source: str) -> None:
    """Decide by skylines, level by level, for all numbers of rectangles."""
    instance = search.instance
    points = None
    if instance.cover == "points":
        points = required_cells(instance).astype(np.int64)
    counts = PartCounts(instance.total, instance.k, 0, _most_parts(instance))

    def decide(window: Window) -> Decision[Solution]:
        decision = decide_by_skyline(
            instance.grid, window, search.budget, points=points
        )
        return decision.read(partial(solution_of_boxes, instance))

    decide_all = partial(counts.decide, decide)
    minimise_by_levels(search, _levels(instance), decide_all, source)


def _levels(instance: RectangleTiling) -> Levels:
    """Return the weights of boxes, of at least k."""
    return among(np.unique(heavy_boxes(instance)[1]).tolist())


def minimise_by_placing(search: Search[RectangleTiling], source: str) -> None:
    """Minimise by placing at most as many rectangles as counting allows."""
    instance = search.instance
    read = partial(solution_of_boxes, instance)
    minimise_no_overlap(search, _placing(instance), read, source)


def _placing(instance: RectangleTiling) -> Placing:
    most = _most_parts(instance)
    held = required_cells(instance).astype(np.int64)
    return Placing(instance.grid, held, instance.k, 1, most)


def _most_parts(instance: RectangleTiling) -> int:
    """Return the most rectangles that there can be, by counting."""
    cells = int(np.count_nonzero(instance.grid))
    return min(instance.total // instance.k, cells)


def _begin(search: Search[RectangleTiling], source: str) -> bool:
    """Report trivial answers; return whether work is left."""
    instance = search.instance
    if instance.n == 0:
        search.offer(RectanglesSolution(()), source)
        search.raise_bound(0, source)
    elif instance.total < instance.k:
        search.close_infeasible(source)
    return not search.closed


def _refuses_boxes(instance: RectangleTiling, most: int) -> str | None:
    """Say why not all boxes of an instance can be listed."""
    return too_many_boxes(instance, most) or _refuses_cuts(instance)


def _refuses_cuts(instance: RectangleTiling) -> str | None:
    return "it cannot ask for straight cuts" if instance.guillotine else None


def _refuses_placing(instance: RectangleTiling) -> str | None:
    if instance.n == 0 or instance.total < instance.k:
        return None
    return _refuses_boxes(instance, _MOST_BOXES) or _placing(instance).refusal


def _refuses_any(instance: RectangleTiling) -> str | None:
    if not instance.guillotine:
        return "it is exact for straight cuts only"
    return refuses(instance)


_EXACT: Final = Methods(_begin)

METHODS: Sequence[Method[RectangleTiling]] = (
    *_EXACT.decided(
        "a cover by boxes, with rows for vertices",
        _cover(corner_model),
        {"corner": CpSat(), "corner-highs": Highs()},
        partial(_refuses_boxes, most=_MOST_BOXES),
    ),
    *_EXACT.decided(
        "a cover by boxes, with rows for cells",
        _cover(cells_model),
        {"cells": CpSat(), "cells-sat": Sat()},
        partial(_refuses_boxes, most=_MOST_BOXES_OF_CELLS),
    ),
    _EXACT.one(
        "no-overlap",
        "rectangles placed one by one without overlap, in CP-SAT",
        CpSat.family,
        minimise_by_placing,
        _refuses_placing,
    ),
    _EXACT.one(
        "skyline",
        "rectangles from the bottom up, with a memory of skylines",
        "combinatorial",
        minimise_by_skyline,
        partial(_refuses_boxes, most=_MOST_BOXES),
    ),
    *_EXACT.decided(
        "straight cuts as a flow from box to box",
        _flow,
        {"cuts-highs": Highs({"presolve": "off"}), "cuts": CpSat()},
        refuses_model,
    ),
    _EXACT.one(
        "guillotine",
        "a dynamic program over all boxes, where only straight cuts count",
        "combinatorial",
        minimise_by_cuts,
        _refuses_any,
    ),
)
