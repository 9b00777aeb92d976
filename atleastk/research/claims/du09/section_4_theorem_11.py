"""[Du09] Theorem 11, bins of nearly k at nearly the optimum."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.covering import levels
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.du09.shared import greedy_bins, light_items
from atleastk.research.claims.trials import least_cost, optimum_of
from atleastk.solvers.bin_covering.algorithms.relaxed_bins import (
    keeps_relaxed_promise,
    relaxed_scheme,
)


def _relaxed(rng: Random) -> str | None:
    """Theorem 11: look for bins that break inequality (4)."""
    k = rng.randint(2, 12)
    sizes = [rng.randint(1, k + 2) for _ in range(rng.randint(1, 7))]
    instance = BinCovering([*sizes, *[k] * (sum(sizes) < k)], k)
    epsilon = rng.choice([Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)])
    optimum = least_cost(instance)
    bins = relaxed_scheme(instance, epsilon)
    if keeps_relaxed_promise(instance, epsilon, bins, optimum):
        return None
    return f"{instance.to_dict()}, e = {epsilon}: levels {levels(instance, bins)}"


def _above_three(rng: Random) -> str | None:
    """Theorem 11: Fold, what is left over on a greedy bin, with items of k and more."""
    light, k = light_items(rng)
    heavy = [rng.randint(k, 5 * k) for _ in range(rng.randint(1, 3))]
    *full, last = [sum(items) for items in greedy_bins(light, k)]
    levels_ = [*heavy, *full]
    if last >= k:
        levels_.append(last)
    else:
        levels_[len(heavy) + rng.randrange(len(full))] += last
    optimum = optimum_of(BinCovering([*light, *heavy], k))
    cost = max(levels_)
    right = cost == optimum if max(heavy) >= 3 * k else cost <= 3 * k
    return (
        None if right else f"{light}, {heavy}, k = {k}: {cost}, the optimum {optimum}"
    )


def _more_bins(rng: Random) -> str | None:
    """Theorem 11: look for more bins of level (1 - 2e) k than b, items up to 3k."""
    k, e = rng.randint(1, 6), rng.choice([Fraction(1, 4), Fraction(1, 3)])
    sizes = [rng.randint(1, 3 * k) for _ in range(rng.randint(1, 6))]
    b = Fraction(sum(sizes), k) / (1 - 2 * e)
    least = -(-((1 - 2 * e) * k) // 1)
    most = max(
        (len(set(homes)) for homes in product(range(len(sizes)), repeat=len(sizes))
         if all(
             sum(x for x, h in zip(sizes, homes, strict=True) if h == home) >= least
             for home in set(homes)
         )),
        default=0,
    )  # fmt: skip
    within = most <= b <= 3 * len(sizes) / (1 - 2 * e)
    return None if within else f"{sizes}, k = {k}, e = {e}: {most} bins, b = {b}"


def _reduced(rng: Random) -> str | None:
    """Tell where own bins are no optimum, an item being k above the least heavy."""
    k = rng.randint(1, 9)
    heavy = [rng.randint(k, 4 * k) for _ in range(rng.randint(2, 5))]
    light = [1] * rng.randint(0, k - 1)
    instance = BinCovering([*heavy, *light], k)
    own = max([min(heavy) + len(light), *heavy])
    if max(heavy) < min(heavy) + k or optimum_of(instance) == own == max(heavy):
        return None
    return f"{instance.to_dict()}: own bins cost {own}"


TRIALS: Final[Mapping[str, Trial]] = {
    "Theorem 11": Trial("1 to 7 items, e = 1/4, 1/3 and 2/5", _relaxed),
    "Theorem 11, optimum at most 3k": Trial(
        "items below k, up to 14, and 1 to 3 up to 5k", _above_three
    ),
    "Theorem 11, number of bins": Trial(
        "1 to 6 items up to 3k, e = 1/4, 1/3", _more_bins
    ),
    "Theorem 11, oversize items": Trial(
        "heavy items, and light ones of less than k", _reduced
    ),
}
