"""Groups that break a condition, merged with others until all satisfy it.

A union of groups that satisfy the condition satisfies it, and the whole table does, so
merging ends. Each group that fails is merged with the group with which it costs least:
of the nearest ones the first with which it satisfies all, or else the nearest. Time O(G
m) a merge, for G groups.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.diversity import failing, is_diverse
from atleastk.models.generalization import GeneralizationSolution, solution_of_groups
from atleastk.solvers.budget import Budget


def merged(
    instance: Diversity,
    plain: Records,
    groups: Sequence[Sequence[int] | IntArray],
    budget: Budget,
    candidates: int = 1,
) -> GeneralizationSolution | None:
    """Return the solution of merging groups of a partition; None if time is over.

    So many near groups are tried as partners of a group that fails; with one it is the
    textbook algorithm. `plain` are the records of the expanded table.
    """
    merger = GroupMerger(instance, plain, groups)
    merger.run(candidates, budget)
    if budget.spent:
        return None
    return solution_of_groups(instance, merger.groups())


class GroupMerger:
    """Groups while they are merged.

    Attributes
    ----------
    labels
        By pseudo-column the label of each group; -1 where its rows differ.
    """

    def __init__(
        self,
        instance: Diversity,
        plain: Records,
        groups: Sequence[Sequence[int] | IntArray],
    ) -> None:
        self._instance = instance
        codes = plain.codes[plain.record_of]
        self._prices = plain.price
        self._rows = [np.array(group, dtype=np.int64) for group in groups]
        self._sizes = np.array([len(group) for group in groups], dtype=np.int64)
        shape = len(groups), len(self._prices)
        shared = [_shared(codes[rows]) for rows in self._rows]
        labels = np.array(shared, dtype=np.int32).reshape(shape).T
        self.labels: Int32Array = np.ascontiguousarray(labels)
        self._paid = self._prices @ (self.labels < 0)
        self._there = np.ones(len(groups), dtype=np.bool_)

    def run(self, candidates: int, budget: Budget) -> None:
        """Merge until nothing fails, all rows are one group, or the budget is spent."""
        instance, rows = self._instance, self._rows
        classes = np.repeat(np.arange(len(rows)), self._sizes)
        listed = np.concatenate([*rows, np.empty(0, dtype=np.int64)])
        for group in np.flatnonzero(failing(instance, classes, listed)).tolist():
            while self._there[group] and not is_diverse(instance, rows[group]):
                if self._there.sum() == 1 or budget.spent:
                    return
                near = self._nearest(group, candidates)
                self._merge(group, near[self._first_completing(group, near)])

    def groups(self) -> list[list[int]]:
        """Return the rows of the groups that are left."""
        return [self._rows[g].tolist() for g in np.flatnonzero(self._there)]

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
        classes = np.repeat(np.arange(len(near)), [len(rows) for rows in unions])
        return int(failing(self._instance, classes, np.concatenate(unions)).argmin())

    def _merge(self, group: int, other: int) -> None:
        differ = self.labels[:, group] != self.labels[:, other]
        self.labels[differ, group] = -1
        self._paid[group] = self._prices @ (self.labels[:, group] < 0)
        self._rows[group] = np.concatenate((self._rows[group], self._rows[other]))
        self._sizes[group] += self._sizes[other]
        self._there[other] = False


def _shared(codes: Int32Array) -> Int32Array:
    return np.where((codes == codes[0]).all(axis=0), codes[0], -1)
