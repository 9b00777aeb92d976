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

Counting by the strict reading is a sort. The other needs a compiled loop and has its
place among the solvers.
"""

from __future__ import annotations

from dataclasses import dataclass

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records

__all__ = ["Anonymity", "strict"]


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
            f"  rows        {rows} in {classes} "
            f"{'class' if classes == 1 else 'classes'} of equal ones\n"
            f"  least       {others} alike, for {least} of the rows; the first is "
            f"row {first}"
        )


def strict(codes: Int32Array) -> Anonymity:
    """Count equal rows; the values of every column are numbered from 0 on."""
    records = Records.coded(codes)
    return Anonymity(records.copies[records.record_of], records.copies)
