"""The decision problem at a radius, for centres among the points.

Clusters are within balls of the radius; see :mod:`atleastk.solvers.r_gather.balls`.
"""

from __future__ import annotations

import numpy as np

from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.r_gather.balls import covering_problem
from atleastk.solvers.r_gather.decision import Chosen, CoveringDecider
from atleastk.solvers.r_gather.first import gathered


class AmongPoints:
    """Whether all points can be gathered in balls of a radius."""

    worthwhile = True

    def __init__(
        self, instance: RGather, near: Neighbourhoods, radius: int, budget: Budget
    ) -> None:
        self._instance = instance
        self._near = near
        self._radius = radius
        problem = covering_problem(instance, near, radius, budget)
        self._decider = CoveringDecider(problem)

    def decide(self, effort: int, budget: Budget) -> Decision[ClusteringSolution]:
        """Work on the decision with an effort of 0, 1, .."""
        return self._decider.decide(effort, budget).read(self._gathered)

    def _gathered(self, chosen: Chosen) -> ClusteringSolution:
        centres = np.concatenate([problem.centres[some] for problem, some in chosen])
        centres.sort()
        balls = self._near.balls(self._radius, centres)
        solution = gathered(self._instance, centres, balls)
        if solution is None:
            raise WrongAnswerError(
                f"the centres chosen at {self._radius} cannot be filled"
            )
        return solution
