"""Counting the classes of nodes: how many, how large, and what that loses.

Records are counted in a hash table with open addressing whose entries are compared by
their labels: exact, in expected time O(D m) for D distinct records over m columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.counted_elsewhere import CountedElsewhere
from atleastk.instances.generalization import Generalization
from atleastk.models.generalization import (
    Classes,
    GeneralizationSolution,
    classes_at,
    fewest_of,
    looks_suppressed,
    loss_of_node,
    solution_of_levels,
    ties_of_node,
)
from atleastk.solvers.compiled.compile import compiled

Levels = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """The classes and losses of one node.

    Attributes
    ----------
    floor
        No node from here upwards loses less, whatever is suppressed.
    least
        What the node itself loses at least; None if it is refused: nothing is feasible
        here or below.
    loss
        What it loses with the suppressed rows that were found; None if none were.
    claimed
        Whether `least` rests on a solver's answer.
    late
        Whether more may be found out in more time.
    ties
        With `loss`: what decides between nodes that lose as much, as in
        `ties_of_node`.
    """

    floor: int
    least: int | None = None
    loss: int | None = None
    claimed: bool = False
    late: bool = False
    ties: tuple[int, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether nothing is feasible at the node, nor at any below."""
        return self.least is None

    @property
    def settled(self) -> bool:
        """Whether nothing is left to find out: refused, or the loss is the least."""
        return self.least == self.loss


class Counts(Protocol):
    """What counts the classes of nodes of one instance."""

    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""

    def solution(self, levels: Levels) -> GeneralizationSolution:
        """Return the solution of a counted node, with the loss of its count."""


class Counter:
    """Counts classes of k rows; `counted` is how many nodes it has counted."""

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

    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""
        self.counted += 1
        chosen = self._starts + np.array(levels, dtype=np.int64)
        sizes = np.zeros_like(self._copies)
        _count(self._labels, chosen, self._copies, self._table, sizes)
        tops = looks_suppressed(self._instance, levels)
        return _counted(self._instance, levels, Classes(sizes, tops))

    def solution(self, levels: Levels) -> GeneralizationSolution:
        """Return the solution of a node, with the fewest suppressed rows."""
        return solution_of_levels(self._instance, levels)


class CounterElsewhere:
    """Counts classes of k rows where the rows are."""

    def __init__(self, instance: CountedElsewhere) -> None:
        self._instance = instance

    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""
        return _counted(self._instance, levels, classes_at(self._instance, levels))

    def solution(self, levels: Levels) -> GeneralizationSolution:
        """Return the solution of a node, with the fewest suppressed rows."""
        return solution_of_levels(self._instance, levels)


def counter_of(instance: Generalization) -> Counts:
    """Return what counts classes of k rows, wherever the rows are."""
    if isinstance(instance, CountedElsewhere):
        return CounterElsewhere(instance)
    return Counter(instance)


def _counted(instance: Generalization, levels: Levels, classes: Classes) -> Count:
    """Return the losses of a node that has these classes."""
    floor = loss_of_node(instance, levels, classes.sizes)
    suppressed = fewest_of(instance, levels, classes)
    if suppressed is None:
        return Count(floor)
    loss = loss_of_node(instance, levels, classes.sizes, suppressed)
    ties = ties_of_node(instance, levels, classes.sizes, suppressed)
    return Count(floor, loss, loss, ties=ties)


@compiled
def _count(
    labels: Int32Array,  # [level of a column, record]
    chosen: IntArray,  # [column]
    copies: IntArray,  # [record]
    table: Int32Array,  # [slot]
    sizes: IntArray,  # [record]
) -> None:
    """Write the size of each class at its first record, into an array of zeros."""
    mask = len(table) - 1
    table[:] = -1
    for r in range(len(copies)):
        # FNV-1a hash of the labels at the levels of the node.
        key = np.uint64(1469598103934665603)
        for row in chosen:
            key ^= np.uint64(labels[row, r])
            key *= np.uint64(1099511628211)
            key ^= key >> np.uint64(29)
        slot = np.int64(key & np.uint64(mask))
        # The first free slot, or that of a record with the same labels.
        while True:
            other = table[slot]
            if other < 0:
                table[slot] = r
                sizes[r] = copies[r]
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
