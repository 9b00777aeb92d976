"""The best one or two clusters of a few points, by enumeration.

What local search does again and again: take the points of two neighbouring clusters,
and maybe some outliers, and cluster them anew. About centres v and w with radii d <= e
the best is soon told. Of the points within d of v, all join v but those that w needs to
have r; the others are within e of w, or outliers. So all (v, d) are tried with the
least e for every w: O(c^2 m^2) for m points and c places of centres, of which little is
left by bounds: all points pay d, and those outside of d of v are to be reached by w.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.solvers.compiled.compile import inlined
from atleastk.solvers.compiled.sorting import arrange, number

__all__ = ["split_about_centres"]


@inlined
def split_about_centres(
    distances: IntArray,
    facilities: IntArray,
    r: int,
    member: bool,
    points: IntArray,
    places: IntArray,
    spare: int,
    most: int,
    ceiling: int,
    part: IntArray,
    centre: IntArray,
) -> int:
    """Return the least cost of at most `most` <= 2 clusters; `ceiling` if none is less.

    All but `spare` points are in one. What is found is written to ``part``, 0 for
    outliers, and ``centre``, by cluster. If `member`, places are the points.
    """
    m = len(points)
    if m <= spare and ceiling > 0:
        part[:] = 0
        return 0
    if m < r:
        return ceiling
    order, reach = _ranked(distances, points, places, member)
    best, chosen = ceiling, number(-1)
    alone, cheapest = max(r, m - spare), facilities[places[0]]
    low = np.empty(len(places), dtype=np.int64)
    keys = np.empty(len(places), dtype=np.int64)
    rank = np.empty(len(places), dtype=np.int64)
    for i in range(len(places)):
        cheapest = min(cheapest, facilities[places[i]])
        low[i] = facilities[places[i]] + r * reach[i, r - 1]
        keys[i], rank[i] = low[i], i
        cost = facilities[places[i]] + alone * reach[i, alone - 1]
        if cost < best:
            best, chosen = cost, i
    if chosen >= 0:
        part[:] = 0
        for t in range(alone):
            part[order[chosen, t]] = 1
        centre[1] = places[chosen]
    if most < 2 or m < 2 * r:
        return best
    arrange(rank, keys, len(rank))
    within = np.zeros(m, dtype=np.bool_)
    first, second, none = number(-1), number(-1), number(0)
    size, until = none, none
    for v in rank:
        here = facilities[places[v]]
        if low[v] + low[rank[0]] >= best:
            break
        within[:] = False
        for j in range(1, m + 1):
            within[order[v, j - 1]] = True
            d = reach[v, j - 1]
            if here + cheapest + d * (m - spare) >= best:
                break
            if j < r or (j < m and reach[v, j] == d):
                continue
            own = max(r, min(j - 1 if member else j, m - r - spare))
            others = max(r, m - j - spare)
            fixed = here + d * own
            for w in rank:
                if fixed + low[w] >= best:
                    break
                there = facilities[places[w]]
                reached = max(d, reach[w, others - 1])
                if fixed + there + others * reached >= best or (member and w == v):
                    continue
                cost, t = _second(
                    order[w], reach[w], within, j, d, r, member, order[v, 0], spare
                )
                if cost >= 0 and here + there + cost < best:
                    best = here + there + cost
                    first, second, size, until = int(v), int(w), j, t
    if first >= 0:
        centre[1], centre[2] = places[first], places[second]
        _assign(part, order[first], order[second], size, until, r, member)
    return best


@inlined
def _ranked(
    distances: IntArray, points: IntArray, places: IntArray, member: bool
) -> tuple[IntArray, IntArray]:
    """Return by place the points, nearest first, and their distances.

    If `member`, the place itself is first.
    """
    m = len(points)
    order = np.empty((len(places), m), dtype=np.int64)
    reach = np.empty((len(places), m), dtype=np.int64)
    for i in range(len(places)):
        for u in range(m):
            own = member and points[u] == places[i]
            reach[i, u] = -1 if own else distances[places[i], points[u]]
            order[i, u] = u
        arrange(order[i], reach[i], m)
        reach[i, 0] = max(0, reach[i, 0])
    return order, reach


@inlined
def _second(
    order: IntArray,
    reach: IntArray,
    within: BoolArray,
    size: int,
    d: int,
    r: int,
    member: bool,
    head: int,
    spare: int,
) -> tuple[int, int]:
    """Return what both clusters pay at least for service, given the first one's ball.

    And the number of points in the second one's ball; a cost of -1 if it cannot be.
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
        fill = max(forced, r - outside)
        if fill <= inside and size - fill >= r:
            return d * (size - fill) + reach[t] * (outside + fill), t + 1
    return -1, 0


@inlined
def _assign(
    part: IntArray,
    first: IntArray,
    second: IntArray,
    size: int,
    until: int,
    r: int,
    member: bool,
) -> None:
    """Write down the clusters that :func:`_second` has counted."""
    part[:] = 0
    for t in range(size):
        part[first[t]] = 1
    outside = 0
    for t in range(until):
        if part[second[t]] == 0:
            outside += 1
    fill = r - outside
    if member and part[second[0]] == 1:
        fill = max(1, fill)
    for t in range(until):
        u = second[t]
        if part[u] == 0:
            part[u] = 2
        elif fill > 0 and not (member and u == first[0]):
            part[u] = 2
            fill -= 1
