from atleastk import BinCovering
from atleastk.solvers.bin_covering.subset_dp import MOST_ITEMS, best_partition, refuses
from atleastk.solvers.budget import Budget


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
