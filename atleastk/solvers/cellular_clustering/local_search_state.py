"""Clusters that change: the state of the local search, compiled.

Points are in linked lists, one per cluster; list 0 holds the outliers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.solvers.cellular_clustering.sites import ANY, MEMBER
from atleastk.solvers.cellular_clustering.two_clusters import Task, split_about_centres
from atleastk.solvers.cellular_clustering.two_diameters import split_by_diameters
from atleastk.solvers.compiled.compile import inlined
from atleastk.solvers.compiled.sorting import arrange, number

COUNT, TOTAL = 0, 1
"""The places of the sums."""

_OUTLIERS_TAKEN = 8
"""Outliers, the nearest ones, that are settled with two clusters: not tuned."""

_MOST_PLACES = 128
"""Places of centres that are looked at for two clusters ..."""

_MOST_WORK = 6000
"""... but fewer where places times points are more than this: not tuned."""


class Ground(NamedTuple):
    """What does not change: the instance, or a part of it.

    Attributes
    ----------
    distances, facilities
        Of the points; what is too far has a distance that no good solution needs.
    near
        By point its nearest others, in their order.
    handy
        By point the best other centres for r points about it, in their order.
    everywhere
        The places of centres if they are few, else none.
    r, max_clusters, max_outliers
        The limits of the instance.
    reading
        INPUT, MEMBER or ANY.
    """

    distances: IntArray
    facilities: IntArray
    near: IntArray
    handy: IntArray
    everywhere: IntArray
    r: int
    reading: int
    max_clusters: int
    max_outliers: int


class Clusters(NamedTuple):
    """Clusters, as linked lists of points.

    Attributes
    ----------
    label
        By point its cluster, 0 for outliers.
    following
        By point the next one of its cluster, -1 at the end.
    head, size
        By cluster its first point, -1 if it is empty, and how many it has.
    centre, price
        By cluster; the centre is -1 if it is anywhere.
    sums
        At COUNT the number of clusters, and at TOTAL what they cost.
    """

    label: IntArray
    following: IntArray
    head: IntArray
    size: IntArray
    centre: IntArray
    price: IntArray
    sums: IntArray


@inlined
def restore(now: Clusters, kept: Clusters) -> None:
    """Copy all of the second to the first."""
    for p in range(len(now.label)):
        now.label[p] = kept.label[p]
        now.following[p] = kept.following[p]
    for g in range(len(now.size)):
        now.head[g] = kept.head[g]
        now.size[g] = kept.size[g]
        now.centre[g] = kept.centre[g]
        now.price[g] = kept.price[g]
    for i in range(len(now.sums)):
        now.sums[i] = kept.sums[i]


@inlined
def close(now: Clusters, g: int) -> None:
    """Take a cluster out, or all outliers."""
    if g > 0 and now.size[g] > 0:
        now.sums[COUNT] -= 1
        now.sums[TOTAL] -= now.price[g]
    now.head[g], now.size[g], now.price[g] = -1, 0, 0


@inlined
def put(now: Clusters, point: int, g: int) -> None:
    """Put a point into a cluster, or among the outliers."""
    now.label[point] = g
    now.following[point] = now.head[g]
    now.head[g] = point
    now.size[g] += 1


@inlined
def _open(ground: Ground, now: Clusters, g: int, centre: int) -> None:
    """Give a cluster, all of whose points have been put into it, a centre and price."""
    radius = 0
    p = now.head[g]
    while p >= 0:
        if ground.reading == ANY:
            q = now.following[p]
            while q >= 0:
                radius = max(radius, ground.distances[p, q])
                q = now.following[q]
        else:
            radius = max(radius, ground.distances[centre, p])
        p = now.following[p]
    now.centre[g] = centre
    now.price[g] = now.size[g] * radius
    if ground.reading != ANY:
        now.price[g] += ground.facilities[centre]
    now.sums[COUNT] += 1
    now.sums[TOTAL] += now.price[g]


@inlined
def gather(now: Clusters, g: int, points: IntArray, count: int) -> int:
    """Append the points of a cluster; return how many there are now."""
    p = now.head[g]
    while p >= 0:
        points[count] = p
        count += 1
        p = now.following[p]
    return count


@inlined
def vacant(now: Clusters) -> int:
    """Return an empty cluster; there is one unless all have r points."""
    for g in range(1, len(now.size)):
        if now.size[g] == 0:
            return g
    return 0


@inlined
def _places(ground: Ground, now: Clusters, points: IntArray) -> IntArray:
    """Return where centres of clusters of these points are looked for."""
    if ground.reading == MEMBER:
        return points
    if len(ground.everywhere) > 0:
        return ground.everywhere
    most = min(_MOST_PLACES, max(8, _MOST_WORK // len(points)))
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
    for t in range(-1, ground.handy.shape[1]):
        for p in points:
            v = p if t < 0 else ground.handy[p, t]
            if count < most and not seen[v]:
                seen[v] = True
                found[count] = v
                count += 1
    return found[:count]


@inlined
def place_together(ground: Ground, now: Clusters, g: int, points: IntArray) -> None:
    """Make points, which are in no list, the cluster g about the best centre."""
    centre, least = number(-1), number(-1)
    if ground.reading != ANY:
        places = _places(ground, now, points)
        for v in places:
            radius = 0
            for p in points:
                radius = max(radius, ground.distances[v, p])
            cost = ground.facilities[v] + len(points) * radius
            if least < 0 or cost < least:
                least, centre = cost, v
    for p in points:
        put(now, p, g)
    _open(ground, now, g, centre)


@inlined
def resettle(ground: Ground, now: Clusters, a: int, b: int) -> int:
    """Cluster the points of a and b (0: of a alone) anew if that is cheaper.

    Returns the second cluster, 0 without one, or -1 if nothing is cheaper.
    """
    # The points of both clusters, then outliers: near ones are taken in, others stay.
    none = number(0)
    taken = min(now.size[0], _OUTLIERS_TAKEN)
    m = now.size[a] + (now.size[b] if b > 0 else 0)
    listed = np.empty(m + now.size[0], dtype=np.int64)
    count = gather(now, a, listed, none)
    if b > 0:
        count = gather(now, b, listed, count)
    gather(now, none, listed, count)
    if now.size[0] > taken:
        _draw_near(ground, now, a, b, listed[m:])
    points = listed[: m + taken]
    # The clusters as they are count for what they cost, which is the ceiling.
    spare = ground.max_outliers - (now.size[0] - taken)
    fewer = now.sums[COUNT] < ground.max_clusters
    most = 2 if b > 0 or fewer else 1
    part = np.zeros(len(points), dtype=np.int64)
    for i in range(m):
        part[i] = 1 if i < now.size[a] else 2
    centre = np.empty(3, dtype=np.int64)
    centre[1] = centre[2] = -1
    ceiling = now.price[a] + (now.price[b] if b > 0 else 0)
    diameters = ground.reading == ANY
    task = Task(
        ground.distances,
        ground.facilities,
        ground.r,
        ground.reading == MEMBER,
        points,
        points if diameters else _places(ground, now, points),
        spare,
        most,
        ceiling,
    )
    if diameters:
        cost = split_by_diameters(task, part)
    else:
        cost = split_about_centres(task, part, centre)
    if cost >= ceiling:
        return -1
    # One cluster may have become two.
    if b == 0:
        for side in part:
            if side == 2:
                b = vacant(now)
                break
    _replace(ground, now, a, b, points, listed, part, centre)
    return b


@inlined
def _draw_near(
    ground: Ground, now: Clusters, a: int, b: int, outliers: IntArray
) -> None:
    """Put those outliers first that are nearest to one of the clusters."""
    keys = np.empty(len(outliers), dtype=np.int64)
    for i in range(len(outliers)):
        for g in (a, b):
            v = now.head[g] if ground.reading == ANY else now.centre[g]
            if g == a or (g > 0 and ground.distances[v, outliers[i]] < keys[i]):
                keys[i] = ground.distances[v, outliers[i]]
    arrange(outliers, keys, len(outliers))


@inlined
def _replace(
    ground: Ground,
    now: Clusters,
    a: int,
    b: int,
    points: IntArray,
    listed: IntArray,
    part: IntArray,
    centre: IntArray,
) -> None:
    """Replace clusters, and outliers: those listed after the points stay."""
    for g in (number(0), a, b):
        close(now, g)
    for i in range(len(listed)):
        side = part[i] if i < len(points) else 0
        put(now, listed[i], 0 if side == 0 else a if side == 1 else b)
    for side in range(1, 3):
        g = a if side == 1 else b
        if g > 0 and now.size[g] > 0:
            _open(ground, now, g, centre[side])


@inlined
def descend(
    ground: Ground,
    now: Clusters,
    dirty: BoolArray,
    flag: ByteArray,
) -> None:
    """Resettle dirty clusters with their neighbours as long as that pays."""
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
            b = resettle(ground, now, a, other)
            if b >= 0:
                break
            seen[other] = stamp
            while p >= 0 and seen[other] == stamp:
                if at < ground.near.shape[1]:
                    other = now.label[ground.near[p, at]]
                    at += 1
                else:
                    p, at = now.following[p], 0
            if p < 0:
                break
        # What has changed is dirty again.
        for g in (a, b):
            if b >= 0 and g > 0 and not dirty[g]:
                dirty[g] = True
                queue[waiting] = g
                waiting += 1
    for g in range(len(dirty)):
        dirty[g] = False
