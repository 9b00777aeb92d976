"""Min-max bin covering: brute force.

Every partition of at most ten items (115,975 of them) is tried, without bounds,
symmetries or any code of the solvers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.covering import Covering
from atleastk.instances.fields.errors import NotApplicableError

ITEMS = 10
"""The most items it takes."""


def optimum(instance: BinCovering) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    sizes, k = instance.sizes, instance.k
    refuse_more(len(sizes), ITEMS, "items")
    best: tuple[int, list[list[int]]] | None = None
    for groups in partitions(len(sizes)):
        levels = [sum(sizes[item] for item in group) for group in groups]
        if min(levels, default=k) < k:
            continue
        cost = cost_of_levels(instance, levels)
        if best is None or cost < best[0]:
            best = cost, groups
    return best


def cost_of_levels(instance: Covering, levels: Sequence[int]) -> int:
    """Return what bins of these levels cost."""
    if instance.objective == "max":
        return max(levels, default=0)
    if instance.objective == "excess":
        return sum(level - instance.k for level in levels)
    return sum(level * (level - instance.k) for level in levels)


def refuse_more(count: int, most: int, items: str) -> None:
    """Raise `NotApplicableError` if there are too many to try everything."""
    if count > most:
        message = f"brute force takes at most {most} {items}, got {count}"
        raise NotApplicableError(message)


def partitions(n: int) -> Iterator[list[list[int]]]:
    """Yield every partition of 0..n-1 into non-empty groups once."""
    if n == 0:
        yield []
        return
    for groups in partitions(n - 1):
        for chosen in range(len(groups)):
            yield [
                [*group, n - 1] if g == chosen else group
                for g, group in enumerate(groups)
            ]
        yield [*groups, [n - 1]]
