"""The state of the local search on patterns: an index, which rows are where, one move.

Compiled loops share these arrays; only
:mod:`atleastk.solvers.tables.ruin_and_recreate` and its moves change them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, FloatArray, Int32Array, IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.assignment import (
    Assignment,
    patterns_by_record,
    patterns_of,
)
from atleastk.solvers.tables.listed_table import ListedTable

NONE = -1
"""No pattern, no row, no record."""


class Table(NamedTuple):
    """The patterns, the patterns of every record, and the rows by record.

    A row of record t pays ``worth[t]`` times the stars of its pattern. The records of
    pattern p begin at ``starts[p]``, the patterns of record t at ``record_starts[t]``,
    those of fewest stars first; its rows are ``rows[t]`` to ``rows[t + 1] - 1``.
    """

    stars: Int32Array  # [pattern]
    starts: IntArray  # [pattern + 1]
    records: Int32Array  # [pair]
    record_starts: IntArray  # [record + 1]
    listed: Int32Array  # [pair, by record]
    rows: IntArray  # [record + 1]
    record: Int32Array  # [row]
    worth: IntArray  # [record]
    k: int
    cell: int  # the average price of a column


class Homes(NamedTuple):
    """The pattern of every row, and the rows of every pattern as linked lists.

    ``first[p]`` is a row of pattern p; ``after`` and ``before`` link the others to it.
    The search changes the rows `mine` only, of which it is the `owner`.
    """

    pattern: Int32Array  # [row]
    size: Int32Array  # [pattern]
    first: Int32Array  # [pattern]
    after: Int32Array  # [row]
    before: Int32Array  # [row]
    mine: Int32Array  # [place]
    owner: ByteArray  # [row]


class Workspace(NamedTuple):
    """The free rows of one move; between moves `held`, `left` and `is_free` are zero.

    ``held[p]`` counts the free rows that list the closed pattern p, ``left[t]`` the
    free rows of record t without a new pattern. The list of t ends at ``scanned[t]``;
    its free rows are linked from ``chain[t]`` by `next_free`. Entries are the new
    patterns.
    """

    held: Int32Array  # [pattern]
    key: FloatArray  # [pattern]
    candidates: Int32Array  # [place]
    left: Int32Array  # [record]
    chain: Int32Array  # [record]
    refuge: Int32Array  # [record]
    scanned: IntArray  # [record]
    next_free: Int32Array  # [row]
    is_free: ByteArray  # [row]
    free: Int32Array  # [place]
    free_records: Int32Array  # [place]
    entry_record: Int32Array  # [entry]
    entry_copies: Int32Array  # [entry]
    entry_pattern: Int32Array  # [entry]


@dataclass(frozen=True, slots=True, eq=False)
class PatternIndex:
    """The patterns, the patterns of every record, and the rows by record."""

    listed: ListedTable
    table: Table

    @classmethod
    def of(cls, listed: ListedTable) -> PatternIndex:
        """Index the patterns of a table."""
        patterns, records = listed.patterns, listed.records
        every = np.arange(records.distinct, dtype=np.int32)
        table = Table(
            patterns.stars,
            patterns.starts,
            patterns.records,
            *patterns_by_record(patterns, records.distinct),
            np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64),
            np.repeat(every, records.copies),
            records.worth,
            listed.k,
            max(1, round(records.unit)),
        )
        return cls(listed, table)

    def assignment(self, pattern: Int32Array) -> Assignment:
        """Return the assignment that gives every row its pattern."""
        ones = np.ones(len(pattern), dtype=np.int64)
        return Assignment.of(pattern, self.table.record, ones)

    def chosen(self, assignment: Assignment) -> Int32Array:
        """Return the pattern of every row, by the columns that its group shares.

        Groups of one pattern become one.
        """
        lists = self.table.record_starts, self.table.listed
        parts = self.listed.records, self.listed.patterns, *lists
        found = patterns_of(assignment, *parts)
        order = np.argsort(assignment.record, kind="stable")
        group = np.repeat(assignment.group[order], assignment.copies[order])
        return found[group].astype(np.int32)


@compiled
def link(homes: Homes) -> None:
    """Link the rows of every pattern."""
    for u in homes.mine:
        enter(u, homes.pattern[u], homes)


@compiled
def enter(row: int, p: int, homes: Homes) -> None:
    """Put a row at the head of the list of a pattern."""
    head = homes.first[p]
    homes.after[row] = head
    homes.before[row] = -1
    if head >= 0:
        homes.before[head] = row
    homes.first[p] = row


@compiled
def leave(row: int, p: int, homes: Homes) -> None:
    """Take a row out of the list of its pattern."""
    before, after = homes.before[row], homes.after[row]
    if before >= 0:
        homes.after[before] = after
    else:
        homes.first[p] = after
    if after >= 0:
        homes.before[after] = before
