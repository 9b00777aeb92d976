"""Groups that break a condition, joined to others until all keep what is asked for.

A union keeps what both keep, and the whole table keeps all, so joining comes to an end.
Each group that fails joins the group with which it costs least: of the nearest ones the
first with which it keeps all, or else the nearest. Time O(G m) a join, for G groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from atleastk.arrays import Int32Array
from atleastk.instances.diversity import Diversity
from atleastk.models.diversity import failing, keeps
from atleastk.models.generalization import solution_of_groups
from atleastk.models.pseudo_columns import expanded, prices_of
from atleastk.solvers.search import Search

__all__ = ["Joining", "join"]

_LOOKED_AT: Final = (1, 40)
"""Near groups that are looked at for one that makes good what is missing: one is the
textbook's way, more are mostly better, and both are tried."""


def join(search: Search[Diversity], groups: Sequence[Sequence[int]]) -> None:
    """Report what comes of joining the groups of a partition."""
    for looked_at in _LOOKED_AT:
        joining = Joining(search.instance, groups)
        joining.run(looked_at)
        found = solution_of_groups(search.instance, joining.groups())
        search.offer(found, "joining")


class Joining:
    """Groups on their way.

    Attributes
    ----------
    labels
        What each group has in each pseudo-column; -1 where its rows differ.
    """

    def __init__(self, instance: Diversity, groups: Sequence[Sequence[int]]) -> None:
        self._instance = instance
        records = expanded(instance, repeated=False).records
        codes = records.codes[records.record_of]
        self._prices = prices_of(instance)
        self._rows = [np.array(group, dtype=np.int64) for group in groups]
        self._sizes = np.array([len(group) for group in groups], dtype=np.int64)
        self.labels: Int32Array = np.array(
            [_shared(codes[rows]) for rows in self._rows], dtype=np.int32
        ).reshape(len(groups), len(self._prices))
        self._paid = (self.labels < 0) @ self._prices
        self._there = np.ones(len(groups), dtype=np.bool_)

    def run(self, looked_at: int) -> None:
        """Join until nothing fails, or all rows are one group."""
        instance, rows = self._instance, self._rows
        classes = np.repeat(np.arange(len(rows)), self._sizes)
        listed = np.concatenate([*rows, np.empty(0, dtype=np.int64)])
        for group in np.flatnonzero(failing(instance, classes, listed)).tolist():
            while self._there[group] and not keeps(instance, rows[group]):
                if self._there.sum() == 1:
                    return
                near = self._nearest(group, looked_at)
                fitting = (
                    other
                    for other in near
                    if keeps(instance, np.concatenate((rows[group], rows[other])))
                )
                self._join(group, next(fitting, near[0]))

    def groups(self) -> list[list[int]]:
        """Return the rows of the groups that are left."""
        return [self._rows[g].tolist() for g in np.flatnonzero(self._there)]

    def _nearest(self, group: int, count: int) -> list[int]:
        """Return the groups with which a group costs least, the best first."""
        here = self.labels[group]
        differ = (self.labels != here) | (here < 0)
        sizes = self._sizes + self._sizes[group]
        more = sizes * (differ @ self._prices) - self._sizes * self._paid
        more[~self._there] = more.max() + 1
        more[group] = more.max() + 1
        few = min(count, int(self._there.sum()) - 1)
        near = np.argpartition(more, few - 1)[:few]
        found: list[int] = near[np.argsort(more[near], kind="stable")].tolist()
        return found

    def _join(self, group: int, other: int) -> None:
        differ = self.labels[group] != self.labels[other]
        self.labels[group][differ] = -1
        self._paid[group] = (self.labels[group] < 0) @ self._prices
        self._rows[group] = np.concatenate((self._rows[group], self._rows[other]))
        self._sizes[group] += self._sizes[other]
        self._there[other] = False


def _shared(codes: Int32Array) -> Int32Array:
    return np.where((codes == codes[0]).all(axis=0), codes[0], -1)
