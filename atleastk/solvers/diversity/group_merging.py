"""Groups that break a condition, merged with others until all satisfy it.

A union of groups that satisfy the condition satisfies it, and the whole table does, so
merging ends. Each group that fails is merged with the group with which it costs least:
of the nearest ones the first with which it satisfies all, or else the nearest. Time O(G
m) a merge, for G groups.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray, by_label
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.diversity import failing_kinds
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.assignment import Assignment


def merged(
    instance: Diversity,
    kinds: Records,
    labels: IntArray,
    budget: Budget,
    candidates: int = 1,
) -> Assignment | None:
    """Return what merging groups of rows of kinds makes; None if time is over.

    So many near groups are tried as partners of a group that fails; with one it is the
    textbook algorithm.
    """
    merger = GroupMerger(instance, kinds, labels)
    merger.run(candidates, budget)
    return None if budget.spent else merger.groups()


class GroupMerger:
    """Groups while they are merged.

    Attributes
    ----------
    labels
        By pseudo-column the label of each group; -1 where its rows differ.
    """

    def __init__(self, instance: Diversity, kinds: Records, labels: IntArray) -> None:
        self._instance = instance
        self._prices = kinds.price
        # Of each group the kinds of its rows.
        self._rows = [kinds.record_of[group] for group in by_label(labels)]
        self._sizes = np.array([len(rows) for rows in self._rows], dtype=np.int64)
        shape = len(self._rows), len(self._prices)
        shared = [_shared(kinds.codes[rows]) for rows in self._rows]
        of_groups = np.array(shared, dtype=np.int32).reshape(shape).T
        self.labels: Int32Array = np.ascontiguousarray(of_groups)
        self._paid = self._prices @ (self.labels < 0)
        self._there = np.ones(len(self._rows), dtype=np.bool_)

    def run(self, candidates: int, budget: Budget) -> None:
        """Merge until nothing fails, all rows are one group, or the budget is spent."""
        if not self._rows:
            return
        for group in np.flatnonzero(self._failing(self._rows)).tolist():
            while self._there[group] and self._failing([self._rows[group]])[0]:
                if self._there.sum() == 1 or budget.spent:
                    return
                near = self._nearest(group, candidates)
                self._merge(group, near[self._first_completing(group, near)])

    def groups(self) -> Assignment:
        """Return the groups that are left."""
        left = np.flatnonzero(self._there)
        none = np.empty(0, dtype=np.int64)
        kinds = np.concatenate([none, *(self._rows[g] for g in left)])
        home = np.repeat(left, self._sizes[left])
        return Assignment.of(home, kinds, np.ones_like(kinds))

    def _failing(self, groups: Sequence[IntArray]) -> BoolArray:
        classes = np.repeat(np.arange(len(groups)), [len(kinds) for kinds in groups])
        kinds = np.concatenate(groups)
        return failing_kinds(self._instance, classes, kinds, np.ones_like(kinds))

    def _nearest(self, group: int, count: int) -> list[int]:
        more = np.full(len(self._rows), self._paid[group])
        for labels, price in zip(self.labels, self._prices.tolist(), strict=True):
            if labels[group] >= 0:
                more += price * (labels != labels[group])
        more = (self._sizes + self._sizes[group]) * more - self._sizes * self._paid
        more[~self._there] = more.max() + 1
        more[group] = more.max() + 1
        few = min(count, int(self._there.sum()) - 1)
        near = np.argpartition(more, few - 1)[:few]
        found: list[int] = near[np.argsort(more[near], kind="stable")].tolist()
        return found

    def _first_completing(self, group: int, near: Sequence[int]) -> int:
        """Return the first place whose group completes this one, or 0."""
        if len(near) == 1:
            return 0
        unions = [np.concatenate((self._rows[group], self._rows[g])) for g in near]
        return int(self._failing(unions).argmin())

    def _merge(self, group: int, other: int) -> None:
        differ = self.labels[:, group] != self.labels[:, other]
        self.labels[differ, group] = -1
        self._paid[group] = self._prices @ (self.labels[:, group] < 0)
        self._rows[group] = np.concatenate((self._rows[group], self._rows[other]))
        self._sizes[group] += self._sizes[other]
        self._there[other] = False


def _shared(codes: Int32Array) -> Int32Array:
    return np.where((codes == codes[0]).all(axis=0), codes[0], -1)
