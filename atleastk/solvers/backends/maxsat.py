"""Weighted MaxSAT by RC2 of PySAT, on linear models.

The rows are hard clauses (:mod:`atleastk.solvers.backends.cnf`), every literal of the
objective is a soft one that costs its weight. RC2 raises a lower bound by unsatisfiable
cores until the clauses can be satisfied at that cost, so its first solution is optimal;
it takes no hint and no seed, and runs in one thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atleastk.arrays import IntArray
from atleastk.models.linear import LinearModel
from atleastk.models.results.status import Status
from atleastk.packages import formulas, rc2
from atleastk.solvers.backends.backend import (
    Answer,
    Backend,
    Claims,
)
from atleastk.solvers.backends.cnf import Formula
from atleastk.solvers.budget import Budget


@dataclass(frozen=True, slots=True)
class MaxSat(Backend):
    """RC2 as a back end."""

    name: ClassVar[str] = "RC2"
    family: ClassVar[str] = "SAT"
    package: ClassVar[str] = "python-sat"

    def _run_on(
        self, model: LinearModel, budget: Budget, claims: Claims, _hint: IntArray | None
    ) -> Answer:
        clauses = formulas.WCNF()
        formula = Formula(model, clauses.extend, self.name)
        formula.encode_rows()
        least = soften(clauses, formula)
        stopped = False

        def stop() -> None:
            nonlocal stopped
            stopped = True
            solver.interrupt()

        with rc2.RC2(clauses) as solver:
            with claims.stopping(budget, stop):
                literals = solver.compute(expect_interrupt=True)
            if literals is None:
                # RC2 returns None if it is interrupted, and if there is no solution.
                return claims.answer(Status.UNKNOWN if stopped else Status.INFEASIBLE)
            values = formula.values(literals)
            return claims.answer(Status.OPTIMAL, values, least + solver.cost)


def soften(clauses: formulas.WCNF, formula: Formula) -> int:
    """Add the objective as soft clauses; return the cost if none of them is broken."""
    terms, least = formula.objective
    for literal, weight in terms:
        clauses.append([-literal if weight > 0 else literal], weight=abs(weight))
        least += min(weight, 0)
    return least
