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
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.decision import Decision, decided_by
from atleastk.solvers.engine.levels import Levels, among, minimise_by_levels
from atleastk.solvers.engine.modelled import begun
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

__all__ = ["METHODS", "minimise_cover", "solve"]

Form = Callable[[RectangleTiling, IntArray], SolutionEncoding]

_MOST_BOXES_OF_CELLS: Final = 2**18
"""Boxes of one model that has an entry for every cell of a box: not tuned."""
_MOST_BOXES: Final = 2**21
"""Boxes of one model that has four entries for a box, or of one search: not tuned."""


def minimise_cover(
    search: Search[RectangleTiling], form: Form, backend: Backend, source: str
) -> None:
    """Decide by a model of all boxes of at most some weight, level by level."""
    if not _begin(search, source):
        return
    instance = search.instance
    boxes, weights = heavy_boxes(instance)

    def decide(level: int) -> Decision[Solution]:
        encoding = form(instance, boxes[weights <= level])
        return decided_by(backend, encoding.model, encoding.decode, search.budget)

    minimise_by_levels(search, among(np.unique(weights).tolist()), decide, source)


def minimise_by_skyline(search: Search[RectangleTiling], source: str) -> None:
    """Decide by skylines, level by level, for all numbers of rectangles."""
    if not _begin(search, source):
        return
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


def minimise_flow(
    search: Search[RectangleTiling], backend: Backend, source: str
) -> None:
    """Decide by a model of straight cuts, level by level."""
    instance = search.instance
    read = partial(solution_of_boxes, instance)

    def decide(level: int) -> Decision[Solution]:
        encoding = straight_cuts(instance.grid, instance.k, level, read)
        return decided_by(backend, encoding.model, encoding.decode, search.budget)

    if _begin(search, source):
        minimise_by_levels(search, _levels(instance), decide, source)


def _levels(instance: RectangleTiling) -> Levels:
    """Return the weights of boxes, of at least k."""
    return among(np.unique(heavy_boxes(instance)[1]).tolist())


def minimise_by_placing(search: Search[RectangleTiling], source: str) -> None:
    """Minimise by placing at most as many rectangles as counting allows."""
    instance = search.instance
    if _begin(search, source):
        minimise_no_overlap(
            search,
            _placing(instance),
            lambda boxes: solution_of_boxes(instance, boxes),
            source,
        )


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


def _cover(
    name: str, form: Form, most: int, backend: Backend, summary: str
) -> Method[RectangleTiling]:
    return Method(
        name,
        summary,
        backend.family,
        partial(minimise_cover, form=form, backend=backend, source=name),
        partial(_refuses_boxes, most=most),
    )


def _flow(name: str, backend: Backend, called: str) -> Method[RectangleTiling]:
    return Method(
        name,
        f"straight cuts as a flow from box to box, level by level, in {called}",
        backend.family,
        partial(minimise_flow, backend=backend, source=name),
        refuses_model,
    )


METHODS: Sequence[Method[RectangleTiling]] = (
    _cover(
        "corner",
        corner_model,
        _MOST_BOXES,
        CpSat(),
        "a cover by boxes, with rows for vertices, in CP-SAT",
    ),
    _cover(
        "corner-highs",
        corner_model,
        _MOST_BOXES,
        Highs(),
        "a cover by boxes, with rows for vertices, in HiGHS",
    ),
    _cover(
        "cells",
        cells_model,
        _MOST_BOXES_OF_CELLS,
        CpSat(),
        "a cover by boxes, with rows for cells, in CP-SAT",
    ),
    _cover(
        "cells-sat",
        cells_model,
        _MOST_BOXES_OF_CELLS,
        Sat(),
        "a cover by boxes, with rows for cells, in SAT",
    ),
    Method(
        "no-overlap",
        "rectangles placed one by one without overlap, in CP-SAT",
        CpSat.family,
        partial(minimise_by_placing, source="no-overlap"),
        _refuses_placing,
    ),
    Method(
        "skyline",
        "rectangles from the bottom up, with a memory of skylines",
        "combinatorial",
        partial(minimise_by_skyline, source="skyline"),
        partial(_refuses_boxes, most=_MOST_BOXES),
    ),
    _flow("cuts-highs", Highs({"presolve": "off"}), "HiGHS"),
    _flow("cuts", CpSat(), "CP-SAT"),
    Method(
        "guillotine",
        "a dynamic program over all boxes, where only straight cuts count",
        "combinatorial",
        begun(_begin, minimise_by_cuts, "guillotine"),
        _refuses_any,
    ),
)
