"""[Du09] Theorem 10, bins at 5/2 of the optimum, with Lemmas 8 and 9."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate, product
from random import Random
from typing import Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.du09.shared import (
    LIGHT_ITEMS,
    SMALL_BINS,
    greedy_bins,
    light_items,
    small_bins,
)
from atleastk.research.claims.trials import cases, least_cost, optimum_of, promise

_ODD: Final = "an odd number of large items, small ones of little, shuffled"


def _halved(rng: Random) -> str | None:
    """Lemma 8: look for a list that cannot be cut so."""
    xs = [rng.randint(1, 12) for _ in range(rng.randint(1, 10))]
    sums = [0, *accumulate(xs)]
    cut = min(max(left, sums[-1] - left) for left in sums)
    return None if 2 * cut <= sums[-1] + max(xs) else f"{xs}: {cut} at best"


def _in_three(rng: Random) -> str | None:
    """Lemma 9: look for numbers of at most half their sum, not in three parts so."""
    xs = [rng.randint(1, 9) for _ in range(rng.randint(2, 7))]
    while 2 * max(xs) > sum(xs):
        xs.append(rng.randint(1, 9))
    ways = product(range(3), repeat=len(xs))
    for way in ways:
        parts = [
            sum(x for x, p in zip(xs, way, strict=True) if p == q) for q in range(3)
        ]
        if 2 * max(parts) <= sum(xs):
            return None
    return f"{xs}: no way into three"


def _few_small(rng: Random) -> BinCovering:
    """Draw an odd number of large items, the greatest below k with all small ones."""
    k = rng.randint(4, 40)
    large = [rng.randint(k // 2 + 1, k - 1) for _ in range(rng.choice([3, 5, 7]))]
    left = k - 1 - max(large)
    small = []
    while left and rng.random() < 0.8:
        small.append(rng.randint(1, min(left, k // 2)))
        left -= small[-1]
    sizes = [*large, *small]
    return BinCovering(rng.sample(sizes, len(sizes)), k)


def _cheap(instance: BinCovering) -> str | None:
    cost = least_cost(instance)
    return f"it costs {cost}" if 2 * cost < 3 * instance.k else None


def _folded_too_dear(instance: BinCovering) -> str | None:
    """Fold in the order that was drawn, leftovers into the fullest bin."""
    k = instance.k
    bins = greedy_bins(instance.sizes, k)
    levels = [sum(items) for items in bins]
    cost = max(levels) if levels[-1] >= k else max(levels[:-1]) + levels[-1]
    optimum = least_cost(instance)
    wrong = cost >= 3 * k or cost > 2 * optimum
    return f"fold costs {cost}, the optimum is {optimum}" if wrong else None


def _own_bins(instance: BinCovering) -> str | None:
    """Compare the best solution with own bins for items of k and more with 5/2 OPT."""
    k = instance.k
    heavy = sorted(size for size in instance.sizes if size >= k)
    light = [size for size in instance.sizes if size < k]
    if sum(light) < k:
        own = max(heavy[0] + sum(light), heavy[-1])
    else:
        own = max([optimum_of(BinCovering(light, k)) or 0, *heavy])
    optimum = least_cost(instance)
    return f"{own} with own bins, {optimum} without" if 2 * own > 5 * optimum else None


def _wrong_cases(case: tuple[list[int], int]) -> str | None:
    """Theorem 10: greedy bins in decreasing order, and what each case says of them."""
    sizes, k = case
    bins = greedy_bins(sorted(sizes, reverse=True), k)
    *others, last = bins
    if sum(last) >= k:
        return None
    if len(bins) == 3 and sum(sizes) >= 5 * k:
        return "three bins hold 5k or more"
    first, rest = last[0], sum(last[1:])
    if 2 * first <= k or not others:
        return None
    large = [sum(2 * size > k for size in items) for items in others]
    if set(large) != {2} or 2 * rest >= k or any(2 * size > k for size in last[1:]):
        return f"case 2: {bins}"
    greatest = others[0][0]
    swapped = [greatest + rest, sum(others[0]) - greatest + first]
    in_order = all(k <= level <= 2 * k for level in swapped)
    return f"case 2.1: {bins}" if greatest + rest >= k and not in_order else None


TRIALS: Final[Mapping[str, Trial]] = {
    "Lemma 8": Trial("1 to 10 numbers up to 12", _halved),
    "Lemma 9": Trial("2 or more numbers up to 9, scaled", _in_three),
    "Theorem 10": promise(SMALL_BINS, small_bins, "five-halves", "five-halves-printed"),
    "Theorem 10, heavy items": cases(SMALL_BINS, small_bins, _own_bins),
    "Theorem 10, without loss of generality": promise(
        SMALL_BINS, small_bins, "five-halves"
    ),
    "Theorem 10, cases": cases(LIGHT_ITEMS, light_items, _wrong_cases),
    "Theorem 10, case 2.2": cases(_ODD, _few_small, _cheap),
    "Theorem 10, case 2.2, ratio": cases(_ODD, _few_small, _folded_too_dear),
}
