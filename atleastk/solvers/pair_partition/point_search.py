"""Pair partition: the annealing of many points by least squares, and its near points.

The loops are those of :mod:`atleastk.solvers.clustering.point_search`. Sizes are from k
to 2k - 1, which some best solution has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, Int32Array, IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import labels_of
from atleastk.packages import spatial
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import MOST_NEAR
from atleastk.solvers.clustering.point_search import (
    VAST,
    cooled,
    ground_of,
    near_in_all,
)
from atleastk.solvers.pair_partition.local_search import ENDLESS

_HOT: Final = 1.0
"""The temperature at first, in means of squared lengths to the nearest k. With 0.3 the
best of 834 points, 5 dimensions, k = 3, cost 1.1 % more after 6 s, with 2 as much."""

_ROUNDS: Final = 60
"""Changes a point in the first cooling; each next one has twice as many. Not tuned."""

_COLD: Final = 0.001
_COLD_ROUNDS: Final = 10
"""How hot the first cooling of very many points is, in that, and its changes a point:
others take tens of seconds. Not tuned."""

_IDLE: Final = 4
"""Coolings in vain after which a search ends that has others behind it. Not tuned."""

_QUERIED: Final = 200_000
"""Nearest points that are looked up at a time: in hundredths of a second."""

Near = tuple[FloatArray, Int32Array, IntArray]
"""Squared lengths to the nearest other points, and which ones they are; and the points
in an order in which near ones are often near."""


def refuses(instance: PairPartition) -> bool:
    """Return whether an instance is another one than points by least squares."""
    squares = instance.objective == "squares" and instance.points is not None
    asked = instance.is_windowed or instance.connected
    return not squares or asked or not instance.n


def coordinates_of(instance: PairPartition) -> FloatArray:
    """Return the points, [point, axis], near 0."""
    found: FloatArray = instance.places - instance.places.mean(axis=0)
    return found


def near_of(
    instance: PairPartition, groups: Sequence[Sequence[int]], budget: Budget
) -> Near:
    """Return the nearest points that a search looks at, and that pay for a bound.

    Groups of equal points are not asked unless they are near to others: their nearest
    are at no distance. Where those of very many points would not fit into memory, fewer
    are looked at, and pay less.
    """
    held, count = PackedGroups.of(groups), near_in_all(instance.n, instance.k)
    count = min(count, max(1, MOST_NEAR // instance.n))
    differ = held.differ(instance.places).any(axis=1) | (held.sizes < instance.k)
    wanted, homes = np.ones(instance.n, dtype=np.bool_), labels_of(held, instance.n)
    wanted[held.items] = differ[held.homes]
    return nearest_of(coordinates_of(instance), count, budget, wanted, homes)


def nearest_of(
    coordinates: FloatArray,
    count: int,
    budget: Budget,
    wanted: BoolArray,
    homes: IntArray,
) -> Near:
    """Return the nearest other points, the nearest first.

    Of those that are wanted, and of the groups of their nearest; others have lengths of
    0, and so have those that are not reached in time. Of equal points the point itself
    may be among them, in place of another.
    """
    n = len(coordinates)
    tree = spatial.KDTree(coordinates, balanced_tree=n <= VAST)
    ranks, order = [*range(2, count + 2)], np.asarray(tree.indices)
    lengths, places = np.zeros((n, count)), np.zeros((n, count), dtype=np.int32)
    known, met = np.zeros(n, dtype=np.bool_), np.zeros(n + 1, dtype=np.bool_)
    for _ in range(2):
        asked = order[(wanted & ~known)[order]]
        step = max(1, _QUERIED // count)
        for some in np.split(asked, range(step, len(asked), step)):
            if budget.spent:
                break
            lengths[some], places[some] = tree.query(coordinates[some], k=ranks)
        if wanted.all():
            break
        met[homes[places[asked]]] = True
        known, wanted = wanted, met[homes]
    return np.square(lengths, out=lengths), places, order


def improve(
    instance: PairPartition,
    groups: Sequence[Sequence[int]],
    budget: Budget,
    offer: Callable[[Sequence[Sequence[int]]], object],
    coolings: int,
    pool: list[list[int]] | None = None,
    known: Near | None = None,
) -> None:
    """Offer better and better partitions, from one into groups of k to 2k - 1.

    Their groups are added to a pool. `known` are the near points.
    """
    held, points = PackedGroups.of(groups), coordinates_of(instance)
    if instance.n < 2 * instance.k or held.sizes.max() >= 2 * instance.k:
        return
    lengths, near, order = known or near_of(instance, groups, budget)
    ground = ground_of(points, near, instance.k, order)
    rng = np.random.default_rng(budget.seed)
    mean, labels = float(lengths[:, : instance.k].mean()), labels_of(held, instance.n)
    better, first = 0, -1 if instance.n > VAST else 0
    for turn in range(first, coolings):
        if budget.spent or (turn - better > _IDLE and coolings < ENDLESS):
            return
        hot, rounds = _HOT * mean, _ROUNDS << min(max(0, turn), 20)
        if turn < 0:
            hot, rounds = _COLD * hot, _COLD_ROUNDS
        found = cooled(ground, labels, hot, rounds, rng, budget)
        if found is not None:
            labels, better = found, turn
            offer(PackedGroups.labelled(labels))
            if pool is not None:
                pool += PackedGroups.labelled(labels).lists()
