import threading

import pytest
from patience import PATIENCE

from atleastk import Status, WrongAnswerError
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.race import beside, first_answer, first_decided, together


def impossible(_budget):
    return Decision.impossible()


def undecided(_budget):
    return Decision.unknown()


def contradicts(_budget):
    raise WrongAnswerError("a contradiction")


class Waits:
    def __init__(self):
        self.stopped = threading.Event()

    def __call__(self, budget):
        if budget.stop.wait(PATIENCE):
            self.stopped.set()
        return Decision.unknown()


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_those_who_do_not_know_leave_it_to_the_next(workers):
    found = first_decided([undecided, impossible], Budget(workers=workers))
    assert found.status is Status.INFEASIBLE


@pytest.mark.parametrize("workers", [1, 2])
def test_nobody_knows(workers):
    found = first_decided([undecided, undecided], Budget(workers=workers))
    assert found.status is Status.UNKNOWN
    assert first_decided([], Budget(workers=workers)).status is Status.UNKNOWN


@pytest.mark.parametrize("order", [1, -1])
def test_an_answer_stops_the_others_but_not_the_run(order):
    waits, budget = Waits(), Budget(workers=2)
    found = first_decided([waits, impossible][::order], budget)
    assert found.status is Status.INFEASIBLE
    assert waits.stopped.is_set()
    together([again := Waits(), lambda race: race.stop.set()][::order], budget)
    assert again.stopped.is_set()
    assert not budget.stop.is_set()


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("side_by_side", [first_decided, together])
def test_a_contradiction_stops_the_others(side_by_side, order):
    waits = Waits()
    with pytest.raises(WrongAnswerError, match="a contradiction"):
        side_by_side([waits, contradicts][::order], Budget(workers=2))
    assert waits.stopped.is_set()


def test_a_stop_of_the_run_reaches_everybody():
    budget, first, second = Budget(workers=2), Waits(), Waits()
    threading.Timer(0.05, budget.stop.set).start()
    assert first_decided([first, second], budget).status is Status.UNKNOWN
    assert first.stopped.is_set()
    assert second.stopped.is_set()


@pytest.mark.usefixtures("clock")
def test_those_who_have_others_waiting_get_a_share_of_the_time():
    seen = []

    def asks(budget):
        seen.append(budget.remaining)
        return 0

    assert first_answer([asks, asks], Budget.of(1000.0), bool, share=0.5) is None
    assert seen == [500, 1000]


def test_workers_are_divided():
    seen = []

    def asks(budget):
        seen.append(budget.workers)
        return 0

    first_answer([asks, asks], Budget(workers=7), bool)
    assert seen == [3, 3]


def test_all_that_work_together_are_waited_for():
    def seed(budget):
        return budget.seed

    runs = [seed, lambda budget: budget.seed + 1, seed]
    assert together(runs, Budget(seed=3)) == [3, 4, 3]


def test_a_failure_is_told_although_what_it_stops_fails_as_well():
    def fails_if_stopped(budget):
        budget.stop.wait(PATIENCE)
        raise RuntimeError("stopped")

    with pytest.raises(WrongAnswerError, match="a contradiction"):
        together([fails_if_stopped, contradicts], Budget())


def test_work_is_over_when_the_run_says_so_or_stops():
    budget, first, second = Budget(), Waits(), Waits()
    asked = []
    together([first, second], budget, lambda: asked.append(1) or len(asked) > 2)
    assert first.stopped.is_set()
    assert second.stopped.is_set()
    budget.stop.set()
    together([waits := Waits()], budget)
    assert waits.stopped.is_set()


def test_what_runs_beside_work_is_stopped_with_it():
    waits = Waits()
    assert beside(waits, lambda race: race.workers, Budget(workers=3)) == 3
    assert waits.stopped.is_set()
    with pytest.raises(WrongAnswerError, match="a contradiction"):
        beside(again := Waits(), contradicts, Budget())
    assert again.stopped.is_set()
    with pytest.raises(WrongAnswerError, match="a contradiction"):
        beside(contradicts, working := Waits(), Budget())
    assert working.stopped.is_set()
