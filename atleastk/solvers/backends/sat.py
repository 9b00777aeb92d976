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
            formula.encode_rows()
            if hint is not None:
                solver.set_phases(formula.phases(hint))
            with claims.stopping(budget, solver.interrupt):
                status = self._search(model, formula, solver, claims, budget)
        return claims.answer(status)

    def _search(
        self,
        model: LinearModel,
        formula: Formula,
        solver: sat_solvers.Solver,
        claims: Claims,
        budget: Budget,
    ) -> Status:
        """Bisect over the cost; points and bounds go to the claims."""

        def solve(*assumptions: int) -> bool | None:
            """Return whether there is a point, None if interrupted."""
            answer: bool | None = solver.solve_limited(
                assumptions=assumptions, expect_interrupt=True
            )
            return answer

        if claims.cost is None:
            found = solve()
            if not found:
                return Status.UNKNOWN if found is None else Status.INFEASIBLE
            claims.found(formula.values(solver.get_model()))
        while not budget.spent and (target := claims.halfway) is not None:
            switch = formula.ask(target)
            found = solve(switch)
            if found is None:
                break
            if found:
                values = formula.values(solver.get_model())
                if model.cost(values) > target:
                    raise WrongAnswerError(
                        f"{self.name} was asked for at most {target} and missed"
                    )
                claims.found(values)
            else:
                claims.proved(target + 1)
            solver.add_clause([switch if found else -switch])
        return Status.UNKNOWN
