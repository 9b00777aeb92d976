"""The weights of all connected sets of a few nodes, for the program over subsets.

A set of two nodes or more is connected if and only if it is without one of its nodes,
and that node has a neighbour in the rest. So sets are looked at by their size:
O(n 2^n) in all.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.solvers.engine.subsets import NEVER, Priced, sizes


def priced(instance: ConnectedPartition) -> Priced:
    """Return what every set of nodes weighs as a part."""
    n = instance.n
    weights = np.zeros(1 << n, dtype=np.int64)
    for last, weight in enumerate(instance.weights):
        first = 1 << last
        weights[first : 2 * first] = weights[:first] + weight
    fits = _connected(instance) & (weights >= instance.k)
    return Priced(np.where(fits, weights, NEVER), greatest=True, most_groups=n)


def _connected(instance: ConnectedPartition) -> BoolArray:
    """Return for every set whether it is connected; the empty one is not."""
    n = instance.n
    sets = np.arange(1 << n, dtype=np.int64)
    size_of = sizes(n)
    found: BoolArray = size_of == 1
    around = [sum(1 << v for v in nodes) for nodes in instance.neighbours]
    for size in range(2, n + 1):
        those = sets[size_of == size]
        for node in range(n):
            held = those[those >> node & 1 == 1]
            rest = held ^ (1 << node)
            found[held] |= found[rest] & (rest & around[node] != 0)
    return found
