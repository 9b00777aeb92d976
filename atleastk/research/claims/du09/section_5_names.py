"""[Du09] section 5, Spread and Fold on names of the census: Figure 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Final, get_args

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.datasets.census_names import NameSet, census_counts
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.du09.shared import (
    LIGHT_ITEMS,
    SMALL_BINS,
    greedy_bins,
    light_items,
    small_bins,
)
from atleastk.research.claims.trials import cases, least_cost
from atleastk.runs import api
from atleastk.solvers.bin_covering.algorithms.greedy_bins import (
    Leftovers,
    costs_over_k,
    pack,
)

_NAMES: Final = "the names of 1990 in random orders, and sorted"


def _above_fullest_fold(rng: Random) -> str | None:
    """Section 5: compare Spread with Fold, what is left over on the fullest bin."""
    sizes, k = light_items(rng)
    *full, last = [sum(items) for items in greedy_bins(sizes, k)]
    fold = max(full, default=0) + last if last < k else max([*full, last])
    (spread,) = costs_over_k(sizes, [k], Leftovers.SPREAD)
    return f"{sizes}, k = {k}: Spread {spread}, Fold {fold}" if spread > fold else None


def _emptiest(instance: BinCovering) -> str | None:
    optimum = least_cost(instance)
    cost = api.approximate(instance, "spread-emptiest").cost
    assert cost is not None
    above = 10 * cost > 21 * optimum
    return f"it costs {cost}, the optimum {optimum}" if above else None


def _row_of_names(rng: Random) -> tuple[Sequence[int], list[int]]:
    """Draw the counts of one set of names in random order, and values of k."""
    counts = list(census_counts(rng.choice(get_args(NameSet))))
    rng.shuffle(counts)
    return counts, [rng.randint(max(counts), sum(counts) // 2) for _ in range(200)]


def _fold_wins(rng: Random) -> str | None:
    counts, ks = _row_of_names(rng)
    if rng.random() < 0.5:
        counts = sorted(counts, reverse=rng.random() < 0.5)
    fold, spread = (
        sum(Fraction(cost, k) for cost, k in zip(costs, ks, strict=True))
        for costs in (
            costs_over_k(counts, ks, leftovers)
            for leftovers in (Leftovers.FOLD_LEAST, Leftovers.SPREAD)
        )
    )
    return f"Fold {fold}, Spread {spread}" if spread > fold else None


def _sorted_wins(rng: Random) -> str | None:
    """Compare random with decreasing order for Fold, with increasing for Spread."""
    counts, ks = _row_of_names(rng)
    for leftovers, falling in ((Leftovers.FOLD_LEAST, True), (Leftovers.SPREAD, False)):
        drawn = costs_over_k(counts, ks, leftovers)
        ordered = costs_over_k(sorted(counts, reverse=falling), ks, leftovers)
        better = sum(a < b for a, b in zip(drawn, ordered, strict=True))
        if 4 * better < len(ks):
            return f"{leftovers.name}: random is better for {better} of {len(ks)}"
    return None


def _smooth(rng: Random) -> str | None:
    """Look at the ratios where one bin less is filled than for k less by one."""
    counts, _ = _row_of_names(rng)
    order, bins = range(len(counts)), rng.randint(2, 6)

    def filled(k: int) -> int:
        return len(pack(counts, k, order, Leftovers.FOLD_LEAST))

    low, high = sum(counts) // (bins + 1), sum(counts)
    if low < max(counts):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if filled(middle) >= bins else (low, middle)
    fold, spread = (
        after / high - before / low
        for before, after in (
            costs_over_k(counts, [low, high], leftovers)
            for leftovers in (Leftovers.FOLD_LEAST, Leftovers.SPREAD)
        )
    )
    found = f"{bins} bins to k = {low}: Fold rises {fold:.2f}, Spread {spread:.2f}"
    return None if fold > 0 and fold >= spread else found


def _far_from_worst(rng: Random) -> str | None:
    counts, ks = _row_of_names(rng)
    for leftovers, most in ((Leftovers.FOLD_LEAST, 2), (Leftovers.SPREAD, 1.5)):
        costs = costs_over_k(counts, ks, leftovers)
        mean = sum(cost / k for cost, k in zip(costs, ks, strict=True)) / len(ks)
        if mean > most:
            return f"{leftovers.name} costs {mean:.2f} k on average"
    return None


TRIALS: Final[Mapping[str, Trial]] = {
    "section 5, Spread and Fold": Trial(LIGHT_ITEMS, _above_fullest_fold),
    "section 5, Spread": cases(SMALL_BINS, small_bins, _emptiest),
    **{
        f"Figure 7, {what}": Trial(_NAMES, attempt, "names")
        for what, attempt in (
            ("Spread and Fold", _fold_wins),
            ("orders", _sorted_wins),
            ("thresholds", _smooth),
        )
    },
    "Figure 7, worst case": Trial(_NAMES, needs="names", attempt=_far_from_worst),
}
