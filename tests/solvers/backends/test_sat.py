import itertools
import threading

import numpy as np
import pytest

from atleastk import NotApplicableError, Status, WrongAnswerError
from atleastk.models.linear import LinearModelBuilder
from atleastk.solvers.backends.cnf import Formula
from atleastk.solvers.backends.sat import SAT_SOLVERS, Sat
from atleastk.solvers.budget import Budget


@pytest.mark.parametrize("seed", range(25))
def test_a_row_admits_exactly_its_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 7))
    largest = int(rng.choice([1, 2, 9, 10**6]))
    factors = rng.integers(1, largest + 1, size=count) * rng.choice([-1, 1], size=count)
    middle = int(rng.choice(factors.cumsum()))
    for point in itertools.product((0, 1), repeat=count):
        builder = LinearModelBuilder()
        columns = [builder.variable(value, value) for value in point]
        free = builder.variable(0, 3)
        builder.row(
            [*columns, free],
            [*factors.tolist(), 1],
            at_least=middle - largest // 2,
            at_most=middle,
        )
        model = builder.build()
        admitted = any(
            model.admits(np.array([*point, value], dtype=np.int64))
            for value in range(4)
        )
        status = Sat().minimise(model, Budget()).status
        assert (status is Status.OPTIMAL) == admitted, (seed, point)


@pytest.mark.parametrize("width", [1, 2, 5, 8, 11])
def test_every_value_of_a_variable_is_reached(width: int) -> None:
    for value in range(-3, width - 2):
        for cost in (-1, 1):
            builder = LinearModelBuilder()
            x = builder.variable(-3, width - 3, cost)
            builder.row([x], cost, at_least=cost * value)
            for hint in (None, np.array([value], dtype=np.int64)):
                answer = Sat().minimise(builder.build(), Budget(), hint=hint)
                assert answer.status is Status.OPTIMAL
                assert answer.values.tolist() == [value]


@pytest.mark.parametrize("solver", SAT_SOLVERS)
def test_every_solver_can_be_interrupted(solver: str, patiently) -> None:
    builder = LinearModelBuilder()
    places = [builder.binaries(13) for _ in range(14)]
    for row in places:
        builder.equation(row, 1, 1)
    for hole in zip(*places, strict=True):
        builder.row(hole, at_most=1)
    model, budget = builder.build(), Budget()
    threading.Timer(0.2, budget.stop.set).start()
    answer = patiently(lambda: Sat(solver).minimise(model, budget))
    assert answer.status is Status.UNKNOWN


def test_encodings_that_explode_are_refused() -> None:
    builder = LinearModelBuilder()
    columns = builder.binaries(3000)
    for shift in range(20):
        builder.row(columns, [j + 1 + shift for j in range(3000)], at_most=10**6)
    model, made = builder.build(), []
    with pytest.raises(NotApplicableError, match="clauses"):
        Sat().minimise(model, Budget())
    with pytest.raises(NotApplicableError, match="clauses"):
        Formula(model, made.append, "SAT").encode_rows()
    assert not made


def test_a_solver_that_misses_is_named(monkeypatch) -> None:
    monkeypatch.setattr(Formula, "ask", lambda *_: 1_000)  # it asks for nothing
    builder = LinearModelBuilder()
    column = builder.variable(0, 1, 3)
    builder.row([column], [1], at_least=0, at_most=1)
    dear = np.array([1], dtype=np.int64)
    with pytest.raises(WrongAnswerError, match="SAT minisat22 was asked for"):
        Sat("minisat22").minimise(builder.build(), Budget(), hint=dear)
