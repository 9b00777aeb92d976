"""The anonymity of a table as it stands: how many rows look like each of its rows.

Two readings are in use, and they differ:

- *Strict*: a suppressed cell is a value of its own, equal to other suppressed cells
  only. Rows that agree on every column form a *class*; fully suppressed rows are a
  class like any other. It is what :class:`~atleastk.instances.k_anonymity.KAnonymity`
  asks for.
- *Wildcard*: a suppressed cell matches anything, so two rows look alike if they agree
  wherever neither is suppressed. No equivalence relation any more: of three rows the
  second may look like both others, which do not look alike.

A table is k-anonymous if every row looks like at least k rows, itself included; the
empty table is, for every k. Strict k-anonymity implies the other.

Complexity: strict, a sort. Wildcard: a join of every set of kept columns with every
other, or, where few rows keep the same columns, a comparison of each with all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.records import Records, distinct_rows

__all__ = ["Anonymity", "strict", "wildcard"]

IntArray = NDArray[np.int64]

_FEW: Final = 16
"""So many rows are sooner compared with all others than joined."""


@dataclass(frozen=True, slots=True, eq=False)
class Anonymity:
    """How many rows look like each row of a table.

    Attributes
    ----------
    alike
        For every row, the number of rows that look like it, itself included.
    classes
        The sizes of the classes of equal rows.
    wildcards
        Whether suppressed cells were taken to match anything.
    """

    alike: IntArray
    classes: IntArray
    wildcards: bool = False

    @property
    def k(self) -> int | None:
        """The largest k for which the table is k-anonymous; None if it is empty."""
        return int(self.alike.min()) if len(self.alike) else None

    def holds(self, k: int) -> bool:
        """Tell whether the table is k-anonymous."""
        return self.below(k) == 0

    def below(self, k: int) -> int:
        """Return how many rows look like fewer than k."""
        return int((self.alike < k).sum())

    def __str__(self) -> str:
        if self.k is None:
            return "no rows: anonymous for every k"
        rows, classes = len(self.alike), len(self.classes)
        least, first = int((self.alike == self.k).sum()), int(self.alike.argmin()) + 1
        others = {1: "no other", 2: "one other"}.get(self.k, f"{self.k - 1} others")
        return (
            f"k = {self.k}\n"
            f"  rows        {rows} in {classes} classes of equal ones\n"
            f"  least       {others} alike, for {least} of the rows; the first is "
            f"row {first}"
        )


def strict(codes: NDArray[np.int32]) -> Anonymity:
    """Count equal rows; the values of every column are numbered from 0 on."""
    records = Records.coded(codes)
    return Anonymity(records.copies[records.record_of], records.copies)


def wildcard(codes: NDArray[np.int32], hidden: NDArray[np.bool_]) -> Anonymity:
    """Count the rows that agree wherever neither has a hidden cell."""
    marked = np.where(hidden, 0, codes + 1).astype(np.int32)
    records = Records.coded(marked)
    alike = _compatible(records.codes, records.copies)
    return Anonymity(alike[records.record_of], records.copies, wildcards=True)


def _compatible(codes: NDArray[np.int32], copies: IntArray) -> IntArray:
    """Return how many copies of distinct rows match each one; 0 matches anything."""
    sets, set_of = np.unique(codes > 0, axis=0, return_inverse=True)
    set_of = set_of.reshape(len(codes))
    columns = np.ascontiguousarray(codes.T)
    alike = np.zeros(len(codes), dtype=np.int64)
    for i, own in enumerate(sets):
        mine = np.flatnonzero(set_of == i)
        joins = _FEW
        if len(mine) > _FEW:
            shared, shared_of = np.unique(sets & own, axis=0, return_inverse=True)
            joins = len(shared)
        if len(mine) <= joins:
            for row in mine.tolist():
                alike[row] = copies[_matching(columns, row, np.flatnonzero(own))].sum()
            continue
        theirs = shared_of.reshape(len(sets))[set_of]
        for s, both in enumerate(shared):
            others = np.flatnonzero(theirs == s)
            alike[mine] += _joined(
                codes[mine][:, both], codes[others][:, both], copies[others]
            )
    return alike


def _matching(columns: NDArray[np.int32], row: int, kept: IntArray) -> IntArray:
    """Return the rows that match one, narrowed down column by column."""
    found = np.arange(columns.shape[1])
    for j in kept:
        there = columns[j, found]
        found = found[(there == 0) | (there == columns[j, row])]
    return found


def _joined(
    left: NDArray[np.int32], right: NDArray[np.int32], copies: IntArray
) -> IntArray:
    """Return the copies of the right rows that are equal to each left row."""
    _, number = distinct_rows(np.concatenate((left, right)))
    counts = np.zeros(int(number.max()) + 1, dtype=np.int64)
    np.add.at(counts, number[len(left) :], copies)
    return counts[number[: len(left)]]
