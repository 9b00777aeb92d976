"""The anonymity of a given table: how many rows look like each of its rows.

Two readings are in use, and they differ:

- *Strict*: a suppressed cell is a value of its own, equal to other suppressed cells
  only. Rows that agree on every column form a *class*; fully suppressed rows are a
  class like any other, as in :class:`~atleastk.instances.k_anonymity.KAnonymity`.
- *Wildcard*: a suppressed cell matches anything, so two rows look alike if they agree
  wherever neither is suppressed. No equivalence relation any more: of three rows the
  second may look like both others, which do not look alike.

A table is k-anonymous if every row looks like at least k rows, itself included; the
empty table is, for every k. Strict k-anonymity implies the other.

By either reading, the risk that a row is found is that of equal rows: an attacker who
looks for equal rows finds those that equal few others, however many they match.

The strict reading is counted here by sorting; the other needs a compiled loop, in
``solvers``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.fields.html_table import card
from atleastk.instances.records import Records
from atleastk.models.tables.risk import Risk
from atleastk.models.tables.singling_out import SinglingOut
from atleastk.models.wording import Warned, counted


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
        Whether suppressed cells match anything.
    singling_out
        The rows that the other columns single out.
    """

    alike: IntArray
    classes: IntArray
    wildcards: bool = False
    singling_out: SinglingOut = field(default_factory=SinglingOut)

    _repr_html_ = card

    @classmethod
    def of(cls, records: Records) -> Self:
        """Return the strict reading of rows whose equal ones are merged."""
        return cls(records.copies[records.record_of], records.copies)

    @property
    def k(self) -> int | None:
        """The largest k for which the table is k-anonymous; None if it is empty."""
        return int(self.alike.min()) if len(self.alike) else None

    def holds(self, k: int) -> bool:
        """Tell whether the table is k-anonymous."""
        return self.below(k) == 0

    def expect(self, k: int, reading: str) -> None:
        """Refuse a table to be published that is not as anonymous as it has to be."""
        if not self.holds(k):
            raise WrongAnswerError(
                f"the table to be published is not {k}-{reading}: {self}"
            )

    def below(self, k: int) -> int:
        """Return how many rows look like fewer than k."""
        return int((self.alike < k).sum())

    @property
    def k_equal(self) -> int | None:
        """The largest k by the strict reading, whichever was taken."""
        return int(self.classes.min()) if len(self.classes) else None

    @property
    def risk(self) -> Risk:
        """The risk that rows are found by looking for equal ones."""
        return Risk.of_classes(self.classes)

    @property
    def warned(self) -> Iterator[Warned]:
        """What is warned of: rows that only match, and columns that single out rows."""
        if self.k != self.k_equal:
            yield self.risk.despite_matches
        yield from self.singling_out.warnings

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.k is None:
            yield "no rows: anonymous for every k"
            return
        rows, classes = len(self.alike), counted(len(self.classes), "class")
        least, first = int((self.alike == self.k).sum()), int(self.alike.argmin()) + 1
        others = {1: "no other", 2: "one other"}.get(self.k, f"{self.k - 1} others")
        only_match = self.k != self.k_equal
        yield (
            f"k = {self.k}" + only_match * f" by matching, {self.k_equal} by equal rows"
        )
        yield f"  rows        {rows} in {classes} of equal ones"
        yield (
            f"  least       {others} alike, for {least} of the rows; the first is "
            f"row {first}"
        )
        if only_match:
            yield f"  risk        {self.risk.with_unique}"
            yield from self.risk.despite_matches.lines()
        yield from self.singling_out.lines()


def strict(codes: Int32Array) -> Anonymity:
    """Count equal rows; the values of every column are numbered from 0 on."""
    return Anonymity.of(Records.coded(codes))
