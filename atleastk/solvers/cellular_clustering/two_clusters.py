"""The best one or two clusters of a few points, by enumeration.

The move of the local search: the points of two neighbouring clusters, and maybe some
outliers, are clustered anew. For centres v and w with radii d <= e the best assignment
is simple: of the points within d of v, all join v but those that w needs to have r; the
others are within e of w, or outliers. So all (v, d) are tried with the least e for
every w: O(c^2 m^2) for m points and c candidate centres, most of which bounds cut off:
all points pay d, and w has to reach those outside of d of v.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.solvers.compiled.compile import inlined
from atleastk.solvers.compiled.sorting import arrange, number


class Task(NamedTuple):
    """A few points that are to be clustered anew."""

    distances: IntArray  # [any point, any point] also of those not among the few
    facilities: IntArray  # [any point]
    r: int  # the least size of a cluster
    member: bool  # whether centres are members; places are the points then
    points: IntArray  # [place] the few points
    places: IntArray  # [candidate] where centres may be
    spare: int  # how many of the points may be outliers
    most: int  # the greatest number of clusters, 1 or 2
    ceiling: int  # clusters that cost as much or more are of no use


class _Ranking(NamedTuple):
    """The points about every place, and the places in order."""

    order: IntArray  # [candidate, rank] the few, nearest first; a member itself first
    reach: IntArray  # [candidate, rank] their distances
    low: IntArray  # [candidate] the least cost of a cluster of r points
    by_cost: IntArray  # [candidate] those of the least cost first


@inlined
def split_about_centres(task: Task, part: IntArray, centre: IntArray) -> int:
    """Return the least cost of clusters; the ceiling if none is less.

    The result is written to ``part``, [place], 0 for outliers, and to ``centre``,
    [side], from 1 on.
    """
    m = len(task.points)
    if m <= task.spare and task.ceiling > 0:
        part[:] = 0
        return 0
    if m < task.r:
        return task.ceiling
    ranking = _ranked(task)
    best = _join(task, ranking, part, centre)
    if task.most < 2 or m < 2 * task.r:
        return best
    return _split(task, ranking, best, part, centre)


@inlined
def _ranked(task: Task) -> _Ranking:
    """Return the points about every place, and the places in order."""
    points, places, member = task.points, task.places, task.member
    distances, facilities, r = task.distances, task.facilities, task.r
    m, count = len(points), len(places)
    order = np.empty((count, m), dtype=np.int64)
    reach = np.empty((count, m), dtype=np.int64)
    low = np.empty(count, dtype=np.int64)
    keys = np.empty(count, dtype=np.int64)
    by_cost = np.empty(count, dtype=np.int64)
    for i in range(count):
        place = places[i]
        for u in range(m):
            own = member and points[u] == place
            reach[i, u] = -1 if own else distances[place, points[u]]
            order[i, u] = u
        arrange(order[i], reach[i], m)
        reach[i, 0] = max(0, reach[i, 0])
        low[i] = facilities[place] + r * reach[i, r - 1]
        keys[i], by_cost[i] = low[i], i
    arrange(by_cost, keys, count)
    return _Ranking(order, reach, low, by_cost)


@inlined
def _join(task: Task, ranking: _Ranking, part: IntArray, centre: IntArray) -> int:
    """Return the least cost of one cluster, or the ceiling; write down the cluster."""
    places, facilities, reach = task.places, task.facilities, ranking.reach
    size = max(task.r, len(task.points) - task.spare)
    best, chosen = task.ceiling, number(-1)
    for i in range(len(places)):
        cost = facilities[places[i]] + size * reach[i, size - 1]
        if cost < best:
            best, chosen = cost, i
    if chosen >= 0:
        part[:] = 0
        for t in range(size):
            part[ranking.order[chosen, t]] = 1
        centre[1] = places[chosen]
    return best


@inlined
def _split(
    task: Task, ranking: _Ranking, ceiling: int, part: IntArray, centre: IntArray
) -> int:
    """Return the least cost of two clusters, or the ceiling; write down the clusters.

    Each bound is what the points cost at least if all before it was passed.
    """
    r, spare, member = task.r, task.spare, task.member
    places, facilities = task.places, task.facilities
    order, reach, low, by_cost = ranking
    m = len(task.points)
    cheapest = facilities[places[0]]
    for v in places:
        cheapest = min(cheapest, facilities[v])
    best, first, second = ceiling, number(-1), number(-1)
    none = number(0)
    size, until = none, none
    within = np.zeros(m, dtype=np.bool_)
    for v in by_cost:
        here = facilities[places[v]]
        if low[v] + low[by_cost[0]] >= best:
            break
        within[:] = False
        for j in range(1, m + 1):
            # The first cluster has points out of the ball of v that holds the first j.
            within[order[v, j - 1]] = True
            d = reach[v, j - 1]
            if here + cheapest + d * (m - spare) >= best:
                break
            if j < r or (j < m and reach[v, j] == d):
                continue
            own = max(r, min(j - 1 if member else j, m - r - spare))
            others = max(r, m - j - spare)
            fixed = here + d * own
            for w in by_cost:
                # The second one has the points outside, all but the spare ones.
                if fixed + low[w] >= best:
                    break
                there = facilities[places[w]]
                reached = max(d, reach[w, others - 1])
                if fixed + there + others * reached >= best:
                    continue
                if member and w == v:
                    continue
                cost, t = _second(
                    order[w], reach[w], within, j, d, r, member, order[v, 0], spare
                )
                if cost >= 0 and here + there + cost < best:
                    best = here + there + cost
                    first, second, size, until = int(v), int(w), j, t
    if first >= 0:
        centre[1], centre[2] = places[first], places[second]
        _assign(task, ranking, first, second, size, until, part)
    return best


@inlined
def _second(
    order: IntArray,  # [rank]
    reach: IntArray,  # [rank]
    within: BoolArray,  # [place]
    size: int,
    d: int,
    r: int,
    member: bool,
    head: int,
    spare: int,
) -> tuple[int, int]:
    """Return what both clusters pay at least for service, given the first one's ball.

    That ball, about `head`, has `size` points, those `within` a distance d. Also the
    number of points in the second one's ball; a cost of -1 if it cannot be.
    """
    outside, inside, forced = 0, 0, 0
    rest = len(order) - size
    if member and within[order[0]]:
        forced = 1
    for t in range(len(order)):
        u = order[t]
        if not within[u]:
            outside += 1
        elif not (member and u == head):
            inside += 1
        if rest - outside > spare:
            continue
        # All that must be reached is; w takes from the ball of v what it still needs.
        fill = max(forced, r - outside)
        if fill <= inside and size - fill >= r:
            return d * (size - fill) + reach[t] * (outside + fill), t + 1
    return -1, 0


@inlined
def _assign(
    task: Task,
    ranking: _Ranking,
    v: int,
    w: int,
    size: int,
    until: int,
    part: IntArray,  # [place]
) -> None:
    """Write down the clusters that :func:`_second` has counted."""
    first, second = ranking.order[v], ranking.order[w]
    part[:] = 0
    for t in range(size):
        part[first[t]] = 1
    # All points in the ball of w but outside that of v join w, then others as needed.
    outside = 0
    for t in range(until):
        if part[second[t]] == 0:
            outside += 1
    fill = task.r - outside
    if task.member and part[second[0]] == 1:
        fill = max(1, fill)
    for t in range(until):
        u = second[t]
        if part[u] == 0:
            part[u] = 2
        elif fill > 0 and not (task.member and u == first[0]):
            part[u] = 2
            fill -= 1
