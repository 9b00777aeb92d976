"""Calls within a budget: their results, their failures, and those of long calls."""

import threading
import time

import pytest

from atleastk.solvers.aside import result_within
from atleastk.solvers.budget import Budget


def test_results_come_back():
    assert result_within(Budget.of(10), lambda: 7) == 7
    assert result_within(Budget.of(10), lambda: None) is None


def test_nothing_is_begun_without_time():
    called = []
    assert result_within(Budget.of(0), lambda: called.append(1)) is None
    assert not called


def test_failures_are_raised():
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        result_within(Budget.of(10), fail)


def test_long_calls_are_left_behind():
    """The one that waits goes on once the budget is spent."""
    released = threading.Event()
    began = time.monotonic()
    assert result_within(Budget.of(0.1), lambda: released.wait(60)) is None
    assert time.monotonic() - began < 30
    released.set()
