"""Deals: how many copies of which row of a table are in which group.

A table with copies has more rows than are worth a name, and equal rows are
interchangeable. So this is the one form of its solutions, whatever groups cost:
k-anonymity, generalisation and diversity on entries, and k-ambiguity, whose deals say
which cells a group suppresses. Copies that no deal names are in no group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Final, NamedTuple, Self

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.copied import Copied
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidResultError
from atleastk.instances.fields.shapes import Row
from atleastk.instances.records import Records
from atleastk.models.results.fields import GROUPS, INTEGER, read
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import (
    Solution,
    in_short,
    labels_of,
    others,
)
from atleastk.models.wording import counted

_DEAL: Final = Row("row, group and copies", (INTEGER, INTEGER, INTEGER))


@dataclass(frozen=True, repr=False)
class DealtSolution(Solution):
    """Groups of a table with copies, told by deals; it lists no rows."""

    LISTS: ClassVar = {"deals": _DEAL}

    deals: CodedTable
    """How many copies of a row are in a group: rows (row of the table, group, copies),
    sorted by group and row. Groups are numbered from 0."""

    def __post_init__(self) -> None:
        if not isinstance(self.deals, CodedTable):
            deals = np.array(self.deals, dtype=np.int64).reshape(-1, 3)
            object.__setattr__(self, "deals", CodedTable(deals))

    @classmethod
    def dealt(cls, row: IntArray, group: IntArray, copies: IntArray) -> DealtSolution:
        """Return the solution of deals in any order."""
        order = np.lexsort((row, group))
        deals = np.stack((row, group, copies), axis=1)[order]
        return cls((), CodedTable(deals.astype(np.int64)))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Solution | None:  # type: ignore[override]
        """Read deals, or groups where there are none."""
        if data.get("deals") is None:
            return Solution.from_dict(data)
        if read(data, "groups", GROUPS):
            raise InvalidResultError("groups: expected none beside deals")
        try:
            return cls((), **cls._more(data)).in_normal_form()
        except OverflowError as error:
            raise InvalidResultError("deals: a number has over 64 bits") from error

    def in_normal_form(self) -> Self:
        """Return the same solution, with its deals sorted."""
        return replace(self, deals=self.dealt(*self.columns).deals)

    def number_of_groups(self, instance: Any) -> int | None:
        """Return how many groups the deals name."""
        del instance
        return len(np.unique(self.columns[1]))

    def group_lines(self, most: int, members: int) -> Iterator[str]:
        row, group, copies = self.columns
        names, starts = np.unique(group, return_index=True)  # sorted by group
        ends = np.append(starts[1:], len(row))
        for g, start, end in islice(zip(names, starts, ends, strict=True), most):
            shown = range(start, min(end, start + members))
            deals = (f"{copies[i]} of row {row[i]}" for i in shown)
            yield f"group {g}: {in_short(deals, end - start - members, ', ')}"
        yield from others(len(names) - most)

    @property
    def columns(self) -> tuple[IntArray, IntArray, IntArray]:
        """The rows of the table, groups and copies of all deals."""
        row, group, copies = self.deals.codes.astype(np.int64).T
        return row, group, copies

    def written_out(self, instance: Copied) -> Solution:
        """Return the groups of rows, which are numbered copy by copy."""
        row, group, copies = self.columns
        order = np.argsort(row, kind="stable")
        row, group, copies = row[order], group[order], copies[order]
        before = np.cumsum(copies) - copies
        in_row = before - before[np.searchsorted(row, row)]
        first = (np.cumsum(instance.given) - instance.given)[row] + in_row
        rows = np.repeat(first - before, copies) + np.arange(copies.sum())
        labels = np.full(instance.n, -1, dtype=np.int64)
        labels[rows] = np.repeat(group, copies)
        return _grouped(labels)

    def remarks(self, instance: Any) -> Iterator[str]:
        yield from super().remarks(instance)
        if instance.most_dropped:
            count = instance.n - int(self.columns[2].sum())
            allowed = f"{instance.most_dropped} allowed"
            yield f"dropped     {counted(count, 'row')}, {allowed}"


class Entries(NamedTuple):
    """How many copies of which record are in which group."""

    group: IntArray
    record: IntArray
    copies: IntArray


def entries_of(records: Records, solution: Solution) -> Entries:
    """Return the copies of records in the groups of a solution."""
    if isinstance(solution, DealtSolution):
        row, group, copies = solution.columns
        return Entries(group, records.home[row], copies)
    label = labels_of(solution.groups, records.n)
    kept = np.flatnonzero(label >= 0)
    return Entries(label[kept], records.record_of[kept], np.ones_like(kept))


def solution_of_entries(records: Records, entries: Entries) -> Solution:
    """Return a solution: of deals if rows have copies, else of groups of rows."""
    if records.repeated:
        return DealtSolution.dealt(*records.dealt(*entries))
    left, every = records.copies.copy(), np.arange(records.distinct)
    np.subtract.at(left, entries.record, entries.copies)
    rest = Entries(np.full_like(every, -1), every, left)
    whole = (np.concatenate(both) for both in zip(entries, rest, strict=True))
    return _grouped(records.row_groups(*whole))


def _grouped(labels: IntArray) -> Solution:
    """Return the groups of items of equal label; those of -1 are in none."""
    kept = np.flatnonzero(labels >= 0)
    held = PackedGroups.labelled(labels[kept])
    return Solution(PackedGroups(kept[held.items], held.starts))


def in_rows(instance: Any, solution: Solution) -> Solution:
    """Return groups of rows, which are numbered as if they were written out."""
    if isinstance(solution, DealtSolution):
        return solution.written_out(instance)
    return solution


def deals_of(
    instance: Copied, solution: Solution
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the rows, groups and copies of deals; a table has copies."""
    told = as_told(instance, solution)
    assert isinstance(told, DealtSolution)
    return told.columns


