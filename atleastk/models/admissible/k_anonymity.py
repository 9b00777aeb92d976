"""The admissible groups of k-anonymity: k to 2k-1 rows, seen through closed patterns.

The sum form of :mod:`atleastk.models.groups`, over distinct records with their copies.
A group S costs |S| times the columns on which it is not constant. Every group matches
the closed pattern that keeps its constant columns, and costs its stars; so the best
group is the best one of some pattern p, which is found by sorting: the k most valuable
copies that match p, and up to k-1 more of positive value, where a copy of record t is
worth weight_t - scale * stars_p.

The oracle is exact in 64-bit integers and takes O(pairs log pairs) for the pairs of a
pattern and a matching record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.models.groups import Group, Parts
from atleastk.models.kinds import Kinds
from atleastk.models.tables.patterns import Patterns

_LARGEST = 2**60
"""The magnitude below which all values stay, so that no 64-bit sum overflows."""


@dataclass(frozen=True, eq=False)
class RowGroups:
    """The groups of k to 2k-1 rows of a table; kinds are its distinct records."""

    records: Records
    patterns: Patterns  # all closed patterns of support at least k
    k: int

    @classmethod
    def of(cls, instance: KAnonymity, patterns: Patterns) -> RowGroups:
        """Return the groups of an instance whose closed patterns these are."""
        return cls(instance.records, patterns, instance.k)

    @cached_property
    def demand(self) -> tuple[int, ...]:
        """The copies of every distinct record."""
        return tuple(self.records.copies.tolist())

    @cached_property
    def kinds(self) -> Kinds:
        """The distinct records, and the rows equal to them."""
        members = self.records.members if self.demand else []
        return Kinds(
            tuple(range(self.records.distinct)),
            tuple(tuple(rows.tolist()) for rows in members),
        )

    @property
    def parts(self) -> Parts:
        """The number of groups: n / (2k-1) to n / k."""
        n = self.records.n
        return Parts(-(-n // (2 * self.k - 1)), n // self.k)

    def best_group(self, weights: Sequence[int], scale: int) -> Group | None:
        """Return a group S of greatest ``weights(S) - scale * cost(S)``."""
        if not self.patterns.count:
            return None
        values, taken, record = self._best_of_all(weights, scale)
        return self._group(int(values.argmax()), taken, record)

    def better_groups(
        self, weights: Sequence[int], scale: int, least: int
    ) -> list[Group]:
        """Return the best groups of many patterns, all worth more than `least`.

        The most valuable first; together they need no more copies of a record than
        there are.
        """
        values, taken, record = self._best_of_all(weights, scale)
        left = self.records.copies.copy()
        chosen = []
        for p in np.argsort(-values, kind="stable"):
            if values[p] <= least:
                break
            span = slice(*self.patterns.starts[p : p + 2])
            used = taken[span] > 0
            kinds, copies = record[span][used], taken[span][used]
            if (left[kinds] >= copies).all():
                left[kinds] -= copies
                chosen.append(self._group(int(p), taken, record))
        return chosen

    def group(self, kinds: Sequence[int]) -> Group:
        """Return the group of these records, with its cost."""
        codes = self.records.codes[list(kinds)]
        stars = int((codes != codes[0]).any(axis=0).sum())
        return Group(tuple(sorted(kinds)), stars * len(kinds))

    def holds(self, group: Group) -> bool:
        """Tell whether a group over these kinds is admissible, at its true cost."""
        copies = Counter(group.items)
        return (
            self.k <= len(group.items) < 2 * self.k
            and all(self.demand[kind] >= count for kind, count in copies.items())
            and self.group(group.items) == group
        )

    def values_of_pairs(self, weights: Sequence[int], scale: int) -> IntArray:
        """Return, for every pair, the value of the best group with this pair.

        Its records match the pattern and pay for it, the record of the pair among
        them.
        """
        values, taken, record = self._best_of_all(weights, scale)
        starts, pattern = self.patterns.starts[:-1], self._pattern
        weight = np.array(weights, dtype=np.int64)[record]
        worth = weight - scale * self.patterns.stars.astype(np.int64)[pattern]
        full = np.add.reduceat(taken, starts) == 2 * self.k - 1
        worths = np.where(taken > 0, worth, _LARGEST)
        cheapest = np.minimum.reduceat(worths, starts)
        room = np.where(full, -cheapest, np.maximum(0, -cheapest))
        joined = values[pattern] + np.where(taken > 0, 0, worth + room[pattern])
        return joined[np.argsort(pattern * len(weights) + record)]

    @cached_property
    def _pattern(self) -> IntArray:
        lengths = np.diff(self.patterns.starts)
        return np.repeat(np.arange(self.patterns.count), lengths)

    def _best_of_all(
        self, weights: Sequence[int], scale: int
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return the value of the best group of every pattern, and these groups.

        They are the copies taken of the records of all pairs, in another order.
        """
        greatest = max(map(abs, weights), default=0) + scale * self.records.m
        if greatest * 2 * self.k >= _LARGEST:
            raise NotApplicableError(
                f"weights up to {greatest} are too large for 64 bits"
            )
        weight = np.array(weights, dtype=np.int64)
        by_weight = np.argsort(-weight, kind="stable")
        rank = np.empty_like(by_weight)
        rank[by_weight] = np.arange(len(rank))
        width = len(rank)
        ranks = np.sort(self._pattern * width + rank[self.patterns.records]) % width
        record = by_weight[ranks]
        copies = self.records.copies[record]
        starts = self.patterns.starts[:-1]
        before = np.cumsum(copies) - copies
        before -= before[starts][self._pattern]
        worth = (
            weight[record] - scale * self.patterns.stars.astype(np.int64)[self._pattern]
        )
        room = np.where(worth > 0, 2 * self.k - 1, self.k) - before
        taken = np.clip(room, 0, copies)
        return np.add.reduceat(taken * worth, starts), taken, record

    def _group(self, pattern: int, taken: IntArray, record: IntArray) -> Group:
        span = slice(*self.patterns.starts[pattern : pattern + 2])
        return self.group(np.repeat(record[span], taken[span]).tolist())
