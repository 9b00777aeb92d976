"""Generalisation on entries where a few rows may be dropped.

First the table is minimised as if no row might be dropped: so an allowance makes no run
to the end worse than it would be without. Then rows are chosen to be dropped, and the
others minimised by themselves, again and again: those whose weights are greatest. What
patterns are left below the best cost is a model that closes the gap.

Bounds
------
Let a row of worth w pay toll * w if it is dropped, and any number be dropped. Weights
of at most the toll prove the same bound L for it as where no row is dropped, since a
dropped row is worth nothing then (:mod:`~atleastk.solvers.tables.multipliers`); and
patterns that cost as much as the toll or more are worth nothing, too. A solution that
drops d rows pays d tolls less: so it costs at least L, less what the d greatest weights
come to (:mod:`~atleastk.models.certificates.closed_classes`). The toll that proves most
is searched for: the bound is a concave function of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.instances.records import Records
from atleastk.models.certificates.closed_classes import dearest, worth_of_dropped
from atleastk.models.deals import (
    DealtSolution,
    Entries,
    deals_of,
    solution_of_entries,
)
from atleastk.models.encodings.generalization import leader_model
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.generalization import check, solution_dropping_rest
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.stages import Stage, Stages, always, reseeded, run_stages
from atleastk.solvers.search import Proof, Search
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns, pairs_within
from atleastk.solvers.tables.dual_ascent import Ascent
from atleastk.solvers.tables.joining import join_cheapest
from atleastk.solvers.tables.leaders import paired_cells
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers, prove, relevant
from atleastk.solvers.tables.reporting import inner_search
from atleastk.solvers.tables.steps import FEWEST_PAIRS, Run
from atleastk.solvers.tables.truncated_patterns import truncated_patterns
from atleastk.solvers.tables.weights import coarsest, written

Minimise = Callable[[Search[Generalization]], None]
"""Minimises on entries where no row may be dropped."""

_MOST_TOLLS: Final = 10
"""Tolls that are tried."""

_FINEST: Final = 1 / 50
"""Differences of tolls, as a share of the greatest."""

_MODELLED: Final = 20_000
"""Pairs of a pattern and a record of the last model."""

_LED: Final = 12_000
"""Pairs of rows times columns that a model of rows that lead one another takes."""

MOST_ROWS: Final = 10**8
"""Rows up to which they are moved or dropped one by one: some gigabytes."""

_SOURCE: Final = "kept rows"


class Dropping:
    """A table of which rows may be dropped, on its way through the stages.

    Attributes
    ----------
    proved
        The weights that prove most so far, and what they prove where rows are dropped.
    rounds
        How often rows were chosen.
    """

    def __init__(self, table: Run, minimise: Minimise) -> None:
        self.table, self.minimise = table, minimise
        self.search: Search[Generalization] = table.search
        self.instance = self.search.instance
        self.records = table.records
        self.proved: Multipliers | None = None
        self.rounds = 0
        self._patterns: Patterns | None = None

    @property
    def enough(self) -> bool:
        """Whether a group is possible."""
        return self.instance.n >= self.instance.k

    @property
    def listed(self) -> bool:
        """Whether patterns are listed, all or the cheap ones."""
        return self._patterns is not None

    @property
    def fits_small_model(self) -> bool:
        """Whether a model of all patterns is next to nothing."""
        left = self._needed()
        return left is not None and left.pairs <= FEWEST_PAIRS

    # Bounds.

    def list_patterns(self, part: Budget) -> None:
        """List all patterns, or as many cheap ones as fit."""
        most = pairs_within(part, self.records.distinct)
        own = part.share(0.5)
        found = closed_patterns(self.records, self.table.k, most, own)
        if found is None:
            found = truncated_patterns(self.records, self.table.k, own, most)
        self._patterns = found

    def raise_to_nothing(self) -> None:
        """Report the bound 0, which weights of 0 prove."""
        if self.table.certified:
            nothing = np.zeros(self.records.distinct, dtype=np.int64)
            self.search.raise_bound(0, "tolls", written(Multipliers(nothing, 1, 0)))

    def raise_tolls(self, part: Budget, enough: float = inf) -> None:
        """Raise the bound by weights at the toll that proves most, or enough."""
        greatest = float(self.records.most * self.table.k)
        best, step = float(self.records.most), self.records.most / 2
        known = {best: self._climb(best, part.share(1 / 4))}
        while len(known) < _MOST_TOLLS and step > greatest * _FINEST:
            around = max(step / 2, best - step), min(greatest, best + step)
            for toll in around:
                if self.search.done or part.spent or self.table.bound >= enough:
                    return
                if toll not in known:
                    left = _MOST_TOLLS - len(known)
                    known[toll] = self._climb(toll, part.share(1 / max(2, left)))
            after = max(known, key=lambda toll: (known[toll], -toll))
            step = step if after != best else step / 2
            best = after

    def _climb(self, toll: float, part: Budget) -> float:
        """Return what weights prove at a toll."""
        assert self._patterns is not None
        whole = self._patterns.support == self._patterns.support.max(initial=0)
        cheap = self._patterns.where((self._patterns.stars < toll) | whole)
        listed = ListedTable(cheap, self.records, self.table.k)
        ascent = Ascent(listed, self.proved, most=toll)
        ascent.climb(part)
        found = ascent.best()
        found = self._lessened(found)
        if self.proved is None or found.value > self.proved.value:
            self.proved = found
            self._report(found, listed)
        return found.value

    def _lessened(self, found: Multipliers) -> Multipliers:
        """Return weights with what they prove where rows may be dropped."""
        most = self.instance.most_dropped
        gain = worth_of_dropped(found.weights, self.records.copies, most)
        return replace(found, total=found.total - gain)

    def _report(self, found: Multipliers, listed: ListedTable) -> None:
        """Report a bound, with the coarsest weights that prove it."""

        def proved(weights: IntArray, scale: int) -> Multipliers:
            return self._lessened(prove(listed, weights, scale))

        proof = None
        if self.table.certified and found.bound > self.table.bound:
            coarse = coarsest(found, found.bound, proved)
            proof = written(coarse, self.table.unit)
        self.search.raise_bound(found.bound * self.table.unit, "tolls", proof)

    # Solutions.

    def keep_all(self, part: Budget) -> None:
        """Minimise as if no row might be dropped."""
        whole = replace(self.instance, suppress_rows=0)
        self._minimise(whole, part, lambda found: found)

    def choose(self, part: Budget) -> None:
        """Drop rows, and minimise over the others by themselves, again and again.

        Without a time limit as long as the cost falls.
        """
        first, falling = self.rounds, part.endless
        for own in reseeded(self.search, part, first=first, falling=falling):
            assert self.search.solution is not None
            known = Assignment.of_solution(self.records, self.search.solution)
            if self.rounds == 0 and self.records.n <= MOST_ROWS:
                known = dropping_just(self.records, self.table.k, known, self._dearest)
            self._improve_kept(known, own.share(1 / 2))
            self.rounds += 1

    @property
    def _dearest(self) -> IntArray:
        """How many copies of each record are dropped: those of the greatest weights."""
        if self.proved is None:
            return np.zeros(self.records.distinct, dtype=np.int64)
        return dearest(
            self.proved.weights, self.records.copies, self.instance.most_dropped
        )

    def _improve_kept(self, known: Assignment, part: Budget) -> None:
        instance, records = self.instance, self.records
        some, row = np.unique(known.record, return_inverse=True)
        rows = records.firsts[some].tolist()
        weights = instance.row_weights
        rest = replace(
            instance,
            table=[instance.table[i] for i in rows],
            row_weights=None if weights is None else [weights[i] for i in rows],
            copies=np.bincount(row, known.copies).astype(np.int64).tolist(),
            suppress_rows=0,
        )

        def put_back(found: Solution) -> Solution:
            place, group, copies = deals_of(rest, found)
            entries = Entries(group, some[place], copies)
            told = solution_of_entries(records, entries)
            return solution_dropping_rest(instance, told)

        start = DealtSolution.dealt(row, known.group, known.copies)
        self._minimise(rest, part, put_back, start)

    def _minimise(
        self,
        instance: Generalization,
        part: Budget,
        turned: Callable[[Solution], Solution],
        start: Solution | None = None,
    ) -> None:
        """Minimise an instance of the rows that stay; report its solutions, turned."""

        def offer(found: Solution) -> None:
            self.search.offer(turned(found), _SOURCE)

        inner = inner_search(instance, check, part, offer)
        if start is not None:
            inner.offer(start, _SOURCE)
        self.minimise(inner)

    # Models.

    def close(self, part: Budget) -> None:
        """Minimise by a model of the patterns that better solutions may use."""
        left = self._needed()
        if left is not None and left.pairs <= _MODELLED:
            self._minimise_over(left, part)
        elif paired_cells(self.instance.n, sum(self.instance.heights)) <= _LED:
            model = leader_model(self.instance)
            minimise_encoded(self.search, model, CpSat(), "leaders", part)

    def _needed(self) -> Patterns | None:
        """Return the patterns that better solutions may use; None if not all are known.

        The bound of the weights is that where rows are dropped, so the proof stands:
        what a pair raises is not more than the gap.
        """
        known, records = self._patterns, self.records
        if known is None or known.reach < records.most:
            return None
        if self.proved is None:
            return known
        table = ListedTable(known, records, self.table.k)
        return relevant(table, self.proved, self.table.cost).patterns

    def _minimise_over(self, left: Patterns, part: Budget) -> None:
        instance, most = self.instance, self.instance.most_dropped
        inner = pattern_model(self.records, self.table.k, left, most)
        model = inner.turned(partial(solution_dropping_rest, instance))
        minimise_encoded(
            self.search,
            model,
            Highs(),
            "patterns",
            part,
            below=self.search.cost,
            cost_of=lambda cost: cost * self.table.unit,
        )


STAGES: Final[Stages[Dropping]] = (
    Stage("listing", lambda d: d.table.listable, 0.1, Dropping.list_patterns),
    Stage("small model", lambda d: d.fits_small_model, 0.2, Dropping.close),
    Stage("no row dropped", lambda d: d.enough, 0.5, Dropping.keep_all),
    Stage("tolls", lambda d: d.listed, 0.3, Dropping.raise_tolls),
    Stage("rows", lambda d: d.enough, 0.5, Dropping.choose),
    Stage("closing", always, 0.5, Dropping.close),
    Stage("rows", lambda d: d.enough, None, Dropping.choose),
)
"""What is done where rows may be dropped. Shares are not tuned."""


def dropping_just(
    records: Records, k: int, known: Assignment, gone: IntArray
) -> Assignment:
    """Return groups without these copies of records but all others.

    Groups that become too small are no more; their rows join those where they cost
    least, and so do rows that were dropped before. The known groups if none is left.
    """
    every, record_of = np.arange(records.distinct), records.record_of
    left = records.copies.copy()
    np.subtract.at(left, known.record, known.copies)
    home = records.row_groups(
        np.concatenate((known.group, np.full_like(every, -1))),
        np.concatenate((known.record, every)),
        np.concatenate((known.copies, left)),
    )
    starts = np.cumsum(records.copies) - records.copies
    place = np.arange(records.n) - starts[record_of[records.rows]]
    rows = records.rows[place < gone[record_of[records.rows]]]
    home[rows] = -1
    large = np.bincount(home + 1)[1:] >= k
    if not large.any():
        return known
    home = np.append(np.where(large, np.cumsum(large) - 1, -1), -1)[home]
    joining = np.setdiff1d(np.flatnonzero(home < 0), rows).tolist()
    worth = records.worth[record_of]
    join_cheapest(joining, home, records.of_rows, records.price, worth, k)
    kept = np.flatnonzero(home >= 0)
    return Assignment.of(home[kept], record_of[kept], np.ones_like(kept))


def proof_of_tolls(table: Run, bound: int, budget: Budget) -> Proof | None:
    """Return weights that prove this bound where rows may be dropped, or less."""
    dropping, enough = Dropping(table, lambda _: None), bound / table.unit
    dropping.raise_to_nothing()
    if table.listable and dropping.enough and enough > 0:
        dropping.list_patterns(budget)
        dropping.raise_tolls(budget, enough)
    proof = table.search.proof
    if proof is None or proof.bound is None:
        return None
    return Proof(min(bound, proof.bound), proof.certificate)


def minimise_dropping(table: Run, minimise: Minimise) -> None:
    """Minimise where rows may be dropped; the search of the table has a solution."""
    run_stages(table.search, STAGES, Dropping(table, minimise))
