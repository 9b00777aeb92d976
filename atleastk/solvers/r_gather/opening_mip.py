"""Branch and cut at a radius: the relaxation of openings with binary variables.

The rows are those of :mod:`atleastk.solvers.r_gather.opening_lp` - points in a chosen
ball, or outliers, Hall rows, the limit on clusters - with one binary per candidate
centre; Hall rows of small sets are also rounded, as in
:mod:`atleastk.solvers.r_gather.hall`. Sets violated by the linear relaxation come
first; they are most of those that matter, so branch and bound often ends at its root. A
choice of centres is filled by a flow, which finds further sets if that fails. A choice
that can be filled is an answer, and so is an infeasible model.

Sets of points are reused from one radius to the next.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import Certificate
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.results.status import Status
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.r_gather.balls import CoveringProblem, covering_problem
from atleastk.solvers.r_gather.first import gathered
from atleastk.solvers.r_gather.hall import covering_model, cut_of, cut_within, deficient
from atleastk.solvers.r_gather.opening_lp import Openings
from atleastk.solvers.r_gather.weights import refute
from atleastk.solvers.search import Search

SOURCE: Final = "branch and cut"

_NODES: Final = 200
"""Nodes of branch and bound at the first effort; each time four times as many: not
tuned.
"""

_ROUNDS: Final = 30
"""Rounds of cuts at the first effort; each time four times as many: not tuned."""


class OpeningMip:
    """Decisions at radii, by integer programs.

    Attributes
    ----------
    sets
        Of points, those that were found so far.
    """

    def __init__(self, instance: RGather, near: Neighbourhoods) -> None:
        self._instance = instance
        self._near = near
        self.sets: list[IntArray] = []

    def decide_all(self, search: Search[RGather], effort: int, budget: Budget) -> None:
        """Decide below the cost, then between bound and cost, until one stays open."""
        higher = True
        while not search.done and not budget.spent and search.cost is not None:
            last = min(search.cost - 1, self._near.limit)
            levels = self._near.values((search.bound or 0) - 1, last)
            if not len(levels):
                search.raise_bound(search.cost, SOURCE)
                return
            place = len(levels) - 1 if higher else len(levels) // 2
            answer = self.decide(int(levels[place]), effort, budget)
            if answer.found is not None:
                search.offer(answer.found, SOURCE)
                higher = False
            elif answer.status is Status.INFEASIBLE:
                following = levels[place + 1 :].tolist()
                with search.held():
                    last = max(int(levels[place]) + 1, search.cost)
                    search.raise_bound(min([*following, last]), SOURCE, answer.proof)
                higher = True
            elif higher:
                return
            else:
                higher = True

    def decide(
        self, radius: int, effort: int, budget: Budget
    ) -> Decision[ClusteringSolution]:
        """Find a solution of at most this radius."""
        problem = covering_problem(self._instance, self._near, radius, budget)
        if budget.spent:
            return Decision.unknown()
        if problem.hopeless:
            return Decision.impossible()
        certificate = self._refute(radius, problem, budget)
        if certificate is not None:
            return Decision.impossible(certificate)
        cuts = [cut_within(problem, inside) for inside in self.sets]
        solver = Highs({"mip_max_nodes": _NODES * 4**effort})
        for _ in range(_ROUNDS * 4**effort):
            model = covering_model(problem, cuts, budget)
            if model is None:
                break
            answer = solver.minimise(model, budget)
            if answer.values is None:
                return Decision(answer.status)
            chosen = answer.values[: len(problem.centres)].nonzero()[0]
            parts = deficient(problem, chosen)
            if not parts:
                return Decision.of(self._filled(problem.centres[chosen], radius))
            cuts += [cut_of(problem, part) for part in parts]
            self.sets += [
                np.unique(problem.balls.chosen(part).points) for part in parts
            ]
        return Decision.unknown()

    def _refute(
        self, radius: int, problem: CoveringProblem, budget: Budget
    ) -> Certificate | None:
        """Separate sets by the linear program; return a proof if it is infeasible."""
        instance, near = self._instance, self._near
        openings = Openings(
            instance, radius, near, budget.seed, problem.centres, self.sets
        )
        certificate = refute(instance, radius, near, budget, openings)
        self.sets = openings.sets
        return certificate

    def _filled(self, centres: IntArray, radius: int) -> ClusteringSolution:
        solution = gathered(self._instance, centres, self._near.balls(radius, centres))
        if solution is None:
            raise WrongAnswerError(f"the centres chosen at {radius} cannot be filled")
        return solution
