"""Rows of groups with too many stars move to other groups, where they cost least.

A row that fits nowhere is grouped anew with near rows, those first that have no group
or that groups of more than k rows can spare. What is left of a group that becomes too
small has to move as well. That need not end, so it is given up after a while.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.suppression import Suppression
from atleastk.models.k_anonymity import suppressed
from atleastk.models.results.solution import Solution, labels_of

_NEAR: Final = 50
"""Near rows of one that fits nowhere, each of which begins a new group once."""


def within_star_limit(
    instance: Suppression, groups: Sequence[Sequence[int]], most: int
) -> Sequence[Sequence[int]] | None:
    """Return groups with at most `most` stars a row; None if none were found."""
    codes = instance.records.codes[instance.records.record_of]
    unstarred = ~suppressed(instance, Solution.of(groups))[
        [group[0] for group in groups]
    ]
    low = np.flatnonzero((~unstarred).sum(axis=1) <= most)
    if len(low) == len(groups):
        return groups
    state = _Reassignment(
        instance, codes, [groups[int(g)] for g in low], unstarred[low], most
    )
    waiting = state.homeless()
    for _ in range(3 * len(waiting)):  # a row may cause further moves
        if not waiting:
            break
        row = waiting.pop()
        if state.home[row] < 0 and not state.join(row):
            rest = state.group(row)
            if rest is None:
                return None
            waiting += rest
    return None if state.homeless() else Solution.labelled(state.home).groups


class _Reassignment:
    """Groups that rows move to.

    Attributes
    ----------
    home
        The group of every row; -1 as long as it has none.
    unstarred, values, sizes
        Of every group, the columns without a star, its values there, and its rows.
        Groups without rows have been given up.
    """

    def __init__(
        self,
        instance: Suppression,
        codes: Int32Array,
        groups: Sequence[Sequence[int]],
        unstarred: BoolArray,
        most: int,
    ) -> None:
        self._codes, self._k, self._most = codes, instance.k, most
        self._intact = list(instance.intact)
        self.home = labels_of(groups, len(codes))
        self.unstarred, self.values = unstarred, codes[[group[0] for group in groups]]
        self.sizes = np.array([len(group) for group in groups], dtype=np.int64)

    def homeless(self) -> list[int]:
        """Return the rows without a group, the last first."""
        rows: list[int] = np.flatnonzero(self.home < 0)[::-1].tolist()
        return rows

    def join(self, row: int) -> bool:
        """Move a row to the group where it costs least; tell whether there is one."""
        left = self.unstarred & (self.values == self._codes[row])
        stars = (~left).sum(axis=1)
        costs = (self.sizes + 1) * stars - self.sizes * (~self.unstarred).sum(axis=1)
        fits = (stars <= self._most) & left[:, self._intact].all(axis=1)
        fits &= self.sizes > 0
        if not fits.any():
            return False
        best = np.flatnonzero(fits)[costs[fits].argmin()]
        self.unstarred[best] = left[best]
        self.home[row] = best
        self.sizes[best] += 1
        return True

    def group(self, row: int) -> list[int] | None:
        """Group a row anew; return the rows left of other groups, None on failure."""
        near = self._near(row)
        alike = self._codes[near] == self._codes[row]
        for first in range(len(near)):
            members, unstarred, free = [first], alike[first], np.full(len(near), True)
            while len(members) < min(self._k - 1, len(near)):
                free[members] = False
                best = int(np.where(free, (alike & unstarred).sum(axis=1), -1).argmax())
                members.append(best)
                unstarred = unstarred & alike[best]
            if len(members) == self._k - 1 and (~unstarred).sum() <= self._most:
                return self._settle([row, *near[members].tolist()])
        return None

    def _near(self, row: int) -> IntArray:
        """Return rows that may be grouped with one, the nearest first.

        Of equally near ones those come first that their groups can spare.
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
        self.unstarred = np.concatenate(
            (self.unstarred, alike.all(axis=0, keepdims=True))
        )
        self.values = np.concatenate((self.values, self._codes[members[:1]]))
        self.sizes = np.append(self.sizes, len(members))
        small = np.flatnonzero((self.sizes < self._k) & (self.sizes > 0))
        rest: list[int] = np.flatnonzero(np.isin(self.home, small)).tolist()
        self.home[rest] = -1
        self.sizes[small] = 0
        return rest
