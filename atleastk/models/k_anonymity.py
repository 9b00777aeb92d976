"""k-anonymity by cell suppression: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.k_anonymity`.

Facts
-----
- *Feasible* iff n >= k or n = 0.
- *Groups of k..2k-1 suffice*: a larger group splits without a new differing column.
- *Closed patterns suffice*: the columns that a group keeps are those of the closed
  pattern of support >= k that covers it; see :mod:`atleastk.models.tables.patterns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Final, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidResultError
from atleastk.instances.fields.shapes import Row
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.results.fields import INTEGER
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import (
    Solution,
    Verdict,
    in_short,
    labels_of,
    others,
    partition_violations,
)

Cells = tuple[tuple[int, int], ...]
"""Pairs of row and column, ascending."""

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
        deals = cls._more(data)["deals"]
        if not deals:
            return Solution.from_dict(data)
        try:
            return cls((), deals).in_normal_form()
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

    @property
    def written_out(self) -> Solution:
        """Return the groups of rows, which are numbered copy by copy."""
        row, group, copies = self.columns
        order = np.argsort(row, kind="stable")
        return Solution.labelled(np.repeat(group[order], copies[order]))


SOLUTION: Final = DealtSolution


def completed(instance: KAnonymity, solution: Solution) -> Solution:
    """Return deals if the table has copies, else groups of rows."""
    if isinstance(solution, DealtSolution) == (instance.copies is not None):
        return solution
    if isinstance(solution, DealtSolution):
        return solution.written_out
    home = np.repeat(np.arange(len(instance.table)), instance.copies or ())
    labels = labels_of(solution.groups, instance.n)
    pairs, copies = np.unique(np.stack((labels, home)), axis=1, return_counts=True)
    return DealtSolution.dealt(pairs[1], pairs[0], copies)


def check(instance: KAnonymity, solution: Solution) -> Verdict:
    """Recompute the suppressed cells of a solution and list its violations."""
    if isinstance(solution, DealtSolution):
        return _check_deals(instance, solution)
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    if not solution.groups:
        return Verdict(0)
    cost = int(suppressed(instance, solution).sum())
    sizes = PackedGroups.of(solution.groups).sizes
    return Verdict(cost, tuple(_small(instance, sizes)))


def _check_deals(instance: KAnonymity, solution: DealtSolution) -> Verdict:
    """Recompute the suppressed cells of deals and list their violations."""
    row, _, copies = solution.columns
    rows = len(instance.table)
    if (row < 0).any() or (row >= rows).any() or (copies < 1).any():
        wrong = f"deals: expected rows from 0 to {rows - 1}, and copies of at least 1"
        return Verdict(None, (wrong,))
    dealt = np.zeros(rows, dtype=np.int64)
    np.add.at(dealt, row, copies)
    given = np.array(instance.copies or (1,) * rows, dtype=np.int64)
    if (dealt != given).any():
        first = int((dealt != given).argmax())
        wrong = f"deals: {dealt[first]} copies of row {first}, which has {given[first]}"
        return Verdict(None, (wrong,))
    hidden, sizes = hidden_in_groups(instance, solution)
    small = tuple(_small(instance, sizes))
    return Verdict(int(hidden.sum(axis=1) @ sizes), small)


def _small(instance: KAnonymity, sizes: IntArray) -> Iterator[str]:
    """Yield which groups of these sizes are too small."""
    for g in np.flatnonzero(sizes < instance.k).tolist():
        yield f"group {g} has {sizes[g]} records, below k = {instance.k}"


def hidden_in_groups(
    instance: KAnonymity, solution: DealtSolution
) -> tuple[BoolArray, IntArray]:
    """Return the columns on which groups are not constant, and how large they are."""
    row, group, copies = solution.columns
    held = PackedGroups.labelled(group)
    codes = instance.records.codes[instance.records.home[row]]
    return held.differ(codes), held.sums(copies)


def suppressed(instance: KAnonymity, solution: Solution) -> BoolArray:
    """Return, for every cell of the table, whether the solution suppresses it."""
    if isinstance(solution, DealtSolution):
        solution = solution.written_out
    hidden = np.zeros((instance.n, instance.m), dtype=np.bool_)
    held = PackedGroups.of(solution.groups)
    if len(held):
        differ = held.differ(instance.numbers)
        hidden[held.items] = np.repeat(differ, held.sizes, axis=0)
    return hidden


def cells_of(hidden: BoolArray) -> Cells:
    """Return the cells that a mask hides."""
    rows, columns = hidden.nonzero()
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))


def hiding(instance: KAnonymity, cells: Cells) -> BoolArray:
    """Return the mask that hides these cells of a table."""
    hidden = np.zeros((instance.n, instance.m), dtype=np.bool_)
    if cells:
        hidden[tuple(np.array(cells, dtype=np.int64).T)] = True
    return hidden
