"""[Du09] section 4, bins: Theorems 5 to 7, intervals, and inequality (3)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.reductions import partition
from atleastk.instances.reductions import three_partition as triples
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.du09.shared import (
    LIGHT_ITEMS,
    SMALL_BINS,
    greedy_bins,
    light_items,
    small_bins,
)
from atleastk.research.claims.trials import (
    cases,
    least_cost,
    optimum_of,
    partitions,
    promise,
)
from atleastk.solvers.brute_force import interval_covering as judge

_FOLDS: Final = ("fold", "fold-last", "fold-decreasing", "fold-increasing")


def _triples(rng: Random) -> triples.ThreePartition:
    """Draw six or nine weights between B / 4 and B / 2 of the right total."""
    while True:
        target, groups = rng.randint(8, 40), rng.randint(2, 3)
        low, high = target // 4 + 1, -(-target // 2) - 1
        weights = [rng.randint(low, high) for _ in range(3 * groups)]
        weights[-1] += groups * target - sum(weights)
        if low <= weights[-1] <= high:
            return triples.ThreePartition(target, weights)


def _has_triples(problem: triples.ThreePartition) -> bool:
    weights, target = problem.weights, problem.target
    return any(
        all(sum(weights[i] for i in group) == target for group in groups)
        for groups in partitions(tuple(range(len(weights))), 3, 3)
    )


def _infeasible_iff_small(rng: Random) -> str | None:
    k = rng.randint(1, 20)
    instance = BinCovering([rng.randint(1, 9) for _ in range(rng.randint(0, 4))], k)
    cost = optimum_of(instance)
    if instance.sizes and (cost is None) != (instance.total < k):
        return f"{instance.to_dict()}: total {instance.total}, optimum {cost}"
    return f"{instance.to_dict()}: {cost} < k" if cost and cost < k else None


def _row(rng: Random) -> IntervalCovering:
    sizes = [rng.randint(1, 6) for _ in range(rng.randint(1, 8))]
    return IntervalCovering(sizes, rng.randint(1, sum(sizes)))


def _not_least(row: IntervalCovering) -> str | None:
    """Compare the dynamic program with all ways to cut a row."""
    cost, best = optimum_of(row), judge.optimum(row)
    return None if best and cost == best[0] else f"{cost}, not {best}"


def _of_triples(problem: triples.ThreePartition) -> str | None:
    yes, bins = _has_triples(problem), len(problem.weights) // 3
    cost = least_cost(triples.to_bin_covering(problem))
    right = (
        cost == problem.target if yes else cost * (bins - 1) >= bins * problem.target
    )
    return None if right else f"{yes}, but it costs {cost}"


def _of_lifted(problem: triples.ThreePartition) -> str | None:
    yes = _has_triples(problem)
    for offset in (1, problem.target, 500):
        image = triples.gap_instance(problem, offset)
        cost = least_cost(image)
        if (cost == image.k) != yes or (not yes and cost < 4 * offset + problem.target):
            return f"{yes}, but with {offset} it costs {cost}"
    return None


def _halves(rng: Random) -> list[int]:
    weights = [rng.randint(1, 30) for _ in range(rng.randint(2, 9))]
    return [*weights[:-1], weights[-1] + sum(weights) % 2]


def _of_halves(weights: list[int]) -> str | None:
    image = partition.gap_instance(weights)
    sums = {0}
    for weight in weights:
        sums |= {weight + other for other in sums}
    wanted = image.k if image.k in sums else 2 * image.k
    cost = optimum_of(image)
    return None if cost == wanted else f"it costs {cost}, not {wanted}"


def _ill_filled(case: tuple[list[int], int]) -> str | None:
    """Theorem 7: levels of greedy bins in any order."""
    sizes, k = case
    levels_ = [sum(items) for items in greedy_bins(sizes, k)]
    full = all(k <= level <= 2 * k - 2 for level in levels_[:-1])
    return None if full and levels_[-1] <= 2 * k - 2 else f"levels {levels_}"


TRIALS: Final[Mapping[str, Trial]] = {
    "section 4, intervals": cases("rows of 1 to 8 sizes up to 6", _row, _not_least),
    "section 4, inequality (3)": Trial("up to 4 items", _infeasible_iff_small),
    "Theorem 5": cases("two or three triples of target 8 to 40", _triples, _of_triples),
    "Theorem 6, binary": cases("2 to 9 weights of an even total", _halves, _of_halves),
    "Theorem 6, unary": cases("two or three triples, D to 500", _triples, _of_lifted),
    "Theorem 7": promise(SMALL_BINS, small_bins, *_FOLDS),
    "Theorem 7, greedy bins": cases(LIGHT_ITEMS, light_items, _ill_filled),
}
