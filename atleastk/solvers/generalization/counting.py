"""Counting the classes of nodes: how many, how large, and what that loses.

Classes of a node are unions of those of any node below. So they are counted from the
fewest classes known of a node below, which stand for their rows: a *roll-up*
[LeFevre05]. Without any these are the distinct records.

D of them over m columns are counted in O(D m) where the products of labels are few, by
an array of these; else in a hash table with open addressing whose entries are compared
by their labels, which is exact, too, and takes that time on average.

References
----------
[LeFevre05] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: Efficient Full-Domain
K-Anonymity", SIGMOD 2005.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from math import prod
from typing import Final, Protocol, Self

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.counted_elsewhere import CountedElsewhere
from atleastk.instances.generalization import Generalization
from atleastk.models.generalization import (
    Classes,
    GeneralizationSolution,
    classes_at,
    fewest_of,
    loss_of_node,
    solution_of_levels,
    ties_of_node,
)
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.generalization.boxes import Levels

_FEW: Final = 2**16
_DENSE: Final = 4
"""Products of labels that an array holds: so many, or times the known classes."""

_FEWER: Final = 2
"""Classes that are this many times fewer are worth keeping, as long as all that are
kept are not more than the distinct records."""


@dataclass(frozen=True, slots=True)
class Count:
    """The classes and losses of one node."""

    floor: int  # no node from here upwards loses less, whatever is suppressed
    least: int | None = None  # what it loses at least; None if nothing is feasible
    loss: int | None = None  # with the suppressed rows that were found, if any were
    claimed: bool = False  # whether `least` rests on a solver's answer
    late: bool = False  # whether more may be found out in more time
    ties: tuple[int, ...] = ()  # of its loss: `ties_of_node`

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


@dataclass(frozen=True, slots=True, eq=False)
class _Merged:
    """The classes of a node, to be merged into those of nodes above."""

    levels: IntArray
    labels: Int32Array
    """[level of a column, class]"""
    copies: IntArray
    top_from: Int32Array
    """[column, class]: see `Generalization.top_from`."""

    def of(self, levels: IntArray, firsts: IntArray, copies: IntArray) -> Self:
        """Return classes of a node above, each with a class that it holds."""
        return replace(
            self,
            levels=levels,
            labels=np.ascontiguousarray(self.labels[:, firsts]),
            copies=copies,
            top_from=np.ascontiguousarray(self.top_from[:, firsts]),
        )


class Counter:
    """Counts classes of k rows; `counted` is how many nodes it has counted."""

    def __init__(self, instance: Generalization) -> None:
        records = instance.records
        self._instance = instance
        ends = np.cumsum([height + 1 for height in instance.heights], dtype=np.int64)
        labels = np.empty((sum(map(len, instance.labels)), records.distinct), np.int32)
        for i, level in enumerate(chain.from_iterable(instance.labels)):
            labels[i] = level
        self._starts = ends - np.array(instance.heights, dtype=np.int64) - 1
        self._widths = labels.max(axis=1, initial=-1).astype(np.int64) + 1
        lowest = np.zeros(instance.m, dtype=np.int64)
        self._merged = [_Merged(lowest, labels, records.copies, instance.top_from)]
        self._room = records.distinct
        self.counted = 0

    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""
        self.counted += 1
        return _counted(self._instance, levels, self._classes(levels))

    def _classes(self, levels: Levels) -> Classes:
        """Return the classes of a node, from the fewest known ones below."""
        node = np.array(levels, dtype=np.int64)
        below = (one for one in self._merged if (one.levels <= node).all())
        base = min(below, key=lambda one: len(one.copies))
        chosen = self._starts + node
        chosen = chosen[self._widths[chosen] > 1]
        widths, known = self._widths[chosen], len(base.copies)
        firsts, sizes = np.empty(known, dtype=np.int64), np.zeros(known, dtype=np.int64)
        if prod(widths.tolist()) <= max(_FEW, _DENSE * known):
            places = np.full(prod(widths.tolist()), -1, dtype=np.int32)
            found = _count_places(
                base.labels, chosen, widths, base.copies, places, firsts, sizes
            )
        else:
            slots = 1 << max(4, (2 * known).bit_length())
            table = np.full(slots, -1, dtype=np.int32)
            found = _count_hashed(
                base.labels, chosen, base.copies, table, firsts, sizes
            )
        firsts, sizes = firsts[:found], sizes[:found].copy()
        missing = base.top_from[:, firsts] - node[:, np.newaxis]
        tops: BoolArray = missing.max(axis=0, initial=0) <= 0
        if _FEWER * found <= known and found <= self._room:
            self._room -= found
            self._merged.append(base.of(node, firsts, sizes))
        return Classes(sizes, tops)

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
def _count_places(
    labels: Int32Array,  # [level of a column, known class]
    chosen: IntArray,  # [column]
    widths: IntArray,  # [column]
    copies: IntArray,  # [known class]
    places: Int32Array,  # [product of labels], -1 everywhere
    firsts: IntArray,  # [class]
    sizes: IntArray,  # [class], 0 everywhere
) -> int:
    """Write a known class of each class, and its size; return how many there are."""
    found = 0
    for r in range(len(copies)):
        place = np.int64(0)
        for j in range(len(chosen)):
            place = place * widths[j] + labels[chosen[j], r]
        if places[place] < 0:
            places[place] = found
            firsts[found] = r
            found += 1
        sizes[places[place]] += copies[r]
    return found


@compiled
def _count_hashed(
    labels: Int32Array,  # [level of a column, known class]
    chosen: IntArray,  # [column]
    copies: IntArray,  # [known class]
    table: Int32Array,  # [slot], -1 everywhere
    firsts: IntArray,  # [class]
    sizes: IntArray,  # [class], 0 everywhere
) -> int:
    """Write a known class of each class, and its size; return how many there are."""
    mask = len(table) - 1
    found = 0
    for r in range(len(copies)):
        # FNV-1a hash of the labels at the levels of the node.
        key = np.uint64(1469598103934665603)
        for row in chosen:
            key ^= np.uint64(labels[row, r])
            key *= np.uint64(1099511628211)
            key ^= key >> np.uint64(29)
        slot = np.int64(key & np.uint64(mask))
        # The first free slot, or that of a class with the same labels.
        while table[slot] >= 0:
            other = firsts[table[slot]]
            same = True
            for row in chosen:
                if labels[row, r] != labels[row, other]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot] = found
            firsts[found] = r
            found += 1
        sizes[table[slot]] += copies[r]
    return found
