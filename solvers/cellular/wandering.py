"""The walk of the local search from one local optimum to the next, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atleastk.solvers.cellular.clusters import (
    COUNT,
    TOTAL,
    Clusters,
    Ground,
    close,
    descend,
    gather,
    place_together,
    put,
    restore,
    vacant,
)
from atleastk.solvers.compiled import compiled

__all__ = ["lay_out", "wander"]

IntArray = NDArray[np.int64]

_MOST_DEALT = 6
_TRIES = 20
_MOST_TOLD = 60


@compiled
def lay_out(ground: Ground, now: Clusters, flag: NDArray[np.uint8]) -> None:
    """Make clusters of the points with the same label; then descend."""
    wanted = now.label.copy()
    now.head[:] = -1
    now.size[:] = 0
    now.price[:] = 0
    now.sums[:] = 0
    order = np.argsort(wanted)
    start = 0
    while start < len(order):
        g = wanted[order[start]]
        end = start + 1
        while end < len(order) and wanted[order[end]] == g:
            end += 1
        if g == 0:
            for p in order[:end]:
                put(now, p, 0)
        else:
            place_together(ground, now, g, order[start:end].copy())
        start = end
    descend(ground, now, now.size > 0, flag)


@compiled
def wander(
    ground: Ground,
    now: Clusters,
    best: Clusters,
    rounds: int,
    heat: float,
    enough: int,
    rng: np.random.Generator,
    flag: NDArray[np.uint8],
) -> int:
    """Deal out clusters and settle them again; return the rounds without a better one.

    What costs `heat` of a cluster more is kept once in e times.
    """
    kept = Clusters(
        now.label.copy(),
        now.following.copy(),
        now.head.copy(),
        now.size.copy(),
        now.centre.copy(),
        now.price.copy(),
        now.sums.copy(),
    )
    dirty = np.zeros(len(now.size), dtype=np.bool_)
    idle = 0
    for _ in range(rounds):
        if flag[0] != 0 or best.sums[TOTAL] <= enough or now.sums[COUNT] == 0:
            break
        _deal_out(ground, now, dirty, rng)
        descend(ground, now, dirty, flag)
        worse = now.sums[TOTAL] - kept.sums[TOTAL]
        step = heat * kept.sums[TOTAL] / max(1, kept.sums[COUNT])
        if worse > 0 and worse > -step * np.log(1.0 - rng.random()):
            restore(now, kept)
        else:
            restore(kept, now)
        idle += 1
        if now.sums[TOTAL] < best.sums[TOTAL]:
            restore(best, now)
            idle = 0
    return idle


@compiled
def _deal_out(
    ground: Ground,
    now: Clusters,
    dirty: NDArray[np.bool_],
    rng: np.random.Generator,
) -> None:
    """Take a few clusters that are near each other and make others of their points."""
    chosen = _few(ground, now, rng)
    count = 0
    for g in chosen:
        count += int(now.size[g])
    points = np.empty(count, dtype=np.int64)
    count = 0
    for g in chosen:
        count = gather(now, g, points, count)
    for g in chosen:
        close(now, g)
    parts = len(chosen) + int(rng.integers(-1, 2))
    free = ground.max_clusters - int(now.sums[COUNT])
    parts = max(1, min(parts, count // ground.r, free))
    rng.shuffle(points)
    left = count
    while left > 0:
        size = left
        if parts > 1:
            most = left - ground.r * (parts - 1)
            usual = min(most, max(ground.r, 2 * left // parts - ground.r))
            size = int(rng.integers(ground.r, usual + 1))
        keys = ground.distances[points[0]][points[:left]]
        keys[0] = -1
        points[:left] = points[np.argsort(keys)]
        g = vacant(now)
        place_together(ground, now, g, points[:size].copy())
        dirty[g] = True
        points[: left - size] = points[size:left].copy()
        left -= size
        parts -= 1
    if now.sums[COUNT] < ground.max_clusters < len(now.size) - 2:
        for _ in range(min(_MOST_TOLD, len(now.size))):
            g = rng.integers(1, len(now.size))
            dirty[g] = now.size[g] > 0


@compiled
def _few(ground: Ground, now: Clusters, rng: np.random.Generator) -> IntArray:
    """Return a few clusters that are near each other."""
    most = min(int(now.sums[COUNT]), int(rng.integers(2, _MOST_DEALT + 1)))
    chosen = np.zeros(most, dtype=np.int64)
    p = rng.integers(0, len(now.label))
    while now.label[p] == 0:
        p = rng.integers(0, len(now.label))
    chosen[0] = now.label[p]
    found = 1
    for _ in range(_TRIES):
        if found == most:
            break
        q = now.head[chosen[rng.integers(0, found)]]
        for _ in range(rng.integers(0, now.size[now.label[q]])):
            q = now.following[q]
        if ground.near.shape[1] == 0:
            break
        g = now.label[ground.near[q, rng.integers(0, ground.near.shape[1])]]
        if g > 0 and not (chosen[:found] == g).any():
            chosen[found] = g
            found += 1
    return chosen[:found]
