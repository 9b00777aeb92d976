"""Closed patterns: the admissible groups of k-anonymity, by the columns they keep.

A *pattern* fixes a value on some columns and has a star on the others; its *support* is
the number of rows that match it. A pattern is *closed* if no star column is constant on
the rows that match. The columns that a group S of at least k rows keeps, with their
values, are a pattern of support >= k; its closure covers the same rows with no more
stars [ParkShim07, Theorem 4.14]. So a solution assigns every row a closed pattern of
support >= k that it matches, such that every pattern is assigned to k rows or to none,
and the cost of a row is the number of stars.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray

MOST_COLUMNS = 62
"""The most columns: sets of them are the bits of a 64-bit integer."""


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Closed patterns of support at least k, with the distinct records they match."""

    stars: Int32Array
    """What a row of weight 1 pays, [pattern]: the number of suppressed columns, or the
    sum of their prices."""
    kept: IntArray
    """The columns that a pattern keeps, as the bits of an integer, [pattern]."""
    support: IntArray
    """The number of rows (copies of records) that match, [pattern]."""
    starts: IntArray
    records: Int32Array
    """`starts`, `records`: ``records[starts[p]:starts[p + 1]]`` are the distinct
    records that match p, ascending."""
    reach: int
    """All closed patterns of at most this cost are listed; of the others perhaps only
    the one that most rows match. It is at least what a row pays at most if the list is
    complete."""

    @property
    def count(self) -> int:
        """The number of patterns."""
        return len(self.stars)

    @property
    def pairs(self) -> int:
        """The number of pairs of a pattern and a distinct record that matches it."""
        return len(self.records)

    @property
    def pattern(self) -> IntArray:
        """The pattern of every pair."""
        return np.repeat(np.arange(self.count), np.diff(self.starts))

    def matching(self, pattern: int) -> Int32Array:
        """Return the distinct records that match a pattern."""
        return self.records[self.starts[pattern] : self.starts[pattern + 1]]

    def where(self, chosen: BoolArray) -> Patterns:
        """Return the chosen patterns."""
        return self.only(np.repeat(chosen, np.diff(self.starts)))

    def only(self, chosen: BoolArray) -> Patterns:
        """Return the chosen pairs, and the patterns that have any."""
        before = np.zeros(self.pairs + 1, dtype=np.int64)
        np.cumsum(chosen, out=before[1:])
        ends = before[self.starts]
        some = np.diff(ends) > 0
        return replace(
            self,
            stars=self.stars[some],
            kept=self.kept[some],
            support=self.support[some],
            starts=np.concatenate(([0], ends[1:][some])).astype(np.int64),
            records=self.records[chosen],
        )
