import os
import signal

import pytest
from patience import PATIENCE

import atleastk
from atleastk import Suppression, anonymize
from atleastk.runs import relax as relaxing
from atleastk.runs.ask import Ask
from atleastk.runs.relax import relaxed_limits
from atleastk.runs.solving import solve_within
from atleastk.solvers.budget import Budget

TABLE = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "z"]]


def asked(instance):
    budget = Budget.checked(30, workers=1)
    outcome = solve_within(instance, Ask(budget))
    told, after = relaxed_limits(instance, outcome, budget)
    assert after == outcome
    return outcome.result.status, told


def test_limits_are_called_as_in_a_report():
    status, told = asked(Suppression(TABLE, 2, limits={"entries": 3, "per_row": 1}))
    assert (status, told[0]) == ("INFEASIBLE", "entries: 3 -> 4 is enough")
    assert told[1] == "no value of per row is enough by itself"


def test_nothing_is_in_the_way_of_what_there_is(monkeypatch):
    monkeypatch.setattr(relaxing, "relaxations", None)  # it is not asked
    status, told = asked(Suppression(TABLE, 2, limits={"entries": 4}))
    assert (status, told) == ("OPTIMAL", ())


def test_no_time_no_answer():
    instance = Suppression(TABLE, 2, limits={"entries": 3})
    budget = Budget.checked(30, workers=1)
    outcome = solve_within(instance, Ask(budget))
    assert outcome.result.status == "INFEASIBLE"
    budget.stop.set()
    assert relaxed_limits(instance, outcome, budget) == ((), outcome)


def interrupting(times):
    def relaxations(_instance, budget, _solve):
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            assert budget.stop.wait(PATIENCE)
        return ()

    return relaxations


def test_an_interrupt_is_not_lost(monkeypatch):
    monkeypatch.setattr(relaxing, "relaxations", interrupting(1))
    instance = Suppression(TABLE, 2, limits={"entries": 3})
    budget = Budget.checked(30, workers=1)
    outcome = solve_within(instance, Ask(budget))
    told, after = relaxed_limits(instance, outcome, budget)
    assert (told, after.signalled) == ((), signal.SIGINT)
    assert after.result.status == "INFEASIBLE"
    assert after.result.interrupted
    assert not outcome.result.interrupted


def test_a_second_interrupt_is_raised(monkeypatch):
    monkeypatch.setattr(relaxing, "relaxations", interrupting(2))
    with pytest.raises(KeyboardInterrupt):
        anonymize(TABLE, 2, limits={"entries": 3})


def test_tables_are_told_too():
    made = anonymize(TABLE, 2, limits={"per_row": 1}, intact=[1])
    assert made.frame is None
    assert "column 1 not intact is enough" in str(made)
    assert atleastk.check(made.instance, made.result).cost is None
