"""Separation of Hall rows for fractional openings, by a maximum flow (Dinic).

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

from typing import NamedTuple

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.compile import compiled


def deficient_sets(
    balls: Balls, shares: IntArray, needs: IntArray, rooms: IntArray
) -> list[IntArray]:
    """Return the point sets U of violated Hall rows, none if all needs can be met.

    They are the connected parts of one set. `shares` is the most that a centre takes of
    a point of its ball, `needs` what it takes at least in all, and `rooms` what a point
    gives at most.
    """
    m, n = len(balls), len(rooms)
    turned = balls.turned(n)
    network = _Network(
        balls.starts,
        balls.points,
        turned.starts,
        turned.points,
        np.argsort(balls.points, kind="stable"),
        shares,
    )
    flow = _Flow(
        needs.copy(),
        rooms.copy(),
        np.zeros(len(balls.points), dtype=np.int64),
        np.full(m, -1, dtype=np.int64),
        np.full(n, -1, dtype=np.int64),
    )
    sizes = (m, n, m + n + 2, m + n + 2)
    descent = _Descent(*(np.empty(size, dtype=np.int64) for size in sizes))
    _saturate(network, flow, descent)
    centres, points = flow.level >= 0, flow.point_level >= 0
    reached = balls.only(centres[balls.owners] & points[balls.points])
    of_centre, of_point = reached.components(n)
    parts = np.unique(of_centre[centres])
    return [np.flatnonzero(points & (of_point == part)) for part in parts]


class _Network(NamedTuple):
    """Which centres can take what of which points.

    Attributes
    ----------
    starts, points
        The ball of centre c is ``points[starts[c]:starts[c + 1]]``: its entries.
    holder_starts, holders
        The centres whose balls hold point p, likewise.
    entries
        For every one of ``holders`` the entry in ``points``.
    shares
        By centre the most that it takes of a point.
    """

    starts: IntArray  # [centre + 1]
    points: Int32Array  # [entry]
    holder_starts: IntArray  # [point + 1]
    holders: Int32Array  # [entry]
    entries: IntArray  # [entry]
    shares: IntArray  # [centre]


class _Flow(NamedTuple):
    """The flow from centres to points, and the layers of its residual network.

    Attributes
    ----------
    needs
        By centre what it still needs.
    rooms
        By point what it can still give.
    amounts
        By entry what the centre takes of the point.
    level, point_level
        By centre and by point the layer: on how short a path from a centre that needs
        more it could take, or give, more; -1 if on none.
    """

    needs: IntArray  # [centre]
    rooms: IntArray  # [point]
    amounts: IntArray  # [entry]
    level: IntArray  # [centre]
    point_level: IntArray  # [point]


class _Descent(NamedTuple):
    """A path through the layers; from the number of centres on, nodes are points.

    Attributes
    ----------
    following, point_following
        By centre the entry, by point the place among ``holders``, from which on it has
        ways that were not tried in vain.
    path
        The nodes, and room for the queue of a search.
    step
        For every node but the first, the entry by which it was reached.
    """

    following: IntArray  # [centre]
    point_following: IntArray  # [point]
    path: IntArray  # [node]
    step: IntArray  # [node]


@compiled
def _saturate(network: _Network, flow: _Flow, descent: _Descent) -> None:
    """Find a maximum flow; the last layers hold the residual network of all needs.

    Every phase has more layers than the one before, and takes O(nodes x entries).
    """
    starts, points = network.starts, network.points
    needs, rooms = flow.needs, flow.rooms
    # Greedily, every centre takes what it needs and what there is, in order.
    for c in range(len(needs)):
        for e in range(starts[c], starts[c + 1]):
            p = points[e]
            flow.amounts[e] = min(needs[c], rooms[p], network.shares[c])
            needs[c] -= flow.amounts[e]
            rooms[p] -= flow.amounts[e]
    while True:
        last = _layers(network, flow, descent.path)
        if last < 0:
            return
        for c in range(len(needs)):
            descent.following[c] = starts[c]
        for p in range(len(rooms)):
            descent.point_following[p] = network.holder_starts[p]
        # Centres before `first` need nothing, or no path through the layers is left.
        for first in range(len(needs)):
            while needs[first] > 0:
                depth = _descend(network, flow, descent, first, last)
                if depth < 0:
                    break
                _push(network, flow, descent, depth)


@compiled
def _layers(network: _Network, flow: _Flow, queue: IntArray) -> int:
    """Find the layers from the needs; return that of the first room, -1 for none."""
    starts, points, shares = network.starts, network.points, network.shares
    level, point_level = flow.level, flow.point_level
    m = len(level)
    for c in range(m):
        level[c] = -1
    for p in range(len(point_level)):
        point_level[p] = -1
    head, tail, last = 0, 0, -1
    for c in range(m):
        if flow.needs[c] > 0:
            level[c] = 0
            queue[tail] = c
            tail += 1
    # All within one step of the nodes before `head` are in the queue.
    while head < tail:
        node = queue[head]
        head += 1
        if node < m:
            # A centre can take more of points of which it does not have its share.
            for e in range(starts[node], starts[node + 1]):
                p = points[e]
                if point_level[p] < 0 and flow.amounts[e] < shares[node]:
                    point_level[p] = level[node] + 1
                    queue[tail] = m + p
                    tail += 1
                    if flow.rooms[p] > 0 and last < 0:
                        last = point_level[p]
            continue
        p = node - m
        if last >= 0 and point_level[p] >= last:
            continue
        # A point can take back what it gives to centres.
        for i in range(network.holder_starts[p], network.holder_starts[p + 1]):
            c = network.holders[i]
            if level[c] < 0 and flow.amounts[network.entries[i]] > 0:
                level[c] = point_level[p] + 1
                queue[tail] = c
                tail += 1
    return last


@compiled
def _descend(
    network: _Network, flow: _Flow, descent: _Descent, first: int, last: int
) -> int:
    """Find a path from a centre, layer by layer, to a point with room in the last one.

    Return the place of that point on the path, -1 if there is no path.
    """
    starts, points, shares = network.starts, network.points, network.shares
    level, point_level, amounts = flow.level, flow.point_level, flow.amounts
    path, m = descent.path, len(level)
    path[0] = first
    depth = 0
    while depth >= 0:
        if path[depth] < m:
            # From a centre to a point of which it can take more, or back.
            c = path[depth]
            e = descent.following[c]
            while e < starts[c + 1] and not (
                point_level[points[e]] == level[c] + 1 and amounts[e] < shares[c]
            ):
                e += 1
            descent.following[c] = e
            if e < starts[c + 1]:
                depth += 1
                path[depth] = m + points[e]
                descent.step[depth] = e
            else:
                depth -= 1
                if depth >= 0:
                    descent.point_following[path[depth] - m] += 1
            continue
        p = path[depth] - m
        if point_level[p] == last and flow.rooms[p] > 0:
            return depth
        # From a point to a centre to which it gives something, or back.
        end = network.holder_starts[p + 1]
        i = end
        if point_level[p] < last:
            i = descent.point_following[p]
            while i < end and not (
                level[network.holders[i]] == point_level[p] + 1
                and amounts[network.entries[i]] > 0
            ):
                i += 1
            descent.point_following[p] = i
        if i < end:
            depth += 1
            path[depth] = network.holders[i]
            descent.step[depth] = network.entries[i]
        else:
            depth -= 1
            descent.following[path[depth]] += 1
    return -1


@compiled
def _push(network: _Network, flow: _Flow, descent: _Descent, depth: int) -> None:
    """Let as much flow along a path as there is room for."""
    path, step, amounts, m = descent.path, descent.step, flow.amounts, len(flow.level)
    first, end = path[0], path[depth] - m
    amount = min(flow.needs[first], flow.rooms[end])
    for i in range(1, depth + 1):
        e = step[i]
        left = network.shares[path[i - 1]] - amounts[e] if path[i] >= m else amounts[e]
        amount = min(amount, left)
    for i in range(1, depth + 1):
        amounts[step[i]] += amount if path[i] >= m else -amount
    flow.needs[first] -= amount
    flow.rooms[end] -= amount
