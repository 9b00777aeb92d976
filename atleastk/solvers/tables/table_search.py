"""What a problem of tables declares to the stages that all of them share.

Rows have a worth, columns have prices, groups have at least k rows. A group pays, for
every row, the prices of the columns on which it is not constant, times the worth of the
row. The problem says how its solutions are made of groups, what a unit of cost is in
its own, and whether weights of the records are certificates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.records import Records
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import GREATEST_PRICE, is_listable
from atleastk.solvers.tables.conditions import Sensitive
from atleastk.solvers.tables.first_groups import peeled
from atleastk.solvers.tables.leaders import refuses_leaders
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers
from atleastk.solvers.tables.reporting import SECONDS_PER_ROW, Throttle
from atleastk.solvers.tables.weights import Certificate, certificate_of, written
from atleastk.solvers.tables.wide_tables import least_by_values

_MANY_ROWS: Final = 100_000
_KEPT: Final = 3
"""In tables of more rows, equal ones are moved in this many times k copies if k copies
or more are left over; these are groups of their own, which pay nothing. Not tuned."""


@dataclass(eq=False)
class TableSearch:
    """The search of a problem, and the table that its stages work on."""

    search: Search[Any]
    records: Records  # with worth and prices, both divided by what divides them all
    k: int  # the fewest rows of a group
    solution_of: Callable[[Solution], Solution]  # of the problem, from a partition
    leaders: Callable[[], Encoding]  # where rows lead one another
    unit: int = 1  # what 1 of a cost of the records is in the problem
    nested: bool = False  # whether columns are levels of hierarchies, at equal prices
    certified: bool = False  # whether weights of the records are certificates
    patterns: Patterns | None = None  # once they are listed; perhaps not `complete`
    asked: Sensitive | None = None  # the condition that groups have to keep
    least: Callable[[Budget], IntArray] | None = None
    """What a row of each record pays at least, where the problem knows more of it."""

    @property
    def cost(self) -> int:
        """The best cost known, in units of the records; a search begins with one."""
        return (self.search.cost or 0) // self.unit

    @property
    def bound(self) -> int:
        """The best bound known, in units of the records."""
        return -(-(self.search.bound or 0) // self.unit)

    @cached_property
    def spare(self) -> IntArray:
        """How many copies of each record are not moved.

        They are some of those that first groups have with others of their home alone,
        in the same shares, such that both parts of these are admissible groups.
        """
        copies, kept, home = self.records.copies, _KEPT * self.k, self.home
        spare = np.zeros_like(copies)
        if self.records.n <= _MANY_ROWS:
            return spare
        if not (np.bincount(home, copies) >= kept + self.k).any():
            return spare
        first = self.first
        alone, pure = first.alone(home), np.zeros_like(copies)
        np.add.at(pure, first.record[alone], first.copies[alone])
        of_home = np.bincount(home, pure).astype(np.int64)[home]
        large = of_home >= kept + self.k
        spare[large] = pure[large] * (of_home - kept)[large] // of_home[large]
        for part in (spare, pure - spare):
            some = np.flatnonzero(large)
            made = Assignment.of(home[some], some, part[some])
            names = np.unique(home[some][part[some] > 0])
            large &= ~np.isin(home, names[self.failing(made)])
        return np.where(large, spare, 0)

    @property
    def home(self) -> IntArray:
        """A number for every record: that of others that look like it."""
        return np.arange(self.records.distinct)

    @cached_property
    def first(self) -> Assignment:
        """First groups."""
        return peeled(self.records, self.k)

    def failing(self, found: Assignment) -> BoolArray:
        """Tell which groups are not admissible."""
        return found.sizes < self.k

    @cached_property
    def moved(self) -> Records:
        """The records with the copies that are moved, as rows of their own."""
        if not (self.spare.any() or self.records.repeated):
            return self.records
        every = np.arange(self.records.distinct)
        return self.records.apart(every, self.records.copies - self.spare)

    @cached_property
    def rounded(self) -> Records:
        """What is moved, at rounded prices if they are great: for local search only."""
        unit = max(1, -(-self.records.most // GREATEST_PRICE))
        if unit == 1:
            return self.moved
        rounded = np.maximum(1, self.records.price // unit)
        return replace(self.moved, prices=rounded)

    @property
    def listable(self) -> bool:
        """Whether patterns may be listed: few columns, and costs that fit."""
        return is_listable(self.records, self.k)

    @property
    def listed(self) -> ListedTable:
        """The table with its patterns, once they are listed."""
        assert self.patterns is not None
        return ListedTable(self.patterns, self.records, self.k, self.asked)

    @property
    def moving(self) -> ListedTable:
        """The same of what is moved."""
        return replace(self.listed, records=self.moved)

    @property
    def complete(self) -> bool:
        """Whether all patterns are listed."""
        return self.patterns is not None and self.listed.complete

    @property
    def leadable(self) -> bool:
        """Whether the leader model is small enough."""
        return refuses_leaders(self.records.n, self.records.m) is None

    @property
    def labels(self) -> IntArray:
        """The group of every row that is moved, in the best solution."""
        found = self.assignment
        return self.moved.row_groups(found.group, found.record, found.copies)

    @property
    def assignment(self) -> Assignment:
        """What is moved in the best solution; of first groups if that has no spare."""
        assert self.search.solution is not None
        found = Assignment.of_solution(self.records, self.search.solution)
        if not self.spare.any():
            return found
        for each in (found, self.first):
            less = each.without(
                self.spare, self.home, lambda left: not self.failing(left).any()
            )
            if less is not None:
                return less
        raise AssertionError  # copies are spared such that first groups have them

    def offer(self, labels: IntArray, source: str) -> None:
        """Report groups, as a label for every row that is moved."""
        if self.moved is self.records:
            self.search.offer(self.solution_of(Solution.labelled(labels)), source)
        else:
            self.offer_moved(Assignment.of_rows(self.moved, labels), source)

    def offer_moved(self, found: Assignment, source: str) -> None:
        """Report an assignment of what is moved if it is better than the best."""
        self.offer_assignment(found.with_groups(self.spare, self.home), source)

    def offer_assignment(self, found: Assignment, source: str) -> None:
        """Report an assignment of the records if it is better than the best."""
        if found.cost(self.records) < self.cost:
            solution = found.solution(self.records)
            self.search.offer(self.solution_of(solution), source)

    def raise_bound(
        self, bound: int, source: str, weights: Multipliers | None = None
    ) -> None:
        """Report a bound in units of the records, and weights that prove it."""
        proof = None if weights is None else self.certificate(weights, bound)
        self.search.raise_bound(bound * self.unit, source, proof)

    def certificate(self, weights: Multipliers, bound: int) -> Certificate | None:
        """Return the weights as a certificate of a bound in units of the records."""
        if not (self.certified and self.complete):
            return None
        return certificate_of(self.listed, weights, bound, self.unit)

    def raise_by_values(self) -> None:
        """Report what rows with rare values or without k equals lose at least."""
        least = least_by_values(self.records, self.k)
        if least.any():
            self.raise_to_least(least, "distances")

    def raise_to_least(self, least: IntArray, source: str) -> None:
        """Report what the rows of each record pay at least, as its own certificate."""
        proof = None
        if self.certified:
            proof = written(Multipliers(least, 1, 0), self.unit)
        bound = int(least @ self.records.copies)
        self.search.raise_bound(bound * self.unit, source, proof)


class Reporter:
    """Reports solutions now and then.

    Whole solutions are made of rows and checked: too much for every improvement.
    """

    def __init__(self, table: TableSearch, source: str) -> None:
        self._table, self._source = table, source
        self._throttle = Throttle[Callable[[], None]](lambda report: report())

    def sparing(self, budget: Budget) -> Budget:
        """Return a budget that leaves time for a last report."""
        if budget.endless:
            return budget
        records = self._table.records
        listed = records.distinct if records.repeated else records.n
        spare = min(0.2 * budget.remaining, SECONDS_PER_ROW * listed)
        return budget.slice(budget.remaining - spare)

    def take(self, assignment: Assignment) -> None:
        """Take a better assignment."""
        self._throttle.take(lambda: self._table.offer_moved(assignment, self._source))

    def take_labels(self, labels: IntArray) -> None:
        """Take better groups, as a label for every row."""
        self._throttle.take(lambda: self._table.offer(labels, self._source))

    def finish(self) -> None:
        """Report the latest, unless that is done."""
        self._throttle.flush()
