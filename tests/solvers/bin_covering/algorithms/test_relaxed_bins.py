"""Theorem 11: inequality (4) against brute force, and its three slips."""

import random
from fractions import Fraction

import pytest

from atleastk import BinCovering, NotApplicableError
from atleastk.models.bin_covering import check
from atleastk.models.results.solution import partition_violations
from atleastk.solvers.bin_covering.algorithms.relaxed_bins import (
    keeps_relaxed_promise,
    relaxed_scheme,
)
from atleastk.solvers.brute_force.bin_covering import optimum


@pytest.mark.parametrize("epsilon", [Fraction(1, 5), Fraction(1, 3), Fraction(2, 5)])
def test_inequality_4_holds(epsilon):
    rng = random.Random(7)
    for _ in range(30):
        k = rng.randint(2, 20)
        high = rng.choice([k // 2 + 1, k, 2 * k, 4 * k])
        sizes = [rng.randint(1, high) for _ in range(rng.randint(1, 6))]
        instance = BinCovering(sizes, k)
        best = optimum(instance)
        if best is not None:
            solution = relaxed_scheme(instance, epsilon)
            shown = (sizes, k, epsilon, solution, best)
            assert not partition_violations(instance.n, solution), shown
            assert keeps_relaxed_promise(instance, epsilon, solution, best[0]), shown


def test_level_k_may_be_missed():
    """The scheme beats the optimum by breaking level k: no solution."""
    instance = BinCovering([9, 9, 9], 10)
    solution = relaxed_scheme(instance, Fraction(1, 4))
    assert not check(instance, solution).feasible
    assert keeps_relaxed_promise(instance, Fraction(1, 4), solution, 27)


def test_an_oversize_item_stays_alone():
    """{1, 100, tiny}: reducing does not bring 100 below 2, own bins are optimal."""
    instance = BinCovering([10, 1000, 1], 10)
    solution = relaxed_scheme(instance, Fraction(1, 4))
    assert check(instance, solution).cost == optimum(instance)[0] == 1000


def test_reduced_bins_keep_one_oversize_item_each():
    """Without the anchors two oversize items could share a bin."""
    instance = BinCovering([105, 103, 101, 4, 3], 10)
    solution = relaxed_scheme(instance, Fraction(2, 5))
    assert check(instance, solution).feasible
    assert all(sum(i < 3 for i in group) == 1 for group in solution.groups)


def test_limits_are_kept():
    instance = BinCovering(range(6, 15), 15)
    with pytest.raises(NotApplicableError, match="more than 10 types"):
        relaxed_scheme(instance, Fraction(1, 10), limit=10)
    with pytest.raises(NotApplicableError, match="between 0 and 1/2"):
        relaxed_scheme(instance, Fraction(1, 2))
