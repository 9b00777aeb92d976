"""Pair partition: the pricing oracle, by branch and bound over sets of items.

A group is found from its first item, in the order of their weights: others before it
are not available, so that few are to those of great weights. A set S with available
items A can become a group of size s only with the s - |S| cheapest of A at most, where
an item j pays for its pairs with S, and for half of its s - |S| - 1 cheapest pairs with
anyone: every pair within the rest is paid for by both of its items at most once. Its
weight is taken off. An item is included, then excluded.

Where groups have to be connected it is a neighbour of the set, and no halves are paid
if only pairs that connect cost something: an item that is no neighbour yet pays for its
cheapest one. In a group each such item has a pair of its own that leads to the set, so
none is paid for twice. That needs costs of at least 0; else halves are paid there, too.

Groups of any size are bounded by classes instead
(:mod:`~atleastk.solvers.pair_partition.class_search`), and connected ones of a graph
with small boundaries are the ways through a diagram
(:mod:`~atleastk.solvers.pair_partition.connected_diagram`).

Groups cost more here by the reliefs of their items (`reliefs` of the instance): then
none costs less than nothing, and a solution costs more by the sum of all, its *lift*.

Divided by the size for ``squares``; rounding down loses less than 1 there. All is in
scaled integers, so that a search that is complete proves what it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.weights import Prices
from atleastk.packages import csgraph, sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import (
    Frame,
    Priced,
    scale_for,
    spread,
)
from atleastk.solvers.pair_partition.class_search import search as class_search
from atleastk.solvers.pair_partition.connected_diagram import diagram_of
from atleastk.solvers.pair_partition.connected_diagram import search as diagram_search
from atleastk.solvers.pair_partition.searched import (
    Asked,
    Costs,
    Found,
    is_admissible,
    keep,
    reduced_of,
)

MOST_PRICED: Final = 1_000
"""Items for which groups are priced: at k = 3 a minute is enough. Not tuned."""

_EFFORTS: Final = (2_000, 50_000, 2**62)
"""Sets that are looked at from each first item, one effort after the other while no
group of negative reduced cost is found: at last all. Not tuned."""

_MOST_FOUND: Final = 20_000
"""Groups of one round."""

_PACKED: Final = 7
"""Items above k from which on groups are bounded by classes. Not tuned."""

_LOOKED: Final = 7
"""Sizes that are bounded one by one; larger ones are bounded together."""

_NONE: Final = 2**62
"""Above every reduced cost."""


class PairOracle:
    """The pricing oracle of an instance.

    Parameters
    ----------
    budget
        Of the diagram of connected groups, which is made if it fits.

    Attributes
    ----------
    lift
        What the groups of a solution cost more than it does.
    above
        More than the groups of any solution cost.
    """

    def __init__(self, instance: PairPartition, budget: Budget) -> None:
        n, counts = instance.n, instance.counts
        large = instance.most_size > instance.k + _PACKED
        self._packs = instance.objective == "sum" and large
        self.lift = int(instance.reliefs.sum())
        self.above = instance.total + self.lift + 1
        greatest = 4 * self.above
        self._instance, self._costs = instance, _costs_of(instance)
        self._diagram = None
        along = instance.connected and instance.pays_along
        if along and instance.objective == "sum":
            self._diagram = diagram_of(self._costs, budget)
        self.frame = Frame(
            np.ones(n, dtype=np.int64),
            scale_for(n, greatest),
            greatest,
            counts[0] if counts else 0,
            counts[-1] if counts else 0,
        )

    @property
    def order(self) -> list[int] | None:
        """The order of items along which connected groups are priced, if they are."""
        return None if self._diagram is None else self._diagram.order.tolist()

    def price(self, prices: Prices, budget: Budget) -> Priced | None:
        """Return groups of negative reduced cost, none if there is none."""
        rounding = -2 * self.frame.n  # what rounded weights make of a cost of 0
        for effort in _EFFORTS:
            found, least = self._searched(
                prices, rounding, True, _MOST_FOUND, effort, budget
            )
            if found is None:
                return None
            priced = Priced(self._groups(found, few=True), self._least(least))
            if priced.groups.count or least.min(initial=0) > rounding:
                break
        return priced

    def listed(
        self, prices: Prices, spare: int, most: int, budget: Budget
    ) -> Groups | None:
        """Return all groups of reduced cost up to `spare`; None if more than `most`."""
        found, _ = self._searched(prices, spare, False, most, _EFFORTS[-1], budget)
        return None if found is None else self._groups(found)

    def narrow(self, prices: Prices, spare: int) -> None:
        """Nothing is remembered that could be forgotten."""

    def greatest_worth(self, prices: Prices, budget: Budget) -> int | None:
        """Return a number that no group's weights less its scaled cost are above."""
        found, least = self._searched(
            prices, -1, True, _MOST_FOUND, _EFFORTS[-1], budget
        )
        if found is None:
            return None
        return prices.group - min(0, int(least.min(initial=0)))

    def plain(self, prices: Prices) -> IntArray:
        """Return weights that say the same of costs without reliefs."""
        return prices.weights - prices.scale * self._instance.reliefs

    def groups_of(self, members: Iterable[Sequence[int]]) -> Groups:
        """Return groups with their costs."""
        instance, groups = self._instance, [sorted(group) for group in members]
        costs = [
            instance.cost_of(group) + int(instance.reliefs[group].sum())
            for group in groups
        ]
        return Groups.listed(self.frame.n, groups, costs)

    def _least(self, least: IntArray) -> int:
        """Return what the reduced costs of a solution sum to: a group a first item."""
        most = self.frame.most or 0
        negative = np.sort(np.minimum(least, 0))
        return int(negative[:most].sum())

    def _groups(self, found: Found, few: bool = False) -> Groups:
        """Return the groups that were found, or some of them with all items."""
        starts, n = np.concatenate(([0], found.ends)), self.frame.n
        chosen = range(len(found.ends))
        if few and chosen:
            chosen = spread(starts, found.items, found.reduced, n).tolist()
        return self.groups_of(
            found.items[starts[g] : starts[g + 1]].tolist() for g in chosen
        )

    def _searched(
        self,
        prices: Prices,
        spare: int,
        only_better: bool,
        most: int,
        effort: int,
        budget: Budget,
    ) -> tuple[Found | None, IntArray]:
        """Return groups up to `spare`, and by first item the least reduced cost."""
        n = self.frame.n
        asked = Asked(
            prices.scale,
            self.plain(prices),
            prices.group,
            prices.triples,
            prices.of_triples,
            spare,
            only_better,
        )
        room = most * max(1, self._costs.most)
        found = Found(
            np.zeros(most, dtype=np.int64),
            np.zeros(min(room, 2**26), dtype=np.int64),
            np.zeros(most, dtype=np.int64),
        )
        least = np.zeros(n, dtype=np.int64)
        order = np.argsort(asked.weights, kind="stable")
        with budget.flagging() as flag:
            if self._diagram is not None:
                count = diagram_search(
                    self._diagram, self._costs, asked, effort, found, least, flag
                )
            else:
                search = class_search if self._packs else _search
                count = search(self._costs, asked, order, effort, found, least, flag)
        if count < 0:
            return None, least
        size = found.ends[count - 1] if count else 0
        return (
            Found(found.ends[:count], found.items[:size], found.reduced[:count]),
            least,
        )


