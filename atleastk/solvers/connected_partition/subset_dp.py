"""The weights of all connected sets of a few nodes, for the program over subsets."""

from __future__ import annotations

import numpy as np

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.solvers.engine.subsets import NEVER, Priced, connected, sums


def priced(instance: ConnectedPartition) -> Priced:
    """Return what every set of nodes weighs as a part."""
    weights = sums(instance.weights)
    fits = connected(instance.neighbours) & (weights >= instance.k)
    prices = np.where(fits, weights, NEVER)
    return Priced(prices, greatest=True, most_groups=instance.n)
