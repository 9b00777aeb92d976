import pytest

from atleastk import BinCovering, NotApplicableError
from atleastk.solvers.brute_force.bin_covering import optimum, partitions


def test_partitions_are_counted_by_bell():
    for n, bell in enumerate((1, 1, 2, 5, 15, 52, 203, 877)):
        seen = {frozenset(map(tuple, groups)) for groups in partitions(n)}
        assert len(seen) == bell


@pytest.mark.parametrize(
    ("objective", "cost"), [("max", 16), ("excess", 8), ("quadratic", 120)]
)
def test_costs_by_hand(objective, cost):
    assert optimum(BinCovering([10, 6, 6, 6], 10, objective))[0] == cost


def test_limits():
    assert optimum(BinCovering([1, 1], 3)) is None
    with pytest.raises(NotApplicableError):
        optimum(BinCovering([1] * 11, 1))
