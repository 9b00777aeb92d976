"""Centres that are anywhere: what is asked at a diameter.

Points fit into clusters of diameter D at most iff there are maximal cliques of the
graph of all pairs within D that can be given r of their points each, disjointly, and
that hold all points but the outliers. For every cluster is a clique, so it lies in a
maximal one; clusters that lie in the same one can be merged; and points that lie in a
chosen clique can go there. So cliques take the place that balls have for centres among
the points, and decisions are those of :mod:`atleastk.solvers.r_gather.decision`. No
triangle inequality is needed.

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
from atleastk.solvers.r_gather.balls import Ground
from atleastk.solvers.r_gather.cliques import greedy_cliques, maximal_cliques
from atleastk.solvers.r_gather.decision import Choosings
from atleastk.solvers.r_gather.flow import fill, with_rest

_ROOM: Final = 2_000_000
"""Points of all cliques that can be decided about: not tuned."""

_WORK: Final = 1_000_000_000
"""Words that are looked at in listing cliques: a second."""


class Anywhere:
    """Whether all points can be gathered in cliques of a diameter.

    Attributes
    ----------
    worthwhile
        Whether all maximal cliques are known.
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
        self._choosings = Choosings(_ground(instance, cliques))

    def ask(self, effort: int, budget: Budget) -> Decision[ClusteringSolution]:
        """Work on the question, at effort 0, 1, .."""
        decision = self._choosings.ask(effort, budget)
        if decision.found is None and not self.worthwhile:
            return Decision.unknown()
        return decision.read(self._gathered)

    def _gathered(self, chosen: list[tuple[Ground, IntArray]]) -> ClusteringSolution:
        groups = [
            group.tolist()
            for of, candidates in chosen
            for group in _clusters(of, candidates)
        ]
        left = set(range(self._instance.n)).difference(*groups)
        return solution_of(groups, (), left)


def _ground(instance: RGather, cliques: Balls) -> Ground:
    """Return what is to be decided if clusters are within cliques."""
    points = np.arange(instance.n, dtype=np.int64)
    return Ground(
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


def _clusters(of: Ground, chosen: IntArray) -> list[IntArray]:
    """Return clusters within the chosen cliques, by their points in the instance."""
    cliques = of.balls.chosen(chosen)
    home = with_rest(cliques, fill(cliques.starts, cliques.points, of.n, of.r).home)
    return [of.points[home == i] for i in range(len(chosen))]
