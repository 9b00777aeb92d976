"""Coarse maps: blocks of neighbouring nodes in place of the nodes of a large map.

Parts of blocks are connected parts of nodes, of the same weight. So a partition of the
coarse map is one of the map; its bounds are not. Where parts have thousands of nodes,
some dozen blocks for each are as good, and local search is quick.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.reduction import contracted
from atleastk.solvers.connected_partition.trees import divided


def coarse(
    component: Component, blocks: int, rng: np.random.Generator
) -> tuple[Component, IntArray]:
    """Return a map of connected blocks of similar weight, and the block of every node.

    The weights have to allow so many.
    """
    labels = divided(component, blocks, rng)
    first = np.unique(labels, return_index=True)[1]
    into = first[labels]
    return contracted(component, into), np.unique(into, return_inverse=True)[1]
