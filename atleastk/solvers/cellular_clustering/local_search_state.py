"""The state of the local search and its descent, compiled.

Points are in linked lists, one per cluster; list 0 holds the outliers. What sets of
points cost at best is remembered by random names, which are combined by exclusive or: a
search mostly comes back to the clusters that it has left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.solvers.cellular_clustering.sites import ANY, MEMBER
from atleastk.solvers.cellular_clustering.two_clusters import Task, split_about_centres
from atleastk.solvers.cellular_clustering.two_diameters import split_by_diameters
from atleastk.solvers.compiled.arrays import copy_into
from atleastk.solvers.compiled.compile import inlined
from atleastk.solvers.compiled.sorting import arrange, number

COUNT, TOTAL = 0, 1
"""The places of the sums."""

_OUTLIERS_TAKEN = 8
"""Nearest outliers that are re-optimised with two clusters: not tuned."""

_MOST_WORK = 6000
"""Candidate centres of two clusters, times their points: not tuned."""


class LocalInstance(NamedTuple):
    """The instance, or a part of it, for compiled loops."""

    distances: IntArray  # [point, point] infinite ones finite, but too long
    facilities: IntArray  # [point] what it costs as a centre
    near: IntArray  # [point, rank] its nearest others
    handy: IntArray  # [point, rank] the cheapest other centres for r points about it
    everywhere: IntArray  # [centre] all candidate centres if they are few, else none
    r: int
    reading: int  # INPUT, MEMBER or ANY
    max_clusters: int
    max_outliers: int
    most_places: int  # the most candidate centres of two clusters
    names: IntArray  # [point] random
    seen: IntArray  # [2, place] names of sets of points, and what these cost at best


class LinkedClusters(NamedTuple):
    """Clusters, as linked lists of points."""

    label: IntArray  # [point] its cluster, 0 for outliers
    following: IntArray  # [point] the next one of its cluster, -1 at the end
    head: IntArray  # [cluster] its first point, -1 if it is empty
    size: IntArray  # [cluster] how many points it has
    centre: IntArray  # [cluster] -1 if it is anywhere
    price: IntArray  # [cluster]
    name: IntArray  # [cluster] that of its points
    sums: IntArray  # [2] at COUNT the number of clusters, at TOTAL what they cost


@inlined
def restore(now: LinkedClusters, accepted: LinkedClusters) -> None:
    """Copy all of the second to the first."""
    for i in range(len(now)):
        copy_into(now[i], accepted[i])


@inlined
def close(now: LinkedClusters, g: int) -> None:
    """Take a cluster out, or all outliers."""
    if g > 0 and now.size[g] > 0:
        now.sums[COUNT] -= 1
        now.sums[TOTAL] -= now.price[g]
    now.head[g], now.size[g], now.price[g], now.name[g] = -1, 0, 0, 0


@inlined
def put(local: LocalInstance, now: LinkedClusters, point: int, g: int) -> None:
    """Put a point into a cluster, or among the outliers."""
    now.label[point] = g
    now.following[point] = now.head[g]
    now.head[g] = point
    now.size[g] += 1
    now.name[g] ^= local.names[point]


@inlined
def _open(local: LocalInstance, now: LinkedClusters, g: int, centre: int) -> None:
    """Give a cluster, all of whose points have been put into it, a centre and price."""
    radius = 0
    p = now.head[g]
    while p >= 0:
        if local.reading == ANY:
            q = now.following[p]
            while q >= 0:
                radius = max(radius, local.distances[p, q])
                q = now.following[q]
        else:
            radius = max(radius, local.distances[centre, p])
        p = now.following[p]
    now.centre[g] = centre
    now.price[g] = now.size[g] * radius
    if local.reading != ANY:
        now.price[g] += local.facilities[centre]
    now.sums[COUNT] += 1
    now.sums[TOTAL] += now.price[g]


@inlined
def gather(now: LinkedClusters, g: int, points: IntArray, count: int) -> int:
    """Append the points of a cluster; return how many there are now."""
    p = now.head[g]
    while p >= 0:
        points[count] = p
        count += 1
        p = now.following[p]
    return count


@inlined
def vacant(now: LinkedClusters) -> int:
    """Return an empty cluster; there is one unless all have r points."""
    for g in range(1, len(now.size)):
        if now.size[g] == 0:
            return g
    return 0


@inlined
def _places(local: LocalInstance, now: LinkedClusters, points: IntArray) -> IntArray:
    """Return the candidate centres of clusters of these points."""
    if local.reading == MEMBER:
        return points
    if len(local.everywhere) > 0:
        return local.everywhere
    most = min(local.most_places, max(8, _MOST_WORK // len(points)))
    seen = np.zeros(len(now.label), dtype=np.bool_)
    found = np.empty(most, dtype=np.int64)
    count = 0
    # The centres that the points have now, then the points, then others near them.
    for p in points:
        g = now.label[p]
        if g > 0 and not seen[now.centre[g]] and count < most:
            seen[now.centre[g]] = True
            found[count] = now.centre[g]
            count += 1
    for t in range(-1, local.handy.shape[1]):
        for p in points:
            v = p if t < 0 else local.handy[p, t]
            if count < most and not seen[v]:
                seen[v] = True
                found[count] = v
                count += 1
    return found[:count]


@inlined
def place_together(
    local: LocalInstance, now: LinkedClusters, g: int, points: IntArray
) -> None:
    """Make points, which are in no list, the cluster g about the best centre."""
    centre, least = number(-1), number(-1)
    if local.reading != ANY:
        places = _places(local, now, points)
        for v in places:
            radius = 0
            for p in points:
                radius = max(radius, local.distances[v, p])
            cost = local.facilities[v] + len(points) * radius
            if least < 0 or cost < least:
                least, centre = cost, v
    for p in points:
        put(local, now, p, g)
    _open(local, now, g, centre)


@inlined
def resettle(local: LocalInstance, now: LinkedClusters, a: int, b: int) -> int:
    """Re-optimise the points of a and b (0: of a alone) as one or two clusters.

    Return the second cluster, 0 without one, or -1 if nothing is cheaper, or nothing
    was when these points met before.
    """
    fewer = now.sums[COUNT] < local.max_clusters
    most = 2 if b > 0 or fewer else 1
    ceiling = now.price[a] + (now.price[b] if b > 0 else 0)
    name = (now.name[0] ^ now.name[a] ^ (now.name[b] if b > 0 else 0)) ^ (most - 1)
    seen, least = local.seen
    place = name % len(seen)
    if seen[place] == name and least[place] >= ceiling:
        return -1
    # The points of both clusters, then outliers, of which the nearest may join.
    none = number(0)
    taken = min(now.size[0], _OUTLIERS_TAKEN)
    m = now.size[a] + (now.size[b] if b > 0 else 0)
    listed = np.empty(m + now.size[0], dtype=np.int64)
    count = gather(now, a, listed, none)
    if b > 0:
        count = gather(now, b, listed, count)
    gather(now, none, listed, count)
    if now.size[0] > taken:
        _draw_near(local, now, a, b, listed[m:])
    points = listed[: m + taken]
    # The present clusters and their cost, which is the ceiling.
    spare = local.max_outliers - (now.size[0] - taken)
    part = np.zeros(len(points), dtype=np.int64)
    for i in range(m):
        part[i] = 1 if i < now.size[a] else 2
    centre = np.empty(3, dtype=np.int64)
    centre[1] = centre[2] = -1
    diameters = local.reading == ANY
    task = Task(
        local.distances,
        local.facilities,
        local.r,
        local.reading == MEMBER,
        points,
        points if diameters else _places(local, now, points),
        spare,
        most,
        ceiling,
    )
    if diameters:
        cost = split_by_diameters(task, part)
    else:
        cost = split_about_centres(task, part, centre)
    seen[place], least[place] = name, cost
    if cost >= ceiling:
        return -1
    # One cluster may have become two.
    if b == 0:
        for side in part:
            if side == 2:
                b = vacant(now)
                break
    _replace(local, now, a, b, points, listed, part, centre)
    return b


@inlined
def _draw_near(
    local: LocalInstance, now: LinkedClusters, a: int, b: int, outliers: IntArray
) -> None:
    """Put those outliers first that are nearest to one of the clusters."""
    keys = np.empty(len(outliers), dtype=np.int64)
    for i in range(len(outliers)):
        for g in (a, b):
            v = now.head[g] if local.reading == ANY else now.centre[g]
            if g == a or (g > 0 and local.distances[v, outliers[i]] < keys[i]):
                keys[i] = local.distances[v, outliers[i]]
    arrange(outliers, keys, len(outliers))


@inlined
def _replace(
    local: LocalInstance,
    now: LinkedClusters,
    a: int,
    b: int,
    points: IntArray,  # [place]
    listed: IntArray,  # [place]
    part: IntArray,  # [place]
    centre: IntArray,  # [side]
) -> None:
    """Replace clusters, and outliers: those listed after the points stay."""
    for g in (number(0), a, b):
        close(now, g)
    for i in range(len(listed)):
        side = part[i] if i < len(points) else 0
        put(local, now, listed[i], 0 if side == 0 else a if side == 1 else b)
    for side in range(1, 3):
        g = a if side == 1 else b
        if g > 0 and now.size[g] > 0:
            _open(local, now, g, centre[side])


@inlined
def descend(
    local: LocalInstance,
    now: LinkedClusters,
    dirty: BoolArray,  # [cluster]
    flag: ByteArray,  # [1]
) -> None:
    """Re-optimise dirty clusters with their neighbours until none improves."""
    # Every dirty cluster waits in the queue, once.
    queue = np.empty(len(now.size), dtype=np.int64)
    seen = np.zeros(len(now.size), dtype=np.int64)
    waiting, stamp = 0, 0
    for g in range(1, len(dirty)):
        if dirty[g]:
            queue[waiting] = g
            waiting += 1
    while waiting > 0 and flag[0] == 0:
        waiting -= 1
        a = queue[waiting]
        dirty[a] = False
        if now.size[a] == 0:
            continue
        # The cluster alone, then with the clusters of points near its own, each once,
        # until that pays.
        stamp += 1
        seen[a] = stamp
        other, p, at = number(0), now.head[a], 0
        while True:
            b = resettle(local, now, a, other)
            if b >= 0:
                break
            seen[other] = stamp
            while p >= 0 and seen[other] == stamp:
                if at < local.near.shape[1]:
                    other = now.label[local.near[p, at]]
                    at += 1
                else:
                    p, at = now.following[p], 0
            if p < 0:
                break
        # Changed clusters are dirty again.
        for g in (a, b):
            if b >= 0 and g > 0 and not dirty[g]:
                dirty[g] = True
                queue[waiting] = g
                waiting += 1
    for g in range(len(dirty)):
        dirty[g] = False
