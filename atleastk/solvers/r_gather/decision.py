"""Logic-based Benders decomposition of the decision at a radius, by SAT and HiGHS.

The master model has one binary per candidate centre. Some rows are known at the start:
every point in a chosen ball, or an outlier; the limits; in clauses, pairs that cannot
both be filled. The others are Hall cuts (:mod:`atleastk.solvers.r_gather.hall`),
separated by a maximum flow that tries to fill the chosen balls. A choice that can be
filled is an answer, and so is an infeasible model.

Two solvers take turns with growing effort. The incremental SAT solver is fast where
clusters are small. HiGHS starts anew after each round of cuts, and is better at
counting: where clusters are large or limited.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.results.status import Status
from atleastk.packages import card, sat_solvers
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.r_gather.balls import CoveringProblem, conflicts, parts
from atleastk.solvers.r_gather.hall import Cut, covering_model, violations

_CONFLICTS: Final = 2_000
"""Conflicts of the SAT solver at the first effort; each time four times as many."""

_NODES: Final = 1_000
"""Nodes of HiGHS at the first effort; each time four times as many. Decisions on 1,000
points in 20 clusters, 1 to 4 % above the linear program, take up to 600."""

_ROUNDS: Final = 30
"""Rounds of cuts in HiGHS at the first effort; each time four times as many: not
tuned."""


Choice = Decision[IntArray]
"""Candidates that can be filled."""

Chosen = list[tuple[CoveringProblem, IntArray]]
"""The parts of a problem, each with such candidates."""


class PartDecider:
    """The decision of one part of a covering problem, and what was learnt of it."""

    def __init__(self, problem: CoveringProblem, cuts: Iterable[Cut] = ()) -> None:
        self.problem = problem
        self._choice = Choice.unknown()
        self._cuts = list(cuts)
        self._pairs = conflicts(problem)
        self._clauses: _Clauses | None = None
        if problem.hopeless:
            self._choice = Choice.impossible()

    def decide(self, effort: int, budget: Budget) -> Choice:
        """Work on the decision with an effort of 0, 1, .."""
        deciders = (self._satisfy, self._count)
        for decider in reversed(deciders) if self.problem.counts else deciders:
            if self._choice.status is Status.UNKNOWN and not budget.spent:
                self._choice = decider(effort, budget)
        return self._choice

    def _satisfy(self, effort: int, budget: Budget) -> Choice:
        """Run the SAT solver until its choice can be filled, or there is none."""
        if self._clauses is None:
            self._clauses = _Clauses(self.problem, self._pairs)
        clauses = self._clauses
        for cut in self._cuts[clauses.cuts :]:
            if budget.spent:
                return Choice.unknown()
            clauses.add(cut)
        left = _CONFLICTS * 4**effort
        while not budget.spent and left > 0:
            before = clauses.conflicts
            found = clauses.solve(left, budget)
            left -= 1 + clauses.conflicts - before
            if found is None:
                return Choice.unknown()
            if not found:
                return Choice.impossible()
            chosen = _needed(self.problem, clauses.chosen)
            learnt = violations(self.problem, chosen)
            if not learnt:
                return Choice.of(chosen)
            self._cuts += learnt
            for cut in learnt:
                clauses.add(cut, chosen)
        return Choice.unknown()

    def _count(self, effort: int, budget: Budget) -> Choice:
        """Run HiGHS in rounds until its choice can be filled, or there is none."""
        enough = (self.problem.outliers or self.problem.most) + 0.5
        nodes = _NODES * 4**effort
        solver = Highs({"mip_max_nodes": nodes, "objective_target": enough})
        for _ in range(_ROUNDS * 4**effort):
            model = covering_model(self.problem, self._cuts, budget)
            if model is None or budget.spent:
                return Choice.unknown()
            answer = solver.minimise(model, budget)
            if answer.status is Status.INFEASIBLE:
                return Choice.impossible()
            if answer.values is None:
                return Choice.unknown()
            chosen = answer.values[: len(self.problem.centres)].nonzero()[0]
            chosen = _needed(self.problem, chosen)
            learnt = violations(self.problem, chosen)
            if not learnt:
                return Choice.of(chosen)
            self._cuts += learnt
        return Choice.unknown()


class CoveringDecider:
    """The decision of a covering problem, by its independent parts.

    Parameters
    ----------
    cuts
        Some that hold for the whole problem; parts of it begin without.
    """

    def __init__(self, whole: CoveringProblem, cuts: Iterable[Cut] = ()) -> None:
        separate = [whole] if whole.hopeless else parts(whole)
        if separate == [whole]:
            self._parts = [PartDecider(whole, cuts)]
        else:
            self._parts = [PartDecider(part) for part in separate]

    def decide(self, effort: int, budget: Budget) -> Decision[Chosen]:
        """Work on all parts; the answer has a choice for each of them."""
        chosen = []
        for part in self._parts:
            choice = part.decide(effort, budget)
            if choice.status is Status.INFEASIBLE:
                return Decision.impossible()
            if choice.found is not None:
                chosen.append((part.problem, choice.found))
        if len(chosen) == len(self._parts):
            return Decision.of(chosen)
        return Decision.unknown()


class _Clauses:
    """The model inside a SAT solver."""

    def __init__(self, problem: CoveringProblem, pairs: IntArray) -> None:
        self._problem = problem
        self._solver = sat_solvers.Solver(name="glucose4")
        self._top = len(problem.centres)
        self.cuts = 0
        missed = list(range(self._top + 1, self._top + 1 + len(problem.rows)))
        if problem.outliers:
            self._top += len(missed)
            self._at_most(missed, problem.outliers)
        for i, p in enumerate(problem.rows.tolist()):
            clause = [c + 1 for c in problem.holders.of(p).tolist()]
            if problem.outliers:
                clause.append(missed[i])
            self._solver.add_clause(clause)
        for a, b in pairs.tolist():
            self._solver.add_clause([-a - 1, -b - 1])
        if problem.limited:
            self._at_most(list(range(1, len(problem.centres) + 1)), problem.most)

    def __del__(self) -> None:
        self._solver.delete()

    @property
    def conflicts(self) -> int:
        """The number of conflicts so far."""
        return int(self._solver.accum_stats()["conflicts"])

    @property
    def chosen(self) -> IntArray:
        """The candidates that were chosen last."""
        literals = self._solver.get_model()[: len(self._problem.centres)]
        return np.flatnonzero(np.array(literals, dtype=np.int64) > 0)

    def solve(self, conflicts: int, budget: Budget) -> bool | None:
        """Return whether the clauses can be satisfied; None if that stays open."""
        self._solver.conf_budget(conflicts)
        with budget.calling(self._solver.interrupt):
            found: bool | None = self._solver.solve_limited(expect_interrupt=True)
        self._solver.clear_interrupt()
        return found

    def add(self, cut: Cut, chosen: IntArray | None = None) -> None:
        """Add a cut, and a clause against `chosen` if its cardinality admits that."""
        self.cuts += 1
        if len(cut.inside) > cut.most:
            self._at_most((cut.inside + 1).tolist(), cut.most)
        if chosen is None or np.isin(chosen, cut.inside).sum() > cut.most:
            return
        taken = np.isin(cut.touching, chosen)
        centres, weights = cut.touching[taken], cut.weights[taken]
        order = np.argsort(-weights, kind="stable")
        enough = int((np.cumsum(weights[order]) <= cut.points).sum()) + 1
        self._solver.add_clause((-centres[order[:enough]] - 1).tolist())

    def _at_most(self, literals: list[int], most: int) -> None:
        if most == 0:
            self._solver.append_formula([[-literal] for literal in literals])
            return
        if len(literals) <= most:
            return
        encoding = card.EncType.seqcounter if most <= 4 else card.EncType.cardnetwrk
        encoded = card.CardEnc.atmost(
            literals, most, top_id=self._top, encoding=encoding
        )
        self._top = max(self._top, encoded.nv)
        self._solver.append_formula(encoded.clauses)


def _needed(problem: CoveringProblem, chosen: IntArray) -> IntArray:
    """Drop redundant candidates, which leave no row uncovered, small balls first."""
    counts = np.zeros(problem.n, dtype=np.int64)
    np.add.at(counts, problem.balls.chosen(chosen).points, 1)
    rows = np.zeros(problem.n, dtype=np.bool_)
    rows[problem.rows] = True
    counts[~rows] = len(chosen) + 1
    needed = []
    order = np.argsort(problem.balls.sizes[chosen], kind="stable")
    for c in chosen[order].tolist():
        ball = problem.balls.of(c)
        if (counts[ball] > 1).all():
            counts[ball] -= 1
        else:
            needed.append(c)
    return np.sort(np.array(needed, dtype=np.int64))
