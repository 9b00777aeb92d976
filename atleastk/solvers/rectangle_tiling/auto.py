"""Rectangle tiling: the automatic choice of methods.

Its stages are those of all tilings (:mod:`atleastk.solvers.tilings.stages`). Straight
cuts of many points are searched for depth first, and once more where boxes are too many
to be listed.
"""

from __future__ import annotations

from dataclasses import replace
from math import isinf
from typing import Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import tiling_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.stages import Stage, Stages, run_stages
from atleastk.solvers.rectangle_tiling.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling.cut_search import tilings_by_cuts
from atleastk.solvers.rectangle_tiling.first import first_answers
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.stages import Work, stages

_SOURCE: Final = "search for cuts"

_EFFORT: Final = 2**21
"""Rectangles that the search for cuts looks at for a level, at most: some seconds."""

_WHOLE_EFFORT: Final = 2**26
"""The same where nothing comes after it but a time limit: a minute for 1,000 points."""


def solve(search: Search[RectangleTiling]) -> None:
    """Tile the plane so that the heaviest rectangle is lightest, within the budget."""
    tiling = tiling_of(search.instance)
    run_stages(search, STAGES, Work(search, tiling, first_answers, ALGORITHMS))


def _search_cuts(work: Work, part: Budget) -> None:
    goes_on = not (work.fits or isinf(part.remaining))
    _search(work, part, _WHOLE_EFFORT if goes_on else _EFFORT)


def _goes_on(work: Work) -> bool:
    """Whether boxes were too many to be listed, and a time limit ends the search."""
    return work.fits and work.free and not isinf(work.search.budget.remaining)


def _search_on(work: Work, part: Budget) -> None:
    """Search for the rest of the time, with lines of like slack in another order."""
    _search(work, replace(part, seed=part.seed + _EFFORT), _WHOLE_EFFORT)


def _search(work: Work, part: Budget, effort: int) -> None:
    search = work.search
    ends = search.bound or 0, search.cost or 0
    for boxes in tilings_by_cuts(search.instance, *ends, part, effort):
        search.offer(work.tiling.solution(boxes), _SOURCE)


STAGES: Final[Stages[Work]] = (
    *stages(_SOURCE, _search_cuts),
    Stage(_SOURCE, _goes_on, None, _search_on),
)
"""What is done for more than a few points."""
