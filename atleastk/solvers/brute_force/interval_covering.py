"""Interval covering: brute force.

Every one of the 2^(n-1) compositions of at most 16 items is tried, without bounds or
any code of the solvers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, pairwise

from atleastk.instances.interval_covering import IntervalCovering
from atleastk.solvers.brute_force.bin_covering import (
    cheapest,
    cost_of,
    refuse_more,
)


def optimum(instance: IntervalCovering) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    refuse_more(instance.n, 16, "items")
    return cheapest(_compositions(instance.n), partial(cost_of, instance))


def _compositions(n: int) -> Iterator[list[list[int]]]:
    for count in range(max(1, n)):
        for cuts in combinations(range(1, n), count):
            ends = pairwise((0, *cuts, n))
            yield [list(range(a, b)) for a, b in ends if a < b]
