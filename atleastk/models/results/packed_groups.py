"""Groups of items in two arrays, which are read as tuples of plain integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import FEW, BoolArray, IntArray, fresh, stable_order
from atleastk.instances.fields.garbage import garbage_waits

_AT_ONCE: Final = 1 << 16
"""Groups that are made into tuples at a time."""


class PackedGroups(Sequence[tuple[int, ...]]):
    """Groups of items: equal to the tuple of tuples that holds them.

    Whatever loops over groups works as before. What knows the arrays makes no Python
    object of an item.
    """

    __slots__ = ("items", "starts")

    items: IntArray
    """The items of one group after the other."""
    starts: IntArray
    """Where the groups start: 0, .., the number of items."""

    def __init__(self, items: IntArray, starts: IntArray) -> None:
        self.items, self.starts = items, starts

    @classmethod
    def of(cls, groups: Sequence[Sequence[int]]) -> PackedGroups:
        """Return groups of integers in arrays."""
        if isinstance(groups, PackedGroups):
            return groups
        starts = np.zeros(len(groups) + 1, dtype=np.int64)
        np.cumsum([len(group) for group in groups], out=starts[1:])
        listed = chain.from_iterable(groups)
        return cls(np.fromiter(listed, np.int64, int(starts[-1])), starts)

    @classmethod
    def labelled(cls, labels: IntArray) -> PackedGroups:
        """Return, in normal form, the groups of items of equal label."""
        if len(labels) <= FEW:
            groups: dict[int, list[int]] = {}
            for item, label in enumerate(labels.tolist()):
                groups.setdefault(label, []).append(item)
            return cls.of([*groups.values()])
        items = stable_order(labels)
        found = cls.runs(items, labels[items])
        return found.taken(np.argsort(items[found.starts[:-1]]))

    @classmethod
    def runs(cls, items: IntArray, labels: IntArray) -> PackedGroups:
        """Return the runs of items of equal label, given for every place."""
        return cls(items, np.append(np.flatnonzero(fresh(labels)), len(items)))

    @property
    def sizes(self) -> IntArray:
        """The number of items of every group."""
        return np.diff(self.starts)

    @property
    def homes(self) -> IntArray:
        """The number of the group of each of `items`."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def are_ranges(self) -> bool:
        """Whether the items of every group follow each other."""
        following = np.diff(self.items) == 1
        following[self.starts[1:-1] - 1] = True
        return bool(following.all())

    def sums(self, values: IntArray | BoolArray) -> IntArray:
        """Return the sum over every group of a value for each item."""
        ends = np.zeros(len(self.items) + 1, dtype=np.int64)
        np.cumsum(values[self.items], out=ends[1:])
        return np.diff(ends[self.starts])

    def extremes(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the least and the greatest of the values, [item, ...], of every group.

        No group is empty.
        """
        held, starts = values[self.items], self.starts[:-1]
        least = np.minimum.reduceat(held, starts, axis=0)
        return least, np.maximum.reduceat(held, starts, axis=0)

    def differ(self, values: NDArray[Any]) -> BoolArray:
        """Tell of every group whether its items differ in values, [item, ...]."""
        least, greatest = self.extremes(values)
        found: BoolArray = least != greatest
        return found

    def taken(self, order: IntArray) -> PackedGroups:
        """Return some groups, in this order."""
        firsts = self.starts[order]
        sizes = self.starts[order + 1] - firsts  # a look at these groups alone
        if (sizes == 1).all():
            return PackedGroups(self.items[firsts], np.arange(len(order) + 1))
        starts = np.zeros(len(order) + 1, dtype=np.int64)
        np.cumsum(sizes, out=starts[1:])
        places = np.repeat(firsts - starts[:-1], sizes)
        return PackedGroups(self.items[places + np.arange(len(places))], starts)

    def arranged(self) -> tuple[PackedGroups, IntArray]:
        """Return the groups in normal form, and where each was; none is empty."""
        found, rising = self, np.diff(self.items) > 0
        rising[self.starts[1:-1] - 1] = True
        if not rising.all():
            by_item = stable_order(self.items)
            within = stable_order(self.homes[by_item])
            found = PackedGroups(self.items[by_item[within]], self.starts)
        firsts = found.items[found.starts[:-1]]
        order = np.argsort(firsts, kind="stable")
        return (found if (np.diff(firsts) > 0).all() else found.taken(order)), order

    @garbage_waits()
    def lists(self) -> list[list[int]]:
        """Return the groups as lists."""
        items, starts = self.items.tolist(), self.starts.tolist()
        return [items[a:b] for a, b in pairwise(starts)]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, place: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[int, ...], ...]: ...

    def __getitem__(
        self, place: int | slice
    ) -> tuple[int, ...] | tuple[tuple[int, ...], ...]:
        if isinstance(place, slice):
            return tuple(self[g] for g in range(*place.indices(len(self))))
        first, last = self.starts[:-1][place], self.starts[1:][place]
        return tuple(self.items[first:last].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for first in range(0, len(self), _AT_ONCE):
            starts = self.starts[first : first + _AT_ONCE + 1]
            items = self.items[starts[0] : starts[-1]].tolist()
            ends = (starts - starts[0]).tolist()
            yield from (tuple(items[a:b]) for a, b in pairwise(ends))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedGroups):
            same = np.array_equal(self.starts, other.starts)
            return same and np.array_equal(self.items, other.items)
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedGroups, (self.items, self.starts)
