"""Random spanning trees of parts of a map, and partitions cut from them.

A tree grows from any node along edges drawn from all that lead out of it, or from the
last few of them: the first kind is bushy, the second has long branches, and so more
edges that leave two pieces of similar weight.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.connected_partition.component import Component

__all__ = ["divided", "gather", "grow", "renumber"]


_MOST_NODES: Final = 200
"""Parts of more nodes are taken two at a time."""


def divided(component: Component, parts: int, rng: np.random.Generator) -> IntArray:
    """Return a partition into so many connected parts, at most n, of similar weight."""
    labels: IntArray = _divide(
        component.weights, component.starts, component.ends, parts, rng
    )
    return labels


@compiled
def gather(
    part: int,
    wanted: int,
    starts: IntArray,
    ends: IntArray,
    labels: IntArray,
    some: IntArray,
    nodes: IntArray,
    inside: IntArray,
    chosen: IntArray,
    rng: np.random.Generator,
) -> tuple[int, int]:
    """List the nodes of a part and of parts next to it; return how many of both."""
    chosen[0] = part
    pieces = 1
    nodes[0] = some[part]
    inside[nodes[0]] = 1
    m, done = 1, 0
    while True:
        met, other = 0, -1
        while done < m:
            v = nodes[done]
            done += 1
            for e in range(starts[v], starts[v + 1]):
                u = ends[e]
                if inside[u] >= 0:
                    continue
                label = labels[u]
                if label == chosen[pieces - 1]:
                    inside[u] = 1
                    nodes[m] = u
                    m += 1
                    continue
                known = False
                for i in range(pieces):
                    known |= label == chosen[i]
                if not known:
                    met += 1
                    if rng.random() * met < 1.0:
                        other = u
        if other < 0 or pieces == wanted or (pieces >= 2 and m > _MOST_NODES):
            break
        chosen[pieces] = labels[other]
        pieces += 1
        inside[other] = 1
        nodes[m] = other
        m += 1
    return m, pieces


@compiled
def grow(
    m: int,
    starts: IntArray,
    ends: IntArray,
    nodes: IntArray,
    inside: IntArray,
    weights: IntArray,
    order: IntArray,
    parent: IntArray,
    total: IntArray,
    edges: IntArray,
    rng: np.random.Generator,
) -> None:
    """Draw a spanning tree of the first m nodes: their order, parents and weights.

    Nodes that are `inside` with 1 at first have -1 in the end.
    """
    width = 3 if rng.random() < 0.5 else len(ends)
    root = nodes[int(rng.random() * m)]
    count, open_ = 0, 1
    edges[0, 0], edges[1, 0] = root, -1
    while open_ > 0:
        e = open_ - 1 - int(rng.random() * min(open_, width))
        v, above = edges[0, e], edges[1, e]
        open_ -= 1
        edges[0, e], edges[1, e] = edges[0, open_], edges[1, open_]
        if inside[v] < 0:
            continue
        inside[v] = -1
        order[count] = v
        parent[count] = above
        total[count] = weights[v]
        for f in range(starts[v], starts[v + 1]):
            if inside[ends[f]] >= 0:
                edges[0, open_], edges[1, open_] = ends[f], count
                open_ += 1
        count += 1
    for t in range(m - 1, 0, -1):
        total[parent[t]] += total[t]


@compiled
def renumber(
    m: int, parent: IntArray, total: IntArray, size: IntArray, number: IntArray
) -> None:
    """Count a tree in preorder; put totals and sizes of subtrees in this order."""
    below = np.ones(m, dtype=np.int64)
    for t in range(m - 1, 0, -1):
        below[parent[t]] += below[t]
    free = np.ones(m, dtype=np.int64)  # of every node, the number of its next child
    number[0] = 0
    for t in range(1, m):
        number[t] = free[parent[t]]
        free[parent[t]] += below[t]
        free[t] = number[t] + 1
    weight = total[:m].copy()
    for t in range(m):
        total[number[t]] = weight[t]
        size[number[t]] = below[t]


@compiled
def _divide(
    weights: IntArray,
    starts: IntArray,
    ends: IntArray,
    parts: int,
    rng: np.random.Generator,
) -> IntArray:
    """Divide again and again the nodes that are to become several parts."""
    n = len(weights)
    labels = np.zeros(n, dtype=np.int64)
    shares = np.zeros(parts, dtype=np.int64)
    some = np.zeros(parts, dtype=np.int64)
    shares[0] = parts
    nodes = np.empty(n, dtype=np.int64)
    inside = np.full(n, -1, dtype=np.int64)
    order = np.empty(n, dtype=np.int64)
    parent = np.empty(n, dtype=np.int64)
    size = np.empty(n, dtype=np.int64)
    total = np.empty(n, dtype=np.int64)
    edges = np.empty((2, len(ends) + 1), dtype=np.int64)
    chosen = np.empty(1, dtype=np.int64)
    fresh = 1
    for part in range(parts):
        while shares[part] > 1:
            share = shares[part]
            m, _ = gather(
                part, 1, starts, ends, labels, some, nodes, inside, chosen, rng
            )
            grow(
                m,
                starts,
                ends,
                nodes,
                inside,
                weights,
                order,
                parent,
                total,
                edges,
                rng,
            )
            for t in range(m):
                size[t] = 1
            for t in range(m - 1, 0, -1):
                size[parent[t]] += size[t]
            best, cut, taken = np.inf, 1, 1
            each = total[0] / share
            for t in range(1, m):
                wish = int(total[t] / max(each, 1.0) + 0.5)
                low, high = max(1, share - (m - size[t])), min(share - 1, size[t])
                wish = min(max(wish, low), high)
                off = (
                    abs(total[t] - wish * each) / wish
                    + abs(wish / share - 0.5) * each * 0.2
                )
                if off < best:
                    best, cut, taken = off, t, wish
            shares[part], shares[fresh] = share - taken, taken
            inside[order[0]] = -1
            size[0] = 0
            some[part] = order[0]
            for t in range(1, m):
                size[t] = 1 if t == cut else size[parent[t]]
                if size[t] == 1:
                    labels[order[t]] = fresh
            some[fresh] = order[cut]
            fresh += 1
    return labels
