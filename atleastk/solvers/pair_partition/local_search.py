"""Pair partition: simulated annealing by moves of one unit and swaps of two.

Connected groups are annealed by trees that are cut, too, every second time and before
(:mod:`~atleastk.solvers.pair_partition.recombine`).

Items that have to be together are one *unit*. A random unit goes to the group of
another one that is near, or changes places with it; a move that costs d more is
accepted with probability exp(-d / temperature). Groups keep their sizes within the
limits, and their number stays the same. What else is asked of them may be broken at a
price, which grows while the best is not admissible: so the search needs no solution to
begin with. Groups that have to be connected may fall apart at a price, too.

A move takes O(n) time if it is accepted, else O(1); and O(s^2) for groups of s units
that have to be connected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.pair_partition import is_admissible
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.pair_partition.pricing import paired, together_classes
from atleastk.solvers.pair_partition.recombine import Plain, neighbours_of, recombine

_NEAR: Final = 16
"""Units whose groups a unit may go to: its nearest. Not tuned."""

_ANYWHERE: Final = 0.125
"""The share of moves to any group, where more than distance counts. Not tuned."""

_ANYWHERE_CONNECTED: Final = 0.5
"""The same where groups are connected: pairs that are not listed cost nothing."""

_SPARSE: Final = 8
"""Neighbours of a unit, on the mean, up to which trees are cut. Not tuned."""

_ROUNDS: Final = 1_000
"""Moves a unit in the first coolings, one from each temperature; in the next ones twice
as many. Not tuned."""

_IDLE: Final = 9
"""Coolings in vain after which the search ends, unless it is endless. Not tuned."""

ENDLESS: Final = 2**30
"""Coolings of a search that has all the time there is."""

_HOT: Final = (0.3, 1.0, 3.0)
"""Temperatures of one cooling after the other at first, in mean costs of near pairs: on
seven instances each was the best one for some."""

_COLD: Final = 0.015
"""The temperature in the end, in the same."""

_COOL: Final = 0.1
"""The first temperature where trees were cut before, in the same. Not tuned."""

_ANY_OF: Final = 0.8
"""The share of swaps with any unit of the group where the near one stays, where pairs
cost less than nothing: who changes places with a friend is not with it. Not tuned."""

_LOOSE: Final = 2.0
"""What a piece of a group too many costs, in the same: of 1, 2 and 3 the best one for
dense graphs of 55 to 70 nodes, up to 7 % cheaper than where none may fall apart."""

_PRICE: Final = 5.0
"""What a missing item of a window costs at first, in such costs. Not tuned."""

_DEARER: Final = 4
"""How much dearer it gets where the best is not admissible. Not tuned."""


class _Ground(NamedTuple):
    """What the annealing reads of an instance."""

    matrix: IntArray  # [unit, unit]: with a price for those that have to be apart
    inside: IntArray  # [unit]: what its own pairs cost
    adjacent: BoolArray  # [unit, unit]
    connected: bool
    near: IntArray  # [unit, place]
    any_of: float  # the share of swaps with any unit of a group
    anywhere: float  # the share of moves to any group
    amounts: IntArray  # [quantity, unit]: of the number of items first
    kinds: IntArray  # [entry]: the quantities that units have some of
    ends: IntArray  # [unit]: of its entries
    low: IntArray  # [quantity]
    high: IntArray  # [quantity]
    price: int  # of 1 too little or too much, but for items
    loose: int  # the price of a connected piece of a group, after the first
    squares: bool


class Units:
    """The units of an instance, and its annealing.

    Attributes
    ----------
    of
        By item, its unit.
    """

    def __init__(self, instance: PairPartition) -> None:
        self._instance = instance
        classes = together_classes(instance)
        self.of = np.unique(classes, return_inverse=True)[1]
        size = self.of.max(initial=-1) + 1, self.of.max(initial=-1) + 1
        matrix = _summed(size, (self.of[:, None], self.of), instance.matrix)
        self._inside = matrix.diagonal() // 2
        np.fill_diagonal(matrix, 0)
        self._matrix = matrix
        self._adjacent = np.zeros(size, dtype=np.bool_)
        if instance.connected:
            self._adjacent[tuple(self.of[instance.links])] = True
            self._adjacent |= self._adjacent.T
        self._near = _near(matrix, self._adjacent if instance.connected else None)
        costs = np.abs(np.take_along_axis(matrix, self._near, axis=1))
        self.mean = max(1.0, float(costs.mean())) if costs.size else 1.0
        if instance.objective == "squares":
            self.mean /= instance.k
        held = instance.quantities
        amounts = np.array([[1] * instance.n, *(q.amounts for q in held)], np.int64)
        shape = len(amounts), size[0]
        self._amounts = _summed(shape, (slice(None), self.of), amounts)
        self._low = np.array([instance.k, *(q.low for q in held)])
        self._high = np.array([instance.most_size, *(q.high for q in held)])
        units = [self.of[list(some)].tolist() for some in instance.apart or ()]
        self._apart = paired(len(matrix), units).astype(np.int64)

    @property
    def n(self) -> int:
        """The number of units."""
        return len(self._matrix)

    @property
    def _kinds(self) -> tuple[IntArray, IntArray]:
        """The quantities that units have some of, and where those of each end."""
        units, kinds = np.nonzero(self._amounts.T)
        return kinds, np.cumsum(np.bincount(units, minlength=self.n))

    @property
    def plain(self) -> Plain | None:
        """What annealing by trees reads, of sparse graphs where no more is asked."""
        dense = self._adjacent.sum() > _SPARSE * self.n
        if dense or not (self._instance.connected and self._is_plain):
            return None
        return Plain(
            self._matrix,
            neighbours_of(self._adjacent),
            self._amounts[0],
            self._instance.k,
            self._instance.most_size,
        )

    @property
    def _is_plain(self) -> bool:
        """Whether nothing but their sizes is asked of groups."""
        return not (self._instance.quantities or self._apart.any())

    def ground(self, price: int) -> _Ground:
        """Return what the annealing reads, at a price of what is broken."""
        instance = self._instance
        anywhere = 0.0
        if instance.connected:
            anywhere = _ANYWHERE_CONNECTED
        elif not self._is_plain or instance.has_reliefs:
            anywhere = _ANYWHERE
        return _Ground(
            self._matrix + price * self._apart,
            self._inside,
            self._adjacent,
            instance.connected,
            self._near,
            _ANY_OF if instance.has_reliefs and not instance.connected else 0.0,
            anywhere,
            self._amounts,
            *self._kinds,
            self._low,
            self._high,
            price,
            max(1, round(_LOOSE * self.mean)),
            instance.objective == "squares",
        )


def improve(
    instance: PairPartition,
    groups: list[list[int]],
    budget: Budget,
    offer: Callable[[list[list[int]]], object],
    coolings: int,
    pool: list[list[int]] | None = None,
    rounds: int = _ROUNDS,
) -> None:
    """Offer better and better partitions, from groups that may break windows.

    Groups of all that are met are added to a pool.
    """
    rng, units = np.random.default_rng(budget.seed), Units(instance)
    labels = np.zeros(units.n, dtype=np.int64)
    for g, group in enumerate(groups):
        labels[units.of[group]] = g
    best, plain = cost_of(instance, groups), units.plain
    free = instance.has_reliefs or (instance.connected and bool(instance.quantities))
    turns = 3 if free or best is None else 1  # numbers of groups
    price = max(1, int(_PRICE * units.mean))
    better = 0  # the last turn that found something
    for turn in range(turns * coolings):
        if budget.spent or (turn - better > _IDLE * turns and coolings < ENDLESS):
            return
        found = _regrouped(instance, units, labels, turn % turns, rng)
        hot, cooled = _HOT[turn // turns % len(_HOT)], turn // turns
        moves = rounds * instance.n << min(cooled // len(_HOT), 20)
        with budget.flagging() as flag:
            if plain is not None and cooled % 2 == 0:
                recombine(plain, found, hot * units.mean, _COLD / hot, moves, rng, flag)
                hot = _COOL
            _cool(
                units.ground(price),
                found,
                hot * units.mean,
                _COLD / hot,
                moves,
                rng,
                flag,
            )
        groups = PackedGroups.labelled(found[units.of]).lists()
        cost = cost_of(instance, groups)
        if pool is not None and cost is not None:
            pool += groups
        if cost is None:
            price = min(_DEARER * price, max(1, instance.total))
        if best is None or (cost is not None and cost < best):
            best, labels, better = cost, found, turn
            if cost is not None:
                offer(groups)


def cost_of(instance: PairPartition, groups: list[list[int]]) -> int | None:
    """Return what groups cost, None if they break windows."""
    large = all(len(group) >= instance.k for group in groups)
    if (
        not large
        or len(groups) not in instance.counts
        or not all(is_admissible(instance, group) for group in groups)
    ):
        return None
    return sum(map(instance.cost_of, groups))


def _regrouped(
    instance: PairPartition,
    units: Units,
    labels: IntArray,
    turn: int,
    rng: np.random.Generator,
) -> IntArray:
    """Return the same groups, then one more, then one less, if that is allowed.

    A new one takes units of the largest groups, one that goes leaves them to the
    smallest.
    """
    names, same = np.unique(labels, return_inverse=True)
    found: IntArray = same.copy()
    weight = np.bincount(units.of)
    sizes = np.bincount(same, weights=weight, minlength=len(names) + 1)
    if turn == 1:
        even = max(instance.k, instance.n // (len(names) + 1))
        while sizes[-1] < even and sizes[:-1].max() > instance.k:
            large = np.flatnonzero(found == sizes[:-1].argmax())
            unit = rng.choice(large)
            sizes[found[unit]] -= weight[unit]
            sizes[-1] += weight[unit]
            found[unit] = len(names)
    elif turn == 2 and len(names) > 1:
        gone = int(rng.integers(len(names)))
        sizes[gone] = sizes[-1] = instance.n
        for unit in rng.permutation(np.flatnonzero(found == gone)):
            found[unit] = sizes.argmin()
            sizes[found[unit]] += weight[unit]
        found[found > gone] -= 1
    sizes = np.bincount(found[units.of])
    fits = instance.k <= sizes.min() and sizes.max() <= instance.most_size
    return found if fits and len(sizes) in instance.counts else same


def _summed(shape: tuple[int, int], places: Any, numbers: IntArray) -> IntArray:
    """Return the sums of numbers that have the same place."""
    found = np.zeros(shape, dtype=np.int64)
    np.add.at(found, places, numbers)
    return found


def _near(matrix: IntArray, adjacent: BoolArray | None) -> IntArray:
    """Return the nearest others of every unit; its neighbours, if that is asked."""
    far, n = np.iinfo(np.int64).max, len(matrix)
    costs = np.where(np.eye(n, dtype=np.bool_), far, matrix)
    if adjacent is not None:
        costs[~adjacent] = far - 1
    nearest: IntArray = np.argsort(costs, axis=1, kind="stable")[:, :_NEAR]
    return nearest[:, : max(1, n - 1)]


@compiled
def _cool(
    ground: _Ground,
    labels: IntArray,  # [unit]
    hot: float,
    cold: float,
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> None:
    """Anneal labels in place; the best ones met are left there."""
    matrix, near, squares = ground.matrix, ground.near, ground.squares
    n, groups = len(labels), labels.max() + 1
    held = np.zeros((len(ground.low), groups), dtype=np.int64)
    kinds, moved = np.zeros(len(held), np.int64), np.zeros(len(held), np.int64)
    inside = np.zeros(groups, dtype=np.int64)  # costs of pairs
    paid = np.zeros((groups, n), dtype=np.int64)  # by group and unit
    for i in range(n):
        for q in range(len(held)):
            held[q, labels[i]] += ground.amounts[q, i]
        for j in range(n):
            paid[labels[j], i] += matrix[i, j]
    for i in range(n):
        inside[labels[i]] += paid[labels[i], i]
    for g in range(groups):
        inside[g] //= 2
    for i in range(n):
        inside[labels[i]] += ground.inside[i]
    members = np.zeros((groups, n), dtype=np.int64)
    size, place_of = np.zeros(groups, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        _enter(i, labels[i], members, size, place_of)
    waiting, reached = np.zeros(n, np.int64), np.zeros(n, np.bool_)
    pieces, apart = np.ones(groups, np.int64), 0  # of every group, too many in all
    for g in range(groups):
        if ground.connected:
            some = members[g, : size[g]]
            pieces[g] = _pieces(some, ground.adjacent, waiting, reached)
        apart += pieces[g] - 1
    best, now, lowest = labels.copy(), 0, 0 if apart == 0 else np.iinfo(np.int64).max
    for round_ in range(rounds):
        if round_ & 1023 == 0 and flag[0] != 0:
            break
        # Draw a unit, and one near it in another group.
        i = int(rng.random() * n)
        if ground.anywhere > 0.0 and rng.random() < ground.anywhere:
            j = int(rng.random() * n)
        else:
            j = near[i, int(rng.random() * near.shape[1])]
        a, b = labels[i], labels[j]
        if a == b:
            continue
        swap = rng.random() < 0.5
        if swap and ground.any_of > 0.0 and rng.random() < ground.any_of:
            j = members[b, int(rng.random() * size[b])]
        grown = ground.amounts[0, i] - (ground.amounts[0, j] if swap else 0)
        sizes = held[0, a] - grown, held[0, b] + grown
        if grown > 0 and (sizes[0] < ground.low[0] or sizes[1] > ground.high[0]):
            continue
        if grown < 0 and (sizes[1] < ground.low[0] or sizes[0] > ground.high[0]):
            continue
        # What it costs, with what windows are broken by.
        less, more = inside[a] - paid[a, i], inside[b] + paid[b, i]
        less, more = less - ground.inside[i], more + ground.inside[i]
        if swap:
            less += paid[a, j] - matrix[i, j] + ground.inside[j]
            more -= paid[b, j] + matrix[i, j] + ground.inside[j]
        change = _cost(less, sizes[0], squares) + _cost(more, sizes[1], squares)
        change -= _cost(inside[a], held[0, a], squares)
        change -= _cost(inside[b], held[0, b], squares)
        count = _moved_kinds(ground, i, j if swap else i, kinds, moved)
        for place in range(count):
            q, more_of_it = kinds[place], moved[place]
            low, high = ground.low[q], ground.high[q]
            broken = _broken(held[q, a] - more_of_it, low, high)
            broken += _broken(held[q, b] + more_of_it, low, high)
            broken -= _broken(held[q, a], low, high)
            broken -= _broken(held[q, b], low, high)
            change += ground.price * broken
        heat = hot * cold ** (round_ / rounds)
        most = -heat * np.log(1.0 - rng.random())
        if change - ground.loose * (pieces[a] + pieces[b] - 2) > most:
            continue
        # Do it, and take it back if groups that fall apart make it too dear.
        _change(i, j, swap, a, b, members, size, place_of)
        if ground.connected:
            some, others = members[a, : size[a]], members[b, : size[b]]
            one = _pieces(some, ground.adjacent, waiting, reached)
            two = _pieces(others, ground.adjacent, waiting, reached)
            more_apart = one + two - pieces[a] - pieces[b]
            if change + ground.loose * more_apart > most:
                _change(i, j, swap, b, a, members, size, place_of)
                continue
            apart += more_apart
            pieces[a], pieces[b] = one, two
        labels[i] = b
        if swap:
            labels[j] = a
        inside[a], inside[b] = less, more
        for place in range(count):
            held[kinds[place], a] -= moved[place]
            held[kinds[place], b] += moved[place]
        for other in range(n):
            gone = matrix[i, other] - (matrix[j, other] if swap else 0)
            paid[a, other] -= gone
            paid[b, other] += gone
        now += change
        if now < lowest and apart == 0:
            lowest = now
            best[:] = labels
    labels[:] = best


@inlined
def _moved_kinds(
    ground: _Ground, unit: int, back: int, kinds: IntArray, moved: IntArray
) -> int:
    """List what moves with a unit, less what another brings back; return how many.

    Nothing comes back if they are the same.
    """
    count = 0
    for entry in range(ground.ends[unit - 1] if unit else 0, ground.ends[unit]):
        q = ground.kinds[entry]
        more = ground.amounts[q, unit]
        if back != unit:
            more -= ground.amounts[q, back]
        if more != 0:
            kinds[count], moved[count] = q, more
            count += 1
    if back != unit:
        for entry in range(ground.ends[back - 1] if back else 0, ground.ends[back]):
            q = ground.kinds[entry]
            if ground.amounts[q, unit] == 0:
                kinds[count], moved[count] = q, -ground.amounts[q, back]
                count += 1
    return count


@inlined
def _enter(
    unit: int, group: int, members: IntArray, size: IntArray, place: IntArray
) -> None:
    """Put a unit at the end of a group."""
    members[group, size[group]] = unit
    place[unit] = size[group]
    size[group] += 1


@inlined
def _leave(
    unit: int, group: int, members: IntArray, size: IntArray, place: IntArray
) -> None:
    """Take a unit out of a group; the last one takes its place."""
    size[group] -= 1
    last = members[group, size[group]]
    members[group, place[unit]] = last
    place[last] = place[unit]


@inlined
def _change(
    i: int,
    j: int,
    swap: bool,
    a: int,
    b: int,
    members: IntArray,
    size: IntArray,
    place: IntArray,
) -> None:
    """Let i go from a to b; and j from b to a, if it is a swap."""
    _leave(i, a, members, size, place)
    if swap:
        _leave(j, b, members, size, place)
        _enter(j, a, members, size, place)
    _enter(i, b, members, size, place)


@inlined
def _cost(pairs: int, size: int, squares: bool) -> int:
    return pairs // size if squares else pairs


@inlined
def _broken(amount: int, low: int, high: int) -> int:
    return max(0, low - amount) + max(0, amount - high)


@inlined
def _pieces(
    units: IntArray, adjacent: BoolArray, waiting: IntArray, reached: BoolArray
) -> int:
    """Return into how many connected pieces some units fall."""
    for unit in units:
        reached[unit] = False
    pieces = 0
    for root in units:
        if reached[root]:
            continue
        pieces += 1
        reached[root] = True
        waiting[0], top = root, 1
        while top > 0:
            top -= 1
            i = waiting[top]
            for j in units:
                if adjacent[i, j] and not reached[j]:
                    reached[j] = True
                    waiting[top] = j
                    top += 1
    return pieces
