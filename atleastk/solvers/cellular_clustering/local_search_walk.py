"""The walk of the local search from one local optimum to the next, compiled."""

from __future__ import annotations

import math

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray, WordArray
from atleastk.solvers.cellular_clustering.local_search_state import (
    COUNT,
    TOTAL,
    Clusters,
    Ground,
    close,
    descend,
    gather,
    place_together,
    restore,
    vacant,
)
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import arrange, draw, number

_MOST_DEALT = 6
"""Clusters that are dealt out at a time, at most: not tuned."""

_TRIES = 20
"""Points that are drawn to find them: not tuned."""

_MOST_TOLD = 60
"""Clusters, at most, that are tried anew when there may be one more cluster: not tuned.
"""

_FINE = 2**53
"""Sides of the dice for a number from 0 to 1: the whole numbers that floats have."""


@compiled
def wander(
    ground: Ground,
    now: Clusters,
    kept: Clusters,
    best: Clusters,
    dirty: BoolArray,
    rounds: int,
    heat: float,
    enough: int,
    dice: WordArray,
    flag: ByteArray,
) -> None:
    """Settle dirty clusters; then deal some out and settle them, so many times.

    What costs `heat` of a cluster more is kept once in e times. It ends early when the
    best clusters cost no more than `enough`.
    """
    for t in range(rounds + 1):
        # `now` is what is kept, where no two neighbours can be settled better, but for
        # the dirty clusters of the first round.
        luck = 0.0
        if t > 0:
            if flag[0] != 0 or best.sums[TOTAL] <= enough or now.sums[COUNT] == 0:
                break
            _deal_out(ground, now, dirty, dice)
            step = heat * kept.sums[TOTAL] / max(1, kept.sums[COUNT])
            luck = -step * math.log((1 + draw(dice, _FINE)) / _FINE)
        descend(ground, now, dirty, flag)
        # It is kept if it is worse by less than luck allows.
        worse = now.sums[TOTAL] - kept.sums[TOTAL]
        if t > 0 and worse > 0 and worse > luck:
            restore(now, kept)
        else:
            restore(kept, now)
            if now.sums[TOTAL] < best.sums[TOTAL]:
                restore(best, now)


@inlined
def _deal_out(
    ground: Ground,
    now: Clusters,
    dirty: BoolArray,
    dice: WordArray,
) -> None:
    """Take a few clusters that are near each other and make others of their points."""
    # The chosen clusters are closed, and their points are `points[:left]`.
    chosen = _few(ground, now, dice)
    points = np.empty(len(now.label), dtype=np.int64)
    keys = np.empty(len(now.label), dtype=np.int64)
    left = number(0)
    for g in chosen:
        left = gather(now, g, points, left)
        close(now, g)
    free = min(left // ground.r, ground.max_clusters - now.sums[COUNT])
    parts = max(1, min(len(chosen) - 1 + draw(dice, number(3)), free))
    while left > 0:
        # A point and those near it are a cluster; r points are left for each other one.
        size = left
        if parts > 1:
            most = left - ground.r * (parts - 1)
            usual = min(most, max(ground.r, 2 * left // parts - ground.r))
            size = ground.r + draw(dice, usual - ground.r + 1)
        first = points[draw(dice, left)]
        for i in range(left):
            p = points[i]
            keys[i] = -1 if p == first else ground.distances[first, p]
        arrange(points, keys, left)
        g = vacant(now)
        place_together(ground, now, g, points[:size])
        dirty[g] = True
        left -= size
        for i in range(left):
            points[i] = points[size + i]
        parts -= 1
    # With one cluster fewer than the limit, any other one may now be split.
    if now.sums[COUNT] < ground.max_clusters < len(now.size) - 2:
        for _ in range(min(_MOST_TOLD, len(now.size))):
            g = 1 + draw(dice, len(now.size) - 1)
            dirty[g] = now.size[g] > 0


@inlined
def _few(ground: Ground, now: Clusters, dice: WordArray) -> IntArray:
    """Return a few clusters that are near each other."""
    n, near = len(now.label), ground.near.shape[1]
    most = min(now.sums[COUNT], 2 + draw(dice, number(_MOST_DEALT - 1)))
    chosen = np.zeros(most, dtype=np.int64)
    q = draw(dice, n)
    while now.label[q] == 0:
        q = draw(dice, n)
    chosen[0], found = now.label[q], 1
    # A walk from a point of a chosen cluster to one nearby, in another cluster or not.
    for _ in range(_TRIES if near > 0 else 0):
        if found == most:
            break
        q = now.head[chosen[draw(dice, found)]]
        for _ in range(draw(dice, now.size[now.label[q]])):
            q = now.following[q]
        q = ground.near[q, draw(dice, near)]
        g = now.label[q]
        fresh = g > 0
        for h in chosen[:found]:
            fresh = fresh and g != h
        if fresh:
            chosen[found] = g
            found += 1
    return chosen[:found]
