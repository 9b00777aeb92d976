"""Classes that keep their sensitive values apart and hide few columns: first groups.

As :func:`~atleastk.solvers.tables.first_groups.peeled` finishes classes of k rows: for
sets of no column, of one, of two and so on, hide the set in the rows that are left, and
finish the classes of enough rows that keep the condition. Of distinct values a class
may borrow those that it lacks from finished classes whose rows look like its own: they
have another row of that value, and more rows than they need. So values that are rare
are not used up by the classes that came first. In O(sets * D log D) time for D kinds of
rows.
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
    peeling, room, idle = _Peeling(instance, kinds), _MOST_LOOKED_AT, 0
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

    def __init__(self, instance: Diversity, kinds: Records) -> None:
        self.keys = Keys(kinds)
        self._instance, self._kinds, self._k = instance, kinds, instance.least_rows
        self._group = np.full(kinds.distinct, -1, dtype=np.int64)
        self._copies = kinds.copies.copy()  # without those that are lent
        self._sizes = np.empty(0, dtype=np.int64)
        self._lent = np.empty((0, 2), dtype=np.int64)  # a group, a kind
        only = instance.reading == "distinct" and instance.t is None
        self._lends = only and len(instance.totals) == 1
        self._value = instance.kinds.codes[:, -1].astype(np.int64)
        self._width = len(instance.totals[0]) if self._lends else 0
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
        home = np.concatenate((self._group[own], self._lent[:, 0]))
        kind = np.concatenate((own, self._lent[:, 1]))
        count = np.ones(len(kind), dtype=np.int64)
        count[: len(own)] = self._copies[own]
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
