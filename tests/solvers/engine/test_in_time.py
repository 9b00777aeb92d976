import threading

import pytest
from patience import PATIENCE

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.in_time import result_in_time, result_within

CALLS = pytest.mark.parametrize("called", [result_within, result_in_time])


@CALLS
def test_results_come_back(called):
    assert called(Budget(), lambda: 7) == 7
    assert called(Budget(), lambda: None) is None


@CALLS
def test_nothing_is_begun_without_time(called):
    begun = []
    assert called(Budget.of(0), lambda: begun.append(1)) is None
    assert not begun


@CALLS
def test_failures_are_raised(called):
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        called(Budget(), fail)


@CALLS
def test_long_calls_are_left_behind(called, clock):
    begun, released = [], threading.Event()

    def take_long():
        begun.append(1)
        clock.put_forward(10)
        released.wait(PATIENCE)
        return 7

    assert called(Budget.of(10), take_long) is None
    assert begun
    released.set()


def test_a_call_that_never_ends_can_be_stopped(clock):
    ended = threading.Event()

    def spin():
        clock.put_forward(10)
        try:
            while not ended.is_set():
                pass
        finally:
            ended.set()

    assert result_in_time(Budget.of(10), spin, stops=True) is None
    assert ended.wait(PATIENCE)
