"""Generalisation on entries where levels of different columns have different prices.

The patterns of the table whose pseudo-columns stand there once are those of the table
in which they are repeated; only their costs differ. So they are mined there, and get
the cost of the repeated ones as their stars. Methods that use nothing of a pattern but
its cost and its records work without change: the multipliers, the moves of the local
search, and the pattern model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.instances.generalization import Generalization
from atleastk.instances.records import Records
from atleastk.models.certificates.generalization import is_checkable
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.generalization import solution_of_groups
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import MOST_COLUMNS, Patterns
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.search import Search
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.bounds import least_stars
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.greedy_cover import PatternIndex, greedy_start
from atleastk.solvers.tables.multipliers import Multipliers, prove
from atleastk.solvers.tables.ruin_and_recreate import State
from atleastk.solvers.tables.sub_tables import reoptimise
from atleastk.solvers.tables.weights import certificate_of

_GREATEST_PRICE: Final = 2**20
"""The greatest cost of a row: costs of patterns are 32-bit integers."""

_GREATEST_SUM: Final = 2**57
"""The greatest cost of all rows, times k: a limit on sums of multipliers."""

_MOST_MODELLED: Final = 400_000
"""Pairs of a pattern and a record that a model may have."""

_ASCENT: Final = 0.3
_ANNEALING: Final = {True: 0.15, False: 0.4}
_SUB_TABLES: Final = 0.6
"""Shares of the time left; of annealing for k = 2, for others."""

_ROWS_A_SECOND: Final = 1_000
"""Rows that sub-tables arrange anew in a second. Where they would not come to all rows,
annealing gains more: on Adult, 10,000 rows and 10 seconds, 1 to 2 %."""

_EFFORT: Final = 2_000
"""Moves per row at most."""

_ROUNDS: Final = 100
_LONGEST: Final = 1.0
"""Rounds until it is cold, at least; roughly the seconds of one."""

_HOT: Final = 1.5
_COLD: Final = 0.2
"""Heats, in units of the average price of a level times the median weight of a row."""


@dataclass(frozen=True, eq=False)
class PricedPatterns:
    """The closed patterns of an instance on entries, at their prices.

    Attributes
    ----------
    records
        The records, a column for every level.
    patterns
        Its closed patterns; their stars are what a row pays.
    """

    instance: Generalization
    records: Records
    patterns: Patterns

    @classmethod
    def of(cls, instance: Generalization, most_pairs: int) -> PricedPatterns | None:
        """Mine the patterns; None if there are too many pairs, columns or units."""
        price = instance.most_of_row
        if sum(instance.heights) > MOST_COLUMNS or price > _GREATEST_PRICE:
            return None
        records = records_of_levels(instance)
        if price * instance.k * int(records.copies @ records.worth) > _GREATEST_SUM:
            return None
        mined = closed_patterns(records, instance.k, most_pairs)
        return None if mined is None else cls(instance, records, mined)

    def multipliers(self, budget: Budget, enough: int | None = None) -> Multipliers:
        """Return the best weights of the records that time allows."""
        return improve(
            self.patterns, self.records, self.instance.k, budget, enough=enough
        )

    def offer(
        self, search: Search[Generalization], assignment: Assignment, source: str
    ) -> None:
        """Report an assignment."""
        group, record = assignment.group, assignment.record
        labels = self.records.row_groups(group, record, assignment.copies)
        groups = Solution.labelled(labels).groups
        search.offer(solution_of_groups(self.instance, groups), source)


def solve_priced(search: Search[Generalization], priced: PricedPatterns) -> None:
    """Raise the bound, anneal, rearrange sub-tables, and minimise a small model."""
    instance, budget = search.instance, search.budget
    records, patterns = priced.records, priced.patterns
    least = least_stars(records, patterns)
    least *= records.worth
    bound, proof = int(least @ records.copies), None
    if is_checkable(instance):
        weights = prove(patterns, records, instance.k, least, 1)
        proof = certificate_of(patterns, records, instance.k, weights, bound)
    search.raise_bound(instance.reached(bound), "opt-lb", proof)
    if search.done:
        return
    found = priced.multipliers(budget.share(_ASCENT))
    if is_checkable(instance):
        proof = certificate_of(patterns, records, instance.k, found, found.bound)
    search.raise_bound(instance.reached(found.bound), "multipliers", proof)
    modelled = patterns.pairs <= _MOST_MODELLED
    share = _ANNEALING[instance.k == 2]
    if instance.n > _ROWS_A_SECOND * (1 - share) * budget.remaining:
        share = 1.0
    _anneal(search, priced, budget.share(share))
    _rearrange(search, priced, found, budget.share(_SUB_TABLES) if modelled else budget)
    if modelled and not search.done:
        minimise_encoded(search, priced_pattern_model(priced), Highs(), "patterns")


def _rearrange(
    search: Search[Generalization],
    priced: PricedPatterns,
    multipliers: Multipliers,
    budget: Budget,
) -> None:
    if search.done or search.solution is None:
        return
    reoptimise(
        priced.patterns,
        priced.records,
        search.instance.k,
        Assignment.of_groups(priced.records, search.solution.groups),
        multipliers,
        budget,
        lambda found: priced.offer(search, found, "sub-tables"),
    )


def priced_pattern_model(priced: PricedPatterns) -> SolutionEncoding:
    """Return the model that gives a pattern to every copy of every record."""
    inner = pattern_model(priced.records, priced.instance.k, priced.patterns)
    return SolutionEncoding(
        inner.model,
        lambda values: solution_of_groups(priced.instance, inner.decode(values)),
        lambda solution: inner.encode(solution.groups),
    )


def _anneal(
    search: Search[Generalization], priced: PricedPatterns, budget: Budget
) -> None:
    """Anneal the best solution; cool once, over the time or over the moves."""
    instance, records = search.instance, priced.records
    index = PatternIndex.of(priced.patterns, records, instance.k)
    priced.offer(search, greedy_start(index), "greedy")
    if search.solution is None:
        return
    best = Assignment.of_groups(records, search.solution.groups)
    pattern = index.chosen(best)
    rows = np.arange(len(pattern), dtype=np.int32)
    rng = np.random.default_rng(budget.seed)
    most = _EFFORT * instance.n
    began, span = CLOCK.now(), budget.remaining
    made, moves, cooled = 0, max(1_000, 2 * instance.n), 0.0
    with budget.flagging() as flag:
        while cooled < 1.0 and not search.done and not budget.spent:
            round_began = CLOCK.now()
            heat = priced.records.cell * _HOT * (_COLD / _HOT) ** cooled
            state = State(index, pattern, rows)
            made += state.anneal(moves, heat, heat, int(rng.integers(2**31)), flag)
            state.settle()
            found = index.assignment(pattern)
            priced.offer(search, found, "annealing")
            pattern = index.chosen(found)
            now = CLOCK.now()
            cooled = max(made / most, (now - began) / span)
            if now - round_began < min(_LONGEST, span / _ROUNDS):
                moves *= 2
