"""Assignments: how many copies of each record are in each group.

A table of a million rows has far fewer distinct records, and equal rows are
interchangeable. So searches hold entries (group, record, copies) in arrays, and choose
the rows of the table only at the end.

A group pays for the columns on which it is not constant, whatever pattern it was made
for: costs are always recomputed from the records.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.k_anonymity import DealtSolution
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.compiled.compile import compiled


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """Entries sorted by group and record: how many copies of a record are in a group.

    Attributes
    ----------
    group
        The group of every entry; groups are numbered 0, 1, ... without gaps.
    record, copies
        The distinct record of every entry, and how many of its copies are in the group.
    """

    group: IntArray
    record: IntArray
    copies: IntArray

    @classmethod
    def of(
        cls,
        group: IntArray | Int32Array,
        record: IntArray | Int32Array,
        copies: IntArray,
    ) -> Assignment:
        """Merge entries in any order, with any numbers of groups."""
        spread = int(record.max(initial=0)) + 1
        keys = group.astype(np.int64) * spread + record
        found, entry = np.unique(keys, return_inverse=True)
        merged = np.zeros(len(found), dtype=np.int64)
        np.add.at(merged, entry.reshape(len(keys)), copies)
        found, merged = found[merged > 0], merged[merged > 0]
        group, record = np.divmod(found, spread)
        renamed = np.zeros(len(group), dtype=np.int64)
        renamed[1:] = np.cumsum(group[1:] != group[:-1])
        return cls(renamed, record, merged)

    @classmethod
    def of_rows(cls, records: Records, group_of: IntArray) -> Assignment:
        """Return the assignment that puts every row of the table into its group."""
        ones = np.ones(len(group_of), dtype=np.int64)
        return cls.of(group_of, records.record_of, ones)

    @classmethod
    def of_groups(cls, records: Records, groups: Iterable[Iterable[int]]) -> Assignment:
        """Return the assignment of a partition of the rows of the table."""
        listed = [np.fromiter(group, dtype=np.int64) for group in groups]
        group_of = np.full(records.n, -1, dtype=np.int64)
        for number, rows in enumerate(listed):
            group_of[rows] = number
        return cls.of_rows(records, group_of)

    @property
    def groups(self) -> int:
        """The number of groups."""
        return int(self.group[-1]) + 1 if len(self.group) else 0

    @property
    def starts(self) -> IntArray:
        """The first entry of every group, and the end of the last."""
        changes = np.flatnonzero(np.diff(self.group)) + 1
        ends = [len(self.group)] if len(self.group) else []
        return np.concatenate(([0], changes, ends)).astype(np.int64)

    @property
    def sizes(self) -> IntArray:
        """The number of rows of every group."""
        if not len(self.group):
            return np.zeros(0, dtype=np.int64)
        sizes: IntArray = np.add.reduceat(self.copies, self.starts[:-1])
        return sizes

    def constant_columns(self, records: Records) -> IntArray:
        """Return the columns on which each group is constant, as bits of an integer."""
        constant = np.zeros(self.groups, dtype=np.int64)
        if not len(self.group):
            return constant
        starts = self.starts[:-1]
        for j in range(records.m):
            values = records.codes[self.record, j]
            least = np.minimum.reduceat(values, starts)
            most = np.maximum.reduceat(values, starts)
            constant |= (least == most).astype(np.int64) << j
        return constant

    def cost(self, records: Records) -> int:
        """Return what the suppressed cells of all rows cost."""
        if not len(self.group):
            return 0
        constant = self.constant_columns(records)
        each = np.zeros_like(constant)
        for j, price in enumerate(records.price.tolist()):
            each += price * (1 - (constant >> j & 1))
        worth = self.copies * records.worth[self.record]
        return int(each @ np.add.reduceat(worth, self.starts[:-1]))

    def is_valid(self, records: Records, k: int) -> bool:
        """Tell whether all copies are assigned and every group has at least k rows."""
        assigned = np.bincount(
            self.record, weights=self.copies, minlength=records.distinct
        )
        complete = np.array_equal(assigned.astype(np.int64), records.copies)
        return complete and bool((self.sizes >= k).all())

    def rows(self, records: Records) -> list[IntArray]:
        """Return the rows of the table in each group."""
        group_of = records.row_groups(self.group, self.record, self.copies)
        order = np.argsort(group_of, kind="stable")
        return np.split(order, np.cumsum(self.sizes)[:-1]) if self.groups else []

    def solution(self, records: Records) -> Solution:
        """Return it as a solution: of deals if records stand for rows, else of rows."""
        if records.repeated:
            row = np.argsort(records.home)[self.record]
            return DealtSolution.dealt(row, self.group, self.copies)
        return Solution.labelled(
            records.row_groups(self.group, self.record, self.copies)
        )

    def without(self, spare: IntArray, k: int) -> Assignment | None:
        """Return the same without these copies of each record, at no other cost.

        They are of groups of that record alone, which become one of none or of k rows
        at least; None if there is no such group.
        """
        alone = np.diff(self.starts)[self.group] == 1
        alone &= spare[self.record] > 0
        whole = np.zeros(len(spare), dtype=np.int64)
        np.add.at(whole, self.record[alone], self.copies[alone])
        left = whole - spare
        if ((spare > 0) & (left != 0) & (left < k)).any():
            return None
        apart = np.flatnonzero(left > 0)
        return Assignment.of(
            np.concatenate((self.group[~alone], self.groups + apart)),
            np.concatenate((self.record[~alone], apart)),
            np.concatenate((self.copies[~alone], left[apart])),
        )

    def with_groups(self, copies: IntArray) -> Assignment:
        """Return the same with groups of these copies of each record alone."""
        more = np.flatnonzero(copies)
        return Assignment(
            np.concatenate((self.group, self.groups + np.arange(len(more)))),
            np.concatenate((self.record, more)),
            np.concatenate((self.copies, copies[more])),
        )

    def split(self, k: int) -> Assignment:
        """Return the same with every group of 2k rows or more split, at no cost.

        Rows are cut in the order of their records: equal ones stay together.
        """
        ends = np.cumsum(self.copies)
        sizes = self.sizes
        opened = np.repeat(np.cumsum(sizes) - sizes, np.diff(self.starts))
        parts = np.repeat(np.maximum(1, sizes // k), np.diff(self.starts))
        # Row i of a group of s rows goes to part i * parts // s, of k rows or more.
        unit = np.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
        entry = np.repeat(np.arange(len(self.copies)), self.copies)
        place = unit - opened[entry]
        size = sizes[self.group[entry]]
        part = place * parts[entry] // np.maximum(1, size)
        spread = int(parts.max(initial=1))
        ones = np.ones(len(unit), dtype=np.int64)
        return Assignment.of(
            self.group[entry] * spread + part, self.record[entry], ones
        )


def patterns_by_record(
    patterns: Patterns, distinct: int
) -> tuple[IntArray, Int32Array]:
    """Return the patterns of every record, by stars: the transpose of the pairs.

    The patterns of record t are ``listed[starts[t]:starts[t + 1]]``, ascending.
    """
    lengths = np.bincount(patterns.records, minlength=distinct)
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    listed = np.empty(patterns.pairs, dtype=np.int32)
    _fill(patterns.starts, patterns.records, starts[:-1].copy(), listed)
    return starts, listed


@compiled
def _fill(
    starts: IntArray,
    records: Int32Array,
    place: IntArray,
    listed: Int32Array,
) -> None:
    """Put every pattern into the lists of its records, which begin at `place`."""
    for p in range(len(starts) - 1):
        for i in range(starts[p], starts[p + 1]):
            t = records[i]
            listed[place[t]] = p
            place[t] += 1


def patterns_of(
    assignment: Assignment,
    records: Records,
    patterns: Patterns,
    starts: IntArray,
    listed: Int32Array,
) -> IntArray:
    """Return the pattern of every group: the closed one with the same constant columns.

    Of an incomplete list, the pattern of fewest stars that covers the group; -1 if none
    does. `starts` and `listed` are those of :func:`patterns_by_record`.
    """
    first = assignment.record[assignment.starts[:-1]]
    found = np.full(assignment.groups, -1, dtype=np.int64)
    constant = assignment.constant_columns(records)
    _look_up(constant, first, patterns.kept, starts, listed, found)
    return found


@compiled
def _look_up(
    constant: IntArray,
    first: IntArray,
    kept: IntArray,
    starts: IntArray,
    listed: Int32Array,
    found: IntArray,
) -> None:
    """Write the first pattern of every group whose kept columns are all constant."""
    for g in range(len(constant)):
        for i in range(starts[first[g]], starts[first[g] + 1]):
            if kept[listed[i]] & ~constant[g] == 0:
                found[g] = listed[i]
                break
