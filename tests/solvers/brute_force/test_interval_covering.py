import pytest

from atleastk import IntervalCovering, NotApplicableError
from atleastk.solvers.brute_force.interval_covering import optimum


@pytest.mark.parametrize(
    ("objective", "cost"), [("max", 3), ("excess", 2), ("quadratic", 6)]
)
def test_costs_by_hand(objective, cost):
    assert optimum(IntervalCovering([2, 1, 3], 2, objective))[0] == cost


def test_limits():
    assert optimum(IntervalCovering([1, 1], 3)) is None
    with pytest.raises(NotApplicableError):
        optimum(IntervalCovering([1] * 17, 1))
