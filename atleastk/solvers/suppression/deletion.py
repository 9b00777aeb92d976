"""Deletion of rows and columns as a whole: implicit hitting sets over the columns.

Once the columns C are deleted, the rows fall into classes, and all but C of the rows R
is as it was: rows leave their classes, each of which keeps k rows or none, and the
deleted rows, a class of their own, are none or k at least. The fewest such rows are
r(C), see :mod:`~atleastk.models.tables.row_deletion`; if C is every column, no row has
to go. All costs and limits depend on the sizes of C and R and grow with both, so r(C)
rows are the best choice.

More columns merge classes: r(C) never grows with C. So a set V of columns that stay and
need more than t rows is a *conflict*: with t rows, every C must delete some column of
V. For every number of columns, C is searched for as a set that hits all conflicts,
which are found as they are needed (a set that hits all known ones and still needs too
many rows has another, shrunk to a minimal one). A bound on r(C) for some number of
columns holds for every smaller number.

r-DEL asks for r({}) alone and is polynomial. c-DEL is NP-complete [Chaytor06, Theorem
4.2.1]: the search takes exponential time in the number of columns at worst; every set
that is tried takes O(d log d) time for d distinct rows.

References
----------
[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006, sections 3.3 and 4.3.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import (
    SuppressionSolution,
    cost_of,
    solution_of_mask,
)
from atleastk.models.tables.row_deletion import first_rows, row_deletion
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.largest_k import maximise_k


def refuses(instance: Suppression) -> str | None:
    """Say why the search cannot take an instance, or None if it can."""
    if instance.deletion:
        return None
    return "it deletes rows and columns as a whole, and takes only deletion problems"


def minimise_deletion(search: Search[Suppression], source: str) -> None:
    """Solve a deletion instance of any cost and limits."""
    instance = search.instance
    if instance.has_too_few:
        search.close_infeasible(source)
    elif not instance.n:
        search.offer(SuppressionSolution(()), source)
        search.raise_bound(cost_of(instance, _measures(instance, 0, 0)), source)
    elif instance.minimise == "k":
        maximise_k(search, partial(minimise_deletion, source=source), source)
    else:
        _Sweep(search, source).run()


def _measures(instance: Suppression, columns: int, rows: int) -> dict[str, int]:
    """Return all quantities of a deletion of some columns and, beside them, rows."""
    n, m = instance.n, instance.m
    return {
        "rows": rows,
        "columns": columns,
        "entries": columns * n + rows * (m - columns),
        "per_row": m if rows else columns,
        "per_column": n if columns else rows,
        "k": instance.k,
    }


@dataclass(slots=True)
class _Classes:
    """Rows that have to be deleted along with columns; sets of columns are bits."""

    instance: Suppression
    known: dict[int, int] = field(default_factory=dict)
    """The number of rows, of every set of deleted columns tried."""
    conflicts: list[tuple[int, int]] = field(default_factory=list)
    """Sets of columns that stay, with the number of rows that they need."""

    @property
    def every(self) -> int:
        """All columns."""
        return (1 << self.instance.m) - 1

    def rows(self, columns: int) -> int:
        """Return the number of rows to delete along with these columns."""
        if columns not in self.known:
            self.known[columns] = int(self._deleted(columns)[0].sum())
        return self.known[columns]

    def conflict(self, kept: int, rows: int, firm: int) -> int:
        """Return a minimal set of columns that needs more than `rows` rows if it stays.

        It is a part of `kept`; columns that are not `firm` are left out first.
        """
        for column in sorted(_bits(kept), key=lambda column: bool(column & firm)):
            if self.rows(self.every & ~(kept & ~column)) > rows:
                kept &= ~column
        self.conflicts.append((kept, self.rows(self.every & ~kept)))
        return kept

    def solution(self, columns: int) -> SuppressionSolution:
        """Return the solution that deletes these columns, and the rows they need."""
        instance = self.instance
        places = [column.bit_length() - 1 for column in _bits(columns)]
        hidden = np.zeros((instance.n, instance.m), dtype=np.bool_)
        hidden[:, places] = True
        deleted, class_of = self._deleted(columns)
        class_of_row = class_of[instance.records.record_of]
        hidden[first_rows(class_of_row, deleted)] = True
        return solution_of_mask(instance, hidden, places)

    def _deleted(self, columns: int) -> tuple[IntArray, IntArray]:
        """Return the rows deleted of every class, and the class of every record."""
        records = self.instance.records
        kept = [j for j in range(records.m) if not columns >> j & 1]
        classes = Records.coded(records.codes[:, kept], records.copies)
        if not kept:
            return np.zeros_like(classes.copies), classes.home
        deleted = row_deletion(classes.copies, self.instance.k)
        assert deleted is not None, "the table has k rows"
        return deleted, classes.home


def _bits(columns: int) -> Iterator[int]:
    """Yield the columns of a set, as sets of one."""
    while columns:
        yield columns & -columns
        columns &= columns - 1


class _Sweep:
    """The search over numbers of columns, and over sets of each."""

    def __init__(self, search: Search[Suppression], source: str) -> None:
        instance = search.instance
        self.search = search
        self.source = source
        self.classes = _Classes(instance)
        self.intact = sum(1 << column for column in set(instance.intact))
        values = instance.records.codes.max(axis=0, initial=0)
        order = sorted(range(instance.m), key=lambda j: -int(values[j]))
        self.free = [1 << j for j in order if not self.intact >> j & 1]
        """Columns that may be deleted, those of many values first."""
        rows_too = "rows" in instance.region and not self.intact
        self.most_rows = instance.n if rows_too else 0
        self.most_columns = len(self.free) if "columns" in instance.region else 0
        self.least = [0] * (self.most_columns + 1)
        """No set of so many columns has fewer rows to delete."""

    def useful_rows(self, columns: int) -> int:
        """Return the most rows that may go with some columns so that the cost improves.

        -1 if even without them the cost is too high or a limit is broken.
        """
        best = self.search.cost

        def useless(rows: int) -> bool:
            instance = self.search.instance
            found = _measures(instance, columns, rows)
            limits = instance.limits.items()
            over = any(found[quantity] > limit for quantity, limit in limits)
            return over or (best is not None and cost_of(instance, found) >= best)

        return bisect_left(range(self.most_rows + 1), True, key=useless) - 1

    def begin(self) -> None:
        """Delete all columns that may be, if that is allowed, and restore some."""
        deleted = sum(self.free)
        if not self.allows(deleted):
            return
        for column in reversed(self.free):
            fewer = deleted & ~column
            if self.search.budget.spent:
                break
            if self.allows(fewer) and self.cost(fewer) <= self.cost(deleted):
                deleted = fewer
        self.search.offer(self.classes.solution(deleted), self.source)

    def allows(self, deleted: int) -> bool:
        """Tell whether a set of columns is within all limits."""
        count = deleted.bit_count()
        if count > self.most_columns:
            return False
        return self.classes.rows(deleted) <= self.useful_rows(count)

    def cost(self, deleted: int) -> int:
        """Return the cost of deleting these columns, and the rows they need."""
        instance, rows = self.search.instance, self.classes.rows(deleted)
        return cost_of(instance, _measures(instance, deleted.bit_count(), rows))

    def run(self) -> None:
        """Settle every number of columns; the last one proves the optimum."""
        search, instance = self.search, self.search.instance
        if search.budget.spent:
            return
        self.begin()
        sizes = list(range(self.most_columns + 1))
        if instance.minimise in ("rows", "none"):
            sizes.reverse()
        while sizes:
            if not self.settle(sizes.pop(0)):
                return
            floors = [self.floor(size) for size in sizes]
            if search.cost is not None:
                floors.append(search.cost)
            reachable = [cost for cost in floors if cost is not None]
            if not reachable:
                search.close_infeasible(self.source)
                return
            search.raise_bound(min(reachable), self.source)
            if search.closed:
                return

    def floor(self, columns: int) -> int | None:
        """Return a bound for a number of columns; None if they break limits."""
        instance = self.search.instance
        rows = self.least[columns]
        if rows > self.useful_rows(columns):
            return None
        return cost_of(instance, _measures(instance, columns, rows))

    def settle(self, columns: int) -> bool:
        """Find the best set of at most `columns` columns; tell whether it is proved."""
        nodes = [(0, self.intact)]
        most = self.useful_rows(columns)
        while nodes and most >= self.least[columns]:
            if self.search.budget.spent:
                return False
            deleted, kept = nodes.pop()
            room = columns - deleted.bit_count()
            choice = self.choice(deleted, kept, room, most)
            if choice is None:
                settled = deleted | kept
                spare = [column for column in self.free if not column & settled]
                padded = deleted | sum(spare[:room])
                if self.classes.rows(padded) <= most:
                    self.search.offer(self.classes.solution(padded), self.source)
                    most = self.useful_rows(columns)
                    if most < self.least[columns]:
                        break
                rest = self.classes.every & ~padded
                choice = self.classes.conflict(rest, most, kept) & ~kept if room else 0
            branches = []
            for column in self.free:
                if column & choice:
                    branches.append((deleted | column, kept))
                    kept |= column
            nodes.extend(reversed(branches))
        for size in range(columns + 1):
            self.least[size] = max(self.least[size], most + 1)
        return True

    def choice(self, deleted: int, kept: int, room: int, most: int) -> int | None:
        """Return columns one of which has to be deleted too; None if none are known.

        The set is empty if there is no room for all that have to be deleted.
        """
        open_conflicts = sorted(
            (
                conflict & ~kept
                for conflict, rows in self.classes.conflicts
                if rows > most and not conflict & deleted
            ),
            key=int.bit_count,
        )
        if not open_conflicts:
            return None
        covered = apart = 0
        for conflict in open_conflicts:
            if not conflict & covered:
                covered |= conflict
                apart += 1
        return open_conflicts[0] if apart <= room else 0
