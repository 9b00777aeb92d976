"""Standard sizes: the judge.

Every partition of a few items into groups of at least k is tried, by the definition
alone, without bounds or any part of what it judges.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.standard_sizes import StandardSizes

ITEMS = 10
"""The most items that the judge takes."""


def optimum(instance: StandardSizes) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    if instance.n > ITEMS:
        raise NotApplicableError(
            f"brute force takes at most {ITEMS} items, got {instance.n}"
        )
    lengths = instance.lengths
    costs = (
        (sum(len(g) * max(lengths[i] for i in g) for g in groups), groups)
        for groups in _partitions(list(range(instance.n)), instance.k)
    )
    return min(costs, default=None)


def _partitions(items: list[int], k: int) -> Iterator[list[list[int]]]:
    """Yield all partitions into groups of at least k."""
    if not items:
        yield []
        return
    first, *rest = items
    for size in range(k - 1, len(items)):
        for others in combinations(rest, size):
            left = [item for item in rest if item not in others]
            for more in _partitions(left, k):
                yield [[first, *others], *more]
