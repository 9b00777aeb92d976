"""Assignments: how many copies of each record are in each group.

A table of a million rows has far fewer distinct records, and equal rows are
interchangeable. So searches hold entries (group, record, copies) in arrays, and choose
the rows of the table only at the end.

A group pays for the columns on which it is not constant, whatever pattern it was made
for: costs are always recomputed from the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray, by_label, distinct_places
from atleastk.instances.records import Records
from atleastk.models.deals import Entries, entries_of, solution_of_entries
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """Entries sorted by group and record: how many copies of a record are in a group.

    Groups are numbered 0, 1, ... without gaps.
    """

    group: IntArray  # [entry]
    record: IntArray  # [entry]
    copies: IntArray  # [entry]

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
        first, entry = distinct_places(keys)
        merged = np.zeros(len(first), dtype=np.int64)
        np.add.at(merged, entry, copies)
        found, merged = keys[first][merged > 0], merged[merged > 0]
        label, place = np.divmod(found, spread)
        renamed = np.zeros(len(label), dtype=np.int64)
        renamed[1:] = np.cumsum(label[1:] != label[:-1])
        return cls(renamed, place, merged)

    @classmethod
    def of_rows(cls, records: Records, group_of: IntArray) -> Assignment:
        """Return the assignment that puts every row of the table into its group."""
        ones = np.ones(len(group_of), dtype=np.int64)
        return cls.of(group_of, records.record_of, ones)

    @classmethod
    def of_solution(cls, records: Records, solution: Solution) -> Assignment:
        """Return the assignment of groups of the rows of the table, or of deals."""
        return cls.of(*entries_of(records, solution))

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
        bits = np.zeros(self.groups, dtype=np.int64)
        for j, constant in enumerate(self._constant(records)):
            bits |= constant.astype(np.int64) << j
        return bits

    def cost(self, records: Records) -> int:
        """Return what the suppressed cells of all rows cost."""
        paid = np.zeros(self.groups, dtype=np.int64)
        columns = zip(records.price.tolist(), self._constant(records), strict=True)
        for price, constant in columns:
            paid += price * ~constant
        copies = self.copies * records.worth[self.record]
        worth = np.zeros_like(paid)
        np.add.at(worth, self.group, copies)
        return int(paid @ worth)

    def stars(self, records: Records) -> IntArray:
        """Return how many rows lose their value of each column."""
        sizes = self.sizes
        return np.array([sizes[~each].sum() for each in self._constant(records)])

    def _constant(self, records: Records) -> Iterator[BoolArray]:
        """Yield for every column on which groups it is constant."""
        starts = self.starts[:-1]
        for column in records.codes.T:
            values = column[self.record]
            least = np.minimum.reduceat(values, starts) if len(starts) else values
            most = np.maximum.reduceat(values, starts) if len(starts) else values
            yield least == most

    def rows(self, records: Records) -> list[IntArray]:
        """Return the rows of the table in each group."""
        return by_label(records.row_groups(self.group, self.record, self.copies))

    def solution(self, records: Records) -> Solution:
        """Return it as a solution: of deals if rows have copies, else of rows."""
        return solution_of_entries(
            records, Entries(self.group, self.record, self.copies)
        )

    def alone(self, home: IntArray) -> BoolArray:
        """Tell which entries are in groups of one home of records alone."""
        homes = home[self.record]
        others = homes != homes[self.starts[:-1]][self.group]
        mixed = np.bincount(self.group[others], minlength=self.groups)
        found: BoolArray = mixed[self.group] == 0
        return found

    def without(
        self, spare: IntArray, home: IntArray, admits: Callable[[Assignment], bool]
    ) -> Assignment | None:
        """Return the same without these copies of each record, at no other cost.

        They are of groups of one `home` of records alone, which become one of what is
        left; None if there are no such groups, or what is left is not admitted.
        """
        spared = np.zeros(len(spare), dtype=np.bool_)
        spared[home[spare > 0]] = True
        alone = self.alone(home) & spared[home[self.record]]
        left = -spare
        np.add.at(left, self.record[alone], self.copies[alone])
        apart = np.flatnonzero(left)
        if (left < 0).any() or not admits(
            Assignment.of(home[apart], apart, left[apart])
        ):
            return None
        return Assignment.of(
            np.concatenate((self.group[~alone], self.groups + home[apart])),
            np.concatenate((self.record[~alone], apart)),
            np.concatenate((self.copies[~alone], left[apart])),
        )

    def with_groups(self, copies: IntArray, home: IntArray) -> Assignment:
        """Return the same with groups of these copies of each home of records."""
        more = np.flatnonzero(copies)
        return Assignment.of(
            np.concatenate((self.group, self.groups + home[more])),
            np.concatenate((self.record, more)),
            np.concatenate((self.copies, copies[more])),
        )


def in_turn(
    parts: Iterable[T], rows_of: Callable[[T], int], budget: Callable[[], Budget]
) -> Iterator[tuple[T, Budget]]:
    """Yield parts of a table, small ones first, each with a share by its rows."""
    ordered = sorted(parts, key=rows_of)
    left = sum(map(rows_of, ordered))
    for part in ordered:
        yield part, budget().share(rows_of(part) / left)
        left -= rows_of(part)


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
