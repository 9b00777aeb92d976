"""Rectangle tiling: the automatic choice of methods.

Its stages are those of all tilings (:mod:`atleastk.solvers.tilings.stages`).
"""

from __future__ import annotations

from typing import Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import tiling_of
from atleastk.solvers.engine.stages import always, run_stages
from atleastk.solvers.rectangle_tiling.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling.first import first_answers
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.stages import Work, stages


def solve(search: Search[RectangleTiling]) -> None:
    """Tile the plane so that the heaviest rectangle is lightest, within the budget."""
    tiling = tiling_of(search.instance)
    run_stages(search, STAGES, Work(search, tiling, first_answers, ALGORITHMS))


STAGES: Final = stages(cuts_before_lists=always)
"""What is done for more than a few points: cuts are searched for before they are
listed, whatever their number."""
