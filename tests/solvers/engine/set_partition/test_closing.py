"""The engine on a small problem, groups of least sums of pairs, against enumeration."""

import random

import pytest
from engine_pairs import PairOracle, Pairs

from atleastk.models.in_time import look_up
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.closing import Closing
from atleastk.solvers.search import Search


def solution_of(groups):
    return Solution(tuple(map(tuple, groups.members)))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("seed", range(60))
def test_a_problem_of_pairs_against_enumeration(seed, workers):
    pairs = Pairs(random.Random(seed))
    search = Search(pairs, pairs.check, Budget(workers=workers, seed=seed))
    above = int(pairs.costs.sum()) + 1
    closing = Closing(
        search, PairOracle(pairs, above), above, "groups", solution_of, lambda *_: None
    )
    if closing.bound():
        closing.enumerate()
    expected = pairs.optimum()
    assert search.closed
    assert search.infeasible == (expected is None)
    assert search.infeasible or search.cost == expected


def test_a_bound_whose_certificate_is_late_is_reported():
    """It was lost with the certificate, whose making looks up."""
    pairs = Pairs(random.Random(3))
    search = Search(pairs, pairs.check, Budget())
    above = int(pairs.costs.sum()) + 1

    def late(*_):
        search.budget.stop.set()
        look_up()

    oracle = PairOracle(pairs, above)
    closing = Closing(search, oracle, above, "groups", solution_of, late)
    with search.budget.awaiting():
        closing.bound()
    assert search.budget.spent
    assert search.bound is not None or search.infeasible
