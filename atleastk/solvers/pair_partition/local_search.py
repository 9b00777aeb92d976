"""Pair partition: simulated annealing by moves of one item and swaps of two.

A random item goes to the group of another one that is near, or changes places with it;
a move that costs d more is accepted with probability exp(-d / temperature). Groups keep
their least size, and their connection, if there is one; their number stays the same.

A move takes O(n) time if it is accepted, else O(1), or O(n) times the size of a group
where groups have to be connected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.pair_partition import is_admissible
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined

_NEAR: Final = 16
"""Items whose groups an item may go to: its nearest. Not tuned."""

_ROUNDS: Final = 400
"""Moves an item in the first cooling; each next one has twice as many. Not tuned."""

_HOT: Final = 0.3
"""The temperature at first, in mean costs of near pairs. Not tuned."""

_COLD: Final = 0.001
"""The temperature in the end, in that at first."""


def improve(
    instance: PairPartition,
    groups: list[list[int]],
    budget: Budget,
    offer: Callable[[list[list[int]]], object],
    coolings: int,
) -> None:
    """Offer better and better partitions, from one that is feasible."""
    rng = np.random.default_rng(budget.seed)
    labels = np.zeros(instance.n, dtype=np.int64)
    for g, group in enumerate(groups):
        labels[group] = g
    near = _near(instance)
    best = sum(map(instance.cost_of, groups))
    mean = max(1.0, float(np.take_along_axis(instance.matrix, near, axis=1).mean()))
    if instance.objective == "squares":
        mean /= instance.k
    for cooling in range(coolings):
        if budget.spent:
            return
        found = labels.copy()
        with budget.flagging() as flag:
            _cool(
                instance.matrix,
                instance.adjacent,
                instance.connected,
                near,
                found,
                instance.k,
                instance.most_size,
                instance.objective == "squares",
                _HOT * mean,
                _COLD,
                _ROUNDS * instance.n << min(cooling, 20),
                rng,
                flag,
            )
        groups = groups_of(found)
        cost = sum(map(instance.cost_of, groups))
        if cost < best and all(is_admissible(instance, group) for group in groups):
            best, labels = cost, found
            offer(groups)


def groups_of(labels: IntArray) -> list[list[int]]:
    """Return the groups of items with equal labels."""
    return [np.flatnonzero(labels == g).tolist() for g in np.unique(labels)]


def _near(instance: PairPartition) -> IntArray:
    """Return the nearest others of every item; its neighbours, if that is asked."""
    far = np.iinfo(np.int64).max
    costs = np.where(np.eye(instance.n, dtype=np.bool_), far, instance.matrix)
    if instance.connected:
        costs[~instance.adjacent] = far - 1
    nearest: IntArray = np.argsort(costs, axis=1, kind="stable")[:, :_NEAR]
    return nearest[:, : max(1, instance.n - 1)]


@compiled
def _cool(
    matrix: IntArray,  # [item, item]
    adjacent: BoolArray,  # [item, item]
    connected: bool,
    near: IntArray,  # [item, place]
    labels: IntArray,  # [item]
    least: int,
    most: int,
    squares: bool,
    hot: float,
    cold: float,
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> None:
    """Anneal labels in place; the best ones met are left there."""
    n, count = len(labels), labels.max() + 1
    size = np.zeros(count, dtype=np.int64)
    inside = np.zeros(count, dtype=np.int64)  # costs of pairs
    paid = np.zeros((n, count), dtype=np.int64)  # by item and group
    for i in range(n):
        size[labels[i]] += 1
        for j in range(n):
            paid[i, labels[j]] += matrix[i, j]
    for i in range(n):
        inside[labels[i]] += paid[i, labels[i]]
    for g in range(count):
        inside[g] //= 2
    best, now, lowest = labels.copy(), 0, 0
    waiting, reached = np.zeros(n, np.int64), np.zeros(n, np.bool_)
    for round_ in range(rounds):
        if round_ & 1023 == 0 and flag[0] != 0:
            break
        # Draw an item, and one near it in another group.
        i = int(rng.random() * n)
        j = near[i, int(rng.random() * near.shape[1])]
        a, b = labels[i], labels[j]
        if a == b:
            continue
        swap = rng.random() < 0.5
        if not swap and (size[a] <= least or size[b] >= most):
            continue
        # What it costs.
        less, more = inside[a] - paid[i, a], inside[b] + paid[i, b]
        sizes = size[a] - 1, size[b] + 1
        if swap:
            less += paid[j, a] - matrix[i, j]
            more -= paid[j, b] + matrix[i, j]
            sizes = size[a], size[b]
        before = _cost(inside[a], size[a], squares) + _cost(inside[b], size[b], squares)
        after = _cost(less, sizes[0], squares) + _cost(more, sizes[1], squares)
        heat = hot * cold ** (round_ / rounds)
        if after - before > -heat * np.log(1.0 - rng.random()):
            continue
        # Do it, and take it back if a group falls apart.
        labels[i] = b
        if swap:
            labels[j] = a
        if connected and not (
            _holds(a, sizes[0], labels, adjacent, waiting, reached)
            and _holds(b, sizes[1], labels, adjacent, waiting, reached)
        ):
            labels[i] = a
            labels[j] = b
            continue
        inside[a], inside[b] = less, more
        size[a], size[b] = sizes
        for other in range(n):
            change = matrix[other, i] - (matrix[other, j] if swap else 0)
            paid[other, a] -= change
            paid[other, b] += change
        now += after - before
        if now < lowest:
            lowest = now
            best[:] = labels
    labels[:] = best


@inlined
def _cost(pairs: int, size: int, squares: bool) -> int:
    return pairs // size if squares else pairs


@inlined
def _holds(
    group: int,
    size: int,
    labels: IntArray,
    adjacent: BoolArray,
    waiting: IntArray,
    reached: BoolArray,
) -> bool:
    """Return whether a group of that many items is connected."""
    n, top, found = len(labels), 0, 0
    for i in range(n):
        reached[i] = False
    for i in range(n):
        if labels[i] == group:
            waiting[0], top, found = i, 1, 1
            reached[i] = True
            break
    while top > 0:
        top -= 1
        i = waiting[top]
        for j in range(n):
            if labels[j] == group and adjacent[i, j] and not reached[j]:
                reached[j] = True
                waiting[top] = j
                top += 1
                found += 1
    return found == size
