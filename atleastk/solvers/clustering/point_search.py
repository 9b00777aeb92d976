"""Simulated annealing of many points by least squares, and centres near groups.

Groups are their sums of points and their sizes: the squares of a group are the sum of
|x|^2, less |sum|^2 over its size, so that a change costs O(d) for d coordinates, and no
matrix of pairs is needed. A random point goes to the group of one that is near, changes
places with it, founds a group with its nearest, or its group is dissolved among those
that are near. A change that costs d more is accepted with probability
exp(-d / temperature). Groups have k to 2k - 1 points. Those of equal points cost
nothing: their points stay, unless others change places with them.

Groups of few squares are narrow, too: clusterings of many points begin with these.
Costs are floats here; whoever takes an answer computes it again.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import (
    ByteArray,
    FloatArray,
    Int32Array,
    IntArray,
    distinct_places,
)
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined

VAST: Final = 300_000
"""Points above which a cooling takes tens of seconds: a cold one comes before. Fewer
near points are looked at; the groups of these are better, too. Not tuned."""

_NEAR: Final = 12
"""Points whose groups a point may go to, besides 2k. Not tuned."""

_COLD: Final = 0.001
"""The temperature in the end, in that at first."""

_FOUNDED: Final = 0.03
"""The share of changes that found a group, and of those that dissolve one."""


class Ground(NamedTuple):
    """Points, and which are near each other."""

    points: FloatArray  # [point, axis]
    near: Int32Array  # [point, place]: the nearest first, itself maybe among them
    least: int  # points of a group
    order: IntArray  # [place]: which points these are, where they are very many


class _Groups(NamedTuple):
    """Groups of points, and what has changed since the labels were best.

    To copy all labels each time would take too long.
    """

    labels: IntArray  # [point]
    sums: FloatArray  # [group, axis]
    size: IntArray  # [group]
    member: IntArray  # [group, place]: the first `size` of a group
    place: IntArray  # [point]: in its group
    left: IntArray  # [point or group, change]: what was moved, and where it had been
    length: IntArray  # [1]: how many changes these are


def ground_of(
    points: FloatArray, near: Int32Array, least: int, order: IntArray
) -> Ground:
    """Return the ground of points, very many in an order in which near ones are near.

    They fill a cache then, one after the other.
    """
    if len(points) > VAST:
        place = np.empty(len(points), dtype=np.int32)
        place[order] = np.arange(len(points), dtype=np.int32)
        points, near = points[order], place[near[order]]
    return Ground(points, near, least, order)


def near_in_all(n: int, least: int) -> int:
    """Return how many near points of every point are looked at, at most all others."""
    return min(n - 1, least + 1 if n > VAST else _NEAR + 2 * least)


def cooled(
    ground: Ground,
    labels: IntArray,
    hot: float,
    rounds: int,
    rng: np.random.Generator,
    budget: Budget,
) -> IntArray | None:
    """Return labels of better groups than some of k to 2k - 1 points, None without any.

    There are so many changes for every point of a group that costs something, from a
    temperature downwards.
    """
    found, sweeps = labels.copy(), len(labels) > VAST
    if sweeps:
        found = distinct_places(labels[ground.order])[1]
    with budget.flagging() as flag:
        gained = _cool(ground, found, hot, _COLD, rounds, sweeps, rng, flag)
    if sweeps:
        found[ground.order] = found.copy()
    return found if gained < 0.0 else None


@compiled
def _cool(
    ground: Ground,
    labels: IntArray,  # [point]
    hot: float,
    cold: float,
    rounds: int,
    sweeps: bool,  # whether points have their turns in order
    rng: np.random.Generator,
    flag: ByteArray,
) -> float:
    """Anneal labels in place; return what the best ones met, left there, cost more."""
    points, near, least = ground.points, ground.near, ground.least
    n, axes = points.shape
    most, count = 2 * least - 1, n // least + 1
    groups = _Groups(
        labels,
        np.zeros((count, axes)),
        np.zeros(count, np.int64),
        np.zeros((count, most + 1), np.int64),  # one more while two change places
        np.zeros(n, np.int64),
        np.zeros((2, n + 4 * most), np.int64),
        np.zeros(1, np.int64),
    )
    size, member, length = groups.size, groups.member, groups.length
    free = np.zeros(count, dtype=np.int64)  # groups without points
    moved = np.zeros(most + 1, dtype=np.int64)  # of a dissolved group, where it went
    for i in range(n):
        _enter(ground, groups, i, labels[i])
    spare = 0
    for g in range(count):
        if size[g] == 0:
            free[spare] = g
            spare += 1
    drawn, paying = np.zeros(n, dtype=np.int64), 0
    for i in range(n):
        if not _is_alike(ground, groups, labels[i]):
            drawn[paying] = i
            paying += 1
    best, now, lowest = labels.copy(), 0.0, 0.0
    length[0], is_apart = 0, False  # whether the best labels are in `best`
    for round_ in range(rounds * paying):
        if round_ & 255 == 0 and flag[0] != 0:
            break
        # Take the best labels out of a long journal.
        if length[0] >= n:
            if not is_apart:
                best[:] = labels
                _undo(groups, best)
            is_apart, length[0] = True, 0
        heat = hot * cold ** (round_ / (rounds * paying))
        accepted = -heat * np.log(1.0 - rng.random())
        kind = rng.random()
        i = drawn[round_ % paying if sweeps else int(rng.random() * paying)]
        a = labels[i]
        change = 0.0
        if kind < _FOUNDED:
            # Dissolve its group: every point goes where it costs least.
            done, change = 0, -_squares(ground, groups, a)
            while size[a] > 0 and change <= accepted:
                x = member[a, size[a] - 1]
                to, costs = -1, np.inf
                for p in range(near.shape[1]):
                    b = labels[near[x, p]]
                    if b != a and size[b] < most:
                        more = _joining(ground, groups, x, b)
                        if more < costs:
                            to, costs = b, more
                if to < 0:
                    break
                _move(ground, groups, x, to)
                moved[done] = x
                done += 1
                change += costs
            if size[a] > 0 or change > accepted:
                for p in range(done - 1, -1, -1):
                    _move(ground, groups, moved[p], a)
                continue
            free[spare] = a
            spare += 1
        elif kind < 2.0 * _FOUNDED:
            # Found a group with the nearest points that others can spare.
            if spare == 0 or size[a] <= least:
                continue
            g, done = free[spare - 1], 1
            change = _leaving(ground, groups, i, a)
            _move(ground, groups, i, g)
            moved[0] = a
            for p in range(near.shape[1]):
                if done == least:
                    break
                x = near[i, p]
                b = labels[x]
                if b != g and size[b] > least:
                    change += _leaving(ground, groups, x, b)
                    change += _joining(ground, groups, x, g)
                    _move(ground, groups, x, g)
                    moved[done] = b
                    done += 1
            if done < least or change > accepted:
                for p in range(done - 1, -1, -1):
                    _move(ground, groups, member[g, p], moved[p])
                continue
            spare -= 1
        else:
            j = near[i, int(rng.random() * near.shape[1])]
            b = labels[j]
            if a == b:
                continue
            if kind < 0.5:
                # Move one point.
                if size[a] <= least or size[b] >= most:
                    continue
                change = _leaving(ground, groups, i, a)
                change += _joining(ground, groups, i, b)
                if change > accepted:
                    continue
                _move(ground, groups, i, b)
            else:
                # Exchange two.
                j = member[b, int(rng.random() * size[b])]
                change = _exchanging(ground, groups, i, j)
                if change > accepted:
                    continue
                _move(ground, groups, i, b)
                _move(ground, groups, j, a)
        now += change
        if now < lowest - 1e-9 * hot:
            lowest = now
            is_apart, length[0] = False, 0
    if is_apart:
        labels[:] = best
    else:
        _undo(groups, labels)
    return lowest


@inlined
def _undo(groups: _Groups, labels: IntArray) -> None:
    """Give points the groups back that they had before."""
    for at in range(groups.length[0] - 1, -1, -1):
        labels[groups.left[0, at]] = groups.left[1, at]


@inlined
def _enter(ground: Ground, groups: _Groups, i: int, g: int) -> None:
    """Put a point that is nowhere into a group."""
    groups.labels[i] = g
    groups.member[g, groups.size[g]] = i
    groups.place[i] = groups.size[g]
    groups.size[g] += 1
    for axis in range(ground.points.shape[1]):
        groups.sums[g, axis] += ground.points[i, axis]


@inlined
def _move(ground: Ground, groups: _Groups, i: int, to: int) -> None:
    """Take a point out of its group, and put it into another."""
    at, g = groups.length[0], groups.labels[i]
    groups.left[0, at], groups.left[1, at] = i, g
    groups.length[0] += 1
    groups.size[g] -= 1
    last = groups.member[g, groups.size[g]]
    groups.member[g, groups.place[i]] = last
    groups.place[last] = groups.place[i]
    for axis in range(ground.points.shape[1]):
        groups.sums[g, axis] -= ground.points[i, axis]
    _enter(ground, groups, i, to)


@inlined
def _joining(ground: Ground, groups: _Groups, i: int, g: int) -> float:
    """Return what a point costs a group that it joins."""
    size: int = groups.size[g]
    found = 0.0
    for axis in range(ground.points.shape[1]):
        away = ground.points[i, axis] - groups.sums[g, axis] / size
        found += away * away
    return found * size / (size + 1.0)


@inlined
def _leaving(ground: Ground, groups: _Groups, i: int, g: int) -> float:
    """Return what a point costs a group that it leaves: 0 or less."""
    size: int = groups.size[g]
    found = 0.0
    for axis in range(ground.points.shape[1]):
        away = ground.points[i, axis] - groups.sums[g, axis] / size
        found += away * away
    return -found * size / (size - 1.0)


@inlined
def _exchanging(ground: Ground, groups: _Groups, i: int, j: int) -> float:
    """Return what it costs if two points change places."""
    a, b = groups.labels[i], groups.labels[j]
    change = 0.0
    for axis in range(ground.points.shape[1]):
        step = ground.points[j, axis] - ground.points[i, axis]
        change -= step * (2.0 * groups.sums[a, axis] + step) / groups.size[a]
        change -= step * (step - 2.0 * groups.sums[b, axis]) / groups.size[b]
    return change


@inlined
def _squares(ground: Ground, groups: _Groups, g: int) -> float:
    """Return what a group costs."""
    found = 0.0
    for p in range(groups.size[g]):
        for axis in range(ground.points.shape[1]):
            away = ground.points[groups.member[g, p], axis]
            away -= groups.sums[g, axis] / groups.size[g]
            found += away * away
    return found


@inlined
def _is_alike(ground: Ground, groups: _Groups, g: int) -> bool:
    """Tell whether all points of a group are equal."""
    first = groups.member[g, 0]
    for p in range(1, groups.size[g]):
        for axis in range(ground.points.shape[1]):
            place = ground.points[groups.member[g, p], axis]
            if place != ground.points[first, axis]:
                return False
    return True


@compiled
def centres_of(
    points: FloatArray,  # [point, axis]
    near: Int32Array,  # [point, place]
    norm: int,  # 1 or 2
    member: bool,  # whether a centre is in its group
    items: IntArray,
    starts: IntArray,
) -> IntArray:
    """Return a good centre of every group.

    That is the best of its points, or what a walk from there over near points finds.
    """
    found = np.zeros(len(starts) - 1, dtype=np.int64)
    for g in range(len(found)):
        held = items[starts[g] : starts[g + 1]]
        best, least = held[0], np.inf
        for place in held:
            far = _reach(points, norm, place, held, least)
            if far < least:
                best, least = place, far
        before = best if member else np.int64(-1)
        while best != before and least > 0.0:
            before = best
            for p in range(near.shape[1]):
                place = int(np.int64(near[before, p]))
                far = _reach(points, norm, place, held, least)
                if far < least:
                    best, least = place, far
        found[g] = best
    return found


@inlined
def _reach(
    points: FloatArray, norm: int, place: int, held: IntArray, enough: float
) -> float:
    """Return how far points are from a place, `enough` or more if so far.

    Squared if the norm is 2.
    """
    most = 0.0
    for i in held:
        found = 0.0
        for axis in range(points.shape[1]):
            away = points[place, axis] - points[i, axis]
            found += away * away if norm == 2 else abs(away)
        most = max(most, found)
        if most >= enough:
            break
    return most
