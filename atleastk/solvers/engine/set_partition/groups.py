"""Groups as rows of a sparse matrix of items, with their costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from atleastk.arrays import BoolArray, IntArray
from atleastk.packages import sparse


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Groups of items with their costs."""

    rows: sparse.csr_array[Any]  # [group, item] how many copies of it it has
    cost: IntArray  # [group]
    mark: IntArray  # [group] what the oracle remembers: a centre, a pattern

    @classmethod
    def of(
        cls,
        n: int,
        starts: IntArray,
        items: IntArray,
        cost: IntArray,
        mark: IntArray | None = None,
        copies: IntArray | None = None,
    ) -> Groups:
        """Return groups of n items, written one after the other.

        Group g has ``items[starts[g]:starts[g + 1]]``, each once if there are no
        `copies`.
        """
        count = len(starts) - 1
        entries = np.ones(len(items), dtype=np.int64) if copies is None else copies
        rows = sparse.csr_array((entries, items, starts), shape=(count, n))
        rows.sum_duplicates()
        return cls(rows, cost, np.zeros(count, np.int64) if mark is None else mark)

    @classmethod
    def listed(
        cls,
        n: int,
        groups: Sequence[Sequence[int]],
        costs: ArrayLike,
        marks: ArrayLike | None = None,
    ) -> Groups:
        """Return groups given one by one."""
        starts = np.cumsum([0, *map(len, groups)])
        items = np.array([i for group in groups for i in group], dtype=np.int64)
        mark = None if marks is None else np.array(marks, dtype=np.int64)
        return cls.of(n, starts, items, np.array(costs, dtype=np.int64), mark)

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.cost)

    @property
    def has(self) -> BoolArray:
        """Which items are in a group, [group, item]."""
        has = np.zeros(self.rows.shape, dtype=np.bool_)
        group, item, _ = self.entries
        has[group, item] = True
        return has

    @property
    def entries(self) -> tuple[IntArray, IntArray, IntArray]:
        """The group, the item and the copies of every entry of the matrix."""
        group = np.repeat(np.arange(self.count), np.diff(self.rows.indptr))
        return group, self.rows.indices.astype(np.int64), self.rows.data

    @property
    def members(self) -> list[list[int]]:
        """The items of every group, ascending, each as often as there are copies."""
        items = np.repeat(self.rows.indices, self.rows.data)
        ends = np.cumsum(self.rows.sum(axis=1))
        return [part.tolist() for part in np.split(items, ends[:-1])][: self.count]

    @property
    def names(self) -> list[bytes]:
        """A name for every group; equal groups have equal names."""
        items, copies = self.rows.indices, self.rows.data
        return [
            items[begin:end].tobytes() + copies[begin:end].tobytes()
            for begin, end in pairwise(self.rows.indptr.tolist())
        ]

    def times(self, demand: IntArray) -> IntArray:
        """Return how often each group fits into the demand of its items."""
        if not self.count:
            return np.zeros(0, dtype=np.int64)
        fits = demand[self.rows.indices] // self.rows.data
        times: IntArray = np.minimum.reduceat(fits, self.rows.indptr[:-1])
        return times

    def only(self, chosen: BoolArray | IntArray) -> Groups:
        """Return the chosen groups."""
        return Groups(self.rows[chosen], self.cost[chosen], self.mark[chosen])

    def and_(self, others: Groups) -> Groups:
        """Return these groups and then others."""
        return Groups(
            sparse.csr_array(sparse.vstack((self.rows, others.rows), format="csr")),
            np.concatenate((self.cost, others.cost)),
            np.concatenate((self.mark, others.mark)),
        )

    def cheapest(self) -> Groups:
        """Return of equal groups the cheapest one only."""
        names, place = self.names, {}
        for g in np.argsort(self.cost, kind="stable")[::-1].tolist():
            place[names[g]] = g
        return self.only(np.sort(np.array([*place.values()], dtype=np.int64)))
