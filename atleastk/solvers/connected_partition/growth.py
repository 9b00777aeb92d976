"""Parts that grow one beside the other: a start for maps of any size.

A part takes in the nodes nearest to its first one until it weighs k; what was met but
not taken starts the next parts. Parts that are cut off before they weigh k join the
lightest part next to them. O(n + m), and a few looks at all edges.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled

__all__ = ["grown"]


def grown(starts: IntArray, ends: IntArray, weights: IntArray, k: int) -> IntArray:
    """Return the part of every node; one is below k only if its component is."""
    labels = np.full(len(weights), -1, dtype=np.int64)
    _grow(starts, ends, weights, k, labels)
    return labels


@compiled
def _grow(
    starts: IntArray, ends: IntArray, weights: IntArray, k: int, labels: IntArray
) -> None:
    """Fill in the parts."""
    n = len(weights)
    heavy = np.zeros(n, dtype=np.int64)
    first = np.empty(n, dtype=np.int64)  # nodes that were met, in this order
    met = np.zeros(n, dtype=np.bool_)
    queue = np.empty(n, dtype=np.int64)
    seen = np.full(n, -1, dtype=np.int64)
    parts = 0
    for root in range(n):
        if labels[root] >= 0:
            continue
        at, last = 0, 1
        first[0] = root
        met[root] = True
        while at < last:
            node = first[at]
            at += 1
            if labels[node] >= 0:
                continue
            head, tail = 0, 1
            queue[0] = node
            seen[node] = parts
            while head < tail and heavy[parts] < k:
                v = queue[head]
                head += 1
                labels[v] = parts
                heavy[parts] += weights[v]
                for e in range(starts[v], starts[v + 1]):
                    u = ends[e]
                    if labels[u] < 0 and seen[u] != parts:
                        seen[u] = parts
                        queue[tail] = u
                        tail += 1
            for i in range(head, tail):
                if not met[queue[i]]:
                    met[queue[i]] = True
                    first[last] = queue[i]
                    last += 1
            parts += 1
    # Light parts join the lightest one next to them, until there are no more.
    into = np.arange(parts)
    lightest = np.full(parts, -1, dtype=np.int64)
    taken = np.zeros(parts, dtype=np.bool_)
    joined = True
    while joined:
        joined = False
        for part in range(parts):
            lightest[part] = -1
        for v in range(n):
            part = labels[v]
            if heavy[part] >= k:
                continue
            for e in range(starts[v], starts[v + 1]):
                other = labels[ends[e]]
                if other != part and (
                    lightest[part] < 0 or heavy[other] < heavy[lightest[part]]
                ):
                    lightest[part] = other
        for part in range(parts):
            into[part] = part
            taken[part] = False
        for part in range(parts):
            if heavy[part] >= k or lightest[part] < 0:
                continue
            other = lightest[part]
            while into[other] != other:
                other = into[other]
            if other != part and not taken[other]:  # else it may not be lightest now
                into[part] = other
                taken[other] = True
                heavy[other] += heavy[part]
                heavy[part] = 0
                joined = True
        for v in range(n):
            part = labels[v]
            while into[part] != part:
                part = into[part]
            labels[v] = part
