"""CP-SAT of OR-Tools: linear models, and models of its own.

The protocol buffer is filled directly, without an object per variable. Bounds during
the search are floating-point numbers, whose error is relative to the terms of the
objective: they are rounded with care, and dropped where a quarter may not be enough.
A run ends once cost and bound are equal as doubles (that is what a gap of 0 means to
it), so objectives that can leave 2^53, where doubles skip integers, are refused.

CP-SAT alone is no ground truth. The presolve of 9.15 loses optima and whole solutions
when sums in a row reach about 2^32 (``[333333333331, 499999999999, 499999999999,
999999999996]`` with k = 499999999999 in the textbook model of bin covering); without
its inclusion rule it was not seen to, so that rule is off. ``parameters`` lets tests
vary the configuration.

OR-Tools is imported by the first run: it takes longer to import than all of atleastk.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.results.status import Status
from atleastk.packages import cp_model
from atleastk.solvers.backends.backend import (
    EXACT,
    Answer,
    Backend,
    Claims,
    OnAnswer,
    OnBound,
    clean_rows,
    looking_up,
    refuse_sum,
    refuse_sums_above,
)
from atleastk.solvers.budget import Budget

_EXACT_BOUNDS = 2**50
"""For costs up to here, bounds during the search are exact enough to be used."""


@dataclass(frozen=True, slots=True)
class CpSat(Backend):
    """CP-SAT as a back end."""

    name: ClassVar[str] = "CP-SAT"
    family: ClassVar[str] = "CP-SAT"
    package: ClassVar[str] = "ortools"
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of CP-SAT, by name

    def _refuse(self, model: LinearModel) -> None:
        refuse_sums_above(model, INFINITE, self.name)

    def _run_on(
        self, model: LinearModel, budget: Budget, claims: Claims, hint: IntArray | None
    ) -> Answer:
        return _run(posted(model, hint), budget, claims, self.parameters)


def solve_cp_model(
    model: cp_model.CpModel,
    budget: Budget,
    *,
    on_answer: OnAnswer | None = None,
    on_bound: OnBound | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Answer:
    """Minimise a model written for CP-SAT.

    Points are arrays of the values of all variables, by ``variable.index``. Their costs
    are recomputed from the objective, but nothing here checks the constraints: that is
    left to the checker of the problem. Hints belong into the model.

    Raises
    ------
    NotApplicableError
        If the model maximises, has a floating-point objective, or is invalid, such as
        when its sums overflow 64 bits, or if the objective can leave 2^53.
    """
    objective = _Objective(model)
    claims = Claims(
        objective,
        CpSat.name,
        floor=None if objective.terms else objective.offset,
        on_answer=on_answer,
        on_bound=on_bound,
    )
    return _run(model, budget, claims, parameters or {}, objective.offset)


class _Objective:
    """The objective of a CP-SAT model as a judge of costs alone."""

    def __init__(self, model: cp_model.CpModel) -> None:
        proto = model.proto
        if proto.has_floating_point_objective() or proto.objective.scaling_factor < 0:
            raise NotApplicableError(
                "a CP-SAT model must minimise an integer objective"
            )
        self.offset = round(proto.objective.offset)
        self.terms: list[tuple[int, int]] = list(
            zip(proto.objective.vars, proto.objective.coeffs, strict=True)
        )

    def admits(self, _values: IntArray) -> bool:
        return True

    def cost(self, values: IntArray) -> int:
        return self.offset + sum(factor * int(values[j]) for j, factor in self.terms)


def _listener(claims: Claims) -> cp_model.CpSolverSolutionCallback:
    """Return a callback that reports every incumbent to the claims."""

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            claims.found(_point(self.response_proto.solution))

    return Listener()


def _point(solution: Any) -> IntArray:
    return np.fromiter(solution, dtype=np.int64, count=len(solution))


def posted(model: LinearModel, hint: IntArray | None = None) -> cp_model.CpModel:
    """Return the model as CP-SAT takes it."""
    built = cp_model.CpModel()
    proto = built.proto
    domains = zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    for domain in looking_up(domains):
        proto.variables.add().domain.extend(domain)
    rows = clean_rows(model)
    starts = rows.indptr.tolist()
    lower = np.maximum(model.row_lower, -INFINITE).tolist()
    upper = np.minimum(model.row_upper, INFINITE).tolist()
    for r, domain in enumerate(looking_up(zip(lower, upper, strict=True))):
        row = proto.constraints.add().linear
        span = slice(starts[r], starts[r + 1])
        row.vars.extend(rows.indices[span].tolist())
        row.coeffs.extend(rows.data[span].tolist())
        row.domain.extend(domain)
    if not model.is_decision:
        used = model.objective.nonzero()[0]
        proto.objective.vars.extend(used.tolist())
        proto.objective.coeffs.extend(model.objective[used].tolist())
    if hint is not None:
        inside = np.clip(hint, model.lower, model.upper)
        proto.solution_hint.vars.extend(range(model.columns))
        proto.solution_hint.values.extend(inside.tolist())
    return built


def _run(
    model: cp_model.CpModel,
    budget: Budget,
    claims: Claims,
    parameters: Mapping[str, Any],
    offset: int = 0,
) -> Answer:
    reach = abs(offset) + _reach(model)
    if reach > EXACT:
        refuse_sum(reach, EXACT, "CP-SAT")
    solver = cp_model.CpSolver()
    settings = solver.parameters
    settings.num_workers = budget.workers
    settings.random_seed = budget.seed % 2**31
    settings.catch_sigint_signal = False
    settings.presolve_inclusion_work_limit = 0
    remaining = budget.on_the_wall
    if remaining <= 0.0:
        return claims.answer(Status.UNKNOWN)
    if math.isfinite(remaining):
        settings.max_time_in_seconds = remaining
    if budget.work.limited:
        settings.max_deterministic_time = budget.work.left
    for name, value in parameters.items():
        setattr(settings, name, value)

    def proved(bound: float) -> None:
        if math.isfinite(bound):
            claims.proved(math.ceil(bound - 0.25))

    if reach < _EXACT_BOUNDS:
        solver.best_bound_callback = proved
    with claims.stopping(budget, solver.stop_search):
        status = solver.solve(model, _listener(claims))
    if status == cp_model.MODEL_INVALID:
        reason = solver.solution_info().split("\n", 1)[0]
        raise NotApplicableError(f"CP-SAT cannot take the model: {reason}")
    response = solver.response_proto
    ended = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    budget.work.spend(response.deterministic_time if ended else budget.work.left)
    solved = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    proved_at_end = (
        response.inner_objective_lower_bound + offset
        if status == cp_model.OPTIMAL and model.has_objective()
        else None
    )
    return claims.answer(
        Status[solver.status_name(status)],
        _point(response.solution) if solved else None,
        proved_at_end,
    )


def _reach(model: cp_model.CpModel) -> int:
    """Return the sum of the greatest magnitudes of the objective's terms.

    Lists of the protocol buffer are copied: their index -1 is not the last one.
    """
    objective, variables = model.proto.objective, model.proto.variables
    domains = (list(variables[v].domain) for v in objective.vars)
    return sum(
        abs(factor) * max(map(abs, domain))
        for factor, domain in zip(objective.coeffs, domains, strict=True)
    )
