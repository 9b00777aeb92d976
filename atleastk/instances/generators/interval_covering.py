"""Interval covering: families of instances."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.family import Family, at_least, families
from atleastk.instances.generators.bin_covering import uniform
from atleastk.instances.interval_covering import IntervalCovering


def unit(_seed: int, n: int = 30, k: int = 4) -> IntervalCovering:
    """All sizes 1: the optimum is ceil(n / floor(n / k))."""
    return IntervalCovering([1] * n, k)


def worst_greedy(_seed: int, k: int = 10) -> IntervalCovering:
    """k, 1, k - 1, 2, ..., 2, k - 1: intervals of k leave k - 1; the optimum is k + 1.

    Closed at k, each interval takes one more of the next pair than the one before.
    """
    at_least(2, k=k)
    sizes = [size for j in range(1, k) for size in (k - j + 1, j)]
    return IntervalCovering(sizes, k)


FAMILIES: Sequence[Family[IntervalCovering]] = (
    Family.made_of(uniform, lambda _, drawn: IntervalCovering(drawn.sizes, drawn.k)),
    *families(unit, worst_greedy),
)
