"""Interval covering: the judge.

Every one of the 2^(n-1) compositions of at most 16 items is tried, without bounds or
any part of what it judges.
"""

from __future__ import annotations

from itertools import combinations, pairwise

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.interval_covering import IntervalCovering

ITEMS = 16
"""The most items that the judge takes."""


def optimum(instance: IntervalCovering) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    sizes, k = instance.sizes, instance.k
    n = len(sizes)
    if n > ITEMS:
        raise NotApplicableError(f"brute force takes at most {ITEMS} items, got {n}")
    best: tuple[int, list[list[int]]] | None = None
    if n == 0:
        return 0, []
    for count in range(n):
        for cuts in combinations(range(1, n), count):
            groups = [list(range(a, b)) for a, b in pairwise((0, *cuts, n))]
            levels = [sum(sizes[item] for item in group) for group in groups]
            if min(levels) < k:
                continue
            if instance.objective == "max":
                cost = max(levels)
            elif instance.objective == "excess":
                cost = sum(level - k for level in levels)
            else:
                cost = sum(level * (level - k) for level in levels)
            if best is None or cost < best[0]:
                best = cost, groups
    return best
