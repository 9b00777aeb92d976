import threading

import numpy as np
import pytest
from patience import PATIENCE

from atleastk import NotApplicableError, Status
from atleastk.models.linear import LinearModelBuilder
from atleastk.solvers.backends.highs import (
    Highs,
    nearest_admitted,
    run_apart,
    run_stoppably,
)
from atleastk.solvers.budget import Budget


def test_the_number_of_workers_may_change() -> None:
    builder = LinearModelBuilder()
    columns = [builder.variable(0, 9, cost) for cost in (3, 4, 5)]
    builder.row(columns, [2, 3, 4], at_least=13)
    model = builder.build()
    for workers in (1, 2, 1):
        answer = Highs().minimise(model, Budget(workers=workers))
        assert (answer.status, answer.cost) == (Status.OPTIMAL, 17)


def test_inexact_points_are_no_points() -> None:
    builder = LinearModelBuilder()
    builder.row(builder.binaries(2), [10**6, -1], at_most=0)
    model = builder.build()
    assert nearest_admitted(model, [1e-7, 0.1]).tolist() == [0, 0]
    assert nearest_admitted(model, [1.0, 1.0]) is None
    assert nearest_admitted(model, [np.nan, 0.0]) is None
    assert nearest_admitted(model, []) is None


def test_unknown_options_are_refused() -> None:
    builder = LinearModelBuilder()
    builder.variable(0, 1, 1)
    with pytest.raises(NotApplicableError, match="no_such"):
        Highs({"no_such": 1}).minimise(builder.build(), Budget.of(1.0))


def test_deaf_runs_are_left_behind() -> None:
    budget, release = Budget(), threading.Event()

    def deaf() -> None:
        budget.stop.set()
        release.wait(PATIENCE)

    assert not run_apart(deaf, budget)
    release.set()
    with pytest.raises(ZeroDivisionError):
        run_apart(lambda: 1 // 0, Budget.of())


class Obedient:
    """A solver that works on until it may ask whether to stop."""

    def __init__(self, budget: Budget) -> None:
        self.budget, self.asked, self.questions = budget, threading.Event(), set()

    def setCallback(self, _answer, _data):  # noqa: N802
        """Hold the answer that no one asks for."""

    def startCallbackInt(self, question):  # noqa: N802
        self.questions.add(question)
        self.asked.set()

    def stopCallbackInt(self, question):  # noqa: N802
        self.questions.discard(question)

    def run(self):
        self.budget.stop.set()
        assert self.asked.wait(PATIENCE)


def test_a_run_is_stopped_and_the_next_one_is_not():
    budget = Budget()
    solver = Obedient(budget)
    assert run_stoppably(solver, budget)
    assert solver.asked.is_set()
    assert not solver.questions
