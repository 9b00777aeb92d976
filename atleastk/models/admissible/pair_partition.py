"""Pair partition: the admissible groups of few items, by trying all sets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Final

from atleastk.instances.pair_partition import PairPartition
from atleastk.models.pair_partition import is_connected

_TRIED: Final = 10
"""Sets that are tried, in groups that there may be."""


def admissible_groups(
    instance: PairPartition, most: int
) -> list[tuple[int, ...]] | None:
    """Return all groups that some best solution needs; None if they may be too many."""
    n, sizes = instance.n, range(instance.k, instance.most_size + 1)
    if sum(comb(n, size) for size in sizes) > _TRIED * most:
        return None
    sets = (group for size in sizes for group in combinations(range(n), size))
    found = [group for group in sets if is_admissible(instance, group)]
    return found if len(found) <= most else None


def is_admissible(instance: PairPartition, group: Sequence[int]) -> bool:
    """Return whether a group of at least k items has all that is asked of one."""
    held = set(group)
    return (
        all(quantity.violation(group) is None for quantity in instance.quantities)
        and all(
            len(held.intersection(some)) in (0, len(some))
            for some in instance.together or ()
        )
        and all(len(held.intersection(some)) <= 1 for some in instance.apart or ())
        and (not instance.connected or is_connected(instance, group))
    )
