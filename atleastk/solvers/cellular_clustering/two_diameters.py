"""One or two clusters of a few points of small diameters: a local search.

Multi-start descent: the points are split in two by their distances to one of them, for
every split of this kind; then points change sides, swap sides, or become outliers, as
long as that is an improvement.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.cellular_clustering.two_clusters import Task
from atleastk.solvers.compiled.compile import inlined
from atleastk.solvers.compiled.sorting import arrange, number

_MOST_SEEDS = 60
"""Points by the distances to which all are split: not tuned."""

_MOST_SWAPPED = 40
"""Up to this number of points, pairs change places as well: not tuned."""

_FEW = 8
"""Up to this number of points, every split is refined; else only the best so far."""


@inlined
def split_by_diameters(task: Task, part: IntArray) -> int:
    """Return the cost of clusters; the ceiling if it is not less.

    The result is written to ``part``, [place], 0 for outliers. A search starts from
    the given clusters, too.
    """
    points, r, spare, ceiling = task.points, task.r, task.spare, task.ceiling
    m = len(points)
    if m <= spare and ceiling > 0:
        part[:] = 0
        return 0
    if m < r:
        return ceiling
    near = np.empty((m, m), dtype=np.int64)
    for a in range(m):
        for b in range(m):
            near[a, b] = task.distances[points[a], points[b]]
    two = task.most > 1 and m >= 2 * r
    best, least = ceiling, number(-1)
    tried, order, keys = part.copy(), part.copy(), part.copy()
    for attempt in range(-1, 2 * min(m, _MOST_SEEDS)):
        # First the given clusters, then for every seed two, and one with outliers.
        seed = attempt // 2
        if attempt >= 0:
            for u in range(m):
                order[u], keys[u] = u, near[seed, u]
            arrange(order, keys, m)
        if attempt >= 0 and attempt % 2 == 1:
            if spare == 0 and attempt > 1:
                continue
            for t in range(m):
                tried[order[t]] = 1 if t < max(r, m - spare) else 0
        elif not two:
            continue
        elif attempt >= 0:
            cost = _halve(near, order, tried, r)
            if m > _FEW and 0 <= least <= cost:
                continue
            least = cost
        best = _refined(near, tried, r, spare, best, part)
    return best


@inlined
def _halve(near: IntArray, order: IntArray, part: IntArray, r: int) -> int:
    """Split the ordered points at the cheapest place, given near[place, place]."""
    m = len(near)
    tail = np.zeros(m + 1, dtype=np.int64)
    # The diameter of the points from place t on, for all t.
    for t in range(m - 1, -1, -1):
        tail[t] = tail[t + 1]
        for s in range(t + 1, m):
            tail[t] = max(tail[t], near[order[t], order[s]])
    least, split, widest = number(-1), number(0), number(0)
    # The points up to place t, of diameter `widest`, are one cluster, the others two.
    for t in range(m - r):
        for s in range(t):
            widest = max(widest, near[order[t], order[s]])
        cost = (t + 1) * widest + (m - t - 1) * tail[t + 1]
        if t + 1 >= r and (least < 0 or cost < least):
            least, split = cost, t
    for t in range(m):
        part[order[t]] = 1 if t <= split else 2
    return least


@inlined
def _refined(
    near: IntArray, part: IntArray, r: int, spare: int, ceiling: int, result: IntArray
) -> int:
    """Descend by moves and swaps; write the clusters to `result` if below the ceiling.

    Infeasible starts are skipped. Arrays are near[place, place] and part[place].
    """
    m = len(part)
    sizes = np.zeros(3, dtype=np.int64)
    for u in range(m):
        sizes[part[u]] += 1
    if sizes[0] > spare or 0 < sizes[1] < r or 0 < sizes[2] < r:
        return ceiling
    widest, far = np.zeros(3, dtype=np.int64), np.zeros(m, dtype=np.int64)
    cost, changed = _measure(near, part, sizes, widest, far), True
    while changed:
        # Until no move of a point and no swap of two reduces the cost.
        changed = False
        for u in range(m):
            for w in range(0 if m <= _MOST_SWAPPED else u, u + 3):
                # Only moves that make some diameter smaller, or leave one out, can pay.
                home, side = part[u], part[w] if w < u else w - u
                ends = home > 0 and far[u] == widest[home]
                if w < u:
                    pays = ends or (side > 0 and far[w] == widest[side])
                elif (home > 0 and sizes[home] <= r) or home == 0:
                    pays = False
                elif side == 0:
                    pays = sizes[0] < spare
                else:
                    pays = sizes[side] > 0 and (ends or widest[side] < widest[home])
                if side == home or not pays:
                    continue
                for trial in range(2):
                    part[u] = side if trial == 0 else home
                    if w < u:
                        part[w] = home if trial == 0 else side
                    new = _measure(near, part, sizes, widest, far)
                    if new < cost:
                        cost, changed = new, True
                        break
    if cost >= ceiling:
        return ceiling
    for u in range(m):
        result[u] = part[u]
    return cost


@inlined
def _measure(
    near: IntArray, part: IntArray, sizes: IntArray, widest: IntArray, far: IntArray
) -> int:
    """Write sizes[side], widest[side] (diameters) and far[place]; return the cost."""
    for side in range(3):
        sizes[side] = widest[side] = 0
    for a in range(len(part)):
        side, reach = part[a], number(0)
        sizes[side] += 1
        if side > 0:
            for b in range(a):
                if part[b] == side:
                    reach = max(reach, near[a, b])
                    far[b] = max(far[b], near[a, b])
        far[a] = reach
        widest[side] = max(widest[side], reach)
    return int(sizes[1] * widest[1] + sizes[2] * widest[2])
