"""Iterated local search from one local optimum to the next, compiled."""

from __future__ import annotations

import math

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray, WordArray
from atleastk.solvers.cellular_clustering.local_search_state import (
    COUNT,
    TOTAL,
    LinkedClusters,
    LocalInstance,
    close,
    descend,
    gather,
    place_together,
    restore,
    vacant,
)
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import arrange, draw, number

_FINE = 2**53
"""Sides of the dice for a number from 0 to 1: the whole numbers that floats have."""


@compiled
def iterate(
    local: LocalInstance,
    now: LinkedClusters,
    accepted: LinkedClusters,
    best: LinkedClusters,
    dirty: BoolArray,  # [cluster]
    rounds: int,
    heat: float,
    enough: int,
    dice: WordArray,  # [1]
    flag: ByteArray,  # [1]
) -> None:
    """Descend from dirty clusters; then perturb, descend and accept, `rounds` times.

    An outcome that costs d more is accepted with probability exp(-d / (heat * c)),
    where c is the mean cost of a cluster. Ends early if the best cost is at most
    `enough`.
    """
    for t in range(rounds + 1):
        # `now` equals the accepted state, a local optimum but for the dirty clusters of
        # the first round.
        luck = 0.0
        if t > 0:
            if flag[0] != 0 or best.sums[TOTAL] <= enough or now.sums[COUNT] == 0:
                break
            _perturb(local, now, dirty, dice)
            step = heat * accepted.sums[TOTAL] / max(1, accepted.sums[COUNT])
            luck = -step * math.log((1 + draw(dice, _FINE)) / _FINE)
        descend(local, now, dirty, flag)
        # Accept if worse by at most an exponential random number: Metropolis.
        worse = now.sums[TOTAL] - accepted.sums[TOTAL]
        if t > 0 and worse > 0 and worse > luck:
            restore(now, accepted)
        else:
            restore(accepted, now)
            if now.sums[TOTAL] < best.sums[TOTAL]:
                restore(best, now)


@inlined
def _perturb(
    local: LocalInstance,
    now: LinkedClusters,
    dirty: BoolArray,  # [cluster]
    dice: WordArray,  # [1]
) -> None:
    """Replace a few nearby clusters by random ones of the same points."""
    # Close the chosen clusters; their points are `points[:left]`.
    chosen = _nearby(local, now, dice)
    points = np.empty(len(now.label), dtype=np.int64)
    keys = np.empty(len(now.label), dtype=np.int64)
    left = number(0)
    for g in chosen:
        left = gather(now, g, points, left)
        close(now, g)
    free = min(left // local.r, local.max_clusters - now.sums[COUNT])
    parts = max(1, min(len(chosen) - 1 + draw(dice, number(3)), free))
    while left > 0:
        # A random point and its nearest become a cluster; each other one is left r.
        size = left
        if parts > 1:
            most = left - local.r * (parts - 1)
            usual = min(most, max(local.r, 2 * left // parts - local.r))
            size = local.r + draw(dice, usual - local.r + 1)
        first = points[draw(dice, left)]
        for i in range(left):
            p = points[i]
            keys[i] = -1 if p == first else local.distances[first, p]
        arrange(points, keys, left)
        g = vacant(now)
        place_together(local, now, g, points[:size])
        dirty[g] = True
        left -= size
        for i in range(left):
            points[i] = points[size + i]
        parts -= 1
    # With one cluster fewer than the limit, any other one may now be split.
    if now.sums[COUNT] < local.max_clusters < len(now.size) - 2:
        for _ in range(min(60, len(now.size))):  # some are tried again
            g = 1 + draw(dice, len(now.size) - 1)
            dirty[g] = now.size[g] > 0


@inlined
def _nearby(local: LocalInstance, now: LinkedClusters, dice: WordArray) -> IntArray:
    """Return a few clusters that are near each other."""
    n, near = len(now.label), local.near.shape[1]
    most = min(now.sums[COUNT], 2 + draw(dice, number(5)))  # from 2 to 6
    chosen = np.zeros(most, dtype=np.int64)
    q = draw(dice, n)
    while now.label[q] == 0:
        q = draw(dice, n)
    chosen[0], found = now.label[q], 1
    # A walk from a point of a chosen cluster to one nearby, in another cluster or not.
    for _ in range(20 if near > 0 else 0):
        if found == most:
            break
        q = now.head[chosen[draw(dice, found)]]
        for _ in range(draw(dice, now.size[now.label[q]])):
            q = now.following[q]
        q = local.near[q, draw(dice, near)]
        g = now.label[q]
        fresh = g > 0
        for h in chosen[:found]:
            fresh = fresh and g != h
        if fresh:
            chosen[found] = g
            found += 1
    return chosen[:found]
