"""The engine on a small problem, groups of least sums of pairs, against enumeration."""

import random

import numpy as np
import pytest
from engine_pairs import PairOracle, Pairs

from atleastk.models.in_time import look_up
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition import closing as module
from atleastk.solvers.engine.set_partition.closing import Closing
from atleastk.solvers.search import Search


def solution_of(groups):
    return Solution(tuple(map(tuple, groups.members)))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("seed", range(80))
def test_a_problem_of_pairs_against_enumeration(monkeypatch, seed, workers):
    """Half of them with triples, for no list is short enough, and giving up is dear."""
    dear = 64 if seed % 2 else 1
    if dear > 1:
        monkeypatch.setattr(module, "LONG", 0)
    pairs = Pairs(random.Random(seed))
    search = Search(pairs, pairs.check, Budget(workers=workers, seed=seed))
    above = int(pairs.costs.sum()) + 1
    oracle = PairOracle(pairs, dear * above)
    closing = Closing(search, oracle, above, "groups", solution_of, lambda *_: None)
    if closing.bound():
        closing.enumerate()
    expected = pairs.optimum()
    assert search.closed
    assert search.infeasible == (expected is None)
    assert search.infeasible or search.cost == expected


def test_triples_end_where_nothing_is_left_to_gain(monkeypatch):
    """The bound was one below the limit, and the same triples came for ever."""
    pairs, rng = Pairs(random.Random(99)), random.Random(1_000_099)
    most = rng.choice([1, 2, 3])
    drawn = [rng.randint(0, most) for _ in range(pairs.n**2)]
    pairs.costs = np.triu(np.reshape(drawn, (pairs.n, pairs.n)), 1)
    best = pairs.optimum()
    search = Search(pairs, pairs.check, Budget(seed=99))
    oracle = PairOracle(pairs, 64 * (best + 1))
    closing = Closing(search, oracle, best + 1, "groups", solution_of, lambda *_: None)
    rounds = []

    def violated(*given, **asked):
        rounds.append(1)
        assert len(rounds) < 20
        return separated(*given, **asked)

    separated = module.violated_triples
    monkeypatch.setattr(module, "LONG", 0)
    monkeypatch.setattr(module, "violated_triples", violated)
    assert closing.bound()
    closing.enumerate()
    assert search.cost == best == search.bound


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
