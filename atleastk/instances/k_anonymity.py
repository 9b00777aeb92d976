"""k-anonymity by cell suppression: the instance.

Definition
----------
Given a table of n records over m columns (the quasi-identifier) and k >= 1, replace
cells by ``*`` such that every record becomes equal to at least k - 1 others, and
suppress as few cells as possible. Equivalently: partition the records into groups of at
least k; each record of a group S pays a(S), the number of columns on which S is not
constant; minimise the sum of |S| a(S).

A suppressed cell is a value of its own. Fully suppressed records are records: they too
need k - 1 equals.

Complexity
----------
NP-hard for k >= 3 [MeyersonWilliams04], for three columns and k = 7
[Chakaravarthy10, Theorem 3.1], for binary alphabets and k = 3 [BonizzoniDellaVedova];
polynomial for k = 2 [BlockiWilliams10] and if columns and alphabet are constant
[Chakaravarthy10, section 4].

References
----------
[ParkShim07] H. Park, K. Shim, "Approximate Algorithms for k-Anonymity", SIGMOD 2007.
[Chakaravarthy10] V. T. Chakaravarthy, V. Pandit, Y. Sabharwal, "On the Complexity of
the k-Anonymization Problem", 2010.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.copied import Copied
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, TEXTS
from atleastk.instances.records import Records


@dataclass(frozen=True)
class KAnonymity(Copied):
    """Partition records into groups of at least k; differing columns are suppressed.

    Attributes
    ----------
    table
        The records, rows of texts and integers; stored as tuples.
    k
        The least size of a group.
    columns
        The names of the columns, if they have any.
    copies
        How many rows each row of the table stands for; 1 by default. No two rows are
        equal then.

    Examples
    --------
    >>> table = atleastk.KAnonymity(table=[["31", "f"], ["31", "m"]], k=2)
    >>> atleastk.solve(table).cost
    2
    """

    problem: ClassVar[str] = "k-anonymity"
    always_nested: ClassVar[bool] = True

    k: int = field(metadata=COUNT)
    columns: Sequence[str] | None = field(default=None, metadata=TEXTS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.copies is not None and self.records.distinct < len(self.table):
            raise InvalidInstanceError(
                "copies: two rows of the table are equal; add their copies up"
            )
        self.expect_for_each(self.m, "columns", "columns")
        if len(set(self.columns or ())) < len(self.columns or ()):
            raise InvalidInstanceError("columns: the same name twice")

    @property
    def m(self) -> int:
        """The number of columns."""
        return len(self.table[0]) if self.table else len(self.columns or ())

    @property
    def has_too_few(self) -> bool:
        """Whether there are rows, but fewer than k."""
        return 0 < self.n < self.k

    @cached_property
    def records(self) -> Records:
        """The distinct records of the table and their copies."""
        found = Records.of(self.table, self.m)
        return found if self.copies is None else found.with_copies(self.given)

    @property
    def numbers(self) -> Int32Array | IntArray:
        """Numbers of the values of all rows, written out: one for each of a column."""
        if isinstance(self.table, CodedTable) and self.copies is None:
            return self.table.codes
        return self.records.of_rows

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"n={self.n} m={self.m} k={self.k} distinct={self.records.distinct}"
