"""Pair partition: connected groups that grow from seeds, for a given number of groups.

Seeds are drawn at random. The smallest group below the least size takes the neighbour
that costs it least; then every item goes where it costs least. What violates nothing is
a solution.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.instances.pair_partition import PairPartition
from atleastk.models.pair_partition import check
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget

_SHARES: Final = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1, 0.0)
"""The numbers of groups that are tried, in the most that counting allows: not tuned."""


def grown(instance: PairPartition, budget: Budget) -> list[list[int]] | None:
    """Return the first solution that is found; None if none is."""
    rng = np.random.default_rng(budget.seed)
    fewest, most = instance.counts[0], instance.counts[-1]
    for share in _SHARES:
        for _ in range(20):
            if budget.spent:
                return None
            groups = _grown(instance, max(fewest, int(share * most)), rng)
            if groups and not check(instance, Solution.of(groups)).violations:
                return groups
    return None


def _grown(
    instance: PairPartition, parts: int, rng: np.random.Generator
) -> list[list[int]] | None:
    """Return groups about random seeds, None if an item touches none of them."""
    n, matrix, adjacent = instance.n, instance.matrix, instance.adjacent
    groups = [[int(seed)] for seed in rng.choice(n, parts, replace=False)]
    left = np.ones(n, dtype=np.bool_)
    paying = np.zeros((parts, n), dtype=np.float64)
    touching = np.zeros((parts, n), dtype=np.bool_)

    def add(g: int, item: int) -> None:
        left[item] = False
        paying[g] += matrix[item]
        touching[g] |= adjacent[item]

    for g, (seed,) in enumerate(groups):
        add(g, seed)
    while left.any():
        costs = np.where(touching & left, paying, np.inf)
        small = [g for g in range(parts) if len(groups[g]) < instance.k]
        rows = small if small and np.isfinite(costs[small]).any() else [*range(parts)]
        place = int(costs[rows].argmin())
        g, item = rows[place // n], place % n
        if not np.isfinite(costs[g, item]):
            return None
        groups[g].append(item)
        add(g, item)
    return groups
