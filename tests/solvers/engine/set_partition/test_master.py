"""Prices in the middle, on a problem of pairs."""

import random

import pytest
from engine_pairs import PairOracle, Pairs

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.master import Master


def solved(seed):
    """Return pairs that are all in groups, a limit, and the linear program."""
    pairs = Pairs(random.Random(seed))
    pairs.left_out = 0
    above = int(pairs.costs.sum()) + 1
    master = Master(PairOracle(pairs, above), above)
    master.converge(Budget())
    return pairs, above, master


@pytest.mark.parametrize("seed", range(40))
def test_prices_in_the_middle_prove_no_more_than_the_optimum(seed):
    pairs, above, master = solved(seed)
    master.centre(Budget())
    optimum = pairs.optimum()
    assert master.middle is not None
    assert master.middle.bound <= (above if optimum is None else optimum)
    assert master.middle.total <= master.proof.total + 2 * pairs.n * pairs.n
    if optimum is not None:
        listed = PairOracle(pairs, above).listed(
            master.middle.prices, master.middle.spare(optimum + 1), 10**6, Budget()
        )
        members = map(tuple, listed.members)
        pairs.groups = dict(zip(members, listed.cost.tolist(), strict=True))
        assert pairs.optimum() == optimum
