"""Connected groups along an order of the items: how much one is worth at most.

Items are taken one by one. The *boundary* are the items taken that have neighbours
still to come. Of a set of items taken so far, a state keeps which of the boundary are
in it, which of those are in one piece of it, and what it holds of all that groups have
limits for, as far as it counts. That decides how the set may go on: two sets of one
state become connected groups by the same items, at the same costs. So the one that is
worth more stands for both, and the worth of the best group is found without listing
groups.

*Invariant.* A set dies when a piece leaves the boundary beside another one: they never
meet. It is whole when its only piece leaves. So a state with nothing in the boundary is
that of no item.

The states of one step may be exponentially many in the boundary; pieces are numbers of
four bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.pair_partition import PairPartition

_WIDEST: Final = 15
"""Items of a boundary, at most: their pieces fit 64 bits."""


class _Limit(NamedTuple):
    """A number of every item, of which the sum over a group has limits."""

    amounts: IntArray  # [item]
    least: int
    most: int
    or_none: bool = False
    """Whether a group may also have nothing of it."""

    @property
    def rises(self) -> bool:
        """Whether sums only grow, so that those above the most stay there."""
        return bool((self.amounts >= 0).all())

    def counted(self, held: IntArray) -> IntArray:
        """Return sums, those alike from which all that is to come counts alike."""
        endless = self.rises and self.most >= int(self.amounts.sum())
        return np.minimum(held, self.least) if endless else held

    def met(self, held: IntArray) -> BoolArray:
        """Tell of sums whether they are within the limits."""
        within: BoolArray = (held >= self.least) & (held <= self.most)
        return within | (held == 0) if self.or_none else within


@dataclass(frozen=True, slots=True)
class _States:
    """Sets of the items taken, one for each state."""

    pieces: ByteArray  # [state, place in the boundary]: numbers of pieces, 0 for none
    held: IntArray  # [state, limit]
    worth: IntArray  # [state]

    def __getitem__(self, chosen: IntArray | BoolArray) -> _States:
        return _States(self.pieces[chosen], self.held[chosen], self.worth[chosen])

    def __add__(self, others: _States) -> _States:
        return _States(
            np.concatenate((self.pieces, others.pieces)),
            np.concatenate((self.held, others.held)),
            np.concatenate((self.worth, others.worth)),
        )


def greatest_worth(
    instance: PairPartition,
    weights: Sequence[int],
    scale: int,
    order: Sequence[int],
    most_states: int,
) -> int | None:
    """Return the most that y(S) - D c(S) is of an admissible group, of any size.

    For groups that are connected, at their sum; None if there is no group at all. Raise
    NotApplicableError if there are more than `most_states`.
    """
    limits = list(_limits(instance))
    nothing = np.zeros((1, len(limits)), dtype=np.int64)
    states = _States(
        np.zeros((1, 0), dtype=np.uint8), nothing, np.zeros(1, dtype=np.int64)
    )
    left = instance.adjacent.sum(axis=1)  # neighbours to come
    boundary: list[int] = []
    best, seen = None, 0
    for item in order:
        pays = scale * instance.matrix[item, boundary]
        beside = instance.adjacent[item, boundary]
        gains = np.array([limit.amounts[item] for limit in limits], dtype=np.int64)
        states = _put(states, 0) + _taking(states, beside, pays, weights[item], gains)
        possible = np.ones(len(states.worth), dtype=np.bool_)
        for place, limit in enumerate(limits):
            states.held[:, place] = limit.counted(states.held[:, place])
            if limit.rises:
                possible &= states.held[:, place] <= limit.most
        boundary.append(item)
        left[instance.adjacent[item]] -= 1
        stays = left[boundary] > 0
        lost = _lost(states.pieces, stays)
        greatest = states.pieces.max(axis=1, keepdims=True)
        whole = lost & ((states.pieces == 0) | (states.pieces == greatest)).all(axis=1)
        for place, limit in enumerate(limits):
            whole &= limit.met(states.held[:, place])
        if whole.any():
            worth = int(states.worth[whole].max())
            best = worth if best is None else max(best, worth)
        boundary = [item for item in boundary if left[item]]
        states = states[possible & ~lost]
        seen += len(states.worth)
        if seen > most_states or len(boundary) > _WIDEST:
            raise NotApplicableError("the certificate is too large to re-check")
        pieces = _numbered(states.pieces[:, stays])
        states = _merged(_States(pieces, states.held, states.worth))
    return best


def _limits(instance: PairPartition) -> Iterator[_Limit]:
    """Yield all limits of an admissible group, other than being connected."""
    n, apart = instance.n, instance.apart or ()
    yield _Limit(np.ones(n, dtype=np.int64), instance.k, n)
    for quantity in instance.quantities:
        yield _Limit(np.array(quantity.amounts), quantity.low, quantity.high)
    for some in map(list, instance.together or ()):
        yield _Limit(_marked(n, some), len(set(some)), len(set(some)), or_none=True)
    for some in map(list, apart):
        yield _Limit(_marked(n, some), 0, 1)


def _marked(n: int, items: list[int]) -> IntArray:
    marked = np.zeros(n, dtype=np.int64)
    marked[items] = 1
    return marked


def _put(states: _States, piece: int) -> _States:
    """Return states with one more item in the boundary, of a piece."""
    fresh = np.full((len(states.worth), 1), piece, dtype=np.uint8)
    pieces = np.concatenate((states.pieces, fresh), axis=1)
    return _States(pieces, states.held.copy(), states.worth)


def _taking(
    states: _States, beside: BoolArray, pays: IntArray, weight: int, gains: IntArray
) -> _States:
    """Return states with an item taken, which joins all pieces beside it to its own."""
    new = states.pieces.shape[1] + 1
    after = _put(states, new)
    for place in np.flatnonzero(beside):
        piece = after.pieces[:, [place]]
        np.putmask(after.pieces, (after.pieces == piece) & (piece > 0), new)
    paid = (states.pieces > 0) @ np.where(beside, pays, 0)
    return _States(after.pieces, after.held + gains, states.worth + weight - paid)


def _lost(pieces: ByteArray, stays: BoolArray) -> BoolArray:
    """Tell of states whether a piece has no item that stays."""
    lost = np.zeros(len(pieces), dtype=np.bool_)
    for place in np.flatnonzero(~stays):
        piece = pieces[:, [place]]
        lost |= (piece[:, 0] > 0) & ~(pieces[:, stays] == piece).any(axis=1)
    return lost


def _numbered(pieces: ByteArray) -> ByteArray:
    """Return pieces with numbers from 1, as they come."""
    count, places = pieces.shape
    rows, found = np.arange(count), np.zeros_like(pieces)
    names = np.zeros((count, pieces.max(initial=0) + 1), dtype=np.uint8)
    known = np.zeros(count, dtype=np.uint8)
    for place in range(places):
        piece = pieces[:, place]
        fresh = (piece > 0) & (names[rows, piece] == 0)
        known += fresh
        names[rows[fresh], piece[fresh]] = known[fresh]
        found[:, place] = names[rows, piece]
    return found


def _merged(states: _States) -> _States:
    """Return the best set of every state."""
    packed = np.zeros(len(states.worth), dtype=np.int64)
    for column in states.pieces.T:
        packed = packed << 4 | column
    keys = np.column_stack((packed, states.held))
    by_key = np.lexsort((-states.worth, *keys.T))
    keys = keys[by_key]
    first = np.ones(len(keys), dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    return states[by_key[first]]
