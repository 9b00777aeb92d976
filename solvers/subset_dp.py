"""A dynamic program over all subsets of the items of a bin covering instance.

best(A) is the least cost of partitioning the items A into bins; the bin that holds the
first item of A is tried in every possible way. O(3^n) time, O(2^n) space, no bounds and
no solver: a judge for up to 18 items, for all three objectives.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.covering import group_cost
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled import compiled

__all__ = ["MOST_ITEMS", "best_partition", "refuses"]

MOST_ITEMS = 18

_SAFE = 2**62
_NONE = 2**62

IntArray = NDArray[np.int64]


def refuses(instance: BinCovering) -> str | None:
    """Say why the dynamic program cannot take an instance, or None if it can."""
    if instance.n > MOST_ITEMS:
        return f"{instance.n} items have too many subsets; it takes {MOST_ITEMS}"
    if max(instance.total, group_cost(instance, instance.total)) >= _SAFE:
        return "the sizes are too large for 64 bits"
    return None


def best_partition(instance: BinCovering, budget: Budget) -> list[list[int]] | None:
    """Return bins of least cost; None if there are none or the budget ends first."""
    n = instance.n
    levels = np.zeros(1 << n, dtype=np.int64)
    for item, size in enumerate(instance.sizes):
        levels[1 << item : 2 << item] = levels[: 1 << item] + size
    costs = levels
    if instance.objective != "max":
        costs = np.array([group_cost(instance, level) for level in levels.tolist()])
    with budget.flagging() as flag:
        bins = _best(levels, costs, instance.k, instance.objective == "max", flag)
    chosen = []
    rest = (1 << n) - 1
    while rest:
        group = int(bins[rest])
        if group == 0:
            return None
        chosen.append([item for item in range(n) if group >> item & 1])
        rest ^= group
    return chosen or None


@compiled
def _best(
    levels: IntArray, costs: IntArray, k: int, greatest: bool, flag: NDArray[np.uint8]
) -> IntArray:
    """Return, for every set, the bin of its first item in a best partition; 0 if none.

    All zero if the flag is raised.
    """
    count = len(levels)
    best = np.full(count, _NONE, np.int64)
    bins = np.zeros(count, np.int64)
    best[0] = -_NONE if greatest else 0
    for items in range(1, count):
        if (items & 255) == 0 and flag[0] != 0:
            bins[:] = 0
            break
        first = items & -items
        others = items ^ first
        joined = others
        while True:
            group = joined | first
            rest = best[items ^ group]
            if levels[group] >= k and rest < _NONE:
                cost = max(rest, costs[group]) if greatest else rest + costs[group]
                if cost < best[items]:
                    best[items] = cost
                    bins[items] = group
            if joined == 0:
                break
            joined = (joined - 1) & others
    return bins
