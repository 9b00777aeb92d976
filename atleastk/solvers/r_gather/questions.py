"""The decision problem at a radius, for centres among the points or anywhere.

Centres among the points: clusters are within balls of the radius; see
:mod:`atleastk.solvers.r_gather.balls`. Where clusters are large or limited, sets of
points that the linear relaxation violates come first
(:mod:`~atleastk.solvers.r_gather.opening_lp`); they are most of those that matter, so
branch and bound often ends at its root, if not the relaxation refutes the radius. They
are reused from one radius to the next.

Centres anywhere: points fit into clusters of diameter D at most iff there are maximal
cliques of the graph of all pairs within D that can be given r of their points each,
disjointly, and that hold all points but the outliers. For every cluster is a clique, so
it lies in a maximal one; clusters that lie in the same one can be merged; and points
that lie in a chosen clique can go there. So cliques replace balls, and no triangle
inequality is needed. Where maximal cliques are too many to list, greedy ones still find
solutions, but refute nothing.

Decisions are those of :mod:`atleastk.solvers.r_gather.decision`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.r_gather.balls import CoveringProblem, covering_problem
from atleastk.solvers.r_gather.cliques import greedy_cliques, maximal_cliques
from atleastk.solvers.r_gather.decision import Chosen, CoveringDecider
from atleastk.solvers.r_gather.first import gathered
from atleastk.solvers.r_gather.flow import fill, with_rest
from atleastk.solvers.r_gather.hall import Cut, cut_within
from atleastk.solvers.r_gather.opening_lp import Openings
from atleastk.solvers.r_gather.weights import refute

_ROOM: Final = 2_000_000
"""The most points of all cliques of a decision: not tuned."""

_WORK: Final = 1_000_000_000
"""The most words of bits read by the listing of cliques: a second."""


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
        balls = self._near.about(centres).balls(self._radius)
        solution = gathered(self._instance, centres, balls)
        if solution is None:
            raise WrongAnswerError(
                f"the centres chosen at {self._radius} cannot be filled"
            )
        return solution


class Anywhere:
    """Whether all points can be gathered in cliques of a diameter.

    More effort is `worthwhile` if all maximal cliques are known.
    """

    def __init__(
        self, instance: RGather, near: Neighbourhoods, diameter: int, budget: Budget
    ) -> None:
        self._instance = instance
        balls = near.balls(diameter)
        cliques = maximal_cliques(balls, instance.r, budget, _ROOM, _WORK)
        self.worthwhile = cliques is not None
        if cliques is None:
            cliques = greedy_cliques(balls, instance.r, budget)
        every = np.arange(len(cliques), dtype=np.int64)
        problem = CoveringProblem.of(instance, every, cliques, member=False)
        self._decider = CoveringDecider(problem)

    def decide(self, effort: int, budget: Budget) -> Decision[ClusteringSolution]:
        """Work on the decision with an effort of 0, 1, .."""
        decision = self._decider.decide(effort, budget)
        if decision.found is None and not self.worthwhile:
            return Decision.unknown()
        return decision.read(self._gathered)

    def _gathered(self, chosen: Chosen) -> ClusteringSolution:
        groups: list[list[int]] = []
        for problem, candidates in chosen:
            cliques = problem.balls.chosen(candidates)
            home = with_rest(cliques, fill(cliques, problem.n, problem.r).home)
            groups += [problem.points[home == i].tolist() for i in range(len(cliques))]
        left = set(range(self._instance.n)).difference(*groups)
        return solution_of(groups, (), left)


Question = AmongPoints | Anywhere
"""Whether more effort may help it says itself: it is `worthwhile` then."""
