"""Coarse maps: blocks of neighbouring nodes in place of the nodes of a large map.

Parts of blocks are connected parts of nodes, of the same weight. So a partition of the
coarse map is one of the map; its bounds are not. Where parts have thousands of nodes,
some dozen blocks for each are as good, and local search is quick.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.reduction import contracted


def coarse(
    component: Component, blocks: int, rng: np.random.Generator
) -> tuple[Component, IntArray]:
    """Return a map of connected blocks, at most so many, and the block of every node.

    Blocks weigh as much as so many equal ones, and what is cut off between them joins a
    light one beside it. O(n + m).
    """
    least, root = max(1, -(-component.total // blocks)), int(rng.integers(component.n))
    labels = _blocks(component.starts, component.ends, component.weights, least, root)
    first = np.unique(labels, return_index=True)[1]
    return contracted(component, first[labels]), np.argsort(np.argsort(first))[labels]


@compiled
def _blocks(
    starts: IntArray, ends: IntArray, weights: IntArray, least: int, root: int
) -> IntArray:
    """Grow blocks from the nodes nearest to their first ones, until they weigh enough.

    The first of the next block is on the border of an earlier one.
    """
    n = len(weights)
    home, seen = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    firsts, queue = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    heavy, is_met = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.bool_)
    firsts[0], is_met[root] = root, True
    count, place, number = 1, 0, 0
    while place < count:
        first = firsts[place]
        place += 1
        if home[first] >= 0:
            continue
        # Take the nearest nodes until the block weighs enough.
        queue[0], seen[first] = first, number
        met, taken, weight = 1, 0, 0
        while taken < met and weight < least:
            node = queue[taken]
            taken += 1
            home[node] = number
            weight += weights[node]
            for e in range(starts[node], starts[node + 1]):
                u = ends[e]
                if home[u] < 0 and seen[u] != number:
                    seen[u] = number
                    queue[met] = u
                    met += 1
        # What is cut off joins the lightest block beside it.
        into = number
        if weight < least:
            for node in queue[:taken]:
                for e in range(starts[node], starts[node + 1]):
                    u = home[ends[e]]
                    if u != number and (into == number or heavy[u] < heavy[into]):
                        into = u
            for node in queue[:taken]:
                home[node] = into
        heavy[into] += weight
        number += into == number
        for node in queue[taken:met]:
            if not is_met[node]:
                is_met[node] = True
                firsts[count] = node
                count += 1
    return home
