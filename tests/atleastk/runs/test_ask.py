import pytest

from atleastk import BinCovering
from atleastk.runs.ask import Ask
from atleastk.runs.solving import solve_within
from atleastk.solvers.budget import Budget

INSTANCE = BinCovering([3, 3], 3)


def test_time_is_left_for_writing(clock):
    ask = Ask(Budget.checked(100.0))
    clock.put_forward(5.0)
    assert ask.sparing(60).budget.remaining == pytest.approx(90)
    assert ask.sparing(50 * 10**6).budget.remaining == pytest.approx(75)
    assert ask.sparing(of_reading=0.4).budget.remaining == pytest.approx(93)
    assert ask.sparing(10**9).budget.remaining == pytest.approx(23.75)
    clock.put_forward(45.0)
    assert ask.sparing(60).budget.remaining == pytest.approx(12.5)
    assert ask.budget.remaining == pytest.approx(50)


def test_no_time_is_spared_where_there_is_no_limit():
    ask = Ask(Budget.checked())
    assert ask.sparing(4) is ask


def test_a_run_does_what_is_asked():
    events = []
    budget = Budget.checked(workers=1, seed=3)
    ask = Ask(budget, method="subset-dp", on_event=events.append)
    result = solve_within(INSTANCE, ask).result
    assert (result.method, result.seed, result.cost) == ("subset-dp", 3, 3)
    assert events[-1].cost == 3


def test_what_reading_took_is_told_if_it_took_most_of_the_time(clock):
    ask = Ask(Budget.checked(30.0))
    clock.put_forward(14.0)
    assert solve_within(INSTANCE, ask.sparing(4)).result.note is None
    clock.put_forward(17.0)
    spared = ask.sparing(4)
    assert spared.budget.spent
    result = solve_within(BinCovering([3] * 40, 6), spared).result
    assert (result.note, result.cost) == ("reading took 31 of 30 s", 6)
