"""Pair partition: the judge.

Every partition of a few items is tried, by the definition alone, without bounds or any
part of what it judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from atleastk.instances.pair_partition import PairPartition
from atleastk.solvers.brute_force.bin_covering import (
    cheapest,
    partitions,
    refuse_more,
)

ITEMS = 9
"""The most items that the judge takes."""


def optimum(instance: PairPartition) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    refuse_more(instance.n, ITEMS, "items")
    pairs = _pairs(instance)

    def cost_of(groups: list[list[int]]) -> int | None:
        if not _is_allowed(instance, pairs, groups):
            return None
        return sum(_cost(instance, pairs, group) for group in groups)

    return cheapest(partitions(instance.n), cost_of)


def _pairs(instance: PairPartition) -> dict[frozenset[int], int]:
    if instance.points is None:
        return {frozenset((i, j)): cost for i, j, cost in instance.costs or ()}
    return {
        frozenset((i, j)): sum((x - y) ** 2 for x, y in zip(p, q, strict=True))
        for (i, p), (j, q) in combinations(enumerate(instance.points), 2)
    }


def _cost(
    instance: PairPartition, pairs: dict[frozenset[int], int], group: Sequence[int]
) -> int:
    paid = sum(pairs.get(frozenset(pair), 0) for pair in combinations(group, 2))
    return paid // len(group) if instance.objective == "squares" else paid


def _is_allowed(
    instance: PairPartition,
    pairs: dict[frozenset[int], int],
    groups: Sequence[Sequence[int]],
) -> bool:
    low, high = instance.groups or (0, instance.n)
    edges = {*pairs} if instance.edges is None else {*map(frozenset, instance.edges)}
    return (
        low <= len(groups) <= high
        and all(len(group) >= instance.k for group in groups)
        and all(_holds(instance, group) for group in groups)
        and not (instance.connected and any(_falls_apart(edges, g) for g in groups))
    )


def _holds(instance: PairPartition, group: Sequence[int]) -> bool:
    """Tell whether a group has what is required of every group."""
    for asked in instance.require or ():
        of, least = asked["of"], asked.get("at_least", float("-inf"))
        most = asked.get("at_most", float("inf"))
        if of == "items":
            held = [len(group)]
        elif all(isinstance(value, str) for value in of):
            held = [sum(of[item] == word for item in group) for word in set(of)]
        else:
            held = [sum(of[item] for item in group)]
        if not all(least <= amount <= most for amount in held):
            return False
    inside = set(group)
    return all(
        len(inside.intersection(some)) in (0, len(some))
        for some in instance.together or ()
    ) and all(len(inside.intersection(some)) <= 1 for some in instance.apart or ())


def _falls_apart(edges: set[frozenset[int]], group: Sequence[int]) -> bool:
    """Tell whether no edge crosses some division of a group in two."""
    first, *rest = group
    return any(
        not any(frozenset((i, j)) in edges for i in (first, *some) for j in others)
        for size in range(len(rest))
        for some in combinations(rest, size)
        if (others := [item for item in rest if item not in some])
    )