def _costs_of(instance: PairPartition) -> Costs:
    """Return what the search reads."""
    n, matrix = instance.n, instance.matrix
    itself = np.eye(n, dtype=np.bool_)
    apart = paired(n, instance.apart)
    nearest, relieved = cheapest_sums(matrix, instance.most_size), instance.has_reliefs
    adjacent, cheapest = ~itself, np.zeros(n, dtype=np.int64)
    if instance.connected:
        adjacent = instance.adjacent
    if relieved:
        cheapest -= _NONE >> 2  # nothing is known of them
    elif instance.connected and instance.pays_along:  # each is paid for once: no halves
        listed = np.where(adjacent, matrix, _NONE)
        cheapest = listed.min(axis=1, initial=_NONE)
        cheapest[cheapest == _NONE] = 0
        nearest = np.zeros_like(nearest)
    together = together_classes(instance)
    quantities = instance.quantities
    amounts = [q.amounts for q in quantities]
    return Costs(
        matrix,
        adjacent,
        nearest,
        np.minimum.accumulate(nearest[:, ::-1], axis=1)[:, ::-1].copy(),
        cheapest,
        apart,
        np.array(amounts, dtype=np.int64).reshape(len(amounts), n),
        np.array([q.low for q in quantities], dtype=np.int64),
        np.array([q.high for q in quantities], dtype=np.int64),
        together,
        np.bincount(together, minlength=n),
        instance.objective == "squares",
        instance.connected,
        relieved,
        instance.k,
        instance.most_size,
    )


