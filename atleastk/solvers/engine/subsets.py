"""Dynamic programming over all subsets of a few items, for any price of a group.

best(A) is the least cost of a partition of the items A into groups; the group that
holds the first item of A is each of its subsets in turn: O(3^n) time and O(2^n) space,
once for every number of groups if that is limited. No bounds and no solver.

Items may be left over: best(A) is looked up for all sets A that leave few enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final, TypeVar

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.instances.instance import Instance
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.rows import Row, row
from atleastk.solvers.engine.modelled import Begin, Methods
from atleastk.solvers.engine.stages import SOURCE
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

MOST_ITEMS: Final = 16
"""The most items: all their subsets, 65,536, are priced at once."""

NEVER: Final = 2**63 - 1
"""The price of an inadmissible group, unless prices are beyond 64 bits."""

FEW: Final = 8
"""Up to this many items, plain Python is faster than loading a compiled loop."""


@dataclass(frozen=True, slots=True, eq=False)
class Priced:
    """The price of every set of items, and the limits of a partition."""

    prices: Row  # by set, as bits of its items: an array, or a list
    greatest: bool  # whether its dearest group is what a partition costs; else the sum
    most_groups: int  # how many groups there may be
    most_left: int = 0  # how many items may be in none
    never: int = NEVER  # the price of what is no group; sums of n prices stay below
    fewest_groups: int = 0  # if more than 1, no item is left over

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.prices).bit_length() - 1


def refuses(instance: Any, most: int = MOST_ITEMS) -> str | None:
    """Say why an instance of this many items cannot be taken, or None if it can."""
    if instance.n <= most:
        return None
    return f"{instance.n} items have too many subsets; it takes {most}"


def sums(amounts: Iterable[int]) -> IntArray:
    """Return the sum of the amounts of the items of every set."""
    found = np.zeros(1, dtype=np.int64)
    for amount in amounts:
        found = np.concatenate((found, found + amount))
    return found


def sizes(n: int) -> IntArray:
    """Return how many of n items every set has."""
    return sums(repeat(1, n))


def connected(neighbours: Sequence[Iterable[int]]) -> BoolArray:
    """Return of every set of nodes whether it is connected; the empty one is not.

    A set of two nodes or more is if and only if it is so without one of its nodes, and
    that node has a neighbour in the rest. O(n 2^n) for all sets, by their size.
    """
    n = len(neighbours)
    sets, size_of = np.arange(1 << n, dtype=np.int64), sizes(n)
    found: BoolArray = size_of == 1
    around = [sum(1 << v for v in nodes) for nodes in neighbours]
    for size in range(2, n + 1):
        those = sets[size_of == size]
        for node in range(n):
            held = those[those >> node & 1 == 1]
            rest = held ^ (1 << node)
            found[held] |= found[rest] & (rest & around[node] != 0)
    return found


def by_subsets(
    summary: str,
    begin: Begin[I],
    best_partition: Callable[[I, Budget], list[list[int]] | None],
    refuses: Callable[[I], str | None] = refuses,
) -> Method[I]:
    """Return the method that finds a best partition, unless the budget ends before.

    Its groups are None if there are none or the budget ends first.
    """

    def minimise(search: Search[I], source: str) -> None:
        if search.budget.spent:
            return
        groups = best_partition(search.instance, search.budget)
        if groups is not None:
            search.offer(groups, source)
            search.conclude(source)
        elif not search.budget.spent:
            search.close_infeasible(source)

    return Methods(begin).one(SOURCE, summary, "combinatorial", minimise, refuses)


def cheapest(
    price: Callable[[I], Priced],
) -> Callable[[I, Budget], list[list[int]] | None]:
    """Return what finds the best groups of an instance at the prices of its sets."""
    return lambda instance, budget: best_groups(price(instance), budget)


def best_groups(priced: Priced, budget: Budget) -> list[list[int]] | None:
    """Return groups of least cost; None if there are none or the budget ends first."""
    plain = priced.n <= FEW or isinstance(priced.prices, list)
    find = _find if plain else _find_compiled
    prices = list(map(int, priced.prices)) if plain else priced.prices
    best = [row([0, *repeat(priced.never, len(prices) - 1)], fits=not plain)]
    chosen: list[Row] = []
    # Without a limit every layer would be the same, and refers to itself. With a least
    # number of groups a layer has so many exactly, else so many at most.
    exact = priced.fewest_groups > 1
    limited = exact or 0 < priced.most_groups < priced.n
    with budget.flagging() as flag:
        for _ in range(priced.most_groups if limited else 1):
            if budget.spent:
                return None
            after = best[0].copy()
            after[0] = priced.never if exact else 0
            groups = row(repeat(0, len(prices)), fits=not plain)
            before = best[-1] if limited else after
            find(prices, priced.never, priced.greatest, before, after, groups, flag)
            best.append(after)
            chosen.append(groups)
        if flag[0]:
            return None
    layers = range(priced.fewest_groups, len(best)) if exact else [len(best) - 1]
    layer = min(layers, key=lambda layer: int(best[layer][-1]), default=0)
    return _traced(priced, best[layer], chosen[:layer], limited=limited)


def _traced(
    priced: Priced, costs: Row, chosen: Sequence[Row], *, limited: bool
) -> list[list[int]] | None:
    """Return the groups of the cheapest set that leaves few enough items."""
    least = priced.n - priced.most_left
    first = 0 if priced.most_left else len(costs) - 1
    enough = [items for items in range(first, len(costs)) if items.bit_count() >= least]
    rest = min(enough, key=lambda items: (costs[items], -items.bit_count(), items))
    if costs[rest] == priced.never:
        return None
    found, layer = [], len(chosen) - 1
    while rest:
        group = int(chosen[layer][rest])
        found.append([item for item in range(priced.n) if group >> item & 1])
        rest ^= group
        layer -= limited
    return found


def _find(
    prices: Row,
    never: int,
    greatest: bool,
    before: Row,
    after: Row,
    groups: Row,
    flag: ByteArray,
) -> None:
    """Fill in, for every set, its least cost and the group of its first item.

    The items outside this group cost `before[items]`. Group 0 stands for none. If the
    flag is raised, larger sets are not filled in. All rows are indexed [set as bits].
    """
    for items in range(1, len(prices)):
        if (items & 255) == 0 and flag[0] != 0:
            return
        # The group of the first item: itself with every subset of the other items.
        first = items & -items
        others = items ^ first
        joined = others
        while True:
            group = joined | first
            price, rest = prices[group], before[items ^ group]
            if price != never and rest != never:
                cost = max(rest, price) if greatest else rest + price
                if cost < after[items]:
                    after[items] = cost
                    groups[items] = group
            if joined == 0:
                break
            joined = (joined - 1) & others


_find_compiled = compiled(_find)
