"""Can all be gathered within a radius? Choices of centres, refuted by cuts.

A model has one variable per candidate centre. Its rows are known at the start - every
point in a chosen ball, or an outlier; pairs that cannot both be filled; the limits - or
learnt: a choice that satisfies them all is filled by a flow, and if that fails, the
cuts of :mod:`atleastk.solvers.r_gather.hall` go to the model. A choice that can be
filled is an answer, and so is a model without a choice.

Two solvers take turns at more and more effort. A SAT solver keeps what it learns and is
fast where clusters are small. CP-SAT is asked anew after each round of cuts and is
better at counting: where clusters are large or limited.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.linear import LinearModel, LinearModelBuilder
from atleastk.models.results.status import Status
from atleastk.packages import card, sat_solvers
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.r_gather.balls import Ground, conflicts, parts
from atleastk.solvers.r_gather.hall import Cut, violations

LARGE: Final = 20
"""Clusters of at least this many points are better counted than searched by clauses."""

_CONFLICTS: Final = 2_000
"""Conflicts of the SAT solver at the first effort; each time four times as many."""

_WORK: Final = 0.25
"""Deterministic time of CP-SAT at the first effort; each time four times as much."""

_TURNS: Final = 5
"""Rounds of cuts in CP-SAT at the first effort; each time four times as many."""


Choice = Decision[IntArray]
"""Candidates that can be filled."""


class Choosing:
    """The choice of candidates that hold all of a ground, and what is known of it."""

    def __init__(self, of: Ground) -> None:
        self.ground = of
        self._choice = Choice.unknown()
        self._cuts: list[Cut] = []
        self._pairs = conflicts(of)
        self._clauses: _Clauses | None = None
        if of.hopeless:
            self._choice = Choice.impossible()

    def ask(self, effort: int, budget: Budget) -> Choice:
        """Work on the question, at effort 0, 1, .."""
        ways = (self._satisfy, self._count)
        for way in reversed(ways) if self._counting else ways:
            if self._choice.status is Status.UNKNOWN and not budget.spent:
                self._choice = way(effort, budget)
        return self._choice

    @property
    def _counting(self) -> bool:
        """Whether the limits are such that CP-SAT is asked first."""
        return self.ground.limited or self.ground.r >= LARGE

    def _satisfy(self, effort: int, budget: Budget) -> Choice:
        """Ask the SAT solver until its choice can be filled, or none is left."""
        if self._clauses is None:
            self._clauses = _Clauses(self.ground, self._pairs)
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
            chosen = _needed(self.ground, clauses.chosen)
            learnt = violations(self.ground, chosen)
            if not learnt:
                return Choice.of(chosen)
            self._cuts += learnt
            for cut in learnt:
                clauses.add(cut, chosen)
        return Choice.unknown()

    def _count(self, effort: int, budget: Budget) -> Choice:
        """Ask CP-SAT in rounds until its choice can be filled, or none is left."""
        work = _WORK * 4**effort
        solver = CpSat({"max_deterministic_time": work, "linearization_level": 2})
        for _ in range(_TURNS * 4**effort):
            if budget.spent:
                return Choice.unknown()
            model = self._model(budget)
            if model is None:
                return Choice.unknown()
            answer = solver.minimise(model, budget)
            if answer.status is Status.INFEASIBLE:
                return Choice.impossible()
            if answer.values is None:
                return Choice.unknown()
            chosen = answer.values[: len(self.ground.centres)].nonzero()[0]
            chosen = _needed(self.ground, chosen)
            learnt = violations(self.ground, chosen)
            if not learnt:
                return Choice.of(chosen)
            self._cuts += learnt
        return Choice.unknown()

    def _model(self, budget: Budget) -> LinearModel | None:
        """Return the model with all cuts that are known, None if time ran out."""
        of = self.ground
        model = LinearModelBuilder()
        model.binaries(len(of.centres))
        if of.outliers:
            missed = model.binaries(len(of.rows))
            model.row(missed, at_most=of.outliers)
        for i, p in enumerate(of.rows.tolist()):
            if budget.spent:
                return None
            terms = of.holders.of(p).tolist()
            if of.outliers:
                terms.append(len(of.centres) + i)
            model.row(terms, at_least=1)
        for pair in self._pairs.tolist():
            model.row(pair, at_most=1)
        model.row(range(len(of.centres)), at_most=of.most)
        for cut in self._cuts:
            model.row(cut.inside.tolist(), at_most=cut.most)
            weights = cut.weights.tolist()
            model.row(cut.touching.tolist(), weights, at_most=cut.points)
        return model.build()


class Choosings:
    """The choices for all parts of a ground that have nothing to do with others."""

    def __init__(self, whole: Ground) -> None:
        separate = [whole] if whole.hopeless else parts(whole)
        self._choosings = [Choosing(part) for part in separate]

    def ask(
        self, effort: int, budget: Budget
    ) -> Decision[list[tuple[Ground, IntArray]]]:
        """Find a choice for every part."""
        chosen = []
        for part in self._choosings:
            choice = part.ask(effort, budget)
            if choice.status is Status.INFEASIBLE:
                return Decision.impossible()
            if choice.found is not None:
                chosen.append((part.ground, choice.found))
        if len(chosen) == len(self._choosings):
            return Decision.of(chosen)
        return Decision.unknown()


class _Clauses:
    """The model inside a SAT solver."""

    def __init__(self, of: Ground, pairs: IntArray) -> None:
        self._ground = of
        self._solver = sat_solvers.Solver(name="glucose4")
        self._top = len(of.centres)
        self.cuts = 0
        missed = list(range(self._top + 1, self._top + 1 + len(of.rows)))
        if of.outliers:
            self._top += len(missed)
            self._at_most(missed, of.outliers)
        for i, p in enumerate(of.rows.tolist()):
            clause = [c + 1 for c in of.holders.of(p).tolist()]
            if of.outliers:
                clause.append(missed[i])
            self._solver.add_clause(clause)
        for a, b in pairs.tolist():
            self._solver.add_clause([-a - 1, -b - 1])
        if of.limited:
            self._at_most(list(range(1, len(of.centres) + 1)), of.most)

    def __del__(self) -> None:
        self._solver.delete()

    @property
    def conflicts(self) -> int:
        """The number of conflicts so far."""
        return int(self._solver.accum_stats()["conflicts"])

    @property
    def chosen(self) -> IntArray:
        """The candidates that were chosen last."""
        literals = self._solver.get_model()[: len(self._ground.centres)]
        return np.flatnonzero(np.array(literals, dtype=np.int64) > 0)

    def solve(self, conflicts: int, budget: Budget) -> bool | None:
        """Tell whether the clauses can be satisfied; None if that stays open."""
        self._solver.conf_budget(conflicts)
        with budget.calling(self._solver.interrupt):
            found: bool | None = self._solver.solve_limited(expect_interrupt=True)
        self._solver.clear_interrupt()
        return found

    def add(self, cut: Cut, chosen: IntArray | None = None) -> None:
        """Add a cut; if its count admits `chosen`, a clause that does not."""
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


def _needed(of: Ground, chosen: IntArray) -> IntArray:
    """Leave out candidates without which no row is lost, small balls first."""
    counts = np.zeros(of.n, dtype=np.int64)
    np.add.at(counts, of.balls.chosen(chosen).points, 1)
    rows = np.zeros(of.n, dtype=np.bool_)
    rows[of.rows] = True
    counts[~rows] = len(chosen) + 1
    kept = []
    order = np.argsort(of.balls.sizes[chosen], kind="stable")
    for c in chosen[order].tolist():
        ball = of.balls.of(c)
        if (counts[ball] > 1).all():
            counts[ball] -= 1
        else:
            kept.append(c)
    return np.sort(np.array(kept, dtype=np.int64))
