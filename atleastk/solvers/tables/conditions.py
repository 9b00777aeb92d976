"""Conditions on the values of a group, counted while compiled loops build groups.

A group needs `different` values of every sensitive column, none of them in more than
one of `share` rows, and its values may not be too far from those of the table. What is
*lacking* is how many rows more a group needs for that, at least.

The values of the rows that a move frees are numbered anew, so that counts of new groups
are short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.compiled.compile import compiled, inlined


@dataclass(frozen=True, slots=True, eq=False)
class Sensitive:
    """The sensitive values of the records of a table, and what groups have to keep."""

    values: Int32Array  # [record, sensitive column]
    totals: Sequence[IntArray]  # how many rows of the table have each value
    different: int  # these three are those of a `Condition`
    share: int
    close: bool
    reach: IntArray  # how far values may be from the table's, [size of a group]

    @property
    def columns(self) -> int:
        """The number of sensitive columns."""
        return len(self.totals)

    @property
    def widest(self) -> int:
        """The greatest number of values of a column."""
        return max(map(len, self.totals))

    @property
    def n(self) -> int:
        """The rows of the table."""
        return len(self.reach) - 1

    def counted(self, count: int, pattern: Int32Array, record: Int32Array) -> Condition:
        """Return the condition on groups that are patterns, and on one more.

        The rows of these records are in these patterns.
        """
        number = np.tile(np.arange(self.widest, dtype=np.int32), (self.columns, 1))
        there = np.array([len(totals) for totals in self.totals], dtype=np.int64)
        shape = count + 1, self.widest
        made = self._condition(self.reach, number, number, there, shape)
        columns = np.arange(self.columns)
        np.add.at(made.held, (pattern[:, None], columns, self.values[record]), 1)
        return made

    def of_free_rows(
        self, record: IntArray, widest: int, room: int, groups: int
    ) -> Condition:
        """Return the condition on some groups of rows of these records, `room` of them.

        Groups of more than `widest` rows break it.
        """
        none = np.full((self.columns, self.widest), -1, dtype=np.int32)
        own = np.empty((self.columns, room), dtype=np.int32)
        there = np.zeros(self.columns, dtype=np.int64)
        reach = np.full(room + 1, -1, dtype=np.int64)
        reach[: widest + 1][: self.n + 1] = self.reach[: widest + 1]
        made = self._condition(reach, none, own, there, (groups, room))
        return made._replace(
            of_row=self.values[record],
            total=np.empty((self.columns, room), dtype=np.int64),
        )

    def only(self, records: IntArray) -> Sensitive:
        """Return the same for some of the records."""
        return replace(self, values=self.values[records])

    def diverse(self, patterns: Patterns) -> Patterns:
        """Return the patterns whose records have enough different values."""
        enough = np.ones(patterns.count, dtype=np.bool_)
        for values in self.values.T:
            _have_different(
                patterns.starts,
                patterns.records,
                np.ascontiguousarray(values),
                np.full(self.widest, -1, dtype=np.int64),
                self.different,
                enough,
            )
        return patterns.where(enough)

    def _condition(
        self,
        reach: IntArray,
        number: Int32Array,
        own: Int32Array,
        there: IntArray,
        shape: tuple[int, int],
    ) -> Condition:
        totals = np.zeros((self.columns, self.widest), dtype=np.int64)
        for s, counts in enumerate(self.totals):
            totals[s, : len(counts)] = counts
        groups, values = shape
        return Condition(
            of_row=self.values,
            totals=totals,
            n=self.n,
            different=self.different,
            share=self.share,
            reach=reach,
            close=self.close,
            number=number,
            own=own,
            total=totals,
            there=there,
            held=np.zeros((groups, self.columns, values), dtype=np.int64),
        )


class Condition(NamedTuple):
    """The sensitive values of the rows, the condition, and counts for one move."""

    of_row: Int32Array  # values, [row, sensitive column]
    totals: IntArray  # how many rows of the table have it, [sensitive column, value]
    n: int  # the rows of the table
    different: int  # the least number of different values
    share: int  # l if no value may have more than 1/l
    reach: IntArray  # how far values may be from the table's, [size]; -1: too wide
    close: bool  # whether there is a condition on closeness
    # The values of free rows are numbered anew; -1 if no free row has it.
    number: Int32Array  # [sensitive column, value]
    own: Int32Array  # the number of the row of a slot, [sensitive column, slot]
    total: IntArray  # [sensitive column, number]
    there: IntArray  # how many numbers there are, [sensitive column]
    held: IntArray  # rows of a group that have it, [group, sensitive column, number]


@compiled
def _have_different(
    starts: IntArray,
    records: Int32Array,
    values: Int32Array,
    last: IntArray,
    different: int,
    enough: BoolArray,
) -> None:
    """Mark the patterns that have fewer different values; `last` saw each of them."""
    for p in range(len(enough)):
        found = 0
        for i in range(starts[p], starts[p + 1]):
            v = values[records[i]]
            if last[v] != p:
                last[v] = p
                found += 1
        enough[p] = enough[p] and found >= different


@compiled
def number_values(free: int, row: IntArray, asked: Condition) -> None:
    """Give the values of the free rows new numbers."""
    for s in range(len(asked.there)):
        asked.there[s] = 0
        for i in range(free):
            value = asked.of_row[row[i], s]
            if asked.number[s, value] < 0:
                asked.number[s, value] = asked.there[s]
                asked.total[s, asked.there[s]] = asked.totals[s, value]
                asked.there[s] += 1


@compiled
def clear_numbers(free: int, row: IntArray, asked: Condition) -> None:
    """Forget the numbers after a move."""
    for s in range(len(asked.there)):
        for i in range(free):
            asked.number[s, asked.of_row[row[i], s]] = -1


@compiled
def fill_slot(i: int, row: int, asked: Condition) -> None:
    """Give a slot the values of a free row."""
    for s in range(len(asked.there)):
        asked.own[s, i] = asked.number[s, asked.of_row[row, s]]


@compiled
def clear_counts(g: int, asked: Condition) -> None:
    """Begin a new group."""
    for s in range(len(asked.there)):
        for v in range(asked.there[s]):
            asked.held[g, s, v] = 0


@compiled
def count_row(i: int, g: int, sign: int, asked: Condition) -> None:
    """Add the row of a slot to the counts of a new group, or take it away."""
    for s in range(len(asked.there)):
        asked.held[g, s, asked.own[s, i]] += sign


@compiled
def lacking(g: int, size: int, asked: Condition) -> int:
    """Return how many rows a group lacks, at least, to satisfy the condition."""
    lack = 0
    for s in range(len(asked.there)):
        different, most, apart = 0, 0, 0
        for v in range(asked.there[s]):
            held = asked.held[g, s, v]
            if held > 0:
                different += 1
                most = max(most, held)
                apart += max(0, asked.n * held - asked.total[s, v] * size)
        lack = max(lack, asked.different - different, asked.share * most - size)
        if apart > asked.reach[size]:
            lack = max(lack, 1)
    return lack


@compiled
def cheapest_helpful(
    live: int, g: int, size: int, added: Int32Array, asked: Condition
) -> int:
    """Return the cheapest slot whose row reduces what is lacking; -1 if none does."""
    chosen = -1
    for i in range(live):
        if chosen >= 0 and added[i] >= added[chosen]:
            continue
        for s in range(len(asked.there)):
            if _is_wanted(asked.own[s, i], s, g, size, asked):
                chosen = i
    return chosen


@inlined
def _is_wanted(v: int, s: int, g: int, size: int, asked: Condition) -> bool:
    """Tell whether one more row of a value may reduce what a group lacks."""
    held = asked.held[g, s, v]
    rare = asked.close and asked.n * held < asked.total[s, v] * size
    missing = held == 0 and asked.different > 1
    even = asked.share > 1 and asked.share * held < size
    return bool(missing or rare or even)


@compiled
def admits(i: int, g: int, size: int, asked: Condition | None) -> bool:
    """Tell whether a group satisfies the condition with the row of a slot, too."""
    if asked is None:
        return True
    count_row(i, g, 1, asked)
    lack = lacking(g, size + 1, asked)
    count_row(i, g, -1, asked)
    return bool(lack == 0)


@compiled
def count_record(t: int, g: int, copies: int, asked: Condition) -> None:
    """Add so many rows of a record to the counts of a group, or take them away."""
    for s in range(len(asked.there)):
        asked.held[g, s, asked.of_row[t, s]] += copies


@compiled
def helps(t: int, g: int, size: int, asked: Condition) -> bool:
    """Tell whether a row of a record may reduce what a group lacks."""
    for s in range(len(asked.there)):
        if _is_wanted(asked.of_row[t, s], s, g, size, asked):
            return True
    return False


@compiled
def excess(t: int, g: int, size: int, asked: Condition) -> int:
    """Return by how much a group has too many rows with a value of a record."""
    most = 0
    for s in range(len(asked.there)):
        v = asked.of_row[t, s]
        held = asked.held[g, s, v]
        if asked.share > 1:
            most = max(most, asked.share * held - size)
        if asked.close:
            most = max(most, held - asked.total[s, v] * size // asked.n)
    return most


@compiled
def keeps(t: int, g: int, size: int, change: int, asked: Condition) -> bool:
    """Tell whether a group keeps the condition with a row of a record more, or less."""
    count_record(t, g, change, asked)
    lack = lacking(g, size + change, asked)
    count_record(t, g, -change, asked)
    return bool(lack == 0)
