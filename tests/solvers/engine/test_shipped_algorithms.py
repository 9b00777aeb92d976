import threading

import pytest
from searching import search_of

from atleastk import BinCovering, Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.shipped_algorithms import offer_shipped
from atleastk.solvers.method import Algorithm

PATIENCE = 60.0
"""Seconds; only a test that fails waits for so long."""


@pytest.fixture
def search():
    return search_of(BinCovering([3, 3, 2, 2], 3))


def returning(name, groups, **more):
    return Algorithm(name, "", lambda _instance, _seed: Solution.of(groups), **more)


def test_the_best_of_all_is_kept(search):
    algorithms = [
        returning("all", [[0, 1, 2, 3]]),
        returning("halves", [[0, 2], [1, 3]]),
        returning("refused", [[0], [1], [2, 3]], refuses=lambda _instance: "no"),
        returning("worse", [[0], [1, 2, 3]]),
    ]
    offer_shipped(search, algorithms)
    assert (search.cost, search.found_by) == (5, "halves")


def test_a_closed_search_starts_none(search):
    search.offer([[0], [1], [2, 3]], "test")
    search.raise_bound(4, "test")

    def fail(_instance, _seed):
        raise AssertionError

    offer_shipped(search, [Algorithm("fails", "", fail)])


def test_one_that_does_not_end_is_left_behind(search, clock):
    over, search.budget = threading.Event(), Budget.of(10)

    def wait(_instance, _seed):
        clock.put_forward(10)
        over.wait(PATIENCE)
        return Solution.of([[0, 1, 2, 3]])

    algorithms = [Algorithm("waits", "", wait), returning("all", [[0, 1, 2, 3]])]
    offer_shipped(search, algorithms)
    over.set()
    assert search.cost is None
