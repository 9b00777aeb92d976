import random

import pytest
from costs import cost_of

from atleastk import BinCovering, Solution
from atleastk.solvers.bin_covering.subset_dp import MOST_ITEMS, best_partition, refuses
from atleastk.solvers.brute_force.bin_covering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine import subsets


@pytest.mark.parametrize("few", [0, subsets.FEW])
@pytest.mark.parametrize("objective", ["max", "excess", "quadratic"])
def test_the_best_is_that_of_the_judge(objective, few, sweep, monkeypatch):
    monkeypatch.setattr(subsets, "FEW", few)
    rng = random.Random(3)
    taken, moderate = 0, [shape for shape in sweep.SHAPES if shape != "huge"]
    shapes = moderate if objective == "quadratic" else [*sweep.SHAPES]
    while taken < 150:
        instance = sweep.random_bins(rng, 7, shapes, (objective,))
        if refuses(instance) is not None:
            continue
        taken += 1
        best, bins = optimum(instance), best_partition(instance, Budget())
        assert (best is None) == (bins is None), instance
        if best is not None:
            assert cost_of(instance, Solution.of(bins)) == best[0], instance


def test_refusals():
    assert refuses(BinCovering([1] * MOST_ITEMS, 2)) is None
    assert "too many subsets" in refuses(BinCovering([1] * (MOST_ITEMS + 1), 2))
    assert refuses(BinCovering([2**62] * 12, 1)) is None
    assert "it takes 12" in refuses(BinCovering([2**62] * 13, 1))
    assert "it takes 12" in refuses(BinCovering([2**40] * 13, 1, "quadratic"))


def test_squares_below_k_fit_64_bits_too():
    """level (level - k) is as low as -k^2/4 even where that of the total is 0."""
    instance = BinCovering([2**33, 2**33], 2**34, "quadratic")
    assert refuses(instance) is None
    assert best_partition(instance, Budget()) == [[0, 1]]


def test_no_time_no_answer():
    assert best_partition(BinCovering([1] * 18, 3), Budget.of(0)) is None
