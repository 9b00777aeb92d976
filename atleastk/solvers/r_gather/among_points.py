"""The decision problem at a radius, for centres among the points.

Clusters are within balls of the radius; see :mod:`atleastk.solvers.r_gather.balls`.
Where clusters are large or limited, sets of points that the linear relaxation violates
come first (:mod:`~atleastk.solvers.r_gather.opening_lp`); they are most of those that
matter, so branch and bound often ends at its root, if not the relaxation refutes the
radius. They are reused from one radius to the next.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.r_gather.balls import covering_problem
from atleastk.solvers.r_gather.decision import Chosen, CoveringDecider
from atleastk.solvers.r_gather.first import gathered
from atleastk.solvers.r_gather.hall import Cut, cut_within
from atleastk.solvers.r_gather.opening_lp import Openings
from atleastk.solvers.r_gather.weights import refute


class AmongPoints:
    """Whether all points can be gathered in balls of a radius.

    Parameters
    ----------
    sets
        Of points, found at other radii; those found at this one take their place.
    """

    worthwhile = True

    def __init__(
        self,
        sets: list[IntArray],
        instance: RGather,
        near: Neighbourhoods,
        radius: int,
        budget: Budget,
    ) -> None:
        self._instance = instance
        self._near = near
        self._radius = radius
        problem = covering_problem(instance, near, radius, budget)
        self._proof, cuts = None, list[Cut]()
        if problem.counts and not problem.hopeless:
            openings = Openings(instance, radius, near, budget.seed, sets)
            self._proof = refute(instance, radius, near, budget, openings)
            sets[:] = openings.sets
            cuts += [cut_within(problem, inside) for inside in sets]
        self._decider = CoveringDecider(problem, cuts)

    def decide(self, effort: int, budget: Budget) -> Decision[ClusteringSolution]:
        """Work on the decision with an effort of 0, 1, .."""
        if self._proof is not None:
            return Decision.impossible(self._proof)
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
