import random

import pytest
from drawing import random_bins

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import counting_cost
from atleastk.models.certificates.bin_covering import check_certificate
from atleastk.solvers.bin_covering.certify import LevelRefuter, sum_bound
from atleastk.solvers.brute_force.bin_covering import optimum
from atleastk.solvers.budget import Budget


def test_three_partition_without_a_solution_is_refuted():
    """All sizes are 1 modulo 5, so no three of them sum to 1000 (twelve items)."""
    sizes = [251, 256, 301, 306, 326, 331, 336, 351, 356, 371, 391, 424]
    instance = BinCovering(sizes, sum(sizes) // 4)
    counted = counting_cost(instance)
    refuter = LevelRefuter(instance)
    assert refuter.excludes(counted, Budget())
    check_certificate(instance, refuter.certificate(counted), counted + 1)


def test_sizes_beyond_a_trillion_are_certified_by_halves():
    rng = random.Random(3)
    instance = BinCovering([rng.randint(1, 10**12) for _ in range(20)], 3 * 10**12)
    low = counting_cost(instance)
    refuter = LevelRefuter(instance)
    assert refuter.excludes(low, Budget())
    check_certificate(instance, refuter.certificate(low), low + 1)


def test_what_refutes_a_level_refutes_those_below():
    instance = BinCovering([2, 6, 6, 2, 6, 2, 2], 7)
    refuter = LevelRefuter(instance)
    best, _ = optimum(instance)
    for cost in range(instance.k, best):
        if refuter.excludes(cost, Budget()):
            assert refuter.excludes(cost - 1, Budget.of(0.0))
    assert not refuter.excludes(best, Budget())


def test_a_spent_budget_proves_nothing():
    refuter = LevelRefuter(BinCovering([4, 4, 4, 4, 4], 5))
    assert not refuter.excludes(11, Budget.of(0.0))
    assert not refuter.refuted


@pytest.mark.parametrize("objective", ["excess", "quadratic"])
@pytest.mark.parametrize("factor", [10**5 + 3, 10**7 + 19, 10**40])
def test_sums_of_huge_sizes_are_proved_or_left_alone(objective, factor):
    proofs = 0
    for seed in range(15):
        small = random_bins(seed, objective)
        sizes = [factor * size + seed for size in small.sizes]
        instance = BinCovering(sizes, factor * small.k, objective=objective)
        proved = sum_bound(instance, Budget())
        if proved is None:
            continue
        proofs += 1
        assert proved[0] <= optimum(instance)[0], seed
        check_certificate(instance, proved[1], proved[0])
    assert (proofs > 5) == (factor < 10**40)
