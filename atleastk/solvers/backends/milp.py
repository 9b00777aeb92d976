"""Mixed-integer models through PuLP, by any solver that PuLP finds installed.

PuLP calls a run that hit its time limit ``Optimal``. Only its solution status
``LpSolutionOptimal`` is taken for a claim of optimality here, and the cost is
recomputed from the point, as always. HiGHS is the default; CBC comes with PuLP; SCIP,
Gurobi, CPLEX, COPT and others work if they are installed.

The CBC that comes with PuLP (2.10.3) is a second opinion only: its preprocessing, which
is switched off here, loses the optimum of small models, and without it CBC crashes on
some infeasible ones. A crash is no answer: UNKNOWN.

A request to stop ends HiGHS with its best point and CBC without one; other solvers
notice only their time limit. The limits of doubles are those of
:mod:`~atleastk.solvers.backends.highs`.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import BackendUnavailableError
from atleastk.models.in_time import look_up
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.results.status import Status
from atleastk.packages import highspy, pulp
from atleastk.solvers.backends.backend import (
    Answer,
    Backend,
    Claims,
    clean_rows,
    looking_up,
)
from atleastk.solvers.backends.highs import (
    interrupt,
    listener,
    nearest_admitted,
    options_for,
    refuse_beyond_doubles,
    run_apart,
)
from atleastk.solvers.budget import Budget

_PATH_TO_INSTALL = "https://coin-or.github.io/pulp/guides/how_to_configure_solvers.html"


def milp_solvers() -> list[str]:
    """Return PuLP's names of the solvers installed here, HiGHS first."""
    names = pulp.listSolvers(onlyAvailable=True)
    return sorted(names, key=lambda name: (name != "HiGHS", name))


