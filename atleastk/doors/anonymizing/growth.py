"""Two releases of a table that grows: whether they are k-anonymous together.

Whoever has both subtracts them. A *class* are the rows of a release that are equal in
the anonymised columns; what it *gained* are its rows, with all their columns, that the
earlier release does not have.

*Theorem.* Let the earlier release be k-anonymous, let all its rows be in the later one
as they were, as often, and let every class have gained no row or at least k. Then
whoever knows the anonymised columns of a person, and whether the earlier release has
him, is left with at least k rows in which he may be.

*Proof.* A person of the earlier release is in a class of it that his values fit, among
at least k rows. These are the same rows in the later one: to subtract tells nothing of
them. Anybody else is among the gained rows of such a class. One is there, so at least
k are.

A row that is missing is a person who left, a cell that was changed, or a column that
is published otherwise. Then classes of the two may be intersected, and nothing is
promised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.doors.anonymizing.hierarchies import written_of
from atleastk.frames.frame import Frame, Name, Selection
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.records import Records, numbered


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What a release shows beside an earlier one.

    Attributes
    ----------
    rows
        How many rows the earlier one has.
    k
        The rows of its smallest class.
    missing
        How many of its rows the later one has not.
    gained
        How many rows the later one has beside.
    least
        The fewest that a class has gained, of those that have; None if none has.
    """

    rows: int
    k: int
    missing: int
    gained: int
    least: int | None

    @classmethod
    def of(cls, later: Selection, earlier: Frame) -> Self:
        """Compare a release with an earlier one of the same columns.

        Values are compared as they are written in a text file.

        Raises
        ------
        InvalidInstanceError
            If one of them has a column that the other one has not.
        """
        here, there = set(later.frame.names), set(earlier.names)
        if here != there:
            name = min(here ^ there, key=str)
            raise InvalidInstanceError(
                f'earlier: only one of the two releases has a column "{name}"'
            )
        n = later.frame.n
        sign = np.repeat([1, -1], [n, earlier.n])
        classes = _merged(later.frame, earlier, later.names)
        whole = _merged(later.frame, earlier, later.frame.names)
        more = _sums(whole.record_of, sign)
        class_of = classes.record_of[whole.firsts]
        gains = _sums(class_of, np.maximum(more, 0))
        before = np.bincount(classes.record_of[n:])
        return cls(
            rows=earlier.n,
            k=int(before[before > 0].min(initial=earlier.n)),
            missing=int(-more[more < 0].sum()),
            gained=int(gains.sum()),
            least=int(gains[gains > 0].min()) if gains.any() else None,
        )

    def faults(self, k: int | None) -> Iterator[str]:
        """Yield why two releases are not k-anonymous together, for no k if none."""
        if self.missing:
            yield (
                f"{self.missing} of its rows are not here as they were: classes of "
                "the two can be intersected"
            )
        if k is not None and self.k < k:
            yield f"it has a class of {self.k}"
        if k is not None and self.least is not None and self.least < k:
            yield f"a class has gained only {self.least}, which tells the new ones"

    def holds(self, k: int | None) -> bool:
        """Tell whether the releases are k-anonymous together."""
        return next(self.faults(k), None) is None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return asdict(self)

    def lines(self, k: int | None) -> Iterator[str]:
        """Yield the lines of a report."""
        least = "" if self.least is None else f", at least {self.least} in a class"
        yield f"  earlier     {self.rows} rows, {self.gained} more here{least}"
        yield from (f"              {fault}" for fault in self.faults(k))


def _merged(later: Frame, earlier: Frame, names: Sequence[Name]) -> Records:
    """Return the rows of both by some columns, those of the later release first."""
    return Records.coded(
        np.column_stack([_codes(later, earlier, name) for name in names])
    )


def _codes(later: Frame, earlier: Frame, name: Name) -> Int32Array:
    """Return a column of both by common numbers of its texts."""
    columns = [frame.column(name) for frame in (later, earlier)]
    texts = [written_of(column) for column in columns]
    split = np.split(numbered([*texts[0], *texts[1]]), [len(texts[0])])
    pairs = zip(split, columns, strict=True)
    return np.concatenate([numbers[column.codes] for numbers, column in pairs])


def _sums(of: IntArray, amounts: IntArray) -> IntArray:
    """Return the sum of the amounts of every number."""
    found = np.zeros(int(of.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(found, of, amounts)
    return found
