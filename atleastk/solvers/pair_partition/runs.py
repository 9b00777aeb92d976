"""Pair partition: least squares of one coordinate, by a dynamic program over its order.

*Lemma.* For given sizes of groups the least sum of squares is that of runs in the order
of the points.

*Proof.* Of two groups the one of the lesser mean takes the least points of both, as
many as it had: no point is then further from the mean of its group in sum, and sizes
stay.

So the best sum of squares is that of the best runs of k to 2k - 1 points: O(n k) after
sorting. What is minimised is rounded down once a group, by (s - 1) / s at most for a
group of size s: for given sizes that is a constant, so that the best runs by the
squares less that are a lower bound, and the best runs by rounded costs a solution.

References
----------
S. Hansen, S. Mukherjee, "A polynomial algorithm for optimal univariate
microaggregation", IEEE TKDE 15(4), 2003.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.pair_partition import point_search

_SAFE: Final = 2**61
"""Numbers of the program stay below."""


def refuses(instance: PairPartition) -> bool:
    """Return whether an instance is another one than points of one coordinate."""
    return point_search.refuses(instance) or instance.places.shape[1] != 1


def best_runs(instance: PairPartition) -> tuple[list[list[int]], int]:
    """Return the best runs, and what any groups cost at least."""
    axis = instance.places[:, 0]
    order = np.argsort(axis, kind="stable")
    axis = axis[order] - axis.min()
    ends, _ = _best(axis, instance.k, 1, 0)
    scale = _SAFE // max(1, instance.most_summed)
    _, least = _best(axis, instance.k, scale, 1)
    groups = np.split(order, ends[:-1])
    return [sorted(group.tolist()) for group in groups], max(0, -(-least // scale))


@compiled
def _best(
    axis: IntArray,  # [place]: in order
    least: int,
    scale: int,
    rounded: int,  # 1: less what rounding takes away
) -> tuple[IntArray, int]:
    """Return where the best runs end, and what they cost, in units of 1 / scale."""
    n = len(axis)
    cost = np.full(n + 1, 2**62, dtype=np.int64)  # of the points before a place
    size = np.zeros(n + 1, dtype=np.int64)  # of the run that ends there
    cost[0] = 0
    for end in range(least, n + 1):
        total, squares = 0, 0
        for held in range(1, min(2 * least, end + 1)):
            away = axis[end - 1] - axis[end - held]
            total += away
            squares += away * away
            if held < least or cost[end - held] == 2**62:
                continue
            pairs = held * squares - total * total
            paid = max(0, scale * (pairs - rounded * (held - 1)) // held)
            if cost[end - held] + paid < cost[end]:
                cost[end], size[end] = cost[end - held] + paid, held
    ends = np.zeros(n // least, dtype=np.int64)
    count, end = 0, n
    while end > 0:
        ends[count] = end
        count += 1
        end -= size[end]
    return ends[:count][::-1].copy(), cost[n]