@dataclass(frozen=True, slots=True)
class Milp(Backend):
    """A solver that PuLP knows, as a back end."""

    family: ClassVar[str] = "MILP"
    package: ClassVar[str] = "pulp"
    solver: str = "HiGHS"  # its name in PuLP
    options: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments for PuLP's class of that solver; for CBC, options of its
    command line."""

    @property
    def name(self) -> str:
        return f"PuLP {self.solver}"

    def missing(self) -> str | None:
        if self.solver in pulp.listSolvers(onlyAvailable=True):
            return None
        return f"{self.solver}, as {_PATH_TO_INSTALL} says"

    def _refuse(self, model: LinearModel) -> None:
        needed = self.missing()
        if needed is not None:
            raise BackendUnavailableError(
                f"PuLP finds no {self.solver}; install {needed}"
            )
        refuse_beyond_doubles(model, self.name)

    def _run_on(
        self, model: LinearModel, budget: Budget, claims: Claims, _hint: IntArray | None
    ) -> Answer:
        if not model.columns:  # PuLP would invent a variable
            return claims.answer(Status.FEASIBLE, model.lower.copy(), 0)
        problem = posted(model)
        match self.solver:
            case "HiGHS":
                ended = _run_highs(problem, model, budget, claims, self.options)
            case "PULP_CBC_CMD":
                ended = _run_cbc(problem, budget, self.options)
            case _:
                ended = _run_any(self.solver, problem, budget, self.options)
        return _read(problem, model, claims) if ended else claims.answer(Status.UNKNOWN)


def posted(model: LinearModel, named: bool = False) -> pulp.LpProblem:
    """Return the model as PuLP takes it.

    Variables and rows have the names of the model, or else numbers.
    """
    names = model.names if named else [f"x{j}" for j in range(model.columns)]
    row_names = model.row_names if named else []
    problem = pulp.LpProblem("model", pulp.LpMinimize)
    bounds = zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    variables = []
    for j, (lower, upper) in enumerate(looking_up(bounds)):
        variables.append(problem.add_variable(names[j], lower, upper, pulp.LpInteger))
    costs = zip(variables, model.objective.tolist(), strict=True)
    problem.setObjective(pulp.LpAffineExpression(dict(costs)))
    rows = clean_rows(model)
    starts, indices, data = (
        array.tolist() for array in (rows.indptr, rows.indices, rows.data)
    )
    limits = zip(model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    for r, (lower, upper) in enumerate(looking_up(limits)):
        span = slice(starts[r], starts[r + 1])
        terms = {
            variables[j]: factor
            for j, factor in zip(indices[span], data[span], strict=True)
        }
        if not terms:
            continue
        if lower == upper:
            sides = [("eq", pulp.LpConstraintEQ, lower)]
        else:
            sides = [("ge", pulp.LpConstraintGE, lower)]
            sides += [("le", pulp.LpConstraintLE, upper)]
        for word, sense, side in sides:
            if abs(side) < INFINITE:
                expression = pulp.LpAffineExpression(terms)
                name = f"{word}_{row_names[r]}" if named else None
                row = pulp.LpConstraint(expression, sense, name, side)
                problem.addConstraint(row)
    look_up()
    return problem


def _run_highs(
    problem: pulp.LpProblem,
    model: LinearModel,
    budget: Budget,
    claims: Claims,
    options: Mapping[str, Any],
) -> bool:
    settings = options_for(budget)
    order = np.array([_index(variable) for variable in problem.variables()])
    solver = pulp.HiGHS(
        msg=False,
        threads=settings.pop("threads"),
        timeLimit=settings.pop("time_limit"),
        gapRel=settings.pop("mip_rel_gap"),
        gapAbs=settings.pop("mip_abs_gap"),
        callbackTuple=(listener(claims, model, order), None),
        callbacksToActivate=[
            highspy.cb.HighsCallbackType.kCallbackMipImprovingSolution
        ],
        **{**settings, **options},
    )

    def stop() -> None:
        if problem.solverModel is not None:
            interrupt(problem.solverModel)

    with claims.stopping(budget, stop):
        return run_apart(lambda: problem.solve(solver), budget)


def _run_cbc(
    problem: pulp.LpProblem, budget: Budget, options: Mapping[str, Any]
) -> bool:
    """Run CBC as a process of our own, which can be ended at once."""
    solver = pulp.PULP_CBC_CMD(msg=False, _skip_v4_deprecation=True)
    with tempfile.TemporaryDirectory() as folder:
        model_file, solution_file = f"{folder}/model.mps", f"{folder}/solution.txt"
        variables, names, rows, _ = problem.writeMPS(model_file, rename=1)
        command = [solver.path, model_file, "-timeMode", "elapsed"]
        if not budget.endless:  # leave it time to write the solution
            command += ["-sec", str(0.9 * budget.remaining)]
        for option, value in {
            "ratio": 0,
            "preprocess": "off",  # loses the optimum of small models in CBC 2.10.3
            "randomCbcSeed": budget.seed % 2**31,
            "threads": budget.workers,
            **options,
        }.items():
            command += [f"-{option}", str(value)]
        command += ["-solve", "-printingOptions", "all", "-solution", solution_file]
        with (
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ) as process,
            budget.calling(process.kill),
        ):
            crashed = process.wait() != 0
        if crashed or not Path(solution_file).exists():
            return False
        status, values, *_, sol_status = solver.readsol_MPS(
            solution_file, problem, variables, names, rows
        )
    problem.assignVarsVals(values)
    problem.assignStatus(status, sol_status)
    return True


def _run_any(
    name: str, problem: pulp.LpProblem, budget: Budget, options: Mapping[str, Any]
) -> bool:
    limit = None if budget.endless else budget.remaining
    solver = pulp.getSolver(name, msg=False, timeLimit=limit, **options)
    return run_apart(lambda: problem.solve(solver), budget)


def _read(problem: pulp.LpProblem, model: LinearModel, claims: Claims) -> Answer:
    if problem.status == pulp.LpStatusInfeasible:
        return claims.answer(Status.INFEASIBLE)
    if problem.sol_status not in (
        pulp.LpSolutionOptimal,
        pulp.LpSolutionIntegerFeasible,
    ):
        return claims.answer(Status.UNKNOWN)
    point = np.full(model.columns, np.nan)
    for variable in problem.variables():
        if variable.varValue is not None:
            point[_index(variable)] = variable.varValue
    values = nearest_admitted(model, point)
    if values is None:
        return claims.answer(Status.UNKNOWN)
    optimal = problem.sol_status == pulp.LpSolutionOptimal
    return claims.answer(
        Status.FEASIBLE, values, model.cost(values) if optimal else None
    )


def _index(variable: pulp.LpVariable) -> int:
    return int(variable.name[1:])
