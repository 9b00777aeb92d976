"""Entries without limits and orders, piece by piece, padded to what an instance asks.

Rows of one group agree on intact columns, so these split a table into *pieces*
(:mod:`~atleastk.solvers.suppression.padding`). The stages of all tables solve each; the
groups of all pieces, padded, are offered to the search of the whole table. The sum of
the bounds of the pieces, and the certificate of a single piece, hold whatever the
limits and orders are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import gcd
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.records import numbered
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.results.result import Event
from atleastk.models.suppression import check, solution_of_groups
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import (
    from_entries,
    offer_if_feasible,
    raise_to,
    unlimited,
)
from atleastk.solvers.suppression.padding import padded, pieces
from atleastk.solvers.tables.assignment import in_turn
from atleastk.solvers.tables.reporting import Throttle
from atleastk.solvers.tables.stages import solve_table
from atleastk.solvers.tables.steps import Run

LITTLE: Final = 0.01
"""The share of padding that counts as none: less than searches differ by chance."""


def run_of(search: Search[Suppression]) -> Run:
    """Return the table of a search without limits, in units of its costs."""
    instance, records = search.instance, search.instance.records
    price, worth = gcd(*instance.column_worth) or 1, gcd(*instance.row_worth) or 1
    if instance.row_weights is not None:
        found, _ = records.divided_by(numbered(instance.row_weights))
        weights = np.array(instance.row_weights, dtype=np.int64) // worth
        records = replace(found, weights=weights[found.firsts])
    if instance.is_weighted:
        prices = np.array(instance.column_worth, dtype=np.int64) // price
        records = replace(records, prices=prices)
    return Run(
        search,
        records,
        instance.k,
        solution_of=lambda found: solution_of_groups(instance, found.groups),
        leaders=partial(cell_model, instance),
        unit=price * worth,
        certified=not instance.is_weighted and is_checkable(records),
    )


class PiecewiseSearch:
    """A search for the cheapest entries of each piece.

    Attributes
    ----------
    inner
        The searches of the pieces.
    feasible
        Whether no piece has too few rows.
    cost, groups
        The cost of the last solution reported, infinite if it breaks a limit; its
        groups before they were padded.
    """

    def __init__(self, search: Search[Suppression], source: str) -> None:
        self._search, self._source = search, source
        self.budget = search.budget.apart()
        self._pieces = pieces(search.instance, search.instance.intact)
        self.feasible = min(map(len, self._pieces)) >= search.instance.k
        self._throttle = Throttle[Event](self._report)
        self.inner = [
            Search(
                _piece(search.instance, rows),
                check,
                self.budget,
                self._throttle.take,
            )
            for rows in self._pieces
        ]
        self.cost = float("inf")
        self.groups: Sequence[Sequence[int]] = ()
        self._entries: int | None = None

    def padded_within(self, share: float) -> bool:
        """Tell whether padding costs at most a share of the fewest entries reported."""
        if self._search.instance.minimise != "entries":
            return False
        return self.cost <= (1.0 + share) * (self._entries or 0)

    def begin(self, budget: Budget) -> None:
        """Report groups of near rows, padded: nothing shall cost more than they do."""
        self.budget = budget.apart()
        with self.budget.awaiting(), budget.calling(self.budget.stop.set):
            self.build()
        self.report()

    def run(
        self, budget: Budget, turn: Budget | None = None, unless_padded: bool = False
    ) -> None:
        """Seek the cheapest entries until its turn ends, or that of the whole budget.

        With `unless_padded` it goes on after its turn if its solution needs little
        padding. Until then a single piece is solved as if it had the whole budget;
        several share the turn.
        """
        turn = turn or budget
        shared = turn if len(self.inner) > 1 and not unless_padded else budget
        self.budget = shared.slice(shared.remaining - self._throttle.seconds).apart()

        def end() -> None:
            if budget.spent or not (unless_padded and self.padded_within(LITTLE)):
                self.budget.stop.set()

        with self.budget.awaiting(), turn.calling(end):
            self.solve()
        self.report()

    def build(self) -> None:
        """Build groups of near rows in each piece that has none; report nothing yet."""
        with self._throttle.holding():
            for part in self.inner:
                part.budget = self.budget
                if part.cost is None:
                    part.raise_bound(0, self._source)
                    run_of(part).build_groups(part.budget)

    def solve(self) -> None:
        """Solve all pieces, small ones first; all get groups of near rows before."""
        if len(self.inner) > 1:
            self.build()
        turns = in_turn(self.inner, lambda part: part.instance.n, lambda: self.budget)
        for part, own in turns:
            part.budget = own
            if not part.done:
                solve_table(run_of(part))

    def report(self) -> None:
        """Report what is new."""
        self._throttle.flush()

    def _report(self, _event: Event) -> None:
        """Report the solutions of all pieces as one, and their bounds."""
        search = self._search
        solved = [part.solution for part in self.inner if part.solution is not None]
        if len(solved) < len(self._pieces):
            return
        entries = sum(part.cost or 0 for part in self.inner)
        if self._entries is None or entries < self._entries:
            self.groups = [
                rows[list(group)].tolist()
                for rows, solution in zip(self._pieces, solved, strict=True)
                for group in solution.groups
            ]
            solution = padded(search.instance, self.groups)
            cost = offer_if_feasible(search, solution, self._source)
            self._entries, self.cost = entries, cost  # at once: they are compared
        if not search.closed:
            self._report_bounds()
        if search.closed:
            self.budget.stop.set()

    def _report_bounds(self) -> None:
        """Report what the bound on the entries says of the cost and the limits."""
        search, instance = self._search, self._search.instance
        bound = sum(part.bound or 0 for part in self.inner)
        if instance.minimise == "entries":
            whole = len(self.inner) == 1 and not instance.intact
            proof = self.inner[0].certificate if whole else None
            search.raise_bound(bound, self._source, proof)
        if not (search.infeasible or instance.is_weighted):  # limits count cells
            raise_to(search, from_entries(instance, bound), self._source)


def _piece(instance: Suppression, rows: IntArray) -> Suppression:
    """Return some rows in the columns that are not intact, without limits."""
    if not instance.intact:
        return unlimited(instance, "entries")
    free = [j for j in range(instance.m) if j not in instance.intact]
    weights, worth = instance.row_weights, instance.column_weights
    return Suppression(
        [[instance.table[i][j] for j in free] for i in rows.tolist()],
        instance.k,
        column_weights=None if worth is None else [worth[j] for j in free],
        row_weights=None if weights is None else [weights[i] for i in rows.tolist()],
    )
