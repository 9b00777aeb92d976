"""Classes that keep their sensitive values apart and hide few columns: first groups.

As :func:`~atleastk.solvers.tables.first_groups.peeled` finishes classes of k rows: for
sets of no column, of one, of two and so on, hide the set in the rows that are left, and
finish the classes of enough rows that keep the condition. Of distinct values a class
may borrow those that it lacks from finished classes whose rows look like its own: they
have another row of that value, and more rows than they need. So values that are rare
are not used up by the classes that came first. Where no value may be too frequent, a
class is finished without those rows of frequent values that are too many. In
O(sets * D log D) time for D kinds of rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray, WordArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.diversity import failing_kinds
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.first_groups import MOST_IDLE, Keys

_MOST_LOOKED_AT: Final = 1 << 25
"""Kinds of rows that are looked at for that in all: seconds, not tuned."""

_PASSES: Final = 4
"""How often a class may ask for a row of a value that it lacks: not tuned."""


def peeled_classes(instance: Diversity, kinds: Records) -> Assignment:
    """Return the groups of kinds. The whole table keeps the condition."""
    ways = {False, instance.reading == "frequency" and _is_plain(instance)}
    found = (_peeled(_Peeling(instance, kinds, evens=way)) for way in sorted(ways))
    return min(found, key=lambda made: made.cost(kinds))


def _is_plain(instance: Diversity) -> bool:
    return instance.t is None and len(instance.totals) == 1


def _peeled(peeling: _Peeling) -> Assignment:
    kinds, room, idle = peeling.kinds, _MOST_LOOKED_AT, 0
    for columns in peeling.keys.sets():
        room, idle = room - kinds.distinct, idle + 1
        if room < 0 or idle > MOST_IDLE or not peeling.left.any():
            break
        if peeling.hide(columns):
            idle = 0
    peeling.hide(range(kinds.m))
    return peeling.assignment()


class _Peeling:
    """Kinds of rows, and the finished classes that most of them are in."""

    def __init__(self, instance: Diversity, kinds: Records, *, evens: bool) -> None:
        self.keys, self.kinds, self._evens = Keys(kinds), kinds, evens
        self._instance, self._k = instance, instance.least_rows
        self._group = np.full(kinds.distinct, -1, dtype=np.int64)
        self._copies = kinds.copies.copy()  # without those that are lent
        self._sizes = np.empty(0, dtype=np.int64)
        self._lent = np.empty((0, 2), dtype=np.int64)  # a group, a kind
        self._parts = np.empty((0, 3), dtype=np.int64)  # a group, a kind, its copies
        self._lends = instance.reading == "distinct" and _is_plain(instance)
        self._value = instance.kinds.codes[:, -1].astype(np.int64)
        self._width = len(instance.totals[0]) if self._lends or evens else 0
        self._held = np.zeros(0, dtype=np.int64)  # rows by group and value

    @property
    def left(self) -> BoolArray:
        """Which kinds are in no finished class."""
        return self._group < 0

    def assignment(self) -> Assignment:
        """Return the groups of all kinds.

        What is left is joined with the last classes until that keeps the condition.
        """
        last, step = len(self._sizes), 1
        own = np.flatnonzero(self._copies)
        lent = np.insert(self._lent, 2, 1, axis=1)
        kept = np.stack((self._group[own], own, self._copies[own]), axis=1)
        home, kind, count = np.vstack((kept, lent, self._parts)).T
        home[home < 0] = last
        while last > 0 and (left := home == last).any():
            alone = np.zeros(int(left.sum()), dtype=np.int64)
            broken = failing_kinds(self._instance, alone, kind[left], count[left])
            if not broken.any() and count[left].sum() >= self._k:
                break
            last, step = max(0, last - step), 2 * step
            home = np.minimum(home, last)
        return Assignment.of(home, kind, count)

    def hide(self, columns: Iterable[int]) -> bool:
        """Finish the classes of a set of columns that is hidden; tell if any are."""
        keys, rest = self.keys.without(columns), np.flatnonzero(self.left)
        if not len(rest):
            return False
        names, found = np.unique(keys[rest], return_inverse=True)
        class_of = found.reshape(len(rest)).astype(np.int64)
        copies = self._copies[rest]
        if self._evens:
            return self._finish_even(class_of, rest, copies)
        sizes = np.bincount(class_of, copies).astype(np.int64)
        lent = self._lent[:0]
        if self._lends:
            lent = self._borrowed(names, keys, class_of, rest, sizes)
            sizes += np.bincount(lent[:, 0], minlength=len(sizes))
        home = np.concatenate((class_of, lent[:, 0]))
        kind = np.concatenate((rest, lent[:, 1]))
        count = np.concatenate((copies, np.ones(len(lent), dtype=np.int64)))
        good = (sizes >= self._k) & ~failing_kinds(self._instance, home, kind, count)
        self._lend(lent[~good[lent[:, 0]], 1], -1)
        lent = lent[good[lent[:, 0]]]
        number = len(self._sizes) + np.cumsum(good) - 1
        lent[:, 0] = number[lent[:, 0]]
        self._lent = np.vstack((self._lent, lent))
        self._sizes = np.concatenate((self._sizes, sizes[good]))
        ended = good[class_of]
        self._group[rest[ended]] = number[class_of[ended]]
        if self._lends:
            home, kind, count = (part[good[home]] for part in (home, kind, count))
            first = len(self._held) // self._width
            place = (number[home] - first) * self._width + self._value[kind]
            more = np.bincount(place, count, minlength=int(good.sum()) * self._width)
            self._held = np.concatenate((self._held, more.astype(np.int64)))
        return bool(good.any())

    def _finish_even(
        self, class_of: IntArray, rest: IntArray, copies: IntArray
    ) -> bool:
        """Finish even parts of classes, in which no value is too frequent."""
        held = self._even(class_of, self._value[rest], copies)
        sizes = np.bincount(class_of, held)
        good = sizes >= self._k
        number = len(self._sizes) + np.cumsum(good) - 1
        self._sizes = np.concatenate((self._sizes, sizes[good].astype(np.int64)))
        some = np.flatnonzero(good[class_of] & (held > 0))
        made = np.stack((number[class_of[some]], rest[some], held[some]), axis=1)
        self._parts = np.vstack((self._parts, made))
        self._copies[rest[some]] -= held[some]
        ended = some[held[some] == copies[some]]
        self._group[rest[ended]] = number[class_of[ended]]
        return bool(good.any())

    def _even(self, class_of: IntArray, value: IntArray, copies: IntArray) -> IntArray:
        """Return most copies of which no value has more than 1/l of its class."""
        pairs, found = np.unique(class_of * self._width + value, return_inverse=True)
        place, home = found.reshape(len(copies)), pairs // self._width
        counts = np.bincount(place, copies).astype(np.int64)
        most = _most_of_each(home, counts, self._instance.l)
        order = np.argsort(place, kind="stable")
        earlier = np.cumsum(copies[order]) - copies[order]
        earlier -= (np.cumsum(counts) - counts)[place[order]]
        kept = np.empty_like(copies)
        kept[order] = np.clip(most[home[place[order]]] - earlier, 0, copies[order])
        return kept

    def _borrowed(
        self,
        names: WordArray,
        keys: WordArray,
        class_of: IntArray,
        rest: IntArray,
        sizes: IntArray,
    ) -> IntArray:
        """Return rows that classes borrow, one of each kind: a class, and the kind."""
        width, value, lent = self._width, self._value, [self._lent[:0]]
        held = np.unique(class_of * width + value[rest])
        missing = self._instance.l - np.bincount(held // width, minlength=len(names))
        missing[sizes + missing < self._k] = 0
        # Finished kinds that look like a class that lacks their value, dear ones first.
        place = np.minimum(np.searchsorted(names, keys), len(names) - 1)
        asks = (names[place] == keys) & ~self.left & (missing[place] > 0)
        wanted = place * width + value
        some = np.flatnonzero(asks & ~np.isin(wanted, held))
        some = some[np.lexsort((-self._group[some], place[some]))]
        for _ in range(_PASSES * self._instance.l):
            mine = self._group[some]
            spared = self._held[mine * width + value[some]] > 1
            spared &= (self._copies[some] > 0) & (self._sizes[mine] > self._k)
            some = some[spared & (missing[place[some]] > 0)]
            if not len(some):
                break
            taken = some[np.unique(place[some], return_index=True)[1]]
            taken = taken[np.unique(self._group[taken], return_index=True)[1]]
            self._lend(taken, 1)
            missing[place[taken]] -= 1
            lent.append(np.stack((place[taken], taken), axis=1))
            some = some[~np.isin(wanted[some], wanted[taken])]
        return np.concatenate(lent)

    def _lend(self, kinds: IntArray, sign: int) -> None:
        """Take a row of each kind from its class, or give it back."""
        group = self._group[kinds]
        np.subtract.at(self._copies, kinds, sign)
        np.subtract.at(self._sizes, group, sign)
        np.subtract.at(self._held, group * self._width + self._value[kinds], sign)


def _most_of_each(home: IntArray, counts: IntArray, l: int) -> IntArray:  # noqa: E741
    """Return, for every class, the most rows of each value of an even part.

    Entries are values of classes, which are sorted, with their rows. Of c rows at most
    of each value a part is even if it has l c rows: if for every j < l those that are
    not of the j most frequent values are (l - j) c at least.
    """
    order = np.lexsort((-counts, home))
    first, before = np.searchsorted(home, home), np.cumsum(counts[order])
    before -= counts[order]
    sizes, values = np.bincount(home, counts).astype(np.int64), np.bincount(home)
    left = sizes[home] - (before - before[first])
    rank = np.arange(len(home)) - first
    most = np.where(values < l, 0, sizes)
    top = rank < l
    np.minimum.at(most, home[top], left[top] // (l - rank[top]))
    return most
