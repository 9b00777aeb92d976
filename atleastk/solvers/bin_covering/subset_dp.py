"""A dynamic program over all subsets of the items of a bin covering instance.

The program that all problems share (:mod:`atleastk.solvers.engine.subsets`), exact
for up to 18 items, for all three objectives. Costs beyond 64 bits run the same loop on
Python's integers, for up to 12 items.
"""

from __future__ import annotations

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.covering import group_cost
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.rows import WORD, row
from atleastk.solvers.engine.subsets import Priced, best_groups

MOST_ITEMS = 18
"""Items: the time is that of 3^18, about 4 * 10^8, pairs of subsets."""
_MOST_HUGE = 12
"""The same for sizes beyond 64 bits, in plain Python."""


def refuses(instance: BinCovering) -> str | None:
    """Say why the dynamic program cannot take an instance, or None if it can."""
    most = MOST_ITEMS if _fits(instance) else _MOST_HUGE
    if instance.n > most:
        return f"{instance.n} items have too many subsets; it takes {most}"
    return None


def best_partition(instance: BinCovering, budget: Budget) -> list[list[int]] | None:
    """Return bins of least cost; None if there are none or the budget ends first."""
    return best_groups(priced(instance), budget) or None


def priced(instance: BinCovering) -> Priced:
    """Return the cost of every set of items, as a bin."""
    n, greatest = instance.n, instance.objective == "max"
    levels = [0]
    for size in instance.sizes:
        levels += [level + size for level in levels]
    prices = levels
    if not greatest:
        prices = [group_cost(instance, level) for level in levels]
    never = 1 + max(map(abs, prices)) * max(1, n)
    allowed = (
        price if level >= instance.k else never
        for level, price in zip(levels, prices, strict=True)
    )
    return Priced(row(allowed, fits=_fits(instance)), greatest, n, never=never)


def _fits(instance: BinCovering) -> bool:
    """Return whether all sums of costs fit into 64 bits."""
    most: int = max(instance.k, instance.total)
    greatest = most**2 if instance.objective == "quadratic" else most
    return 2 * greatest * max(1, instance.n) < WORD
