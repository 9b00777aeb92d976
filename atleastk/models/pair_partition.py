"""Pair partition: what a solution costs, and what it violates.

Solvers, checkers of certificates and pictures ask here for the cost. No result leaves
the package before `check` has recomputed its cost from the instance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from atleastk.instances.pair_partition import PairPartition
from atleastk.models.connected_partition import breadth_first
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import (
    Solution,
    Verdict,
    labels_of,
    partition_violations,
)


def check(instance: PairPartition, solution: Solution) -> Verdict:
    """Recompute the cost of a solution and say what it violates."""
    broken = partition_violations(instance.n, solution)
    if broken:
        return Verdict(None, tuple(broken))
    violated = tuple(_violations(instance, solution.groups))
    return Verdict(sum(costs_of(instance, solution.groups)), violated)


def costs_of(instance: PairPartition, groups: Sequence[Sequence[int]]) -> list[int]:
    """Return what groups cost that partition the items.

    All at once: those of points from the middles of groups. Whole parts of these are
    less than 1 away from the middle on every axis: so what is taken away is below s^2
    for s points, and the squares of the whole are not multiplied before 1 / s is taken.
    """
    held = PackedGroups.of(groups)
    sizes, home = held.sizes, labels_of(held, instance.n)
    is_sum = instance.objective == "sum"
    if instance.points is None:
        first, second, cost = instance.listed
        inside = home[first] == home[second]
        paid = np.zeros(len(held), dtype=np.int64)
        np.add.at(paid, home[first[inside]], cost[inside])
        shared: list[int] = (paid if is_sum else paid // np.maximum(sizes, 1)).tolist()
        return shared
    squares, less = np.zeros((2, len(held)), dtype=np.int64)
    for axis in instance.places.T:
        away = axis - (held.sums(axis) // sizes)[home]
        squares += held.sums(np.square(away))
        less += np.square(held.sums(away))
    paid = sizes * squares - less if is_sum else squares + -less // sizes
    found: list[int] = paid.tolist()
    return found


def _violations(
    instance: PairPartition, groups: Sequence[Sequence[int]]
) -> Iterator[str]:
    sizes = PackedGroups.of(groups).sizes
    for g in np.flatnonzero(sizes < instance.k).tolist():
        yield f"group {g} has {sizes[g]} items, fewer than k = {instance.k}"
    for g, group in enumerate(groups if instance.connected else ()):
        if not is_connected(instance, group):
            yield f"group {g} is not connected"
    if instance.groups is not None:
        least, most = instance.groups
        if not least <= len(groups) <= most:
            yield f"{len(groups)} groups, where there have to be {least} to {most}"
    for g, group in enumerate(groups if instance.quantities else ()):
        for quantity in instance.quantities:
            wrong = quantity.violation(group)
            if wrong is not None:
                yield f"group {g} {wrong}"
    if not instance.together and not instance.apart:
        return
    owner = {item: g for g, group in enumerate(groups) for item in group}
    for items in instance.together or ():
        if len({owner[item] for item in items}) > 1:
            yield f"items {list(items)} are not together"
    for items in instance.apart or ():
        if len({owner[item] for item in items}) < len(items):
            yield f"of the items {list(items)} two are in one group"


def is_connected(instance: PairPartition, group: Sequence[int]) -> bool:
    """Return whether edges connect a group."""
    if not group:
        return True
    place = {item: at for at, item in enumerate(group)}
    beside = (instance.neighbours[item] for item in group)
    among = [[place[other] for other in some if other in place] for some in beside]
    return len(next(breadth_first(among))) == len(among)
