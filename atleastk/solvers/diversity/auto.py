"""Diversity: the automatic choice of methods; `STAGES`, at the end, lists it.

On attributes it is that of generalisation, on lattices of any size. On entries the
stages are those of all tables (:mod:`~atleastk.solvers.tables.stages`), on kinds of
rows: annealing moves rows from pattern to pattern, and multipliers of kinds raise the
bound. Of few rows, models of the pairs that better solutions may use close the gap.

Where patterns cannot be listed, the table is solved without sensitive values; groups
that break the condition are repaired with near ones
(:mod:`~atleastk.solvers.diversity.near_moves`) or merged with others
(:mod:`~atleastk.solvers.diversity.group_merging`), and near groups are rearranged.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.records import Records
from atleastk.models.certificates.diversity import check_certificate
from atleastk.models.certificates.generalization import is_checkable
from atleastk.models.diversity import failing_kinds
from atleastk.models.encodings.diversity import leader_model, pattern_model
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.generalization import check as check_relaxed
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.first_classes import peeled_classes
from atleastk.solvers.diversity.group_merging import merged
from atleastk.solvers.diversity.kind_patterns import (
    MOST_PAIRS,
    kinds_of,
    sensitive_of,
)
from atleastk.solvers.diversity.near_moves import repaired
from atleastk.solvers.diversity.node_counts import counts_of
from atleastk.solvers.engine.stages import (
    Stage,
    Stages,
    always,
    begun,
    run_stages,
)
from atleastk.solvers.generalization import auto as generalization
from atleastk.solvers.generalization.attributes import minimise_on_attributes
from atleastk.solvers.generalization.dropping import MOST_ROWS
from atleastk.solvers.search import Search
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.first_groups import peeled
from atleastk.solvers.tables.multipliers import Multipliers
from atleastk.solvers.tables.reporting import inner_search
from atleastk.solvers.tables.stages import run_briefly, run_rounds
from atleastk.solvers.tables.steps import Run
from atleastk.solvers.tables.weights import Certificate, written
from atleastk.solvers.tables.wide_tables import (
    least_at_once,
    least_by_values,
    least_known,
)

_MOST_MODELLED: Final = 2500
"""Rows up to which models are tried."""

_PARTNERS: Final = 40
"""Near groups that are tried as partners of a group that fails: not tuned."""

_SCALE: Final = 1_000
"""Parts of a cell in certificates: finer than what rounding loses."""


def run_of(search: Search[Diversity]) -> _Run:
    """Return the table of a search on entries, in units of its costs."""
    instance, plain = search.instance, generalization.run_of(search)
    kinds, record = kinds_of(instance, plain.records)
    return _Run(
        search,
        kinds,
        instance.least_rows,
        plain.solution_of,
        partial(leader_model, instance),
        plain.unit,
        asked=sensitive_of(instance),
        record=record,
        known=plain.records,
    )


def first_bound(search: Search[Diversity]) -> None:
    """Report what rows lose at least, whatever their values, before any solution."""
    if search.instance.on == "entries" and not search.instance.has_too_few:
        plain = generalization.run_of(search)
        plain.raise_to_least(least_by_values(plain.records, plain.k), "distances")


def solve(search: Search[Diversity]) -> None:
    """Find a table of least loss, and prove it, as far as the budget goes."""
    if not begun(search, begin):
        return
    if search.instance.on == "attributes":
        minimise_on_attributes(search, counts_of(search))
    elif search.instance.n > MOST_ROWS:
        first_bound(search)
        search.remark("the rows are too many to be moved one by one")
    else:
        run_stages(search, STAGES, run_of(search))


@dataclass(eq=False)
class _Run(Run):
    """A table of kinds of rows on its way through the stages."""

    known: Records = field(kw_only=True)
    record: IntArray = field(kw_only=True)
    """`known`, `record`: its records without sensitive values, and that of every
    kind."""
    _relaxed: Solution | None = None

    @property
    def instance(self) -> Diversity:
        """The instance of the search."""
        instance: Diversity = self.search.instance
        return instance

    @property
    def home(self) -> IntArray:
        return self.record

    @cached_property
    def first(self) -> Assignment:
        return peeled_classes(self.instance, self.records)

    def failing(self, found: Assignment) -> BoolArray:
        """Tell which groups are too small or break the condition."""
        parts = found.group, found.record, found.copies
        return super().failing(found) | failing_kinds(self.instance, *parts)

    @property
    def has_models(self) -> bool:
        """Whether the rows are so few that models may close the gap."""
        return self.records.n <= _MOST_MODELLED

    @property
    def promising(self) -> bool:
        """Whether few pairs are needed below the best cost."""
        if not (self.has_models and self.complete):
            return False
        return self.needed(self.cost).pairs <= MOST_PAIRS

    def least_known(self, part: Budget) -> IntArray:
        """Return what a row of each kind pays at least, whatever its values."""
        return least_known(self.known, self.k, part)[self.record]

    def bound_at_once(self, part: Budget) -> None:
        """Raise the bound by distances of records, which are a certificate."""
        known, instance = self.known, self.instance
        least = self.unit * least_at_once(known, self.k, part)
        proof = None
        if is_checkable(instance):
            proof = written(Multipliers(least, 1, 0))
        self.search.raise_bound(int(least @ known.copies), "distances", proof)

    def relax(self, part: Budget) -> None:
        """Solve without sensitive values; report what holds with them, too.

        Bounds hold, with their certificates, and solutions that happen to satisfy the
        condition.
        """
        search = self.search
        inner = inner_search(
            self.instance.relaxed,
            check_relaxed,
            part,
            lambda found: search.offer_if_feasible(found, "relaxed"),
            lambda bound, proof: search.raise_bound(bound, "relaxed", proof),
        )
        generalization.solve(inner)
        if inner.bound is not None:
            search.raise_bound(inner.bound, "relaxed", inner.certificate)
        self._relaxed = inner.solution

    def repair(self, part: Budget) -> None:
        """Report groups that broke a condition, repaired and merged."""
        if self._relaxed is None:
            return
        instance, moved, budget = self.instance, self.moved, self.search.budget
        relaxed = self._moved_of(self._relaxed)
        labels = moved.row_groups(relaxed.group, relaxed.record, relaxed.copies)
        if self.asked is not None:
            labels = repaired(instance, moved, self.asked, labels, part)
        found = merged(instance, moved, labels, budget, _PARTNERS)
        if found is not None:
            self.offer_moved(found, "mended")

    def _moved_of(self, solution: Solution) -> Assignment:
        """Return what is moved in a solution without sensitive values."""
        if not self.spare.any():
            return Assignment.of_solution(self.records, solution)
        distinct, home = self.known.distinct, self.record
        spare, moved = (
            np.bincount(home, copies, distinct).astype(np.int64)
            for copies in (self.spare, self.moved.copies)
        )
        plain = replace(self.known, copies=moved, home=home, given=self.moved.copies)
        found = Assignment.of_solution(self.known, solution)
        every, k = np.arange(distinct), self.k
        less = found.without(spare, every, lambda left: bool((left.sizes >= k).all()))
        least = peeled(plain, k) if less is None else less
        kind, group, copies = plain.dealt(least.group, least.record, least.copies)
        return Assignment.of(group, kind, copies)

    def model(self, patterns: Patterns) -> Encoding:
        """Return the model whose groups keep the condition."""
        return pattern_model(self.instance, self.records, self.k, patterns)

    def certificate(self, weights: Multipliers, bound: int) -> Certificate | None:
        """Return the weights as a tree of one leaf, if that certifies a bound."""
        if not self.has_models or self.search.certificate is not None:
            return None
        scale = _SCALE * self.unit
        rounded = np.rint(weights.weights * (scale / weights.scale)).astype(np.int64)
        leaf = {"weights": rounded.tolist(), "entries": scale}
        proof = {"kind": "tree", "tree": leaf}
        # A search that its bound has closed has stopped, but its certificate is due.
        with (
            self.search.budget.apart().awaiting(),
            suppress(CertificateError, NotApplicableError),
        ):
            check_certificate(self.instance, proof, bound * self.unit)
            return proof
        return None

    def close(self, _: Budget) -> None:
        """Close the gap, until a limit is not settled in its time."""
        self._close(self.search.budget)


STAGES: Final[Stages[_Run]] = (
    Stage("relaxed", lambda t: t.asked is None, None, _Run.relax),
    Stage("at once", always, None, _Run.bound_at_once),
    Stage("listing", lambda t: t.unlisted, 0.3, _Run.list_patterns),
    Stage("opt-lb", lambda t: t.complete, None, _Run.raise_opt_lb),
    Stage("few pairs", lambda t: t.has_few_pairs, None, run_briefly),
    Stage(
        "near rows", lambda t: t.complete and t.has_models, 0.15, _Run.move_near_rows
    ),
    Stage("rounds", lambda t: t.complete, None, run_rounds),
    Stage("relaxed", lambda t: not t.complete, 0.3, _Run.relax),
    Stage("repair", lambda t: not t.complete, 0.3, _Run.repair),
    Stage("near rows", lambda t: not t.complete, None, _Run.move_near_rows),
)
"""What is done on entries. Shares are not tuned."""
