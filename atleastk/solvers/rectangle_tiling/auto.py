"""Rectangle tiling: the automatic choice of methods.

Its stages are those of all tilings (:mod:`atleastk.solvers.tilings.stages`).
"""

from __future__ import annotations

from typing import Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.solvers.engine.stages import always, run_stages
from atleastk.solvers.rectangle_tiling.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling.tiling import tiling_of
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.stages import Work, stages


def solve(search: Search[RectangleTiling]) -> None:
    """Tile the plane so that the heaviest rectangle is lightest, within the budget."""
    run_stages(search, STAGES, Work(search, tiling_of(search.instance), ALGORITHMS))


STAGES: Final = stages(always)
"""What is done for more than a few points."""
