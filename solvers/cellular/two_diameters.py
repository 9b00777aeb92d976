"""Good one or two clusters of a few points, measured by their diameters.

A local search in the small: the points are split in two by their distances to one of
them, all ways of this kind are tried, then points change sides or places, and outliers
leave, as long as that pays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atleastk.solvers.compiled import compiled

__all__ = ["split_by_diameters"]

IntArray = NDArray[np.int64]

_MOST_SEEDS = 60
_MOST_SWAPPED = 40


@compiled
def split_by_diameters(
    distances: IntArray,
    r: int,
    points: IntArray,
    spare: int,
    most: int,
    ceiling: int,
    part: IntArray,
) -> int:
    """Return the cost of at most `most` <= 2 clusters; `ceiling` if it is not less.

    All but `spare` points are in one. What is found is written to ``part``, 0 for
    outliers, which is read first: from there a search starts, too.
    """
    m = len(points)
    if m <= spare and ceiling > 0:
        part[:] = 0
        return 0
    if m < r:
        return ceiling
    near = np.empty((m, m), dtype=np.int64)
    for a in range(m):
        for b in range(m):
            near[a, b] = distances[points[a], points[b]]
    best = ceiling
    tried = part.copy()
    if most > 1 and m >= 2 * r:
        sizes = np.zeros(3, dtype=np.int64)
        for u in range(m):
            sizes[tried[u]] += 1
        if min(sizes[1], sizes[2]) >= r and sizes[0] <= spare:
            best = _refined(near, tried, r, spare, best, part)
        _halve(near, tried, r)
        best = _refined(near, tried, r, spare, best, part)
    for seed in range(min(m, _MOST_SEEDS)):
        tried[:] = 0
        order = np.argsort(near[seed])
        for t in range(max(r, m - spare)):
            tried[order[t]] = 1
        best = _refined(near, tried, r, spare, best, part)
        if spare == 0:
            break
    return best


@compiled
def _halve(near: IntArray, part: IntArray, r: int) -> None:
    """Split the points at a distance from one of them, as cheaply as that goes."""
    m = len(near)
    least = -1
    tail = np.empty(m + 1, dtype=np.int64)
    for seed in range(min(m, _MOST_SEEDS)):
        order = np.argsort(near[seed])
        tail[m] = 0
        for t in range(m - 1, -1, -1):
            tail[t] = tail[t + 1]
            for s in range(t + 1, m):
                tail[t] = max(tail[t], near[order[t], order[s]])
        widest = 0
        for t in range(m - r):
            for s in range(t):
                widest = max(widest, near[order[t], order[s]])
            if t + 1 < r:
                continue
            cost = (t + 1) * widest + (m - t - 1) * tail[t + 1]
            if least < 0 or cost < least:
                least = cost
                for s in range(m):
                    part[order[s]] = 1 if s <= t else 2


@compiled
def _cost(near: IntArray, part: IntArray) -> int:
    total = 0
    for side in (1, 2):
        size, widest = 0, 0
        for a in range(len(part)):
            if part[a] != side:
                continue
            size += 1
            for b in range(a):
                if part[b] == side and near[a, b] > widest:
                    widest = near[a, b]
        total += size * widest
    return total


@compiled
def _refined(
    near: IntArray, part: IntArray, r: int, spare: int, ceiling: int, kept: IntArray
) -> int:
    """Move points as long as it pays; keep and price what is below the ceiling."""
    m = len(part)
    sizes = np.zeros(3, dtype=np.int64)
    for u in range(m):
        sizes[part[u]] += 1
    cost = _cost(near, part)
    changed = True
    while changed:
        changed = False
        for u in range(m):
            for side in range(3):
                home = part[u]
                if side == home or (home > 0 and sizes[home] <= r):
                    continue
                if (side > 0 and sizes[side] == 0) or (side == 0 and sizes[0] >= spare):
                    continue
                part[u] = side
                new = _cost(near, part)
                if new < cost:
                    cost, changed = new, True
                    sizes[home] -= 1
                    sizes[side] += 1
                else:
                    part[u] = home
        if m > _MOST_SWAPPED:
            continue
        for u in range(m):
            for w in range(u):
                if part[u] == part[w]:
                    continue
                part[u], part[w] = part[w], part[u]
                new = _cost(near, part)
                if new < cost:
                    cost, changed = new, True
                else:
                    part[u], part[w] = part[w], part[u]
    if cost < ceiling:
        kept[:] = part
        return cost
    return ceiling
