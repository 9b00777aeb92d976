from fractions import Fraction

import pytest

from atleastk import BinCovering, Stop
from atleastk.models import bin_covering
from atleastk.solvers.budget import Budget
from atleastk.solvers.goal import Goal
from atleastk.solvers.search import Search

HUNDREDTH = Fraction(1, 100)
HUGE = 10**400


@pytest.mark.parametrize(
    ("gap", "cost", "bound", "met"),
    [
        (HUNDREDTH, 100, 99, True),
        (HUNDREDTH, 100, 98, False),
        (HUNDREDTH, 100 * HUGE, 99 * HUGE, True),
        (HUNDREDTH, 100 * HUGE, 99 * HUGE - 1, False),
        (HUNDREDTH, -99, -100, False),
        (HUNDREDTH, -100, -101, True),
        (HUNDREDTH, 0, -1, False),
        (HUNDREDTH, 0, 0, True),
        (Fraction(1), 100, 0, True),
        (Fraction(1), 100, None, False),
        (Fraction(1), None, 0, False),
        (None, 1, 1, False),
    ],
)
def test_a_gap_is_a_part_of_the_cost(gap, cost, bound, met):
    assert Goal(gap).met_by(cost, bound) is (Stop.GAP if met else None)


def test_a_target_needs_no_bound():
    goal = Goal(target=10)
    found = [goal.met_by(cost, None) for cost in (None, 11, 10, 9)]
    assert found == [None, None, Stop.TARGET, Stop.TARGET]


def test_a_search_that_meets_its_goal_stops_its_budget():
    budget = Budget()
    instance = BinCovering([6, 6, 6, 6], 6)
    search = Search(instance, bin_covering.check, budget, goal=Goal(target=12))
    search.offer([[0, 1, 2], [3]], "test")
    assert not any((search.settled, search.done, budget.spent))
    search.offer([[0, 1], [2, 3]], "test")
    assert search.settled
    assert search.done
    assert budget.spent
    assert not search.closed
    search.offer([[0], [1], [2], [3]], "test")
    assert search.met is Stop.TARGET
