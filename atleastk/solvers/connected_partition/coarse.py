"""Coarse maps: blocks of neighbouring nodes in place of the nodes of a large map.

Parts of blocks are connected parts of nodes, of the same weight. So a partition of the
coarse map is one of the map; its bounds are not. Where parts have many nodes, some
blocks for each are nearly as good, and walks of single nodes do the rest.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.reduction import contracted
from atleastk.solvers.connected_partition.region_growing import grown_fast


def coarse(
    component: Component, blocks: int, rng: np.random.Generator
) -> tuple[Component, IntArray]:
    """Return a map of connected blocks, at most so many, and the block of every node.

    Blocks weigh as much as so many equal ones, and what is cut off between them joins a
    light one beside it. O(n + m).
    """
    least, root = max(1, -(-component.total // blocks)), int(rng.integers(component.n))
    labels = grown_fast(*component.graph, least, root)
    first = np.unique(labels, return_index=True)[1]
    return contracted(component, first[labels]), np.argsort(np.argsort(first))[labels]
