"""[Du09] section 4, bins: Theorems 5 to 7, intervals, and inequality (3)."""

from __future__ import annotations

from random import Random
from typing import Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.reductions import partition
from atleastk.instances.reductions import three_partition as triples
from atleastk.research.claims.claim import Kind, Trial, claim
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


CLAIMS: Final = (
    claim(
        "section 4, intervals",
        "Ordered labels grouped into intervals are solved optimally by a simple "
        "greedy algorithm in O(n log n) time.",
        reading="Close an interval as soon as it holds k; merge what is left over. "
        "The text does not say which algorithm it means.",
        counter_example="du09 greedy_intervals",
        ours=True,
        repair="A dynamic program, in the same time.",
        repaired=cases("rows of 1 to 8 sizes up to 6", _row, _not_least),
    ),
    claim(
        "section 4, inequality (3)",
        "There is a solution iff all sizes add up to k, and every one costs k.",
        trial=Trial("up to 4 items", _infeasible_iff_small),
        degenerate="No items: the empty partition is feasible, and costs nothing.",
    ),
    claim(
        "Theorem 5",
        "3-Partition of m sets with target B has a solution iff bin covering with "
        "k = B costs B; if not, it costs m B / (m - 1) or more.",
        trial=cases("two or three triples of target 8 to 40", _triples, _of_triples),
    ),
    claim(
        "Theorem 6, binary",
        "No polynomial algorithm has a ratio below 2 for sizes in binary.",
        kind=Kind.THEOREM,
        reading="The construction is in the preprint; ours is PARTITION with its half "
        "as k: the optimum is k if the answer is yes, and 2k if no.",
        trial=cases("2 to 9 weights of an even total", _halves, _of_halves),
    ),
    claim(
        "Theorem 6, unary",
        "No polynomial algorithm has a ratio below 4/3 for sizes in unary.",
        kind=Kind.THEOREM,
        reading="3-Partition with D added to every weight: k = 3D + B if yes, and else "
        "4D + B or more, since some bin then holds four items.",
        trial=cases("two or three triples, D to 500", _triples, _of_lifted),
    ),
    claim(
        "Theorem 7",
        "Fold costs at most max(k - 1 + greatest size, 3k - 3).",
        hypotheses="all sizes add up to k or more",
        reading="In any order, whichever bin the leftovers go to.",
        trial=promise(SMALL_BINS, small_bins, *_FOLDS),
        degenerate="k = 1: the bound is the greatest size.",
    ),
    claim(
        "Theorem 7, greedy bins",
        "All greedy bins but the last hold k to 2k - 2.",
        hypotheses="no item of size k or more",
        trial=cases(LIGHT_ITEMS, light_items, _ill_filled),
    ),
)
