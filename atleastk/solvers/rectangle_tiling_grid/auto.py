"""RTILE: the automatic choice of methods; `STAGES`, at the end, lists it.

The best tiling by straight (guillotine) cuts comes first on a small grid: none of the
fast algorithms is better then, and other tilings are hardly ever much better. The few
levels left are decided from the bound up in growing steps, by a search over skylines,
cut by weights of cells, or an exact cover; with two workers they race.

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
from atleastk.solvers.engine.first_answers import offer_shipped
from atleastk.solvers.engine.race import first_decided
from atleastk.solvers.engine.stages import Stage, Stages, always, run_stages
from atleastk.solvers.rectangle_tiling.boxes import admissible_boxes
from atleastk.solvers.rectangle_tiling.corner_cover import decide_by_cover
from atleastk.solvers.rectangle_tiling.guillotine import FEW_CELLS, cheaper_tilings
from atleastk.solvers.rectangle_tiling.potentials import partial_potentials, potentials
from atleastk.solvers.rectangle_tiling.skyline import decide_by_skyline
from atleastk.solvers.rectangle_tiling_grid.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling_grid.levels import begin, tile_by_levels
from atleastk.solvers.rectangle_tiling_grid.narrow_cuts import narrow_cuts
from atleastk.solvers.search import Search

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
    run_stages(search, STAGES, _Work(search))


class _Work:
    """A search, and whether no tiling by straight cuts is better than its best."""

    sure = False

    def __init__(self, search: Search[RectangleTilingGrid]) -> None:
        self.search, self.instance = search, search.instance
        self.free = not search.instance.guillotine
        self.small = search.instance.n <= FEW_CELLS

    def cut(self, part: Budget) -> None:
        """Offer the best straight cuts; if it has to be such, bound the cost."""
        search, cost = self.search, self.search.cost or 0
        offer = partial(search.offer, source="guillotine")
        self.sure = cheaper_tilings(self.instance, part, cost, offer)
        if self.sure and not self.free:
            search.raise_bound(search.cost or 0, "guillotine")

    def approximate(self, part: Budget) -> None:
        others = [each for each in ALGORITHMS if each.name != "guillotine"]
        offer_shipped(self.search, others, part)

    def cut_narrowly(self, part: Budget) -> None:
        def offer(boxes: list[Box]) -> None:
            self.search.offer(solution_of_boxes(self.instance, boxes), "narrow cuts")

        ends = self.search.bound or 0, self.search.cost or 0
        narrow_cuts(self.instance.weights, self.instance.p, *ends, part, offer)

    def decide_levels(self, _: Budget, turn: int) -> None:
        """Decide the open levels, with the effort of a turn."""
        decide = partial(_decide, self.search, turn)
        tile_by_levels(self.search, decide, "levels", _PATIENCE)


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


STAGES: Final[Stages[_Work]] = (
    Stage("at once", always, None, lambda w, _: begin(w.search, "count")),
    Stage("guillotine", lambda w: w.small and w.free, 0.6, _Work.cut),
    Stage("guillotine", lambda w: w.small and not w.free, None, _Work.cut),
    Stage("algorithms", lambda w: not w.sure, 0.5, _Work.approximate),
    Stage("narrow cuts", lambda w: not w.sure, 0.25, _Work.cut_narrowly),
    Stage("guillotine", lambda w: not w.sure and w.free, 0.6, _Work.cut),
    Stage("guillotine", lambda w: not w.sure and not w.free, None, _Work.cut),
    *(
        Stage("levels", lambda w: w.free, None, partial(_Work.decide_levels, turn=turn))
        for turn in range(_TURNS)
    ),
)
"""What is done for a grid of more than a few cells. Shares are not tuned."""
