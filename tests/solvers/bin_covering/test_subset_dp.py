from atleastk import BinCovering
from atleastk.solvers.bin_covering.subset_dp import best_partition, refuses
from atleastk.solvers.budget import Budget


def test_squares_below_k_fit_64_bits_too():
    """level (level - k) is as low as -k^2/4 even where that of the total is 0."""
    instance = BinCovering([2**33, 2**33], 2**34, "quadratic")
    assert refuses(instance) is None
    assert best_partition(instance, Budget()) == [[0, 1]]
