from importlib import import_module

import pytest

from atleastk.solvers import problem
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK, Clock


def test_it_stands_while_anybody_stops_it(clock):
    run = Clock()
    began = run.now()
    clock.put_forward(1.0)
    run.stop()
    clock.put_forward(2.0)
    run.stop()
    clock.put_forward(4.0)
    run.go_on()
    assert run.stands
    clock.put_forward(8.0)
    assert run.now() - began == 1.0
    run.go_on()
    assert not run.stands
    clock.put_forward(16.0)
    assert run.now() - began == 17.0


def test_what_is_loaded_takes_no_time(clock, monkeypatch):
    """A short limit was over before the solvers were there."""

    def slowly(place):
        clock.put_forward(3.0)
        return import_module(place)

    monkeypatch.setattr(problem, "import_module", slowly)
    registered = problem.described("k-anonymity", "which cells?")
    began = CLOCK.now()
    assert registered.methods
    assert CLOCK.now() == began


def test_a_budget_loses_nothing_while_the_clock_stands(clock):
    budget = Budget.of(10.0)
    CLOCK.stop()
    clock.put_forward(1e6)
    assert budget.remaining == pytest.approx(10.0)
    CLOCK.go_on()
    assert budget.remaining == pytest.approx(10.0)
    clock.put_forward(4.0)
    assert budget.remaining == pytest.approx(6.0)


def test_it_reads_what_it_is_told_to():
    read = [5.0]
    run = Clock()
    run.source = lambda: read[0]
    began = run.now()
    run.stop()
    read[0] += 2.0
    assert run.stood == 2.0
    run.go_on()
    read[0] += 1.0
    assert run.stood == 2.0
    assert run.now() - began == 1.0


def test_solvers_with_clocks_of_their_own_have_as_much_time(clock):
    """A clock that goes half as fast as the wall has twice as much of it."""
    run, read = Clock(), [100.0]
    assert run.on_the_wall(5.0) == 5.0
    run.source = lambda: read[0]
    assert run.on_the_wall(5.0) == 5.0
    clock.put_forward(4.0)
    read[0] = 102.0
    assert run.on_the_wall(5.0) == 10.0
    read[0] = 110.0
    assert run.on_the_wall(5.0) == 5.0


def test_a_source_begins_at_the_pace_of_the_one_before(clock):
    run, read = Clock(), [0.0]
    run.source = lambda: read[0]
    clock.put_forward(4.0)
    read[0] += 2.0
    assert run.on_the_wall(5.0) == 10.0
    clock.put_forward(90.0)  # of waiting, in which nobody asks
    run.source = lambda: read[0]
    assert run.on_the_wall(5.0) == 10.0
    clock.put_forward(0.1)
    read[0] += 0.1
    assert run.on_the_wall(5.0) == pytest.approx(5.0)
