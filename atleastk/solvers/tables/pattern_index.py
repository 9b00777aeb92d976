"""The index of patterns that searches share: patterns by record, and rows by record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import Int32Array
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

    Groups keep the condition that is asked for, if there is one.
    """

    patterns: Patterns
    records: Records
    table: Table
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
        every = np.arange(records.distinct, dtype=np.int32)
        table = Table(
            patterns.stars,
            patterns.starts,
            patterns.records,
            *patterns_by_record(patterns, records.distinct),
            np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64),
            np.repeat(every, records.copies),
            records.worth,
            k,
            max(1, round(records.unit)),
        )
        return cls(patterns, records, table, asked)

    def assignment(self, pattern: Int32Array) -> Assignment:
        """Return the assignment that gives every row its pattern."""
        ones = np.ones(len(pattern), dtype=np.int64)
        return Assignment.of(pattern, self.table.record, ones)

    def chosen(self, assignment: Assignment) -> Int32Array:
        """Return the pattern of every row, by the columns that its group shares.

        Groups of one pattern become one.
        """
        lists = self.table.record_starts, self.table.listed
        found = patterns_of(assignment, self.records, self.patterns, *lists)
        order = np.argsort(assignment.record, kind="stable")
        group = np.repeat(assignment.group[order], assignment.copies[order])
        return found[group].astype(np.int32)
