"""Pair partition: simulated annealing of points by least squares, for many points.

Groups are their sums of points and their sizes: the squares of a group are the sum of
|x|^2, less |sum|^2 over its size, so that a change costs O(d) for d coordinates, and no
matrix of pairs is needed. A random point goes to the group of one that is near, changes
places with it, founds a group with its nearest, or its group is dissolved among those
that are near. A change that costs d more is accepted with probability
exp(-d / temperature). Sizes are from k to 2k - 1, which some best solution has.

Costs are floats here; whoever takes an answer computes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, FloatArray, IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import labels_of
from atleastk.packages import spatial
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.pair_partition.local_search import ENDLESS

_NEAR: Final = 12
"""Points whose groups a point may go to, besides 2k. Not tuned."""

_ROUNDS: Final = 60
"""Changes a point in the first cooling; each next one has twice as many. Not tuned."""

VAST: Final = 300_000
"""Points above which a cooling takes tens of seconds: a cold one comes before. Fewer
near points are looked at; the groups of these are better, too. Not tuned."""

_COLD_ROUNDS: Final = 10
"""Changes a point then. Not tuned."""

_HOT: Final = 1.0
"""The temperature at first, in means of squared lengths to the nearest k. With 0.3 the
best of 834 points, 5 dimensions, k = 3, cost 1.1 % more after 6 s, with 2 as much."""

_COLD: Final = 0.001
"""The temperature in the end, in that at first."""

_FOUNDED: Final = 0.03
"""The share of changes that found a group, and of those that dissolve one."""

_QUERIED: Final = 10_000
"""Points whose nearest are looked up at a time: in hundredths of a second."""

_IDLE: Final = 4
"""Coolings in vain after which a search ends that has others behind it. Not tuned."""


Near = tuple[FloatArray, IntArray]
"""Squared lengths to the nearest other points, and which ones they are."""


def refuses(instance: PairPartition) -> bool:
    """Return whether an instance is another one than points by least squares."""
    squares = instance.objective == "squares" and instance.points is not None
    asked = instance.is_windowed or instance.connected
    return not squares or asked or not instance.n


def coordinates_of(instance: PairPartition) -> FloatArray:
    """Return the points, [point, axis], near 0."""
    found: FloatArray = instance.places - instance.places.mean(axis=0)
    return found


def nearest_of(coordinates: FloatArray, count: int, budget: Budget) -> Near:
    """Return the nearest other points, the nearest first.

    Of equal points the point itself may be among them, in place of another. Those that
    are not reached in time have lengths of 0.
    """
    n, count = len(coordinates), min(count, len(coordinates) - 1)
    tree, ranks = spatial.KDTree(coordinates), [*range(2, count + 2)]
    lengths, places = np.zeros((n, count)), np.zeros((n, count), dtype=np.int64)
    for some in np.split(tree.indices, range(_QUERIED, n, _QUERIED)):
        if budget.spent:
            break
        lengths[some], places[some] = tree.query(coordinates[some], k=ranks)
    return np.square(lengths), places.astype(np.int64)


def near_of(instance: PairPartition, budget: Budget) -> Near:
    """Return the nearest points that a search looks at, and that pay for a bound."""
    count = instance.k + 1 if instance.n > VAST else _NEAR + 2 * instance.k
    return nearest_of(coordinates_of(instance), count, budget)


def improve(
    instance: PairPartition,
    groups: list[list[int]],
    budget: Budget,
    offer: Callable[[Sequence[Sequence[int]]], object],
    coolings: int,
    pool: list[list[int]] | None = None,
    known: Near | None = None,
) -> None:
    """Offer better and better partitions, from one into groups of k to 2k - 1.

    Their groups are added to a pool. `known` are the near points.
    """
    rng, points = np.random.default_rng(budget.seed), coordinates_of(instance)
    if instance.n < 2 * instance.k or max(map(len, groups)) >= 2 * instance.k:
        return
    labels = labels_of(groups, instance.n)
    lengths, near = known or near_of(instance, budget)
    mean = float(lengths[:, : instance.k].mean())
    better, first = 0, -1 if instance.n > VAST else 0
    for turn in range(first, coolings):
        if budget.spent or (turn - better > _IDLE and coolings < ENDLESS):
            return
        found = labels.copy()
        hot, rounds = _COLD * _HOT * mean, _COLD_ROUNDS
        if turn >= 0:
            hot, rounds = _HOT * mean, _ROUNDS << min(turn, 20)
        with budget.flagging() as flag:
            gained = _cool(
                points,
                near,
                found,
                instance.k,
                hot,
                _COLD,
                rounds * instance.n,
                rng,
                flag,
            )
        if gained < 0.0:
            labels, better = found, turn
            offer(PackedGroups.labelled(labels))
            if pool is not None:
                pool += PackedGroups.labelled(labels).lists()


class _Journal(NamedTuple):
    """What has changed since the labels were best: to copy all would take too long."""

    left: IntArray  # [point or group, change]
    """The points that were put into a group, and the group each had before."""
    length: IntArray  # [1]
    """How many these changes are."""


@compiled
def _cool(
    points: FloatArray,  # [point, axis]
    near: IntArray,  # [point, place]
    labels: IntArray,  # [point]
    least: int,
    hot: float,
    cold: float,
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> float:
    """Anneal labels in place; return what the best ones met, left there, cost more."""
    n, axes = points.shape
    most, count = 2 * least - 1, n // least + 1
    sums = np.zeros((count, axes))
    size = np.zeros(count, dtype=np.int64)
    member = np.zeros((count, most), dtype=np.int64)  # the first `size` of a group
    place = np.zeros(n, dtype=np.int64)  # of a point in its group
    free = np.zeros(count, dtype=np.int64)  # groups without points
    moved = np.zeros(most + 1, dtype=np.int64)  # of a dissolved group, where it went
    journal = _Journal(np.zeros((2, n + 4 * most), np.int64), np.zeros(1, np.int64))
    for i in range(n):
        _put(points, i, labels[i], labels, sums, size, member, place, journal)
    spare = 0
    for g in range(count):
        if size[g] == 0:
            free[spare] = g
            spare += 1
    best, now, lowest = labels.copy(), 0.0, 0.0
    journal.length[0], is_apart = 0, False  # whether the best labels are in `best`
    for round_ in range(rounds):
        if round_ & 255 == 0 and flag[0] != 0:
            break
        # Take the best labels out of a long journal.
        if journal.length[0] >= n:
            if not is_apart:
                best[:] = labels
                _undo(journal, best)
            is_apart, journal.length[0] = True, 0
        heat = hot * cold ** (round_ / rounds)
        accepted = -heat * np.log(1.0 - rng.random())
        kind = rng.random()
        i = int(rng.random() * n)
        a = labels[i]
        change = 0.0
        if kind < _FOUNDED:
            # Dissolve its group: every point goes where it costs least.
            done, change = 0, 0.0
            for p in range(size[a]):
                for axis in range(axes):
                    away = points[member[a, p], axis] - sums[a, axis] / size[a]
                    change -= away * away
            while size[a] > 0 and change <= accepted:
                x = member[a, size[a] - 1]
                to, costs = -1, np.inf
                for p in range(near.shape[1]):
                    b = labels[near[x, p]]
                    if b != a and size[b] < most:
                        more = _joining(points, x, sums[b], size[b])
                        if more < costs:
                            to, costs = b, more
                if to < 0:
                    break
                _take(points, x, labels, sums, size, member, place)
                _put(points, x, to, labels, sums, size, member, place, journal)
                moved[done] = x
                done += 1
                change += costs
            if size[a] > 0 or change > accepted:
                for p in range(done - 1, -1, -1):
                    _take(points, moved[p], labels, sums, size, member, place)
                    _put(
                        points, moved[p], a, labels, sums, size, member, place, journal
                    )
                continue
            free[spare] = a
            spare += 1
        elif kind < 2.0 * _FOUNDED:
            # Found a group with the nearest points that others can spare.
            if spare == 0 or size[a] <= least:
                continue
            g, done = free[spare - 1], 0
            change = _leaving(points, i, sums[a], size[a])
            _take(points, i, labels, sums, size, member, place)
            _put(points, i, g, labels, sums, size, member, place, journal)
            moved[0], done = a, 1
            for p in range(near.shape[1]):
                if done == least:
                    break
                x = near[i, p]
                b = labels[x]
                if b != g and size[b] > least:
                    change += _leaving(points, x, sums[b], size[b])
                    change += _joining(points, x, sums[g], size[g])
                    _take(points, x, labels, sums, size, member, place)
                    _put(points, x, g, labels, sums, size, member, place, journal)
                    moved[done] = b
                    done += 1
            if done < least or change > accepted:
                for p in range(done - 1, -1, -1):
                    x = member[g, p]
                    _take(points, x, labels, sums, size, member, place)
                    _put(
                        points, x, moved[p], labels, sums, size, member, place, journal
                    )
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
                change = _leaving(points, i, sums[a], size[a])
                change += _joining(points, i, sums[b], size[b])
                if change > accepted:
                    continue
                _take(points, i, labels, sums, size, member, place)
                _put(points, i, b, labels, sums, size, member, place, journal)
            else:
                # Exchange two.
                j = member[b, int(rng.random() * size[b])]
                for axis in range(axes):
                    step = points[j, axis] - points[i, axis]
                    change -= step * (2.0 * sums[a, axis] + step) / size[a]
                    change -= step * (step - 2.0 * sums[b, axis]) / size[b]
                if change > accepted:
                    continue
                _take(points, i, labels, sums, size, member, place)
                _take(points, j, labels, sums, size, member, place)
                _put(points, i, b, labels, sums, size, member, place, journal)
                _put(points, j, a, labels, sums, size, member, place, journal)
        now += change
        if now < lowest - 1e-9 * hot:
            lowest = now
            is_apart, journal.length[0] = False, 0
    if is_apart:
        labels[:] = best
    else:
        _undo(journal, labels)
    return lowest


@inlined
def _undo(journal: _Journal, labels: IntArray) -> None:
    """Give points the groups back that they had before."""
    for at in range(journal.length[0] - 1, -1, -1):
        labels[journal.left[0, at]] = journal.left[1, at]


@inlined
def _joining(points: FloatArray, i: int, total: FloatArray, size: int) -> float:
    """Return what a point costs a group that it joins."""
    found = 0.0
    for axis in range(len(total)):
        away = points[i, axis] - total[axis] / size
        found += away * away
    return found * size / (size + 1.0)


@inlined
def _leaving(points: FloatArray, i: int, total: FloatArray, size: int) -> float:
    """Return what a point costs a group that it leaves: 0 or less."""
    found = 0.0
    for axis in range(len(total)):
        away = points[i, axis] - total[axis] / size
        found += away * away
    return -found * size / (size - 1.0)


@inlined
def _put(
    points: FloatArray,
    i: int,
    g: int,
    labels: IntArray,
    sums: FloatArray,
    size: IntArray,
    member: IntArray,
    place: IntArray,
    journal: _Journal,
) -> None:
    at = journal.length[0]
    journal.left[0, at], journal.left[1, at] = i, labels[i]
    journal.length[0] += 1
    labels[i] = g
    member[g, size[g]] = i
    place[i] = size[g]
    size[g] += 1
    for axis in range(points.shape[1]):
        sums[g, axis] += points[i, axis]


@inlined
def _take(
    points: FloatArray,
    i: int,
    labels: IntArray,
    sums: FloatArray,
    size: IntArray,
    member: IntArray,
    place: IntArray,
) -> None:
    g = labels[i]
    size[g] -= 1
    last = member[g, size[g]]
    member[g, place[i]] = last
    place[last] = place[i]
    for axis in range(points.shape[1]):
        sums[g, axis] -= points[i, axis]
