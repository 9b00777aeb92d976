"""Min-max bin covering: brute force.

Every partition of at most ten items (115,975 of them) is tried, without bounds,
symmetries or any code of the solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.covering import Covering
from atleastk.instances.fields.errors import NotApplicableError

T = TypeVar("T")


def optimum(instance: BinCovering) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    refuse_more(instance.n, 10, "items")
    return cheapest(partitions(instance.n), partial(cost_of, instance))


def cheapest(
    choices: Iterable[T], cost_of: Callable[[T], int | None]
) -> tuple[int, T] | None:
    """Return the least cost and the first choice that has it; None if none is allowed.

    `cost_of` returns None for what is not allowed.
    """
    best: tuple[int, T] | None = None
    for choice in choices:
        cost = cost_of(choice)
        if cost is not None and (best is None or cost < best[0]):
            best = cost, choice
    return best


def cost_of(instance: Covering, groups: Iterable[Sequence[int]]) -> int | None:
    """Return what bins cost; None if one is below k."""
    levels = [sum(instance.sizes[item] for item in group) for group in groups]
    if min(levels, default=instance.k) < instance.k:
        return None
    return cost_of_levels(instance, levels)


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
        raise NotApplicableError(
            f"brute force takes at most {most} {items}, got {count}"
        )


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
