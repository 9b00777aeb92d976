"""Counting the classes of nodes: how many, how large, and what that loses.

Classes of a node are unions of those of any node below. So they are counted from the
fewest classes known of a node below, which stand for their rows: a *roll-up*
[LeFevre05]. Without any these are the distinct records.

That takes time O(D m) for D of them over m columns
(:mod:`~atleastk.solvers.compiled.classes`). It ends as soon as more rows are in classes
below k than may be suppressed: the node is refused then, whatever the other rows are.

A *sample* is a share of the distinct records, and of what may be suppressed: classes
are smaller there, so what it admits most likely is admitted, but nothing is proved.

References
----------
[LeFevre05] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: Efficient Full-Domain
K-Anonymity", SIGMOD 2005.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import SAFE, Int32Array, IntArray
from atleastk.instances.counted_elsewhere import CountedElsewhere
from atleastk.instances.generalization import Generalization
from atleastk.models.generalization import (
    Classes,
    GeneralizationSolution,
    classes_at,
    fewest_of,
    looks_suppressed,
    loss_of_node,
    price_of_levels,
    solution_of_levels,
    ties_of_node,
)
from atleastk.solvers.compiled.classes import Keys
from atleastk.solvers.generalization.boxes import Levels

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


class Counts(ABC):
    """What counts the classes of nodes of one instance."""

    def __init__(self, instance: Generalization) -> None:
        self._instance = instance

    @abstractmethod
    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""

    def solution(self, levels: Levels) -> GeneralizationSolution:
        """Return the solution of a counted node, with the loss of its count."""
        return solution_of_levels(self._instance, levels)


@dataclass(frozen=True, slots=True, eq=False)
class _Merged:
    """The classes of a node, to be merged into those of nodes above."""

    levels: IntArray
    codes: Int32Array
    """[column, class], of a record that each class holds."""
    copies: IntArray


class Counter(Counts):
    """Counts classes of k rows; `counted` is how many nodes it has counted.

    Of a sample if its `share` of the records is below 1.
    """

    def __init__(self, instance: Generalization, share: float = 1.0) -> None:
        copies, codes = instance.records.copies, instance.columns_of_records
        if share < 1.0:
            rng = np.random.default_rng(0)
            some = np.flatnonzero(rng.random(len(copies)) < share)
            copies, codes = copies[some], codes.take(some, axis=1)
        super().__init__(instance)
        self._share = share
        self._labels = [column.labels for column in instance.labels]
        lowest = np.zeros(instance.m, dtype=np.int64)
        self._merged = [_Merged(lowest, codes, copies)]
        self._room = len(copies)
        self.counted = 0

    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""
        self.counted += 1
        classes = self._classes(levels)
        if classes is None:
            return Count(price_of_levels(self._instance, levels))
        most = int(self._share * self._instance.suppress_rows)
        return _counted(self._instance, levels, classes, most)

    def _classes(self, levels: Levels) -> Classes | None:
        """Return the classes of a node, from the fewest known ones below.

        None if it is refused, and its loss needs none of them.
        """
        node = np.array(levels, dtype=np.int64)
        below = (one for one in self._merged if (one.levels <= node).all())
        base = min(below, key=lambda one: len(one.copies))
        labels = (of[level] for of, level in zip(self._labels, levels, strict=True))
        keys = Keys.of(len(base.copies), zip(base.codes, labels, strict=True))
        counted = keys.classes(base.copies, self._instance.k, self._most_below_k)
        if counted is None:
            return None
        firsts, sizes = counted
        codes = base.codes.take(firsts, axis=1)
        if _FEWER * len(sizes) <= len(base.copies) and len(sizes) <= self._room:
            self._room -= len(sizes)
            self._merged.append(_Merged(node, codes, sizes))
        return Classes(sizes, looks_suppressed(self._instance, levels, codes))

    @property
    def _most_below_k(self) -> int:
        """The most rows in classes below k of a node that is not refused.

        Those that look suppressed are one of these classes.
        """
        if not self._instance.is_linear:
            return int(SAFE)
        return int(self._share * self._instance.suppress_rows) + self._instance.k - 1


class CounterElsewhere(Counts):
    """Counts classes of k rows where the rows are."""

    _instance: CountedElsewhere

    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""
        return _counted(self._instance, levels, classes_at(self._instance, levels))


def counter_of(instance: Generalization) -> Counts:
    """Return what counts classes of k rows, wherever the rows are."""
    if isinstance(instance, CountedElsewhere):
        return CounterElsewhere(instance)
    return Counter(instance)


def _counted(
    instance: Generalization, levels: Levels, classes: Classes, most: int | None = None
) -> Count:
    """Return the losses of a node with these classes, of a sample if `most` is less."""
    floor = loss_of_node(instance, levels, classes.sizes)
    suppressed = fewest_of(instance, levels, classes, most)
    if suppressed is None:
        return Count(floor)
    loss = loss_of_node(instance, levels, classes.sizes, suppressed)
    ties = ties_of_node(instance, levels, classes.sizes, suppressed)
    return Count(floor, loss, loss, ties=ties)
