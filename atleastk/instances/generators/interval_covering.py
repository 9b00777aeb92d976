"""Interval covering: families of instances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atleastk.instances.family import Family, defaults_of, described
from atleastk.instances.generators.bin_covering import uniform
from atleastk.instances.interval_covering import IntervalCovering


def _uniform(seed: int, **chosen: Any) -> IntervalCovering:
    drawn = uniform(seed, **chosen)
    return IntervalCovering(drawn.sizes, drawn.k, name=drawn.name)


def unit(seed: int, n: int = 30, k: int = 4) -> IntervalCovering:
    """All sizes 1: the optimum is ceil(n / floor(n / k))."""
    return IntervalCovering([1] * n, k, **described("unit", seed, n=n))


FAMILIES: Sequence[Family[IntervalCovering]] = (
    Family.of(uniform, draw=_uniform, given=defaults_of(uniform)),
    Family.of(unit),
)
