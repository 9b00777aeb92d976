"""k-ambiguity: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.k_ambiguity`.

The groups of a solution are the rows that are equal once cells are suppressed, as a
reader of the table sees them. They do not say which rows match. With copies they are
told by deals, and cells are those of a whole group.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from atleastk.arrays import (
    BoolArray,
    Int32Array,
    IntArray,
    distinct_places,
    fresh,
)
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.records import Records, distinct_rows
from atleastk.models.deals import DealtSolution, violations_of_deals
from atleastk.models.k_anonymity import (
    Cells,
    cells_of,
    hidden_in_groups,
    hiding,
    suppressed,
)
from atleastk.models.results.fields import PAIR
from atleastk.models.results.packed_groups import PackedGroups
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
    ALSO = DealtSolution.LISTS
    ASCENDING = ("suppressed",)

    suppressed: Cells = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Solution | None:  # type: ignore[override]
        """Read deals, or groups and cells where there are none."""
        if data.get("deals") is not None:
            return AmbiguityDeals.from_dict(data)
        return super().from_dict(data)

    def remarks(self, instance: Any) -> Iterator[str]:
        yield from super().remarks(instance)
        yield from _told(self.suppressed, "row")


@dataclass(frozen=True, repr=False)
class AmbiguityDeals(DealtSolution):
    """Deals, and the cells that are suppressed in whole groups: (group, column)."""

    LISTS: ClassVar = {**DealtSolution.LISTS, "suppressed": PAIR}
    ASCENDING = ("suppressed",)

    suppressed: Cells = ()

    def remarks(self, instance: Any) -> Iterator[str]:
        yield from super().remarks(instance)
        yield from _told(self.suppressed, "group")


def _told(suppressed: Cells, of: str) -> Iterator[str]:
    if suppressed:
        cells = (f"({i}, {j})" for i, j in suppressed[:_MOST_SHOWN])
        listed = in_short(cells, len(suppressed) - _MOST_SHOWN, ", ")
        yield f"cells   {listed}   ({of}, column) suppressed"


class Looks(NamedTuple):
    """How many copies of which records are published with which suppressed cells."""

    record: IntArray
    copies: IntArray
    hidden: BoolArray
    """Which cells are suppressed, [entry, column]."""

    @classmethod
    def of_rows(cls, records: Records, hidden: BoolArray) -> Looks:
        """Return an entry for every row of a table, written out."""
        return cls(records.record_of, np.ones(records.n, dtype=np.int64), hidden)

    @classmethod
    def kept(cls, record: IntArray, copies: IntArray, columns: int) -> Looks:
        """Return copies of records that keep all of their cells."""
        return cls(record, copies, np.zeros((len(record), columns), dtype=np.bool_))

    def others(self, records: Records) -> Looks:
        """Return all other rows, an entry for every record; they keep all cells."""
        left = records.copies.copy()
        np.subtract.at(left, self.record, self.copies)
        rest = np.flatnonzero(left)
        return self.kept(rest, left[rest], records.m)

    def beside(self, *more: Looks) -> Looks:
        """Return these entries and then others."""
        return Looks(*map(np.concatenate, zip(self, *more, strict=True)))

    @property
    def cost(self) -> int:
        """The number of suppressed cells."""
        return int(self.hidden.sum(axis=1) @ self.copies)

    def published(self, records: Records) -> Int32Array:
        """Return the codes of the cells from 1; those that are suppressed are 0."""
        codes = records.codes[self.record]
        return np.where(self.hidden, 0, codes + 1).astype(np.int32)

    def of_all_rows(self, records: Records) -> BoolArray:
        """Return which cells of every row of the table, written out, are suppressed."""
        entries = np.arange(len(self.record))
        return self.hidden[records.row_groups(entries, self.record, self.copies)]


def check(instance: KAmbiguity, solution: Solution) -> Verdict:
    """Count the suppressed cells, and name rows that match too few others.

    Groups without cells suppress those on which they differ.
    """
    if isinstance(solution, DealtSolution):
        rows = solution.columns[0]
        violations = violations_of_deals(instance, solution)
    else:
        rows = np.arange(instance.n)
        violations = partition_violations(instance.n, solution)
    violations = violations or [*_missing(instance, solution)]
    if violations:
        return Verdict(None, tuple(violations))
    looks = looks_of(instance, solution)
    _, look_of = distinct_rows(looks.published(instance.records))
    if isinstance(solution, AmbiguityDeals):
        held = PackedGroups.labelled(solution.columns[1])
        violations += _unlike(look_of, held, rows)
    elif isinstance(solution, AmbiguitySolution):
        violations += _unlike(look_of, PackedGroups.of(solution.groups), rows)
    counts = matches(instance, looks)
    violations += [
        f"row {rows[i]} matches {counts[i] - 1} others, fewer than k - 1 = "
        f"{instance.k - 1}"
        for i in np.flatnonzero(counts < instance.k).tolist()
    ]
    return Verdict(looks.cost, tuple(violations))


def _missing(instance: KAmbiguity, solution: Solution) -> Iterator[str]:
    """Yield a suppressed cell that is not there."""
    groups: Collection[int] = range(instance.n)
    where = f"the table of {instance.n} x {instance.m} has"
    if isinstance(solution, AmbiguityDeals):
        groups, where = {*solution.columns[1].tolist()}, "the deals have"
    elif not isinstance(solution, AmbiguitySolution):
        return
    for cell in solution.suppressed:
        if cell[0] not in groups or not 0 <= cell[1] < instance.m:
            yield f"suppressed: {where} no cell {cell}"
            return


def _unlike(look_of: IntArray, held: PackedGroups, rows: IntArray) -> Iterator[str]:
    """Yield the groups that are not the classes of equal rows."""
    items, homes = held.items, held.homes
    heads = items[held.starts[:-1]]
    apart = np.flatnonzero(look_of[items] != look_of[heads][homes])
    for i in apart[fresh(homes[apart])].tolist():
        pair = f"rows {rows[heads[homes[i]]]} and {rows[items[i]]}"
        yield f"group {homes[i]}: {pair} look different"
    first, rank = distinct_places(look_of[heads])
    for g in np.flatnonzero(first[rank] != np.arange(len(heads))).tolist():
        yield f"groups {first[rank[g]]} and {g} look the same, and should be one"


def looks_of(instance: KAmbiguity, solution: Solution) -> Looks:
    """Return which cells a solution suppresses: in every deal, or else every row."""
    records = instance.records
    if isinstance(solution, AmbiguitySolution):
        return Looks.of_rows(records, hiding(instance, solution.suppressed))
    if not isinstance(solution, DealtSolution):
        return Looks.of_rows(records, suppressed(instance, solution))
    row, group, copies = solution.columns
    hidden = np.zeros((len(row), instance.m), dtype=np.bool_)
    if not isinstance(solution, AmbiguityDeals):
        groups, of_groups = hidden_in_groups(instance, solution)
        hidden[groups.held.items] = of_groups[groups.held.homes]
    else:
        cells = np.array(solution.suppressed, dtype=np.int64).reshape(-1, 2)
        for j in range(instance.m):
            hidden[:, j] = np.isin(group, cells[cells[:, 1] == j, 0])
    return Looks(records.home[row], copies, hidden)


def mask_of(instance: KAmbiguity, solution: Solution) -> BoolArray:
    """Return which cells of the rows, written out, a solution suppresses."""
    return looks_of(instance, solution).of_all_rows(instance.records)


def solution_of(instance: KAmbiguity, looks: Looks) -> Solution:
    """Return the solution in which rows look like this: deals if they have copies."""
    records = instance.records
    if not records.repeated:
        looks = Looks.of_rows(records, looks.of_all_rows(records))
    first, look_of = distinct_rows(looks.published(records))
    if not records.repeated:
        groups = Solution.labelled(look_of).groups
        return AmbiguitySolution(groups, cells_of(looks.hidden))
    opens, deal = distinct_places(look_of * records.distinct + looks.record)
    copies = np.zeros(len(opens), dtype=np.int64)
    np.add.at(copies, deal, looks.copies)
    deals = records.dealt(look_of[opens], looks.record[opens], copies)
    cells = cells_of(looks.hidden[first])
    return AmbiguityDeals((), DealtSolution.dealt(*deals).deals, cells)


def matches(instance: KAmbiguity, looks: Looks) -> IntArray:
    """Return the number of rows that those of every entry match, itself included.

    Equal rows are counted at once. Two that differ match only if one of them has a
    suppressed cell.
    """
    published = looks.published(instance.records)
    first, look_of = distinct_rows(published)
    distinct = published[first]
    rows = np.zeros(len(first), dtype=np.int64)
    np.add.at(rows, look_of, looks.copies)
    starred = (distinct == 0).any(axis=1)
    counts = np.where(starred, 0, rows)
    for s in starred.nonzero()[0]:
        one = distinct[s]
        alike = ((distinct == one) | (distinct == 0) | (one == 0)).all(axis=1)
        counts[s] += rows[alike].sum()
        counts[alike & ~starred] += rows[s]
    return counts[look_of]


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
    fewest = range(min(k, instance.n + 1))  # the more are hidden, the rarer need be
    return bisect_left(fewest, True, key=lambda s: rows[rows < k - s].sum() <= s)


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
    """Return a solution with the cells that its groups suppress, as for k-anonymity.

    It is told by deals if the table has copies.
    """
    form = AmbiguityDeals if instance.records.repeated else AmbiguitySolution
    if isinstance(solution, form):
        return solution
    return solution_of(instance, looks_of(instance, solution))