def as_told(instance: Copied, solution: Solution) -> Solution:
    """Return deals if solutions of a table are deals, else groups of rows."""
    if not instance.dealt:
        return in_rows(instance, solution)
    if isinstance(solution, DealtSolution):
        return solution
    row = np.repeat(np.arange(len(instance.table)), instance.given)
    group = labels_of(solution.groups, instance.n)
    pairs = np.stack((group, row))[:, group >= 0]
    (group, row), copies = np.unique(pairs, axis=1, return_counts=True)
    return DealtSolution.dealt(row, group, copies)


class DealtGroups(NamedTuple):
    """The groups of deals, in the order of their numbers; or of rows."""

    held: PackedGroups
    """The deals of every group, which are rows where none has copies."""
    row: IntArray | slice
    copies: IntArray
    """`row`, `copies`: of every deal."""

    @classmethod
    def of_rows(cls, n: int, solution: Solution) -> DealtGroups:
        """Return groups of single rows."""
        ones = np.ones(n, dtype=np.int64)
        return cls(PackedGroups.of(solution.groups), slice(None), ones)

    @classmethod
    def of(cls, solution: DealtSolution) -> DealtGroups:
        """Return the groups of deals, which are sorted."""
        row, group, copies = solution.columns
        return cls(PackedGroups.labelled(group), row, copies)

    @property
    def sizes(self) -> IntArray:
        """The number of rows of every group."""
        return self.held.sums(self.copies)


def violations_of_deals(instance: Copied, solution: DealtSolution) -> list[str]:
    """List why deals are none of this table."""
    row, _, copies = solution.columns
    given, rows = instance.given, len(instance.table)
    if (row < 0).any() or (row >= rows).any() or (copies < 1).any():
        return [f"deals: expected rows from 0 to {rows - 1}, and copies of at least 1"]
    dealt = np.zeros(rows, dtype=np.int64)
    np.add.at(dealt, row, copies)
    wrong = dealt > given if instance.most_dropped else dealt != given
    if not wrong.any():
        return []
    first = int(wrong.argmax())
    return [f"deals: {dealt[first]} copies of row {first}, which has {given[first]}"]
