"""What trials of several sections of [Du09] draw and judge."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.research.claims.claim import Attempt
from atleastk.research.claims.map_images import COST, Image, objection
from atleastk.research.claims.trials import optimum_of
from atleastk.solvers.brute_force.combinatorial import exact_covers

SMALL_BINS: Final = "1 to 9 items near k, k/2, k/3 and 1"
LIGHT_ITEMS: Final = "items below k, up to 14"
"""What is drawn by `small_bins` and `light_items`, in words."""


def small_bins(rng: Random) -> BinCovering:
    """Draw sizes near k, k / 2, k / 3 and 1, which add up to k at least."""
    k = rng.randint(1, 24)
    near = [1, 2, k // 3, k // 2, k // 2 + 1, k - 1, k, k + 1, rng.randint(1, 2 * k)]
    sizes = [max(1, rng.choice(near)) for _ in range(rng.randint(1, 9))]
    return BinCovering([*sizes, *[k] * (sum(sizes) < k)], k)


def _matching(rng: Random) -> ThreeDimensionalMatching:
    """Draw triples, a matching among them every second time."""
    n = rng.randint(1, 3)
    sides = [rng.sample(range(n), n) for _ in range(rng.choice([0, 3]))]
    planted = list(zip(*sides, strict=True))
    others = [t for t in product(range(n), repeat=3) if t not in planted]
    size = rng.randint(n, min(2 * n, n**3))
    drawn = [*planted, *rng.sample(others, size - len(planted))]
    return ThreeDimensionalMatching(n, rng.sample(drawn, size))


def of_matchings(images: Sequence[Image]) -> Attempt:
    """Return a trial of reductions from 3DM: what images cost, and all that is 3."""

    def attempt(rng: Random) -> str | None:
        image, problem = rng.choice(images), _matching(rng)
        yes = any(exact_covers(problem.sets, problem.elements))
        cost = optimum_of(image.forward(problem))
        why = objection(image, problem)
        if not (cost == COST if yes else cost is None or cost > COST):
            why = f"a matching is {yes}, the image costs {cost}"
        return why and f"{image.name} of {problem.to_dict()}: {why}"

    return attempt


def greedy_bins(sizes: Sequence[int], k: int) -> list[list[int]]:
    """Fill bins in order up to level k; the last one may not reach it."""
    bins: list[list[int]] = [[]]
    for size in sizes:
        if sum(bins[-1]) >= k:
            bins.append([])
        bins[-1].append(size)
    return bins


def light_items(rng: Random) -> tuple[list[int], int]:
    """Draw items of less than k, which add up to k at least."""
    k = rng.randint(2, 24)
    near = [1, max(1, k // 3), max(1, k // 2), k // 2 + 1, k - 1, rng.randint(1, k - 1)]
    sizes = [min(k - 1, rng.choice(near)) for _ in range(rng.randint(1, 14))]
    while sum(sizes) < k:
        sizes.append(rng.randint(1, k - 1))
    return sizes, k
