"""Filling clusters that are open in part: where Hall's condition fails most.

Let centre c be open to the amount y_c. It needs at least r y_c of the points of its
ball, at most y_c of each, and no point gives more than 1. That is a flow, source ->
centre (r y_c) -> point of its ball (y_c) -> sink (1), here in whole numbers, found as
Dinic does. If it does not saturate the source then the points U that are still reached
from there prove it:

    sum over c of y_c (r - |ball of c without U|)^+  >  |U|.

References
----------
E. A. Dinic: Algorithm for solution of a problem of maximum flow in networks with power
estimation. Soviet Mathematics Doklady 11, 1970.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.packages import csgraph, sparse
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.compile import compiled

__all__ = ["deficient_sets"]


def deficient_sets(
    balls: Balls, shares: IntArray, needs: IntArray, rooms: IntArray
) -> list[IntArray]:
    """Return sets of points that are too few, none if all needs can be met.

    They are the connected parts of one set. `shares` is the most that a centre takes of
    a point of its ball, `needs` what it takes at least in all, and `rooms` what a point
    gives at most.
    """
    reached = np.full(len(balls), -1, dtype=np.int64)
    reached_points = np.full(len(rooms), -1, dtype=np.int64)
    flow = np.zeros(len(balls.points), dtype=np.int64)
    turned = balls.turned(len(rooms))
    edges = np.argsort(balls.points, kind="stable")
    _saturate(
        balls.starts,
        balls.points,
        turned.starts,
        turned.points,
        edges,
        shares,
        needs.copy(),
        rooms.copy(),
        flow,
        reached,
        reached_points,
    )
    return list(_parts(balls, reached >= 0, reached_points >= 0))


def _parts(balls: Balls, centres: BoolArray, points: BoolArray) -> Iterator[IntArray]:
    m, n = len(balls), len(points)
    owners = np.repeat(np.arange(m), balls.sizes)
    inside = centres[owners] & points[balls.points]
    rows, columns = owners[inside], balls.points[inside] + m
    edges = sparse.coo_array(
        (np.ones(len(rows)), (rows, columns)), shape=(m + n, m + n)
    )
    _, labels = csgraph.connected_components(edges, directed=False)
    for label in np.unique(labels[:m][centres]):
        yield np.flatnonzero(points & (labels[m:] == label))


@compiled
def _saturate(
    starts: IntArray,
    points: Int32Array,
    point_starts: IntArray,
    owners: Int32Array,
    edges: IntArray,
    shares: IntArray,
    needs: IntArray,
    rooms: IntArray,
    flow: IntArray,
    level: IntArray,
    point_level: IntArray,
) -> None:
    """Find a greatest flow; levels are at least 0 where more could still come from."""
    m, n = len(starts) - 1, len(rooms)
    for c in range(m):
        for e in range(starts[c], starts[c + 1]):
            p = points[e]
            flow[e] = min(needs[c], rooms[p], shares[c])
            needs[c] -= flow[e]
            rooms[p] -= flow[e]
    queue = np.empty(m + n, dtype=np.int64)
    following = np.empty(m, dtype=np.int64)
    point_following = np.empty(n, dtype=np.int64)
    path = np.empty(m + n + 2, dtype=np.int64)
    step = np.empty(m + n + 2, dtype=np.int64)
    while True:
        last = _layers(
            starts,
            points,
            point_starts,
            owners,
            edges,
            shares,
            needs,
            rooms,
            flow,
            level,
            point_level,
            queue,
        )
        if last < 0:
            return
        for c in range(m):
            following[c] = starts[c]
        for p in range(n):
            point_following[p] = point_starts[p]
        for first in range(m):
            while needs[first] > 0:
                # A path that descends layer by layer; nodes from m on are points.
                depth = 0
                path[0] = first
                while depth >= 0:
                    node = path[depth]
                    if node < m:
                        e = following[node]
                        while e < starts[node + 1] and not (
                            point_level[points[e]] == level[node] + 1
                            and flow[e] < shares[node]
                        ):
                            e += 1
                        following[node] = e
                        if e < starts[node + 1]:
                            depth += 1
                            path[depth] = m + points[e]
                            step[depth] = e
                        else:
                            depth -= 1
                            if depth >= 0:
                                point_following[path[depth] - m] += 1
                        continue
                    p = node - m
                    if point_level[p] == last and rooms[p] > 0:
                        break
                    i = point_starts[p + 1]
                    if point_level[p] < last:
                        i = point_following[p]
                        while i < point_starts[p + 1] and not (
                            level[owners[i]] == point_level[p] + 1
                            and flow[edges[i]] > 0
                        ):
                            i += 1
                        point_following[p] = i
                    if i < point_starts[p + 1]:
                        depth += 1
                        path[depth] = owners[i]
                        step[depth] = edges[i]
                    else:
                        depth -= 1
                        following[path[depth]] += 1
                if depth < 0:
                    break
                amount = min(needs[first], rooms[path[depth] - m])
                for i in range(1, depth + 1):
                    e = step[i]
                    room = flow[e] if path[i] < m else shares[path[i - 1]] - flow[e]
                    amount = min(amount, room)
                for i in range(1, depth + 1):
                    flow[step[i]] += -amount if path[i] < m else amount
                needs[first] -= amount
                rooms[path[depth] - m] -= amount


@compiled
def _layers(
    starts: IntArray,
    points: Int32Array,
    point_starts: IntArray,
    owners: Int32Array,
    edges: IntArray,
    shares: IntArray,
    needs: IntArray,
    rooms: IntArray,
    flow: IntArray,
    level: IntArray,
    point_level: IntArray,
    queue: IntArray,
) -> int:
    """Count the layers around needs; return that of the first room, -1 for none."""
    m = len(level)
    for c in range(m):
        level[c] = -1
    for p in range(len(point_level)):
        point_level[p] = -1
    head, tail, last = 0, 0, -1
    for c in range(m):
        if needs[c] > 0:
            level[c] = 0
            queue[tail] = c
            tail += 1
    while head < tail:
        node = queue[head]
        head += 1
        if node < m:
            for e in range(starts[node], starts[node + 1]):
                p = points[e]
                if point_level[p] < 0 and flow[e] < shares[node]:
                    point_level[p] = level[node] + 1
                    queue[tail] = m + p
                    tail += 1
                    if rooms[p] > 0 and last < 0:
                        last = point_level[p]
            continue
        p = node - m
        if last >= 0 and point_level[p] >= last:
            continue
        for i in range(point_starts[p], point_starts[p + 1]):
            c = owners[i]
            if level[c] < 0 and flow[edges[i]] > 0:
                level[c] = point_level[p] + 1
                queue[tail] = c
                tail += 1
    return last
