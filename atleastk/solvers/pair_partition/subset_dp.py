"""Pair partition: the costs of all groups of a few items, for the program over subsets.

What a set pays for its pairs is that of the set without its last item, and that of this
one with the others: O(n 2^n) for all sets.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from atleastk.instances.pair_partition import PairPartition
from atleastk.solvers.engine.subsets import NEVER, Priced, connected, sizes, sums


def priced(instance: PairPartition) -> Priced:
    """Return the cost of every set of items as a group."""
    n, size, matrix = instance.n, sizes(instance.n), instance.matrix
    sets = np.arange(1 << n, dtype=np.int64)
    paid = np.zeros(1 << n, dtype=np.int64)
    for last in range(n):
        first = 1 << last
        paid[first : 2 * first] = paid[:first] + sums(matrix[last, :last])
    if instance.objective == "squares":
        paid //= np.maximum(1, size)
    never = (size < instance.k) | (size > instance.most_items)
    for quantity in instance.quantities:
        held = sums(quantity.amounts)
        never |= (held < quantity.low) | (held > quantity.high)
    for items in instance.together or ():
        shared = sets & _bits(items)
        never |= (shared != 0) & (shared != _bits(items))
    for items in instance.apart or ():
        never |= np.bitwise_count(sets & _bits(items)) > 1
    if instance.connected:
        rows = instance.adjacent
        never |= ~connected([np.flatnonzero(row).tolist() for row in rows])
    paid[never] = NEVER
    fewest, most = (0, n) if instance.groups is None else instance.groups
    return Priced(
        paid, greatest=False, most_groups=min(n, most), fewest_groups=min(n + 1, fewest)
    )


def _bits(items: Iterable[int]) -> int:
    return sum(1 << item for item in items)
