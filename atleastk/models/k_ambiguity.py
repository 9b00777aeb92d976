"""k-ambiguity: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.k_ambiguity`.

The groups of a solution are the rows that are equal once cells are suppressed, as a
reader of the table sees them. They do not say which rows match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.records import distinct_rows
from atleastk.models import k_anonymity
from atleastk.models.k_anonymity import suppressed
from atleastk.models.results.fields import PAIR
from atleastk.models.results.solution import (
    Solution,
    Verdict,
    in_short,
    partition_violations,
)

_MOST_SHOWN: Final = 25
"""Suppressed cells that are shown."""


@dataclass(frozen=True, repr=False)
class AmbiguitySolution(Solution):
    """Suppressed cells, pairs (row, column) ascending."""

    LISTS: ClassVar = {"suppressed": PAIR}
    ASCENDING = ("suppressed",)

    suppressed: tuple[tuple[int, int], ...] = ()

    def remarks(self, instance: Any) -> Iterator[str]:
        yield from super().remarks(instance)
        if self.suppressed:
            cells = (f"({i}, {j})" for i, j in self.suppressed[:_MOST_SHOWN])
            rest = len(self.suppressed) - _MOST_SHOWN
            yield f"cells   {in_short(cells, rest, ', ')}   (row, column) suppressed"


def check(instance: KAmbiguity, solution: Solution) -> Verdict:
    """Count the suppressed cells, and name rows that match too few others.

    Groups without cells suppress those on which they differ.
    """
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    n, m = instance.n, instance.m
    if isinstance(solution, AmbiguitySolution):
        for cell in solution.suppressed:
            if not (0 <= cell[0] < n and 0 <= cell[1] < m):
                wrong = f"suppressed: the table of {n} x {m} has no cell {cell}"
                return Verdict(None, (wrong,))
    hidden = mask_of(instance, solution)
    if isinstance(solution, AmbiguitySolution):
        violations += _unlike(instance, hidden, solution)
    violations += [
        f"row {row} matches {count - 1} others, fewer than k - 1 = {instance.k - 1}"
        for row, count in enumerate(matches(instance, hidden).tolist())
        if count < instance.k
    ]
    return Verdict(int(hidden.sum()), tuple(violations))


def _unlike(
    instance: KAmbiguity, hidden: BoolArray, solution: AmbiguitySolution
) -> Iterator[str]:
    """Yield the groups that are not the classes of equal rows."""
    _, look_of = distinct_rows(_published(instance, hidden))
    home: dict[int, int] = {}
    for g, group in enumerate(solution.groups):
        looks = look_of[list(group)]
        if (looks != looks[0]).any():
            other = group[int((looks != looks[0]).argmax())]
            yield f"group {g}: rows {group[0]} and {other} look different"
        elif (first := home.setdefault(int(looks[0]), g)) != g:
            yield f"groups {first} and {g} look the same, and should be one"


def mask_of(instance: KAmbiguity, solution: Solution) -> BoolArray:
    """Return which cells a solution suppresses."""
    if not isinstance(solution, AmbiguitySolution):
        return k_anonymity.suppressed(instance, solution)
    return k_anonymity.hiding(instance, solution.suppressed)


def solution_of_mask(instance: KAmbiguity, hidden: BoolArray) -> AmbiguitySolution:
    """Return the solution that suppresses these cells."""
    _, look = distinct_rows(_published(instance, hidden))
    groups = Solution.labelled(look).groups
    return AmbiguitySolution(groups, k_anonymity.cells_of(hidden))


def matches(instance: KAmbiguity, hidden: BoolArray) -> IntArray:
    """Return the number of rows that every row matches, itself included.

    Equal rows are counted at once. Two that differ match only if one of them has a
    suppressed cell.
    """
    published = _published(instance, hidden)
    first, look_of = distinct_rows(published)
    looks = published[first]
    rows = np.bincount(look_of, minlength=len(first))
    starred = (looks == 0).any(axis=1)
    counts = np.where(starred, 0, rows)
    for s in starred.nonzero()[0]:
        alike = ((looks == looks[s]) | (looks == 0) | (looks[s] == 0)).all(axis=1)
        counts[s] += rows[alike].sum()
        counts[alike & ~starred] += rows[s]
    return counts[look_of].astype(np.int64)


def _published(instance: KAmbiguity, hidden: BoolArray) -> Int32Array:
    """Return the codes of the cells from 1; those that are suppressed are 0."""
    codes = instance.records.of_rows
    return np.where(hidden, 0, codes + 1).astype(np.int32)


def needs(instance: KAmbiguity) -> IntArray:
    """Return the matches that every distinct record needs beside its copies."""
    k = min(instance.k, instance.n + 1)  # of any magnitude
    return np.maximum(0, k - instance.records.copies)


def useful_columns(instance: KAmbiguity) -> IntArray:
    """Return the columns that are not constant: elsewhere nothing need be hidden."""
    codes = instance.records.codes
    return np.flatnonzero((codes != codes[:1]).any(axis=0)).astype(np.int64)


def needed_by_columns(instance: KAmbiguity) -> int:
    """Return the sum of the lower bounds of the suppressed cells of single columns.

    Rows that match do so in every column, so no solution costs less. With s cells of a
    column suppressed a value that stays needs k - s rows, so all cells of rarer values
    are among the s. If all rows differ that is k - 1 (Lemma 3).
    """
    columns = useful_columns(instance).tolist()
    return sum(needed_in_column(instance, column) for column in columns)


def needed_in_column(instance: KAmbiguity, column: int) -> int:
    """Return a lower bound of the suppressed cells of a column that is not constant."""
    records, k = instance.records, instance.k
    codes = records.codes[:, column]
    rows = np.bincount(codes, weights=records.copies).astype(np.int64)
    return next(s for s in range(k) if rows[rows < k - s].sum() <= s)


def differences(instance: KAmbiguity, record: int) -> IntArray:
    """Return the columns in which all distinct records differ from one, as bits.

    Bit i stands for the i-th column that is not constant.
    """
    codes = instance.records.codes[:, useful_columns(instance)]
    bits = np.left_shift(np.int64(1), np.arange(codes.shape[1], dtype=np.int64))
    apart: IntArray = (codes != codes[record]).astype(np.int64)
    hidden: IntArray = np.einsum("tj,j->t", apart, bits)
    return hidden


SOLUTION: Final = AmbiguitySolution


def completed(instance: KAmbiguity, solution: Solution) -> Solution:
    """Return a solution with the cells that its groups suppress, as for k-anonymity."""
    if isinstance(solution, AmbiguitySolution):
        return solution
    return solution_of_mask(instance, suppressed(instance, solution))
