"""The judge of interval covering, judged by hand."""

import pytest

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.solvers.brute_force.interval_covering import ITEMS, optimum


@pytest.mark.parametrize(
    ("objective", "cost"), [("max", 3), ("excess", 2), ("quadratic", 6)]
)
def test_costs_by_hand(objective, cost):
    """(2, 1, 3), k = 2: intervals (2, 1) and (3) are best, or (2) and (1, 3)."""
    assert optimum(IntervalCovering([2, 1, 3], 2, objective))[0] == cost


def test_limits():
    """Nothing is feasible below k; too many items are refused."""
    assert optimum(IntervalCovering([1, 1], 3)) is None
    with pytest.raises(NotApplicableError):
        optimum(IntervalCovering([1] * (ITEMS + 1), 1))