def cheapest_sums(matrix: IntArray, size: int) -> IntArray:
    """Return what an item's cheapest pairs cost, in a group of up to that many items.

    [item, others]: the sum of the costs with its cheapest so many others.
    """
    n = len(matrix)
    others = np.where(np.eye(n, dtype=np.bool_), _NONE, matrix)
    cheap = np.sort(others, axis=1)[:, : max(0, min(size, n) - 1)]
    nothing = np.zeros((n, 1), dtype=np.int64)
    return np.concatenate((nothing, np.cumsum(cheap, axis=1)), axis=1)


def paired(n: int, lists: Iterable[Sequence[int]] | None) -> BoolArray:
    """Return which pairs of n items are of one list."""
    found = np.zeros((n, n), dtype=np.bool_)
    for some in lists or ():
        found[np.ix_(some, some)] = True
    np.fill_diagonal(found, False)
    return found


def together_classes(instance: PairPartition) -> IntArray:
    """Return for every item the first one that it has to be together with."""
    lists = [some for some in instance.together or () if some]
    if not lists:
        return np.arange(instance.n)
    ends = np.array([(some[0], item) for some in lists for item in some]).T
    pairs = sparse.coo_array((np.ones(ends.shape[1]), ends), (instance.n,) * 2)
    _, classes = csgraph.connected_components(pairs, directed=False)
    firsts = np.unique(classes, return_index=True)[1]
    found: IntArray = firsts[classes]
    return found


