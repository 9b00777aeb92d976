"""The index of patterns that searches share: patterns by record, and rows by record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.tables.assignment import (
    Assignment,
    patterns_by_record,
    patterns_of,
)
from atleastk.solvers.tables.conditions import Sensitive
from atleastk.solvers.tables.local_search_state import Table

NONE = -1
"""No pattern, no row, no record."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternIndex:
    """The patterns, the patterns of every record, and the rows by record.

    The patterns of record t are ``listed[starts[t]]`` to ``listed[starts[t + 1] - 1]``.
    Rows are numbered by record: those of t are ``rows[t]`` to ``rows[t + 1] - 1``.
    Groups keep the condition that is asked for, if there is one.
    """

    patterns: Patterns
    records: Records
    k: int
    starts: IntArray
    listed: Int32Array
    rows: IntArray
    record: Int32Array
    asked: Sensitive | None = None

    @classmethod
    def of(
        cls,
        patterns: Patterns,
        records: Records,
        k: int,
        asked: Sensitive | None = None,
    ) -> PatternIndex:
        """Index the patterns of a table."""
        starts, listed = patterns_by_record(patterns, records.distinct)
        rows = np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64)
        every = np.arange(records.distinct, dtype=np.int32)
        record = np.repeat(every, records.copies)
        return cls(patterns, records, k, starts, listed, rows, record, asked)

    @property
    def table(self) -> Table:
        """The arrays, for compiled loops."""
        patterns = self.patterns
        return Table(
            patterns.stars,
            patterns.starts,
            patterns.records,
            self.starts,
            self.listed,
            self.rows,
            self.record,
            self.records.worth,
            self.k,
        )

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
