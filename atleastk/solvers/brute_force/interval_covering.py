"""Interval covering: brute force.

Every one of the 2^(n-1) compositions of at most 16 items is tried, without bounds or
any code of the solvers.
"""

from __future__ import annotations

from itertools import combinations, pairwise

from atleastk.instances.interval_covering import IntervalCovering
from atleastk.solvers.brute_force.bin_covering import cost_of_levels, refuse_more

ITEMS = 16
"""The most items it takes."""


def optimum(instance: IntervalCovering) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    sizes, k = instance.sizes, instance.k
    n = len(sizes)
    refuse_more(n, ITEMS, "items")
    best: tuple[int, list[list[int]]] | None = None
    if n == 0:
        return 0, []
    for count in range(n):
        for cuts in combinations(range(1, n), count):
            groups = [list(range(a, b)) for a, b in pairwise((0, *cuts, n))]
            levels = [sum(sizes[item] for item in group) for group in groups]
            if min(levels) < k:
                continue
            cost = cost_of_levels(instance, levels)
            if best is None or cost < best[0]:
                best = cost, groups
    return best
