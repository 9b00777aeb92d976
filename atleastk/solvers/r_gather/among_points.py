"""Centres among the points: what is asked at a radius.

Clusters are within balls of the radius; see :mod:`atleastk.solvers.r_gather.balls`.
"""

from __future__ import annotations

import numpy as np

from atleastk.instances.errors import WrongAnswerError
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.status import Status
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods
from atleastk.solvers.r_gather.balls import ground
from atleastk.solvers.r_gather.decision import Decisions
from atleastk.solvers.r_gather.first import gathered

__all__ = ["AmongPoints"]


class AmongPoints:
    """Whether all points can be gathered in balls of a radius."""

    worthwhile = True

    def __init__(
        self, instance: RGather, near: Neighbourhoods, radius: int, budget: Budget
    ) -> None:
        self._instance = instance
        self._near = near
        self._radius = radius
        self._decisions = Decisions(ground(instance, near, radius, budget))

    def ask(self, effort: int, budget: Budget) -> ClusteringSolution | Status:
        """Return a solution, INFEASIBLE or UNKNOWN."""
        answer = self._decisions.ask(effort, budget)
        if isinstance(answer, Status):
            return answer
        chosen = [of.centres[candidates] for of, candidates in answer]
        centres = np.sort(np.concatenate(chosen))
        balls = self._near.balls(self._radius, centres)
        solution = gathered(self._instance, centres, balls)
        if solution is None:
            message = f"the centres chosen at {self._radius} cannot be filled"
            raise WrongAnswerError(message)
        return solution
