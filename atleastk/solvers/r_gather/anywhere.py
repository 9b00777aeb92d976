"""The decision problem at a diameter, for centres anywhere.

Points fit into clusters of diameter D at most iff there are maximal cliques of the
graph of all pairs within D that can be given r of their points each, disjointly, and
that hold all points but the outliers. For every cluster is a clique, so it lies in a
maximal one; clusters that lie in the same one can be merged; and points that lie in a
chosen clique can go there. So cliques replace the balls of the problem with centres
among the points, and decisions are those of :mod:`atleastk.solvers.r_gather.decision`.
No triangle inequality is needed.

Where maximal cliques are too many to list, greedy ones still find solutions, but
refute nothing.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls, Neighbourhoods
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.r_gather.balls import CoveringProblem
from atleastk.solvers.r_gather.cliques import greedy_cliques, maximal_cliques
from atleastk.solvers.r_gather.decision import Chosen, CoveringDecider
from atleastk.solvers.r_gather.flow import fill, with_rest

_ROOM: Final = 2_000_000
"""The most points of all cliques of a decision: not tuned."""

_WORK: Final = 1_000_000_000
"""The most words of bits read by the listing of cliques: a second."""


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
        self._decider = CoveringDecider(_covering_problem(instance, cliques))

    def decide(self, effort: int, budget: Budget) -> Decision[ClusteringSolution]:
        """Work on the decision with an effort of 0, 1, .."""
        decision = self._decider.decide(effort, budget)
        if decision.found is None and not self.worthwhile:
            return Decision.unknown()
        return decision.read(self._gathered)

    def _gathered(self, chosen: Chosen) -> ClusteringSolution:
        groups = [
            group.tolist()
            for problem, candidates in chosen
            for group in _clusters(problem, candidates)
        ]
        left = set(range(self._instance.n)).difference(*groups)
        return solution_of(groups, (), left)


def _covering_problem(instance: RGather, cliques: Balls) -> CoveringProblem:
    """Return the covering problem whose candidates are cliques."""
    points = np.arange(instance.n, dtype=np.int64)
    return CoveringProblem(
        r=instance.r,
        points=points,
        centres=np.arange(len(cliques), dtype=np.int64),
        balls=cliques,
        holders=cliques.turned(instance.n),
        rows=points,
        own=np.full(len(cliques), -1, dtype=np.int64),
        most=instance.most_clusters,
        outliers=instance.max_outliers,
    )


def _clusters(problem: CoveringProblem, chosen: IntArray) -> list[IntArray]:
    """Return clusters within the chosen cliques, by their points in the instance."""
    cliques = problem.balls.chosen(chosen)
    filling = fill(cliques, problem.n, problem.r)
    home = with_rest(cliques, filling.home)
    return [problem.points[home == i] for i in range(len(chosen))]
