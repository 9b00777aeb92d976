"""The watch: it ends waiting in time, and tells one piece of work from another."""

import threading
import time

import pytest

from atleastk import BinCovering
from atleastk.models import bin_covering
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.watch import Watch


def closed_at_once(search):
    search.offer([[0]], "test")
    search.raise_bound(1, "test")


def new_search(budget):
    return Search(BinCovering([1], 1), bin_covering.check, budget.apart())


def test_who_was_left_behind_is_not_heard_again():
    """Its late failure is not taken for the end of what is running now."""
    budget, release = Budget.of(20.0), threading.Event()
    watch = Watch(budget)

    def fails_late(search):
        closed_at_once(search)
        release.wait(10.0)
        message = "too late"
        raise RuntimeError(message)

    done = []

    def more():
        release.set()
        time.sleep(0.3)
        done.append(True)

    assert not watch.attend(fails_late, new_search(budget))
    assert watch.abandoned
    assert watch.perform(more)
    assert done == [True]


def test_only_the_budget_of_a_closed_search_is_stopped():
    """The run goes on; the method that closed the search hears that it may end."""
    budget = Budget.of(20.0)
    watch, search = Watch(budget), new_search(budget)

    def obedient(search):
        closed_at_once(search)
        assert search.budget.stop.wait(5.0)

    assert watch.attend(obedient, search)
    assert not watch.abandoned
    assert not budget.spent


def test_a_failure_stops_the_run_and_is_raised():
    """What work raises is raised where it was asked for."""
    budget = Budget.of(20.0)
    with pytest.raises(ZeroDivisionError):
        Watch(budget).perform(lambda: 1 // 0)
    assert budget.spent
