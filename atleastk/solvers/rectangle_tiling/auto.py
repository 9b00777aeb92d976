"""Rectangle tiling: the automatic choice of methods.

Its stages are those of all tilings (:mod:`atleastk.solvers.tilings.stages`), and strips
whose pieces are the best along each.
"""

from __future__ import annotations

from math import isqrt
from typing import Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import tiling_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.stages import Stage, always, run_stages
from atleastk.solvers.rectangle_tiling.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling.first import first_answers
from atleastk.solvers.rectangle_tiling.strips import Strips
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.stages import Work, stages


def solve(search: Search[RectangleTiling]) -> None:
    """Tile the plane so that the heaviest rectangle is lightest, within the budget."""
    tiling = tiling_of(search.instance)
    run_stages(search, STAGES, Work(search, tiling, first_answers, ALGORITHMS))


def _cut_strips(work: Work, _: Budget) -> None:
    """Offer strips, each of which is cut as well as can be."""
    search, instance = work.search, work.search.instance
    strips = Strips(instance, isqrt(instance.total // instance.k))
    pieces = strips.least(search.bound or 0)
    if strips.heaviest(pieces) < (search.cost or 0):
        search.offer(strips.tiling(pieces), "strips")


STAGES: Final = stages(
    always, quick=[Stage("strips", lambda w: not w.all_cuts_known, None, _cut_strips)]
)
"""What is done for more than a few points."""
