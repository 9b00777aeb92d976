"""[Du09] section 5, Spread and Fold on names of the census: Figure 7."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final, get_args

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.datasets.census_names import NameSet, census_counts
from atleastk.research.claims.claim import Kind, Trial, claim
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


CLAIMS: Final = (
    claim(
        "section 5, Spread and Fold",
        "Spread is better than Fold.",
        kind=Kind.ALGORITHM,
        reading="It never costs more in the same order, whichever of the last and the "
        "emptiest bin Fold takes. The text says it of names, see Figure 7.",
        counter_example="du09 spread_or_fold",
        ours=True,
        repair="It never costs more than Fold with what is left over on the fullest "
        "bin.",
        repaired=Trial(LIGHT_ITEMS, _above_fullest_fold),
    ),
    claim(
        "section 5, Spread",
        "Spread is a simplified version of the method of Theorem 10.",
        kind=Kind.ALGORITHM,
        reading="It keeps the ratio of 5/2, which the text does not say.",
        counter_example="du09 spread",
        ours=True,
        repair="Nothing above 21/10 is known of spread-emptiest.",
        repaired=cases(SMALL_BINS, small_bins, _emptiest),
    ),
    *(
        claim(
            number,
            says,
            kind=Kind.FINDING,
            reading=reading,
            trial=Trial(_NAMES, needs="names", attempt=attempt),
            nearby=nearby,
            evidence=evidence,
        )
        for number, says, reading, attempt, nearby, evidence in (
            (
                "Figure 7, Spread and Fold",
                "Spread is superior to Fold on the names of the census, in random and "
                "in sorted order.",
                "On average over 200 values of k, in the same order.",
                _fold_wins,
                (),
                "On the mean of 201 values of k for each of the three files, over the "
                "optimum, all of them proved: Spread 1.08, Fold 1.29, both in one "
                "random order; in decreasing order 1.04 and 1.30. "
                "benchmarks/ratios_figure7.md, by the study "
                "scripts/studies/figure7.toml.",
            ),
            (
                "Figure 7, orders",
                "A random order is often superior to a sorted one.",
                "For a quarter of the values of k or more: than decreasing order for "
                "Fold, than increasing order for Spread.",
                _sorted_wins,
                (
                    "than decreasing order for Spread: no, for 4 to 10 % of k only, "
                    "and the mean is 1.04 against 1.08 in random order",
                ),
                "",
            ),
            (
                "Figure 7, thresholds",
                "Where one bin less is filled the ratio rises, most so for Fold.",
                "From k to k + 1, in a random order; as much for Spread at the most.",
                _smooth,
                (),
                "",
            ),
        )
    ),
    claim(
        "Figure 7, worst case",
        "Both are much better there than the worst case.",
        kind=Kind.FINDING,
        reading="Over 200 values of k Fold costs at most 2k on average, and Spread "
        "3/2 k, where both may cost 3k.",
        trial=Trial(_NAMES, needs="names", attempt=_far_from_worst),
        evidence="On the same 603 instances both cost twice the optimum at worst: "
        "benchmarks/ratios_figure7.md, by the study scripts/studies/figure7.toml.",
    ),
)
