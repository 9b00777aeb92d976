"""SAT solvers of PySAT on linear models.

They get the clauses of :mod:`atleastk.solvers.backends.cnf`. Minimisation bisects
between the proved bound and the best cost; each step asks for a point of at most the
middle cost, under an assumption literal that is fixed afterwards. Only solvers that can
be interrupted are offered; they take no seed and run in one thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import (
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.models.linear import LinearModel
from atleastk.models.results.status import Status
from atleastk.packages import sat_solvers
from atleastk.solvers.backends.backend import (
    Answer,
    Backend,
    Claims,
)
from atleastk.solvers.backends.cnf import Formula
from atleastk.solvers.budget import Budget

SAT_SOLVERS = ("glucose4", "glucose3", "maplechrono", "maplecm", "minisat22")
"""The solvers that can be interrupted, the default first."""


@dataclass(frozen=True, slots=True)
class Sat(Backend):
    """A SAT solver as a back end."""

    family: ClassVar[str] = "SAT"
    package: ClassVar[str] = "python-sat"
    solver: str = "glucose4"

    def __post_init__(self) -> None:
        if self.solver not in SAT_SOLVERS:
            known = ", ".join(SAT_SOLVERS)
            raise UnknownNameError(
                f"no interruptible SAT solver {self.solver!r}; there are {known}"
            )

    @property
    def name(self) -> str:
        return f"SAT {self.solver}"

    def _run_on(
        self, model: LinearModel, budget: Budget, claims: Claims, hint: IntArray | None
    ) -> Answer:
        with sat_solvers.Solver(name=self.solver) as solver:
            formula = Formula(model, solver.append_formula, self.name)
            if not formula.encode_rows(budget):
                return claims.answer(Status.UNKNOWN)
            if hint is not None:
                solver.set_phases(formula.phases(hint))
            with claims.stopping(budget, solver.interrupt):
                status = _Asked(model, formula, solver, self.name).search(
                    claims, budget
                )
        return claims.answer(status)


class _Asked:
    """Minimisation by a SAT solver: solutions of less and less cost."""

    def __init__(
        self,
        model: LinearModel,
        formula: Formula,
        solver: sat_solvers.Solver,
        name: str,
    ) -> None:
        self._model, self._formula = model, formula
        self._solver, self._name = solver, name

    def search(self, claims: Claims, budget: Budget) -> Status:
        """Bisect over the cost; points and bounds go to the claims."""
        if claims.cost is None:
            match self._solve():
                case None:
                    return Status.UNKNOWN
                case False:
                    return Status.INFEASIBLE
            claims.found(self._point())
        while not budget.spent and (target := claims.halfway) is not None:
            switch = self._formula.ask(target)
            found = self._solve(switch)
            if found is None:
                break
            if found:
                claims.found(self._point(target))
            else:
                claims.proved(target + 1)
            self._solver.add_clause([switch if found else -switch])
        return Status.UNKNOWN

    def _solve(self, *assumptions: int) -> bool | None:
        """Return whether there is a point, None if interrupted."""
        answer: bool | None = self._solver.solve_limited(
            assumptions=assumptions, expect_interrupt=True
        )
        return answer

    def _point(self, most: int | None = None) -> IntArray:
        """Return the point found, whose cost was asked to be at most `most`."""
        values = self._formula.values(self._solver.get_model())
        if most is not None and self._model.cost(values) > most:
            raise WrongAnswerError(
                f"{self._name} was asked for a cost of at most {most} and missed"
            )
        return values
