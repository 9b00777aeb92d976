"""Rows of groups that have too many stars join other groups, where they cost least.

A row that fits nowhere is grouped anew with rows next to it, those first that have no
group or that groups of more than k rows can spare. What is left of a group that becomes
too small has to join others as well. That need not end: it is given up after a while.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.suppression import Suppression
from atleastk.models.k_anonymity import suppressed
from atleastk.models.results.solution import Solution, labels_of

_PATIENCE: Final = 3
"""How often a row that has to join may be followed by others, on the mean: not
tuned."""

_NEAR: Final = 50
"""Rows next to one that fits nowhere, each of which a new group is begun with."""


def joined(
    instance: Suppression, groups: Sequence[Sequence[int]], most: int
) -> Sequence[Sequence[int]] | None:
    """Return groups with at most so many stars a row; None if they are not found."""
    codes = instance.records.codes[instance.records.record_of]
    kept = ~suppressed(instance, Solution.of(groups))[[group[0] for group in groups]]
    low = np.flatnonzero((~kept).sum(axis=1) <= most)
    if len(low) == len(groups):
        return groups
    state = _Joining(instance, codes, [groups[int(g)] for g in low], kept[low], most)
    waiting = state.homeless()
    for _ in range(_PATIENCE * len(waiting)):
        if not waiting:
            break
        row = waiting.pop()
        if state.home[row] < 0 and not state.join(row):
            rest = state.group(row)
            if rest is None:
                return None
            waiting += rest
    return None if state.homeless() else state.groups()


class _Joining:
    """Groups that rows join.

    Attributes
    ----------
    home
        The group of every row; -1 as long as it has none.
    kept, values, sizes
        Of every group, the columns without a star, what it has there, and its rows.
        Groups without rows have been given up.
    """

    def __init__(
        self,
        instance: Suppression,
        codes: Int32Array,
        groups: Sequence[Sequence[int]],
        kept: BoolArray,
        most: int,
    ) -> None:
        self._codes, self._k, self._most = codes, instance.k, most
        self._intact = list(instance.intact)
        self.home = labels_of(groups, len(codes))
        self.kept, self.values = kept, codes[[group[0] for group in groups]]
        self.sizes = np.array([len(group) for group in groups], dtype=np.int64)

    def homeless(self) -> list[int]:
        """Return the rows without a group, the last first."""
        rows: list[int] = np.flatnonzero(self.home < 0)[::-1].tolist()
        return rows

    def groups(self) -> list[list[int]]:
        """Return all groups that have rows."""
        ends = np.cumsum(self.sizes[self.sizes > 0])
        by_home = np.argsort(self.home, kind="stable")
        return [rows.tolist() for rows in np.split(by_home, ends[:-1])]

    def join(self, row: int) -> bool:
        """Let a row join the group where it costs least; tell whether there is one."""
        left = self.kept & (self.values == self._codes[row])
        stars = (~left).sum(axis=1)
        costs = (self.sizes + 1) * stars - self.sizes * (~self.kept).sum(axis=1)
        fits = (stars <= self._most) & left[:, self._intact].all(axis=1)
        fits &= self.sizes > 0
        if not fits.any():
            return False
        best = np.flatnonzero(fits)[costs[fits].argmin()]
        self.kept[best] = left[best]
        self.home[row] = best
        self.sizes[best] += 1
        return True

    def group(self, row: int) -> list[int] | None:
        """Group a row anew; return what is left of others, None if that fails."""
        near = self._near(row)
        alike = self._codes[near] == self._codes[row]
        for first in range(len(near)):
            members, kept, free = [first], alike[first], np.full(len(near), True)
            while len(members) < min(self._k - 1, len(near)):
                free[members] = False
                best = int(np.where(free, (alike & kept).sum(axis=1), -1).argmax())
                members.append(best)
                kept = kept & alike[best]
            if len(members) == self._k - 1 and (~kept).sum() <= self._most:
                return self._settle([row, *near[members].tolist()])
        return None

    def _near(self, row: int) -> IntArray:
        """Return rows that may be grouped with one, the nearest first.

        Of equally near ones those come first that no other group needs.
        """
        alike = self._codes == self._codes[row]
        size = np.append(self.sizes, 0)[self.home]
        price = 2 * (~alike).sum(axis=1) + ((size > 0) & (size <= self._k))
        fits = alike[:, self._intact].all(axis=1)
        fits[row] = False
        candidates = np.flatnonzero(fits)
        order = np.argsort(price[candidates], kind="stable")
        return candidates[order[: max(_NEAR, 2 * self._k)]]

    def _settle(self, members: list[int]) -> list[int]:
        """Make rows a group; return those of groups that are too small without them."""
        left = self.home[members]
        np.subtract.at(self.sizes, left[left >= 0], 1)
        self.home[members] = len(self.sizes)
        alike = self._codes[members] == self._codes[members[0]]
        self.kept = np.concatenate((self.kept, alike.all(axis=0, keepdims=True)))
        self.values = np.concatenate((self.values, self._codes[members[:1]]))
        self.sizes = np.append(self.sizes, len(members))
        small = np.flatnonzero((self.sizes < self._k) & (self.sizes > 0))
        rest: list[int] = np.flatnonzero(np.isin(self.home, small)).tolist()
        self.home[rest] = -1
        self.sizes[small] = 0
        return rest
