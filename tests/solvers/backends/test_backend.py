import numpy as np
import pytest
from ortools.sat.python import cp_model

from atleastk import NotApplicableError, Status, WrongAnswerError
from atleastk.models.linear import LinearModel, LinearModelBuilder
from atleastk.solvers.backends.backend import (
    Answer,
    Claims,
    box_bound,
    clean_rows,
    refuse_sums_above,
    rounded_up,
)
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget

GOOD = np.array([1, 1, 0], dtype=np.int64)
WRONG = np.array([1, 0, 0], dtype=np.int64)


@pytest.fixture
def model() -> LinearModel:
    """Choose two of three at costs 3, 5, 7: the optimum is 8."""
    builder = LinearModelBuilder()
    builder.equation([builder.variable(0, 1, cost) for cost in (3, 5, 7)], 1, 2)
    return builder.build()


def test_status_follows_from_cost_and_bound(model) -> None:
    for bound, status in ((None, Status.FEASIBLE), (7, Status.FEASIBLE)):
        answer = Claims(model, "x").answer(Status.OPTIMAL, GOOD, bound)
        assert (answer.status, answer.cost, answer.bound) == (status, 8, bound)
    assert Claims(model, "x").answer(Status.FEASIBLE, GOOD, 8).status is Status.OPTIMAL


@pytest.mark.parametrize(
    ("status", "values", "bound", "complaint"),
    [
        (Status.OPTIMAL, WRONG, 3, "does not admit"),
        (Status.FEASIBLE, GOOD * 2, None, "does not admit"),
        (Status.OPTIMAL, GOOD, 9, "nothing costs less than 9"),
        (Status.OPTIMAL, None, 8, "without a point"),
        (Status.INFEASIBLE, GOOD, None, "calls infeasible"),
    ],
)
def test_lies_are_caught(model, status, values, bound, complaint) -> None:
    with pytest.raises(WrongAnswerError, match=f"^liar .*{complaint}"):
        Claims(model, "liar").answer(status, values, bound)


@pytest.mark.parametrize(
    "lie",
    [
        lambda claims: claims.found(WRONG),
        lambda claims: (claims.proved(9), claims.found(GOOD)),
        lambda claims: (claims.found(GOOD), claims.proved(9)),
    ],
)
def test_lies_on_the_way_are_caught(model, lie) -> None:
    interrupts = []
    claims = Claims(model, "liar")
    with claims.stopping(Budget.of(), lambda: interrupts.append(1)):
        lie(claims)
        claims.found(GOOD)
    assert interrupts == [1]
    with pytest.raises(WrongAnswerError, match=r"^liar "):
        claims.answer(Status.OPTIMAL, GOOD, 8)


def test_infeasible_beside_a_known_point_is_a_lie(model) -> None:
    with pytest.raises(WrongAnswerError, match="calls infeasible"):
        Claims(model, "liar", hint=GOOD).answer(Status.INFEASIBLE)
    assert Claims(model, "x", hint=WRONG).answer(Status.INFEASIBLE).cost is None


def test_the_best_claim_wins(model) -> None:
    points, bounds = [], []
    claims = Claims(
        model, "x", floor=0, on_answer=points.append, on_bound=bounds.append
    )
    for values in ([0, 1, 1], [1, 1, 0], [1, 0, 1]):
        claims.found(np.array(values, dtype=np.int64))
    for bound in (-1, 3, 2, 8):
        claims.proved(bound)
    answer = claims.answer(Status.UNKNOWN)
    claims.proved(9)
    assert (answer.status, answer.cost, answer.bound) == (Status.OPTIMAL, 8, 8)
    assert [model.cost(point) for point in points] == [12, 8]
    assert bounds == [3, 8]


@pytest.fixture
def forge(monkeypatch):
    """Let CP-SAT run unobserved and a forger rewrite its response."""
    honest = cp_model.CpSolver.solve

    def install(rewrite):
        def forged(solver, posted, _callback):
            solver.best_bound_callback = None
            status = honest(solver, posted)
            rewrite(solver.response_proto)
            return status

        monkeypatch.setattr(cp_model.CpSolver, "solve", forged)

    return install


def test_a_forged_point_is_caught(model, forge) -> None:
    def rewrite(response) -> None:
        response.solution[0] = 1 - response.solution[0]

    forge(rewrite)
    with pytest.raises(WrongAnswerError, match=r"^CP-SAT .*does not admit"):
        CpSat().minimise(model, Budget())


@pytest.mark.parametrize("bound", [7, 8, 9])
def test_a_forged_bound_is_caught(model, forge, bound) -> None:
    def rewrite(response) -> None:
        response.inner_objective_lower_bound = bound

    forge(rewrite)
    if bound == 9:
        with pytest.raises(WrongAnswerError, match=r"^CP-SAT .*costs less than 9"):
            CpSat().minimise(model, Budget())
    else:
        status = CpSat().minimise(model, Budget()).status
        assert status is (Status.OPTIMAL if bound == 8 else Status.FEASIBLE)


def test_answers_are_consistent() -> None:
    for status, values, cost, bound in (
        (Status.OPTIMAL, GOOD, 8, 7),
        (Status.OPTIMAL, None, None, 8),
        (Status.FEASIBLE, GOOD, 8, 8),
        (Status.FEASIBLE, GOOD, 8, 9),
        (Status.FEASIBLE, GOOD, None, None),
        (Status.FEASIBLE, None, 8, None),
        (Status.INFEASIBLE, None, None, 3),
        (Status.INFEASIBLE, GOOD, 8, None),
        (Status.UNKNOWN, GOOD, 8, None),
    ):
        with pytest.raises(ValueError, match="does not fit"):
            Answer(status, values, cost, bound, "x")


def test_float_bounds_are_rounded_safely() -> None:
    assert rounded_up(8.0) == 8
    assert rounded_up(8.0000000001) == 8
    assert rounded_up(7.9999999) == 8
    assert rounded_up(8.01) == 9
    assert rounded_up(-8.01) == -8
    assert rounded_up(1e12 + 0.2) == 10**12
    assert rounded_up(1e12 + 0.5) == 10**12 + 1
    assert rounded_up(float("-inf")) is None


def test_box_bound_and_clean_rows() -> None:
    builder = LinearModelBuilder()
    for lower, upper, cost in ((-2, 3, 4), (-1, 1, -5), (0, 9, 0)):
        builder.variable(lower, upper, cost)
    builder.row([0, 1, 0, 2], [2, 0, -1, 3], at_most=5)
    model = builder.build()
    assert box_bound(model) == -13
    rows = clean_rows(model)
    assert rows.nnz == 2
    assert (rows.toarray() == model.rows.toarray()).all()
    assert model.rows.nnz == 4


def test_wide_sums_are_measured(model) -> None:
    refuse_sums_above(model, 15, "x")
    with pytest.raises(NotApplicableError, match="x cannot take this model"):
        refuse_sums_above(model, 14, "x")
