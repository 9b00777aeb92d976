"""RTILE: the automatic choice of methods.

Its stages are those of all tilings (:mod:`atleastk.solvers.tilings.stages`). Straight
cuts of large grids into rectangles of few cells come from a dynamic program over small
boxes besides.
"""

from __future__ import annotations

from typing import Final

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import tiling_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.stages import Stage, run_stages
from atleastk.solvers.rectangle_tiling_grid.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling_grid.first import first_answers
from atleastk.solvers.rectangle_tiling_grid.narrow_cuts import narrow_cuts
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.stages import Work, stages


def solve(search: Search[RectangleTilingGrid]) -> None:
    """Tile a grid at the least cost, as far as the budget goes."""
    tiling = tiling_of(search.instance)
    run_stages(search, STAGES, Work(search, tiling, first_answers, ALGORITHMS))


def _cut_narrowly(work: Work, part: Budget) -> None:
    search, tiling = work.search, work.tiling
    ends = search.bound or 0, search.cost or 0
    for boxes in narrow_cuts(tiling.grid, tiling.most, *ends, part):
        search.offer(tiling.solution(boxes), "narrow cuts")


STAGES: Final = stages(
    cuts_before_lists=lambda w: w.unlisted,
    others=[Stage("narrow cuts", lambda w: w.searches_cuts, 0.3, _cut_narrowly)],
)
"""What is done for a grid of more than a few cells: cuts are searched for before they
are listed only where they are too many."""
