"""HiGHS on mixed-integer models.

The model passes as sparse arrays. HiGHS computes in doubles, hence

- models beyond what doubles can decide are refused: data above 10^9, sums above 2^53;
- a point is rounded and then checked exactly. A point that fails is an artefact of the
  tolerances and not an answer: it is dropped, and without another point the status is
  UNKNOWN. The bound stays, since a relaxed model bounds the model;
- tolerances are left as they are: with a tighter ``mip_feasibility_tolerance`` (10^-9)
  HiGHS 1.14 calls solvable models infeasible.

Every run has a thread of its own, because HiGHS keeps one scheduler per thread, with
the number of workers it began with. A request to stop is noticed between two linear
programs; a run that has not noticed it within `PATIENCE` seconds is left behind and
ends by itself at the next opportunity. The time limit holds inside a linear program,
too.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.results.status import Status
from atleastk.packages import highspy
from atleastk.solvers.backends.backend import (
    EXACT,
    Answer,
    Backend,
    Claims,
    Tree,
    clean_rows,
    refuse_sums_above,
    rounded_up,
)
from atleastk.solvers.budget import Budget
from atleastk.solvers.left_behind import leave_behind

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds that a run may take to notice that it should stop."""

EVERY_LINE: Final[Mapping[str, Any]] = {"mip_min_logging_interval": 0.0}
"""Options by which no line of the log is left out, not that of the root either."""

GREATEST = 10**9
"""The greatest number of a model: with greater ones the tolerances of HiGHS are wider
than 1."""


@dataclass(frozen=True, slots=True)
class Highs(Backend):
    """HiGHS as a back end."""

    name: ClassVar[str] = "HiGHS"
    family: ClassVar[str] = "MILP"
    options: Mapping[str, Any] = field(default_factory=dict)  # of HiGHS, by name

    def version(self) -> str:
        return str(highspy.Highs().version())

    def _refuse(self, model: LinearModel) -> None:
        refuse_beyond_doubles(model, self.name)

    def _run_on(
        self, model: LinearModel, budget: Budget, claims: Claims, hint: IntArray | None
    ) -> Answer:
        solver = _loaded(model)
        if hint is not None:
            everywhere = np.arange(model.columns, dtype=np.int32)
            solver.setSolution(model.columns, everywhere, hint.astype(np.float64))
        listen, at_root = listener(claims, model), [-highspy.kHighsInf]

        def hear(moment: int, text: str, seen: Any, reply: Any, data: object) -> None:
            if moment not in _questions() and seen.mip_node_count <= 0:
                at_root.append(max(at_root.pop(), seen.mip_dual_bound))
            listen(moment, text, seen, reply, data)

        solver.setCallback(hear, None)
        moments = highspy.cb.HighsCallbackType
        solver.startCallback(moments.kCallbackMipImprovingSolution)
        solver.startCallback(moments.kCallbackMipLogging)
        status = _run(solver, budget, claims, self.options)
        answer = _answer(solver, status, model, claims)
        return replace(answer, tree=_tree(solver, status, at_root[0]))


def _answer(
    solver: highspy.Highs,
    status: highspy.HighsModelStatus | None,
    model: LinearModel,
    claims: Claims,
) -> Answer:
    """Return what a run has found, given how it ended."""
    if status is None:
        return claims.answer(Status.UNKNOWN)
    if status in (
        highspy.HighsModelStatus.kInfeasible,
        highspy.HighsModelStatus.kUnboundedOrInfeasible,
    ):
        return claims.answer(Status.INFEASIBLE)
    values = nearest_admitted(model, solver.getSolution().col_value)
    return claims.answer(
        Status.UNKNOWN if values is None else Status.FEASIBLE,
        values,
        rounded_up(solver.getInfo().mip_dual_bound),
    )


def _tree(
    solver: highspy.Highs, status: highspy.HighsModelStatus | None, at_root: float
) -> Tree | None:
    """Return the tree of a run; a root that closed the model proved all there is."""
    if status is None:
        return None
    info = solver.getInfo()
    nodes = max(0, info.mip_node_count)
    closed = status == highspy.HighsModelStatus.kOptimal and nodes <= 1
    root = info.mip_dual_bound if closed else at_root
    return Tree(root if math.isfinite(root) else None, nodes)


def refuse_beyond_doubles(model: LinearModel, backend: str) -> None:
    """Raise NotApplicableError for a model that doubles cannot honestly decide."""
    if model.magnitude > GREATEST:
        raise NotApplicableError(
            f"{backend} computes in doubles and cannot decide a model with numbers up "
            f"to {model.magnitude}, above {GREATEST}; use CP-SAT or SAT"
        )
    refuse_sums_above(model, EXACT, backend)


def options_for(budget: Budget) -> dict[str, Any]:
    """Return the options that every run of HiGHS has here."""
    return {
        "threads": budget.workers,
        "random_seed": budget.seed % 2**31,
        "time_limit": min(budget.on_the_wall, highspy.kHighsInf),
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 0.5,  # costs are integers
    }


def nearest_admitted(model: LinearModel, point: Any) -> IntArray | None:
    """Return the rounded point if the model admits it exactly."""
    array = np.asarray(point, dtype=np.float64)
    if len(array) != model.columns or not np.isfinite(array).all():
        return None
    values = np.rint(np.clip(array, model.lower, model.upper)).astype(np.int64)
    return values if model.admits(values) else None