@compiled
def _search(
    costs: Costs,
    asked: Asked,
    order: IntArray,  # [place]: items, as they come first in groups
    effort: int,
    found: Found,
    least: IntArray,
    flag: ByteArray,
) -> int:
    """Fill `found` and `least`; return the number of groups, -1 if that is too much."""
    n = len(asked.weights)
    free = np.zeros(n, dtype=np.bool_)  # available
    inside = np.zeros(n, dtype=np.bool_)
    stack = np.zeros(n + 1, dtype=np.int64)  # items included, in order
    trail = np.zeros(n + 1, dtype=np.int64)  # items decided, in order
    paying = np.zeros((n + 1, n), dtype=np.int64)  # by depth: pairs with the set
    banned = np.zeros(n, dtype=np.int64)  # how many of the set an item is apart from
    touching = np.zeros(n, dtype=np.int64)  # how many of the set are its neighbours
    counted = np.zeros(n, dtype=np.int64)  # by class
    smallest = np.zeros(n + 1, dtype=np.int64)
    count = 0
    rank = np.zeros(n, dtype=np.int64)
    for place in range(n):
        rank[order[place]] = place
    for first in order:
        # Only items after the first one are available, and the set is the first one.
        for j in range(n):
            free[j] = rank[j] > rank[first]
            inside[j] = False
            banned[j] = 1 if costs.apart[first, j] else 0
            touching[j] = 1 if costs.adjacent[first, j] else 0
            paying[1, j] = costs.matrix[first, j]
        inside[first] = True
        stack[0] = first
        held, decided, looked = 1, 0, 0
        pairs, given = 0, asked.weights[first]
        best = asked.spare + 1
        bound = _NONE
        entering = True
        while True:
            if entering:
                # A new set: is it a group that is wanted?
                looked += 1
                if flag[0] != 0:
                    return -1
                if costs.least <= held <= costs.most:
                    reduced = reduced_of(costs, asked, inside, held, pairs, given)
                    if reduced < best and is_admissible(costs, stack, held, counted):
                        count = keep(found, count, stack, held, reduced)
                        if count < 0:
                            return -1
                        if asked.only_better:
                            best = reduced
                entering = False
            # Can it be extended to one that is better? Then by which item?
            low, item = _bounded(
                costs,
                asked,
                free,
                banned,
                touching,
                paying[held],
                held,
                pairs,
                given,
                smallest,
            )
            if low < best and item >= 0 and looked <= effort:
                trail[decided] = item
                decided += 1
                free[item] = False
                # Include it.
                for j in range(n):
                    paying[held + 1, j] = paying[held, j] + costs.matrix[item, j]
                    banned[j] += costs.apart[item, j]
                    touching[j] += costs.adjacent[item, j]
                pairs += paying[held, item]
                given += asked.weights[item]
                inside[item] = True
                stack[held] = item
                held += 1
                entering = True
                continue
            if low < best and item >= 0:
                bound = min(bound, low)
            # Go back: free what was excluded since the last item was included, and
            # exclude that one.
            if held == 1:
                break
            last = stack[held - 1]
            while trail[decided - 1] != last:
                decided -= 1
                free[trail[decided]] = True
            held -= 1
            inside[last] = False
            pairs -= paying[held, last]
            given -= asked.weights[last]
            for j in range(n):
                banned[j] -= costs.apart[last, j]
                touching[j] -= costs.adjacent[last, j]
        least[first] = min(best, bound) if asked.only_better else bound
    return count


@compiled
def _bounded(
    costs: Costs,
    asked: Asked,
    free: BoolArray,
    banned: IntArray,
    touching: IntArray,
    paying: IntArray,
    held: int,
    pairs: int,
    given: int,
    smallest: IntArray,
) -> tuple[int, int]:
    """Return a bound of the groups that extend a set, and the item to decide about.

    The item is -1 if none is available.
    """
    n, item, worth = len(free), -1, _NONE
    for j in range(n):
        if free[j] and banned[j] == 0 and touching[j] > 0:
            value = asked.scale * paying[j]
            if costs.squares:
                value //= held + 1
            if value - asked.weights[j] < worth:
                item, worth = j, value - asked.weights[j]
    if item < 0 or held >= costs.most:
        return _NONE, -1
    low = _NONE
    begin = max(costs.least, held + 1)
    for size in range(begin, min(costs.most, begin + _LOOKED) + 1):
        # The cheapest items, in order; of many, all that cost less than nothing too.
        more, filled, others = size - held, 0, 0
        open_end = size == begin + _LOOKED and size < costs.most
        shared = 2 * size if costs.squares else 2
        furthest = 2 * costs.most if open_end and costs.squares else shared
        nearest = costs.any_nearest if open_end else costs.nearest
        for j in range(n):
            if not free[j] or banned[j] != 0:
                continue
            paid = 2 * paying[j] + nearest[j, more - 1]
            paid = asked.scale * max(paid, 2 * costs.cheapest[j])
            value = min(paid // shared, paid // furthest) - asked.weights[j]
            if filled < more:
                place = filled
                filled += 1
            elif value < smallest[filled - 1]:
                place = filled - 1
                others += min(0, smallest[place])
            else:
                others += min(0, value)
                continue
            while place > 0 and smallest[place - 1] > value:
                smallest[place] = smallest[place - 1]
                place -= 1
            smallest[place] = value
        if filled < more:
            break
        paid = 2 * asked.scale * pairs
        total = asked.group - given + min(paid // shared, paid // furthest)
        if costs.squares:
            total -= asked.scale  # what rounding down may take away
        for p in range(filled):
            total += smallest[p]
        low = min(low, total + others if open_end else total)
    return low, item
