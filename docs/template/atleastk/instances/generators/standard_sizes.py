"""Standard sizes: families of instances, drawn by a seed.

The parameters of a function are those of `atleastk generate`, by the same names.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.standard_sizes import StandardSizes


def uniform(
    seed: int, n: int = 30, low: int = 1, high: int = 100, k: int = 4
) -> StandardSizes:
    """Lengths uniform in low..high."""
    require(1 <= low <= high, f"low, high: need 1 <= low <= high, got {low}, {high}")
    rng = random.Random(seed)
    lengths = [rng.randint(low, high) for _ in range(n)]
    return StandardSizes(lengths, k)


def one_long(_seed: int, k: int = 4, long: int = 1000) -> StandardSizes:
    """One long piece and 3k - 2 of length 1: the worst case of longest-first."""
    at_least(1, k=k, long=long)
    return StandardSizes([long] + [1] * (3 * k - 2), k)


FAMILIES: Sequence[Family[StandardSizes]] = families(uniform, one_long)
