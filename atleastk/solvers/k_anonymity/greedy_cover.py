"""The ground of a local search: patterns, records and rows, and a greedy cover of them.

The greedy cover is the idea of APPROX-DR [ParkShim07] in one pass over the pairs, at
any scale; the algorithm as printed is in :mod:`atleastk.solvers.approximations`.

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
from atleastk.solvers.k_anonymity.assignment import Assignment, owned, patterns_of

NONE = -1
"""No pattern, no row, no record."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What the search stands on: the patterns, the patterns of every record, the rows.

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
    def of(cls, patterns: Patterns, records: Records, k: int) -> Ground:
        """Lay the ground."""
        starts, listed = owned(patterns, records.distinct)
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
        """Return the pattern of every row, by what its group keeps.

        Groups of one pattern become one.
        """
        found = patterns_of(
            assignment, self.records, self.patterns, self.starts, self.listed
        )
        order = np.argsort(assignment.record, kind="stable")
        group = np.repeat(assignment.group[order], assignment.copies[order])
        return found[group].astype(np.int32)


def greedy_start(ground: Ground) -> Assignment:
    """Return the assignment of a greedy cover, in one pass over the pairs.

    By increasing stars, a pattern is opened for all uncovered rows that match it if
    they are k or more. Rows left over join their cheapest open pattern.
    """
    patterns = ground.patterns
    chosen = np.full(len(ground.record), NONE, dtype=np.int32)
    _cover(
        patterns.starts,
        patterns.records,
        ground.starts,
        ground.listed,
        ground.rows,
        ground.k,
        chosen,
    )
    return ground.assignment(chosen)


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
    """Choose a pattern for every row."""
    count = len(starts) - 1
    size = np.zeros(count, dtype=np.int64)
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
    # Too few rows that nothing open matches: whole groups join them, costly ones first.
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
