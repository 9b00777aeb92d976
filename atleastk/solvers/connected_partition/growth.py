"""Parts that grow one beside the other: a start for maps of any size.

A part takes in the nodes nearest to its first one until it weighs k; what was met but
not taken starts the next parts. Parts that are cut off before they weigh k join the
lightest part next to them. O(n + m) for growing, and for each of a few rounds of joins.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled, inlined

__all__ = ["grown"]


def grown(starts: IntArray, ends: IntArray, weights: IntArray, k: int) -> IntArray:
    """Return the part of every node; one is below k only if its component is."""
    labels = np.full(len(weights), -1, dtype=np.int64)
    heavy = np.zeros(len(weights), dtype=np.int64)
    parts = _grow(starts, ends, weights, k, labels, heavy)
    while _join_light_parts(starts, ends, k, labels, heavy[:parts]):
        pass
    return labels


@compiled
def _grow(
    starts: IntArray,
    ends: IntArray,
    weights: IntArray,
    k: int,
    labels: IntArray,
    heavy: IntArray,
) -> int:
    """Give every node a part, and every part its weight; return the number of parts.

    Labels are -1 and weights of parts 0 at first. Each node is met once as a possible
    first node; each part looks at the edges of its own nodes: O(n + m).
    """
    n = len(weights)
    first = np.empty(n, dtype=np.int64)  # nodes a part may start from, in this order
    met = np.zeros(n, dtype=np.bool_)  # whether a node is among those
    queue = np.empty(n, dtype=np.int64)
    seen = np.full(n, -1, dtype=np.int64)  # the last part that had a node in its queue
    parts = 0
    for root in range(n):
        if labels[root] >= 0:
            continue
        # The component of the root is new: no node of it has been met.
        at, last = 0, 1
        first[0] = root
        met[root] = True
        while at < last:
            node = first[at]
            at += 1
            if labels[node] >= 0:
                continue
            # The part takes in the nodes nearest to its first one until it weighs k.
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
            # What it met but did not take may start the next parts.
            for i in range(head, tail):
                if not met[queue[i]]:
                    met[queue[i]] = True
                    first[last] = queue[i]
                    last += 1
            parts += 1
    return parts


@compiled
def _join_light_parts(
    starts: IntArray, ends: IntArray, k: int, labels: IntArray, heavy: IntArray
) -> bool:
    """Join parts below k to the lightest part next to them; tell whether any did.

    A round in O(n + m). No part takes in two others in a round: after the first it may
    not be the lightest any more. A part that has joined another weighs 0.
    """
    parts = len(heavy)
    lightest = np.full(parts, -1, dtype=np.int64)  # part next to a light one
    for v in range(len(labels)):
        part = labels[v]
        if heavy[part] >= k:
            continue
        for e in range(starts[v], starts[v + 1]):
            other = labels[ends[e]]
            if other != part and (
                lightest[part] < 0 or heavy[other] < heavy[lightest[part]]
            ):
                lightest[part] = other
    # Chains of parts that joined one another end at the part that holds them all.
    into = np.arange(parts)
    taken = np.zeros(parts, dtype=np.bool_)
    joined = False
    for part in range(parts):
        if heavy[part] >= k or lightest[part] < 0:
            continue
        other = _end(into, lightest[part])
        if other != part and not taken[other]:
            into[part] = other
            taken[other] = True
            heavy[other] += heavy[part]
            heavy[part] = 0
            joined = True
    for v in range(len(labels)):
        labels[v] = _end(into, labels[v])
    return joined


@inlined
def _end(into: IntArray, part: int) -> int:
    """Return the part that a part has joined, by way of others."""
    while into[part] != part:
        part = into[part]
    return part
