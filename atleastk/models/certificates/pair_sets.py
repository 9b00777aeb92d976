"""All groups of pair partition that are worth more than a number, from any prices.

*Prices* are integers: a scale D >= 1, a weight y_i of every item, a price m of every
group, and prices p_t >= 0 of triples of items. A group S is *worth*

    y(S) - D c(S) - (the p_t of triples of which S has two items or three).

Groups are disjoint, so at most one of a solution has two items or more of a triple. The
worths of g groups of a solution therefore add up to sum y - sum p - D times its cost at
least: if none is worth more than m, it costs at least (sum y - g m - sum p) / D.

The search goes through sets by their first item and sizes, many sets of one size at a
time. A set S with candidates C can only become one of size s if S and the s - |S| best
of C do, where a candidate j pays for the pairs with S, and half of its cheapest
s - |S| - 1 others. One that is not among these is left out if it may not take the place
of the last. Where groups are connected by all pairs that cost anything, S grows
by neighbours. Then, for costs of at least 0, nothing is paid by halves: a candidate
that touches S not yet pays for its cheapest pair, the one that leads to S.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, Final, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.fields.shapes import Integer
from atleastk.instances.pair_partition import MOST_TOTAL, PairPartition
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates import weights as entries
from atleastk.models.certificates.pair_triangles import triangles_of
from atleastk.models.in_time import look_up

MOST_SUM: Final = 2**62
"""Numbers of the search stay below, in 64 bits."""

_CELLS: Final = 4_000_000
"""Sets that are extended at a time, times the pairs of items. Not tuned."""

_LEADING: Final = 4
"""Of the cheapest pairs of an item, those that are looked at one by one. Not tuned."""

_LOOKED: Final = 7
"""Sizes that are bounded one by one; larger ones are bounded together."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupPrices(entries.Prices):
    """Prices of items, of a group and of triples, as a certificate has them."""

    @classmethod
    def parsed(cls, document: Mapping[str, Any], instance: PairPartition) -> Self:
        """Read prices; without triples none has a price."""
        scale = entries.field(document, "scale", Integer(minimum=1))
        weights = entries.weights_of(document, instance.n)
        group = entries.field(document, "group", Integer())
        rows = [*triangles_of({"triples": [], **document}, "triples", instance.n)]
        most = 4 * scale * max(1, instance.total) + sum(map(abs, weights)) + abs(group)
        most += sum(row[-1] for row in rows)
        if most * (instance.n + 2) >= MOST_SUM:
            raise NotApplicableError("the weights are too large to re-check")
        named = np.array(rows, dtype=np.int64).reshape(-1, 4)
        y = np.array(weights, dtype=np.int64)
        return cls(scale, y, group, named[:, :3], named[:, 3])

    def to_dict(self) -> dict[str, Any]:
        """Return what `parsed` reads."""
        named = np.column_stack((self.triples, self.of_triples)).tolist()
        prices = {"scale": self.scale, "weights": self.weights.tolist()}
        return {**prices, "group": self.group} | ({"triples": named} if named else {})

    def worth(self, has: BoolArray, costs: IntArray) -> IntArray:
        """Return what groups are worth, by their items, [group, item], and costs."""
        found: IntArray = has @ self.weights - self.scale * costs
        for triple, price in zip(self.triples, self.of_triples, strict=True):
            found -= price * (has[:, triple].sum(axis=1) >= 2)
        return found

    def total(self, counts: range) -> int:
        """Return D times the least cost for these numbers of groups."""
        paid = max(self.group * counts[0], self.group * counts[-1])
        return int(self.weights.sum()) - paid - int(self.of_triples.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """Sets of items of one size; all items are in the order of the search."""

    has: BoolArray  # [set, item]
    free: BoolArray  # [set, item]: whether it is a candidate
    paying: IntArray  # [set, item]: for pairs with the set
    pairs: IntArray  # [set]: what its own pairs cost

    def __getitem__(self, some: BoolArray | slice) -> _Sets:
        return _Sets(
            self.has[some], self.free[some], self.paying[some], self.pairs[some]
        )

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def size(self) -> int:
        """How many items each of them has."""
        return int(self.has[0].sum()) if len(self) else 0


def groups_above(
    instance: PairPartition, prices: GroupPrices, worth: int, most: int
) -> Iterator[tuple[BoolArray, IntArray]]:
    """Yield all groups worth more than a number, some at a time, and their costs.

    Groups are [group, item], of the sizes that some best solution needs. Raise
    NotApplicableError if the sets that have to be looked at, times the items, are more
    than `most`.
    """
    n, search, looked = instance.n, _Search(instance, prices, worth), 0
    none, every = np.zeros((1, n), dtype=np.bool_), np.ones((1, n), dtype=np.bool_)
    no_items = _Sets(none, every, none.astype(np.int64), np.zeros(1, dtype=np.int64))
    step, open_sets = max(1, _CELLS // max(1, n * n)), [no_items]
    while open_sets:
        look_up()
        sets = search.extended(open_sets.pop())
        looked += n * len(sets)
        if looked > most:
            raise NotApplicableError("the certificate is too large to re-check")
        has, costs = search.wanted(sets)
        yield has[:, search.place], costs
        left = search.hopeful(sets)
        open_sets += (left[at : at + step] for at in range(0, len(left), step))


class _Search:
    """What the search knows of an instance: items ascend by their weights.

    Attributes
    ----------
    place
        Of every item in that order.
    """

    def __init__(
        self, instance: PairPartition, prices: GroupPrices, worth: int
    ) -> None:
        n, order = instance.n, np.argsort(prices.weights, kind="stable")
        self.place = np.argsort(order)
        self._instance, self._worth = instance, max(worth, -MOST_SUM)
        places = self.place[prices.triples]
        self._prices = replace(prices, weights=prices.weights[order], triples=places)
        self._matrix = instance.matrix[np.ix_(order, order)]
        self._decided = _decided(instance).only(order.tolist())
        self._amounts = [np.array(q.amounts)[order] for q in instance.quantities]
        self._squares = instance.objective == "squares"
        self._beside = np.ones((n, n), dtype=np.float32)  # which items touch
        self._leading = np.zeros((0, n), dtype=np.int64)
        far = np.where(np.eye(n, dtype=np.bool_), MOST_TOTAL, self._matrix)
        cheap = np.sort(far, axis=0)[: max(0, min(n, instance.most_size) - 1)]
        if instance.connected:
            adjacent = instance.adjacent[np.ix_(order, order)]
            self._beside = adjacent.astype(np.float32)
            if instance.pays_along and not instance.has_reliefs:
                costs = np.where(adjacent, self._matrix, MOST_TOTAL)
                self._leading = np.argsort(costs, axis=0, kind="stable")[:_LEADING]
                cheap[:] = 0
        none = np.zeros((1, n), dtype=np.int64)
        self._nearest = np.concatenate((none, np.cumsum(cheap, axis=0)))
        self._any = np.minimum.accumulate(self._nearest[::-1], axis=0)[::-1]
        self._looked = _LOOKED if self._squares or cheap.any() else 0

    def wanted(self, sets: _Sets) -> tuple[BoolArray, IntArray]:
        """Return those that are groups and are worth enough, and their costs."""
        instance, size = self._instance, sets.size
        costs = sets.pairs // max(1, size) if self._squares else sets.pairs
        fits = np.full(len(sets), instance.k <= size <= instance.most_size)
        fits &= self._prices.worth(sets.has, costs) > self._worth
        has, costs = sets.has[fits], costs[fits]
        fits = self._decided.allows(has)
        for quantity, amounts in zip(instance.quantities, self._amounts, strict=True):
            held = has @ amounts
            fits &= (quantity.low <= held) & (held <= quantity.high)
        return has[fits], costs[fits]

    def extended(self, sets: _Sets) -> _Sets:
        """Return the sets with one candidate that touches them, each set once."""
        near = sets.free & self._touched(sets) if sets.size else sets.free
        parent, item = np.nonzero(near)
        has = sets.has[parent]
        has[np.arange(len(item)), item] = True
        later = np.arange(near.shape[1]) > item[:, None]
        free = sets.free[parent] & (later | ~near[parent]) & ~self._decided.apart[item]
        pairs = sets.pairs[parent] + sets.paying[parent, item]
        return _Sets(has, free, sets.paying[parent] + self._matrix[item], pairs)

    def hopeful(self, sets: _Sets) -> _Sets:
        """Return sets that may be worth enough, with the candidates that they may have.

        A candidate that is not among the best of a size takes the place of the last.
        """
        instance, prices, held = self._instance, self._prices, sets.size
        given = prices.worth(sets.has, np.zeros(len(sets), dtype=np.int64))
        rounded = prices.scale if self._squares else 0
        paying, free = (
            self._led_to(sets) if len(self._leading) else (sets.paying, sets.free)
        )
        wanted = np.zeros_like(free)
        count, first = free.sum(axis=1), max(instance.k, held + 1)
        for size in range(first, min(instance.most_size, first + self._looked) + 1):
            more, endless = size - held, size == first + self._looked
            shared = 2 * size if self._squares else 2
            furthest = 2 * instance.most_size if endless and self._squares else shared
            halves = (self._any if endless else self._nearest)[more - 1]
            paid = prices.scale * (2 * paying + halves)
            values = np.minimum(paid // shared, paid // furthest) - prices.weights
            values[~free] = MOST_SUM // (instance.n + 2)
            best = np.partition(values, min(more, instance.n) - 1, axis=1)[:, :more]
            least, last = best.sum(axis=1), best[:, -1:]
            if endless:
                others = np.minimum(values, 0).sum(axis=1)
                least += others - np.minimum(best, 0).sum(axis=1)
                values, last = np.maximum(values, 0), np.maximum(last, 0)
            inside = 2 * prices.scale * sets.pairs
            least += np.minimum(inside // shared, inside // furthest)
            spare = given - least + rounded - self._worth
            enough = spare[:, None] > np.maximum(values - last, 0)
            wanted |= free & enough & (count >= more)[:, None]
        left: BoolArray = np.logical_or.reduce(wanted, axis=1)
        return replace(sets, free=wanted)[left]

    def _touched(self, sets: _Sets) -> BoolArray:
        touched: BoolArray = sets.has.astype(np.float32) @ self._beside > 0
        return touched

    def _led_to(self, sets: _Sets) -> tuple[IntArray, BoolArray]:
        """Return what candidates pay at least, and which of them can be reached.

        One that does not touch a set pays for its cheapest pair with a candidate.
        """
        known = self._touched(sets)
        paying = np.where(known, sets.paying, 0)
        items, (*others, last) = np.arange(self._instance.n), self._leading
        for other in others:
            fresh = sets.free[:, other] & (self._beside[other, items] > 0) & ~known
            paying += np.where(fresh, self._matrix[other, items], 0)
            known |= fresh
        reach = self._beside[last, items] > 0
        paying += np.where(known, 0, self._matrix[last, items])
        return paying, sets.free & (known | reach)


def _decided(instance: PairPartition) -> Decided:
    """Return which items have to be in one group, and which may not."""
    decided = Decided.nothing(instance.n)
    for some in instance.together or ():
        for a, b in pairwise(some):
            decided = decided.by_pair(a, b)[0]
    for some in instance.apart or ():
        for a, b in combinations(some, 2):
            decided = decided.by_pair(a, b)[1]
    return decided