def listener(
    claims: Claims, model: LinearModel, order: IntArray | None = None
) -> Callable[..., None]:
    """Return the callback of HiGHS that reports points and bounds during a run.

    `order` gives the index in the model of every column of HiGHS.
    """
    questions = _questions()
    improving = int(highspy.cb.HighsCallbackType.kCallbackMipImprovingSolution)

    def listen(moment: int, message: str, seen: Any, reply: Any, data: object) -> None:
        if moment in questions:
            _interrupting(moment, message, seen, reply, data)
            return
        if moment == improving:
            point = np.array(seen.mip_solution)
            if order is not None:
                point[order] = point.copy()
            values = nearest_admitted(model, point)
            if values is not None:
                claims.found(values)
        bound = rounded_up(seen.mip_dual_bound)
        if bound is not None:
            claims.proved(bound)

    return listen


def interrupt(solver: highspy.Highs) -> None:
    """Make a solver with a callback ask it whether to stop; the answer is yes.

    The questions are asked often and cost time, so they are not enabled before.
    """
    for moment in _questions():
        solver.startCallbackInt(moment)


class Apart(Generic[T]):
    """A call in a thread of its own; `ended` is set when it has returned or failed."""

    def __init__(self, run: Callable[[], T]) -> None:
        self._run, self.ended = run, threading.Event()
        self._found: list[T] = []
        self._failure: BaseException | None = None
        here = copy_context().run
        self.thread = threading.Thread(target=here, args=(self._body,), daemon=True)
        self.thread.start()

    def result(self) -> T:
        """Return what it returned, or raise what it raised."""
        if self._failure is not None:
            raise self._failure
        return self._found[0]

    def _body(self) -> None:
        try:
            self._found.append(self._run())
        except BaseException as error:  # raised again by `result`
            self._failure = error
        self.ended.set()


def run_apart(run: Callable[[], object], budget: Budget) -> bool:
    """Run in a thread; return whether it ended, False if it had to be left behind."""
    call = Apart(run)
    while not call.ended.wait(min(0.1, budget.remaining)):
        if budget.spent and not call.ended.wait(PATIENCE):
            leave_behind(call.thread)
            return False
    call.result()
    return True


def run_stoppably(solver: highspy.Highs, budget: Budget) -> bool:
    """Do the same with a solver without a callback, and stop it when time is up."""
    solver.setCallback(_interrupting, None)
    with budget.calling(partial(interrupt, solver)):
        ended = run_apart(solver.run, budget)
    if ended:
        for moment in _questions():
            solver.stopCallbackInt(moment)
    return ended


@cache
def _questions() -> tuple[int, ...]:
    """Return the moments at which HiGHS asks whether to stop."""
    moments = highspy.cb.HighsCallbackType
    return (
        int(moments.kCallbackMipInterrupt),
        int(moments.kCallbackSimplexInterrupt),
        int(moments.kCallbackIpmInterrupt),
    )


def _interrupting(_moment: int, _text: str, _seen: Any, reply: Any, _: object) -> None:
    reply.user_interrupt = True


def _loaded(model: LinearModel) -> highspy.Highs:
    rows = clean_rows(model)
    solver = highspy.Highs()
    # Log lines trigger the callback that reports bounds: logging stays on, unseen.
    solver.setOptionValue("log_to_console", False)
    solver.setOptionValue("mip_min_logging_interval", 0.5)
    by_row = int(highspy.MatrixFormat.kRowwise)
    minimise = int(highspy.ObjSense.kMinimize)
    accepted = solver.passModel(
        rows.shape[1],
        rows.shape[0],
        rows.nnz,
        by_row,
        minimise,
        0.0,
        model.objective.astype(np.float64),
        *map(unbounded, (model.lower, model.upper, model.row_lower, model.row_upper)),
        rows.indptr.astype(np.int32),
        rows.indices.astype(np.int32),
        rows.data.astype(np.float64),
        np.ones(rows.shape[1], dtype=np.int32),
    )
    if accepted == highspy.HighsStatus.kError:
        raise NotApplicableError(
            "HiGHS cannot take the model: it reports an error in its data"
        )
    return solver


def unbounded(bounds: NDArray[Any]) -> FloatArray:
    """Return bounds as doubles, infinite where their magnitude means no bound."""
    doubles = bounds.astype(np.float64)
    beyond = np.abs(doubles) >= INFINITE
    doubles[beyond] = np.copysign(highspy.kHighsInf, doubles[beyond])
    return doubles


def _run(
    solver: highspy.Highs,
    budget: Budget,
    claims: Claims,
    options: Mapping[str, Any],
) -> highspy.HighsModelStatus | None:
    """Run within the budget; return None if nothing may be asked of the solver."""
    if budget.spent:
        return None
    for name, value in {**options_for(budget), **options}.items():
        if solver.setOptionValue(name, value) == highspy.HighsStatus.kError:
            raise NotApplicableError(
                f"HiGHS has no option {name!r} with value {value!r}"
            )
    with claims.stopping(budget, partial(interrupt, solver)):
        if not run_apart(solver.run, budget):
            return None
    return solver.getModelStatus()
