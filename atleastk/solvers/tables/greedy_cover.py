"""The index of patterns that searches share, and a greedy cover of the rows.

The greedy cover is the idea of APPROX-DR [ParkShim07] in one pass over the pairs, at
any scale; the algorithm as printed is in
:mod:`atleastk.solvers.tables.direct`.

References
----------
[ParkShim07] H. Park, K. Shim, "Approximate Algorithms for k-Anonymity", SIGMOD 2007.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.assignment import (
    Assignment,
    patterns_by_record,
    patterns_of,
)

NONE = -1
"""No pattern, no row, no record."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternIndex:
    """The patterns, the patterns of every record, and the rows by record.

    The patterns of record t are ``listed[starts[t]]`` to ``listed[starts[t + 1] - 1]``.
    Rows are numbered by record: those of t are ``rows[t]`` to ``rows[t + 1] - 1``.
    """

    patterns: Patterns
    records: Records
    k: int
    starts: IntArray
    listed: Int32Array
    rows: IntArray
    record: Int32Array

    @classmethod
    def of(cls, patterns: Patterns, records: Records, k: int) -> PatternIndex:
        """Index the patterns of a table."""
        starts, listed = patterns_by_record(patterns, records.distinct)
        rows = np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64)
        every = np.arange(records.distinct, dtype=np.int32)
        record = np.repeat(every, records.copies)
        return cls(patterns, records, k, starts, listed, rows, record)

    def assignment(self, pattern: Int32Array) -> Assignment:
        """Return the assignment that gives every row its pattern."""
        ones = np.ones(len(pattern), dtype=np.int64)
        return Assignment.of(
            pattern.astype(np.int64), self.record.astype(np.int64), ones
        )

    def chosen(self, assignment: Assignment) -> Int32Array:
        """Return the pattern of every row, by the columns that its group shares.

        Groups of one pattern become one.
        """
        found = patterns_of(
            assignment, self.records, self.patterns, self.starts, self.listed
        )
        order = np.argsort(assignment.record, kind="stable")
        group = np.repeat(assignment.group[order], assignment.copies[order])
        return found[group].astype(np.int32)


def greedy_start(index: PatternIndex) -> Assignment:
    """Return the assignment of a greedy cover, in one pass over the pairs.

    By increasing stars, a pattern is opened for all uncovered rows that match it if
    there are k or more. Rows left over join their cheapest open pattern.
    """
    patterns = index.patterns
    chosen = np.full(len(index.record), NONE, dtype=np.int32)
    _cover(
        patterns.starts,
        patterns.records,
        index.starts,
        index.listed,
        index.rows,
        index.k,
        chosen,
    )
    return index.assignment(chosen)


@compiled
def _cover(
    starts: IntArray,
    records: Int32Array,
    record_starts: IntArray,
    listed: Int32Array,
    rows: IntArray,
    k: int,
    chosen: Int32Array,
) -> None:
    count = len(starts) - 1
    size = np.zeros(count, dtype=np.int64)
    # A pattern is opened if k rows or more are not covered yet.
    for p in range(count):
        free = 0
        for i in range(starts[p], starts[p + 1]):
            t = records[i]
            if chosen[rows[t]] < 0:
                free += rows[t + 1] - rows[t]
        if free >= k:
            size[p] = free
            for i in range(starts[p], starts[p + 1]):
                t = records[i]
                if chosen[rows[t]] < 0:
                    chosen[rows[t] : rows[t + 1]] = p
    # Other rows join their cheapest open pattern, or the one that all rows match.
    last = count - 1
    for t in range(len(rows) - 1):
        if chosen[rows[t]] < 0:
            home = last
            for i in range(record_starts[t], record_starts[t + 1]):
                if size[listed[i]] >= k:
                    home = listed[i]
                    break
            chosen[rows[t] : rows[t + 1]] = home
            size[home] += rows[t + 1] - rows[t]
    # If these are fewer than k, whole groups join them, those of most stars first.
    p = last - 1
    while size[last] < k and p >= 0:
        if size[p] > 0:
            for u in range(len(chosen)):
                if chosen[u] == p:
                    chosen[u] = last
            size[last] += size[p]
            size[p] = 0
        if size[last] == 0:
            break
        p -= 1
