"""Theorem 10: where its proof fails, and that the repair holds."""

import random
from itertools import combinations_with_replacement

import pytest

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import check
from atleastk.solvers.bin_covering.algorithms.five_halves import (
    EXHAUSTIVE_ITEMS,
    five_halves,
    five_halves_printed,
    needs_search,
)
from atleastk.solvers.brute_force.bin_covering import optimum


def test_own_bins_for_heavy_items_change_the_optimum():
    """{10, 6, 6, 6}, k = 10: own bins cost 18, the optimum is 16."""
    instance = BinCovering([10, 6, 6, 6], 10)
    assert check(instance, five_halves_printed(instance)).cost == 18
    assert optimum(instance)[0] == 16


def test_crumbs_must_be_lifted_onto_heavy_items():
    """One bin for all light items would cost 29 where the optimum is 11."""
    instance = BinCovering([10] * 9 + [5] * 4 + [1] * 9, 10)
    assert check(instance, five_halves(instance)).cost <= 27


def test_printed_variant_refuses_an_exponential_search():
    few = BinCovering([3] * (EXHAUSTIVE_ITEMS + 1), 20)
    assert "exponential" in needs_search(few)
    assert needs_search(BinCovering([3] * 50, 20)) is None
    assert needs_search(BinCovering([3] * EXHAUSTIVE_ITEMS, 20)) is None


def test_ratio_holds_exhaustively():
    for n in range(1, 6):
        for sizes in combinations_with_replacement(range(1, 8), n):
            for k in (3, 5, 7, 9):
                instance = BinCovering(sizes, k)
                best = optimum(instance)
                if best is not None:
                    for run in (five_halves, five_halves_printed):
                        verdict = check(instance, run(instance))
                        assert verdict.feasible, (sizes, k)
                        assert 2 * verdict.cost <= 5 * best[0], (sizes, k)


@pytest.mark.parametrize("seed", range(4))
def test_repair_holds_next_to_planted_optima(seed):
    rng = random.Random(seed)
    for _ in range(1000):
        k = rng.choice([10, 20, 50, 100, 1000])
        highest = rng.randint(k, 6 * k // 5)
        heavy_bins, light_bins = rng.randint(0, 6), rng.randint(0, 4)
        sizes, planted = [], 0
        for b in range(heavy_bins + light_bins):
            level = rng.randint(k, highest)
            planted = max(planted, level)
            if b < heavy_bins:
                sizes.append(rng.randint(k, level))
                level -= sizes[-1]
            while level:
                part = rng.choice([k // 20 + 1, k // 5, k // 2, k - 1])
                sizes.append(min(level, rng.randint(1, part)))
                level -= sizes[-1]
        if sizes:
            rng.shuffle(sizes)
            instance = BinCovering(sizes, k)
            verdict = check(instance, five_halves(instance))
            assert verdict.feasible, (sizes, k)
            assert 2 * verdict.cost <= 5 * planted, (sizes, k)
