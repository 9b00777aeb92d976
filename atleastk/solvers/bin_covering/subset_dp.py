"""A dynamic program over all subsets of the items of a bin covering instance.

best(A) is the least cost of partitioning the items A into bins; the bin that holds the
first item of A is tried in every possible way. O(3^n) time, O(2^n) space, no bounds and
no solver: a judge for up to 18 items, for all three objectives. Costs beyond 64 bits
run the same loop on Python's integers, for up to 12 items.
"""

from __future__ import annotations

from atleastk.arrays import ByteArray
from atleastk.instances.bin_covering import BinCovering
from atleastk.models.covering import group_cost
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.rows import Row, row
from atleastk.solvers.engine.subsets import FEW

__all__ = ["MOST_ITEMS", "best_partition", "refuses"]

MOST_ITEMS = 18
_MOST_HUGE = 12

_SAFE = 2**62


def refuses(instance: BinCovering) -> str | None:
    """Say why the dynamic program cannot take an instance, or None if it can."""
    most = MOST_ITEMS if _fits(instance) else _MOST_HUGE
    if instance.n > most:
        return f"{instance.n} items have too many subsets; it takes {most}"
    return None


def best_partition(instance: BinCovering, budget: Budget) -> list[list[int]] | None:
    """Return bins of least cost; None if there are none or the budget ends first."""
    n, fits = instance.n, instance.n > FEW and _fits(instance)
    reached = [0]
    for size in instance.sizes:
        reached += [level + size for level in reached]
    prices = reached
    if instance.objective != "max":
        prices = [group_cost(instance, level) for level in reached]
    worst = 1 + max(map(abs, prices)) * max(1, n)
    levels, costs = row(reached, fits=fits), row(prices, fits=fits)
    best = row((worst for _ in reached), fits=fits)
    bins = row((0 for _ in reached), fits=fits)
    find = _find_compiled if fits else _find
    with budget.flagging() as flag:
        find(levels, costs, instance.k, instance.objective == "max", best, bins, flag)
    chosen = []
    rest = (1 << n) - 1
    while rest:
        group = int(bins[rest])
        if group == 0:
            return None
        chosen.append([item for item in range(n) if group >> item & 1])
        rest ^= group
    return chosen or None


def _fits(instance: BinCovering) -> bool:
    """Tell whether all sums of costs fit into 64 bits."""
    most: int = max(instance.k, instance.total)
    greatest = most**2 if instance.objective == "quadratic" else most
    return 2 * greatest * max(1, instance.n) < _SAFE


def _find(
    levels: Row,
    costs: Row,
    k: int,
    greatest: bool,
    best: Row,
    bins: Row,
    flag: ByteArray,
) -> None:
    """Fill in, for every set, its least cost and the bin of its first item.

    `best` comes filled with a cost that is worse than any; 0 stands for no bin. If the
    flag is raised, the larger sets are left without one.
    """
    worst = best[0]
    best[0] = 0
    for items in range(1, len(levels)):
        if (items & 255) == 0 and flag[0] != 0:
            return
        first = items & -items
        others = items ^ first
        joined = others
        while True:
            group = joined | first
            rest = best[items ^ group]
            if levels[group] >= k and rest < worst:
                cost = rest + costs[group]
                if greatest:
                    cost = max(rest, costs[group])
                if cost < best[items]:
                    best[items] = cost
                    bins[items] = group
            if joined == 0:
                break
            joined = (joined - 1) & others


_find_compiled = compiled(_find)
