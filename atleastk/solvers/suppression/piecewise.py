"""The fewest entries by k-anonymity, piece by piece, padded to what an instance asks.

A grouping rule splits the table into pieces
(:mod:`~atleastk.solvers.suppression.padding`). The methods of k-anonymity solve each;
the groups of all pieces, padded, are offered to the search of the whole table. The sum
of the bounds of the pieces, and the certificate of a single piece, hold whatever the
limits and orders are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.models import k_anonymity
from atleastk.models.results.result import Event
from atleastk.models.suppression import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.auto import run_of
from atleastk.solvers.k_anonymity.auto import solve as anonymise
from atleastk.solvers.k_anonymity.first import begin as begin_anonymity
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import (
    from_entries,
    offer_if_feasible,
    raise_to,
)
from atleastk.solvers.suppression.padding import (
    GroupingRule,
    grouping_rules,
    padded,
    pieces,
)
from atleastk.solvers.tables.assignment import in_turn
from atleastk.solvers.tables.reporting import Throttle

LITTLE: Final = 0.01
"""The share of padding that counts as none: less than searches differ by chance."""

_SAMPLE: Final = 500
"""Rows by which grouping rules are compared."""


class PiecewiseSearch:
    """A search for the fewest entries of each piece under one grouping rule.

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

    def __init__(self, search: Search[Suppression], rule: GroupingRule) -> None:
        self._search, self.rule, self.budget = search, rule, search.budget.apart()
        self._pieces = pieces(search.instance, rule.agreed)
        self.feasible = min(map(len, self._pieces)) >= search.instance.k
        self._throttle = Throttle[Event](self._report)
        self.inner = [
            _search_of(
                search.instance, rows, rule.near, search.budget, self._throttle.take
            )
            for rows in self._pieces
        ]
        self.cost = float("inf")
        self.groups: Sequence[Sequence[int]] = ()
        self._plain = rule == grouping_rules(search.instance)[0]
        self._entries: int | None = None

    def padded_within(self, share: float) -> bool:
        """Tell whether padding costs at most a share of the fewest entries reported."""
        if not self._plain or self._search.instance.minimise != "entries":
            return False
        return self.cost <= (1.0 + share) * (self._entries or 0)

    def begin(self, budget: Budget) -> None:
        """Report groups of near rows, padded: nothing shall cost more than they do."""
        if self.feasible:
            self.budget = budget.apart()
            with budget.calling(self.budget.stop.set):
                self.build()
            self.report()

    def run(
        self, budget: Budget, turn: Budget | None = None, unless_padded: bool = False
    ) -> None:
        """Seek the fewest entries until its turn ends, or that of the whole budget.

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

        with turn.calling(end):
            self.solve()
        self.report()

    def build(self) -> None:
        """Build groups of near rows in each piece that has none; report nothing yet."""
        with self._throttle.holding():
            for part in self.inner:
                part.budget = self.budget
                if part.cost is None and begin_anonymity(part, "at once"):
                    run_of(part).build_groups(part.budget)

    def solve(self) -> None:
        """Solve all pieces, small ones first; all get groups of near rows before."""
        if len(self.inner) > 1:
            self.build()
        turns = in_turn(self.inner, lambda part: part.instance.n, lambda: self.budget)
        for part, own in turns:
            part.budget = own
            if not part.done:
                anonymise(part)

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
            cost = offer_if_feasible(search, solution, "k-anonymity")
            self._entries, self.cost = entries, cost  # at once: they are compared
        if self._plain and not search.closed:
            self._report_bounds()
        if search.closed:
            self.budget.stop.set()

    def _report_bounds(self) -> None:
        """Report what the bound on the entries says of the cost and the limits."""
        search, inner = self._search, self.inner
        bound = sum(part.bound or 0 for part in inner)
        alone = inner[0] if len(inner) == 1 else None
        source = "k-anonymity"
        if search.instance.minimise == "entries":
            whole = alone is not None and not search.instance.intact
            proof = alone.certificate if alone is not None and whole else None
            search.raise_bound(bound, source, proof)
        if not search.infeasible:
            raise_to(search, from_entries(search.instance, bound), source)


def _search_of(
    instance: Suppression,
    rows: IntArray,
    columns: Sequence[int],
    budget: Budget,
    on_event: Callable[[Event], object],
) -> Search[KAnonymity]:
    """Return a search for the fewest entries of some rows in these columns."""
    if len(rows) == instance.n and columns == tuple(range(instance.m)):
        table, names = instance.table, instance.columns
    else:
        table = [[instance.table[i][j] for j in columns] for i in rows.tolist()]
        names = None
    plain = KAnonymity(table, instance.k, names)
    return Search(plain, k_anonymity.check, budget, on_event=on_event)


def cheapest_rule(search: Search[Suppression], share: float) -> GroupingRule:
    """Return the rule whose groups of a sample cost least, by a share of the time."""
    instance = search.instance
    rules = grouping_rules(instance)
    place = {j: i for i, j in enumerate(rules[0].near)}
    rows = instance.table[:: -(-instance.n // _SAMPLE)]
    if len(rules) == 1 or len(rows) < instance.k:
        return rules[0]
    order = [[place[j] for j in c if j in place] for c in instance.column_order or ()]
    sample = Suppression(
        [[row[j] for j in place] for row in rows],
        instance.k,
        column_order=[columns for columns in order if columns],
    )
    costs: dict[GroupingRule, float] = {}
    part = search.budget.share(share)
    for rule, like in zip(rules, grouping_rules(sample), strict=True):
        groups = PiecewiseSearch(Search(sample, check, part), like)
        fits = min(map(len, pieces(instance, rule.agreed))) >= instance.k
        if groups.feasible and fits and not part.spent:
            groups.begin(part)
            costs[rule] = groups.cost
    return min(costs, key=costs.__getitem__, default=rules[0])
