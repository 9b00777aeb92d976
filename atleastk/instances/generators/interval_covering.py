"""Interval covering: families of instances."""

from __future__ import annotations

import random
from collections.abc import Sequence

from atleastk.instances.family import Family, described, families, require
from atleastk.instances.interval_covering import IntervalCovering


def uniform(
    seed: int, n: int = 30, low: int = 1, high: int = 100, k: int | None = None
) -> IntervalCovering:
    """Sizes uniform in low..high; k = 3/2 high unless given."""
    good = 1 <= low <= high
    require(good, f"low, high: need 1 <= low <= high, got {low}, {high}")
    rng = random.Random(seed)
    sizes = [rng.randint(low, high) for _ in range(n)]
    level = max(1, 3 * high // 2) if k is None else k
    remarks = described("uniform", seed, n=n, low=low, high=high)
    return IntervalCovering(sizes, level, **remarks)


def unit(seed: int, n: int = 30, k: int = 4) -> IntervalCovering:
    """All sizes 1: the optimum is ceil(n / floor(n / k))."""
    return IntervalCovering([1] * n, k, **described("unit", seed, n=n))


FAMILIES: Sequence[Family[IntervalCovering]] = families(uniform, unit)
