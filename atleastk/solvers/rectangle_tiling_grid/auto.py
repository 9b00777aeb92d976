"""RTILE: the automatic choice of methods.

1. Counting: the heaviest cell and W / p; single cells, if p boxes may be as many.
2. The approximation algorithms, straight cuts of narrow boxes, and the best tiling by
   straight (guillotine) cuts: a dynamic program, exact for instances that ask for such.
   On a small grid that comes first: none of these is better. Other tilings are
   hardly ever much better, so few levels stay open.
3. Decisions about the open levels, from the bound up in growing steps. Boxes that some
   tiling may have are listed; weights of cells from linear programs refute most levels
   below the optimum; a search over skylines, cut by these weights, or an exact cover in
   CP-SAT decides the others. Turn by turn both get more effort. With two workers they
   race.

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.models.rectangles import Box
from atleastk.models.windows import Window
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.levels import Walk
from atleastk.solvers.engine.race import first_decided
from atleastk.solvers.engine.shipped_algorithms import offer_shipped
from atleastk.solvers.rectangle_tiling.boxes import admissible_boxes
from atleastk.solvers.rectangle_tiling.corner_cover import decide_by_cover
from atleastk.solvers.rectangle_tiling.guillotine import FEW_CELLS, cheaper_tilings
from atleastk.solvers.rectangle_tiling.potentials import partial_potentials, potentials
from atleastk.solvers.rectangle_tiling.skyline import decide_by_skyline
from atleastk.solvers.rectangle_tiling_grid.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling_grid.levels import begin, tile_by_levels
from atleastk.solvers.rectangle_tiling_grid.narrow_cuts import narrow_cuts
from atleastk.solvers.search import Search

_SHARE: Final = 0.25
"""The share of the time left that narrow cuts may take: not tuned."""

_SHARE_OF_CUTS: Final = 0.6
"""The same for the best straight cuts, if the tiling need not be straight."""

_PATIENCE: Final = 4
"""Levels in a row that may stay open in a turn: not tuned."""

_TURNS: Final = 5
"""The most turns; in the last one CP-SAT's work has no limit."""

_MOST_BOXES: Final = 2**20
"""Boxes that are decided about in the first turn, four times as many each time."""

_MEMORY: Final = 2.0**25
"""Bytes of skylines in the first turn, eight times as many each time."""

_WORK: Final = 1.0
"""Deterministic time of CP-SAT in the first turn, eight times as much each time."""


def solve(search: Search[RectangleTilingGrid]) -> None:
    """Tile a grid at the least cost, as far as the budget goes."""
    if begin(search, "count"):
        small = search.instance.n <= FEW_CELLS
        if not (small and _cut(search)):
            _approximate(search)
            if not search.done:
                _cut(search)
    for turn in range(_TURNS):
        if search.done or search.instance.guillotine:
            return
        decide = partial(_decide, search, turn)
        tile_by_levels(search, decide, "levels", Walk(patience=_PATIENCE))


def _approximate(search: Search[RectangleTilingGrid]) -> None:
    """Offer the tilings of the fast algorithms, and narrow cuts."""
    instance, budget = search.instance, search.budget
    offer_shipped(search, [a for a in ALGORITHMS if a.name != "guillotine"])
    if not search.done:
        narrow_cuts(
            instance.weights,
            instance.p,
            search.bound or 0,
            search.cost or 0,
            budget.share(_SHARE),
            lambda boxes: search.offer(
                solution_of_boxes(instance, boxes), "narrow cuts"
            ),
        )


def _cut(search: Search[RectangleTilingGrid]) -> bool:
    """Offer tilings by straight cuts; return whether none of them is better.

    If it has to be one, the cost is bounded.
    """
    instance, budget, cost = search.instance, search.budget, search.cost or 0
    part = budget
    if not instance.guillotine:
        part = budget.share(_SHARE_OF_CUTS)
    offer = partial(search.offer, source="guillotine")
    sure = cheaper_tilings(instance, part, cost, offer)
    if sure and instance.guillotine:
        search.raise_bound(search.cost or 0, "guillotine")
    return sure


def _decide(
    search: Search[RectangleTilingGrid], turn: int, window: Window
) -> Decision[list[Box]]:
    """Decide about a level, with the effort of a turn."""
    grid, budget = search.instance.weights, search.budget
    boxes = admissible_boxes(grid, window, budget, _MOST_BOXES * 4**turn)
    if boxes is None:
        return Decision.unknown()
    if not len(boxes):
        return Decision.impossible().credited("lists")
    weights = potentials(boxes, grid.shape, budget, both=window.least > 0)
    if turn > 0:
        weights += partial_potentials(boxes, grid.shape, budget)
    memory = min(_MEMORY * 8**turn, budget.memory)

    def by_skyline(part: Budget) -> Decision[list[Box]]:
        part = replace(part, memory=memory)
        found = decide_by_skyline(grid, window, part, boxes, weights)
        return found.credited("skyline")

    def by_cover(part: Budget) -> Decision[list[Box]]:
        work = {"max_deterministic_time": _WORK * 8**turn}
        backend = CpSat(work if turn + 1 < _TURNS else {})
        found = decide_by_cover(grid, window, part, backend=backend)
        return found.credited("cover")

    return first_decided([by_skyline, by_cover], budget)
