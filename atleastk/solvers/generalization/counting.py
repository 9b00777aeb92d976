"""Counting the classes of nodes: how many, how large, and what that loses.

Records are counted into a hash table with open addressing whose entries are compared by
their labels: exact, in expected time O(D m) for D distinct records over m columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.generalization import Generalization
from atleastk.solvers.compiled.compile import compiled

__all__ = ["Count", "Counter"]


@dataclass(frozen=True, slots=True)
class Count:
    """What a node makes of the table.

    Attributes
    ----------
    least
        The size of the smallest class; the number of rows if there is none.
    loss
        In terms of the instance's loss.
    """

    least: int
    loss: int


class Counter:
    """Counts the classes of nodes of one instance; counts what it has counted."""

    def __init__(self, instance: Generalization) -> None:
        records = instance.records
        self._instance = instance
        self._copies = records.copies
        rows = [*instance.labels, np.empty((0, records.distinct), dtype=np.int32)]
        self._labels = np.ascontiguousarray(np.concatenate(rows))
        ends = np.cumsum([height + 1 for height in instance.heights], dtype=np.int64)
        self._starts = ends - np.array(instance.heights, dtype=np.int64) - 1
        size = 1 << max(4, (2 * records.distinct).bit_length())
        self._table = np.empty(size, dtype=np.int32)
        self.counted = 0

    def count(self, levels: Sequence[int]) -> Count:
        """Return what a node makes of the table."""
        self.counted += 1
        chosen = self._starts + np.array(levels, dtype=np.int64)
        least, classes, squares = _count(
            self._labels, chosen, self._copies, self._table
        )
        instance = self._instance
        if instance.loss == "discernibility":
            loss = int(squares)
        elif instance.loss == "average-class-size":
            loss = instance.n - int(classes)
        else:
            loss = sum(w * x for w, x in zip(instance.weights, levels, strict=True))
        return Count(int(least) if classes else instance.n, loss)

    def accepts(self, count: Count) -> bool:
        """Tell whether a node of this count is k-anonymous."""
        return count.least >= self._instance.k or not self._instance.n


@compiled
def _count(
    labels: Int32Array,
    chosen: IntArray,
    copies: IntArray,
    table: Int32Array,
) -> tuple[int, int, int]:
    """Return the least class, the number of classes and the sum of their squares."""
    distinct = len(copies)
    mask = len(table) - 1
    table[:] = -1
    sizes = np.zeros(distinct, dtype=np.int64)
    classes = 0
    for r in range(distinct):
        key = np.uint64(1469598103934665603)
        for row in chosen:
            key ^= np.uint64(labels[row, r])
            key *= np.uint64(1099511628211)
            key ^= key >> np.uint64(29)
        slot = np.int64(key & np.uint64(mask))
        while True:
            other = table[slot]
            if other < 0:
                table[slot] = r
                sizes[r] = copies[r]
                classes += 1
                break
            same = True
            for row in chosen:
                if labels[row, r] != labels[row, other]:
                    same = False
                    break
            if same:
                sizes[other] += copies[r]
                break
            slot = (slot + 1) & mask
    least, squares = -1, 0
    for r in range(distinct):
        if sizes[r] > 0:
            squares += int(sizes[r]) * int(sizes[r])
            if least < 0 or sizes[r] < least:
                least = int(sizes[r])
    return least, classes, squares
