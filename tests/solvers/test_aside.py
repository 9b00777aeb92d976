"""Calls within a budget: their results, their failures, and those of long calls."""

import threading
import time

import pytest

from atleastk.solvers.aside import result_in_time, result_within
from atleastk.solvers.budget import Budget

CALLS = pytest.mark.parametrize("called", [result_within, result_in_time])


@CALLS
def test_results_come_back(called):
    assert called(Budget.of(10), lambda: 7) == 7
    assert called(Budget.of(10), lambda: None) is None


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
        called(Budget.of(10), fail)


@CALLS
def test_long_calls_are_left_behind(called):
    """The one that waits goes on once the budget is spent."""
    released = threading.Event()
    began = time.monotonic()
    assert called(Budget.of(0.1), lambda: released.wait(60)) is None
    assert time.monotonic() - began < 30
    released.set()
