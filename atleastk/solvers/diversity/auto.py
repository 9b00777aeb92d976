"""Diversity: the automatic choice of methods; `STAGES`, at the end, lists it.

On attributes it is that of generalisation, on lattices of any size. On entries the
stages are those of all tables (:mod:`~atleastk.solvers.tables.stages`), on kinds of
rows: a cover by patterns keeps the condition by construction, annealing moves rows from
pattern to pattern, and multipliers of kinds raise the bound. Of few rows, models of the
pairs that better solutions may use close the gap
(:mod:`~atleastk.solvers.diversity.bounds`).

Where patterns cannot be listed, the table is solved without sensitive values; groups
that break the condition are repaired with near ones
(:mod:`~atleastk.solvers.diversity.near_moves`) or merged with others
(:mod:`~atleastk.solvers.diversity.group_merging`), and near groups are rearranged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import isinf
from typing import Final

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.certificates.generalization import is_checkable
from atleastk.models.encodings import k_anonymity
from atleastk.models.encodings.diversity import leader_model
from atleastk.models.results.solution import Solution, labels_of
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.bounds import KindWeights
from atleastk.solvers.diversity.cuts import tightened, with_escape
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.group_merging import merged
from atleastk.solvers.diversity.kind_patterns import MOST_PAIRS, KindPatterns, kinds_of
from atleastk.solvers.diversity.near_moves import Rearrangement
from atleastk.solvers.diversity.node_counts import counts_of
from atleastk.solvers.diversity.relaxed import solve_relaxed
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.stages import (
    SideBySide,
    Stage,
    Stages,
    always,
    run_stages,
)
from atleastk.solvers.generalization.attributes import minimise_on_attributes
from atleastk.solvers.generalization.auto import declared
from atleastk.solvers.search import Search
from atleastk.solvers.tables.closing_by_pairs import LimitedModel, close_by_pairs
from atleastk.solvers.tables.side_by_side import groups_of, on_shares
from atleastk.solvers.tables.stages import run_rounds
from atleastk.solvers.tables.steps import NEAR_ROWS, Table
from atleastk.solvers.tables.wide_tables import least_at_once, least_known

_MOST_WEIGHED: Final = 20_000_000
"""Pairs of a pattern and a kind, for bounds by weights: a step takes some seconds."""

_MOST_MODELLED: Final = 2500
"""Rows up to which models are tried."""

_PARTNERS: Final = 40
"""Near groups that are tried as partners of a group that fails: not tuned."""

_LISTING: Final = 0.3
"""The share of the time left for a list of patterns."""

_CUTTING: Final = 0.2
"""The share of the time for one limit that its cuts have."""


def solve(search: Search[Diversity]) -> None:
    """Find a table of least loss, and prove it, as far as the budget goes."""
    if not begin(search, "one group"):
        return
    if search.instance.on == "attributes":
        minimise_on_attributes(search, counts_of(search))
    else:
        run_stages(search, STAGES, _Table.of(search))


@dataclass(eq=False)
class _Table(Table):
    """A table of kinds of rows on its way through the stages.

    Attributes
    ----------
    known, record
        Its records without sensitive values, and that of every kind.
    """

    known: Records = field(kw_only=True)
    record: IntArray = field(kw_only=True)
    _relaxed: Solution | None = None
    _weighted: tuple[KindPatterns, KindWeights] | None = None

    @classmethod
    def of(cls, search: Search[Diversity]) -> _Table:
        """Return the table of a search on entries, in units of its costs."""
        instance = search.instance
        plain = declared(search)
        kinds, record, asked = kinds_of(instance, plain.records)
        return cls(
            search,
            kinds,
            instance.least_rows,
            plain.solution_of,
            partial(leader_model, instance),
            plain.unit,
            asked=asked,
            record=record,
            known=plain.records,
        )

    @property
    def instance(self) -> Diversity:
        """The instance of the search."""
        instance: Diversity = self.search.instance
        return instance

    @cached_property
    def plain(self) -> Records:
        """The records without sensitive values, at the prices of the instance."""
        return records_of_levels(self.instance)

    @property
    def free(self) -> bool:
        """Whether any group of enough rows keeps the condition."""
        return self.asked is None

    @property
    def brief(self) -> bool:
        """Whether the rows are so few that models may close the gap."""
        return self.records.n <= _MOST_MODELLED

    @property
    def closable(self) -> bool:
        """Whether few pairs are needed below the best cost."""
        cost = self.search.cost
        if self._weighted is None or cost is None:
            return False
        return int(self._weighted[1].needed(cost).sum()) <= MOST_PAIRS

    def least_known(self, part: Budget) -> IntArray:
        """Return what a row of each kind pays at least, whatever its values."""
        return least_known(self.known, self.k, part)[self.record]

    def bound_at_once(self, _: Budget) -> None:
        """Raise the bound by distances of records, which are a certificate."""
        known, instance = self.known, self.instance
        least = self.unit * least_at_once(known, self.k)
        proof = None
        if is_checkable(instance):
            proof = {"kind": "weights", "scale": 1, "weights": least.tolist()}
        self.search.raise_bound(int(least @ known.copies), "distances", proof)

    def relax(self, part: Budget) -> None:
        self._relaxed = solve_relaxed(self.search, part)

    def repair(self, part: Budget) -> None:
        """Report groups that broke a condition: repaired and merged, or only merged."""
        if self._relaxed is None:
            return
        instance, groups = self.instance, self._relaxed.groups
        near = Rearrangement(instance, self.plain, groups)
        near.repair(part)
        for source, parts, candidates in (
            ("mended", near.groups(), _PARTNERS),
            ("joined", groups, 1),
        ):
            budget = self.search.budget
            found = merged(instance, self.plain, parts, budget, candidates)
            if found is not None:
                self.search.offer(found, source)

    def weigh(self, part: Budget) -> None:
        self._weighted = raise_by_weights(self.search, part)

    def close(self, _: Budget) -> None:
        assert self._weighted is not None
        close_gap(self.search, *self._weighted)

    def bound_and_close(self, part: Budget) -> None:
        run_stages(self.search, BOUNDS, self, budget=part)

    def move_near_rows(self, part: Budget) -> None:
        """Anneal by moves of near rows, again and again; once without a time limit."""
        seed = part.seed
        while not (self.search.done or part.spent):
            groups = self.search.solution.groups if self.search.solution else []
            if Rearrangement(self.instance, self.plain, groups).few:
                return
            self._move_near_rows(groups, replace(part, seed=seed))
            if isinf(part.remaining):
                return
            seed += part.workers

    def _move_near_rows(self, groups: Sequence[Sequence[int]], part: Budget) -> None:
        instance = self.instance

        def move(
            rows: IntArray,
            labels: IntArray,
            own: Budget,
            on_better: Callable[[IntArray], object],
        ) -> None:
            def report(found: list[list[int]]) -> None:
                on_better(labels_of(found, instance.n)[rows])

            near = Rearrangement(instance, self.plain, groups_of(rows, labels))
            near.anneal(own, report)

        labels = labels_of(groups, instance.n)
        on_shares(
            self.plain, labels, part, move, lambda best: self.offer(best, NEAR_ROWS)
        )


def raise_by_weights(
    search: Search[Diversity], budget: Budget
) -> tuple[KindPatterns, KindWeights] | None:
    """Raise the bound by weights; return these, or None if the pairs are too many."""
    most = None if budget.spent else _MOST_WEIGHED
    matched = None if most is None else KindPatterns.of(search.instance, most)
    if matched is None:
        search.remark("its patterns are too many for a model")
        return None
    weights = KindWeights(search.instance, matched)
    weights.improve(search, budget)
    return matched, weights


def close_gap(
    search: Search[Diversity], matched: KindPatterns, weights: KindWeights
) -> None:
    """Close the gap by pairs.

    If a limit is not settled in its time, the pairs of the best solution are added, and
    the rest of the time is for better ones.
    """
    instance, kinds = search.instance, matched.kinds

    def below(limit: int, budget: Budget) -> LimitedModel:
        left = matched.only(weights.needed(limit))
        encoding = left.model(instance)
        model = with_escape(encoding.model, kinds.copies, limit)
        cutting = budget.share(_CUTTING)
        tight = tightened(model, kinds, left.patterns, limit, cutting)
        decode = encoding.decode
        return LimitedModel(tight.model, tight.bound, lambda point: decode(point[:-1]))

    budget, unit = search.budget, instance.unit
    limit = close_by_pairs(search, below, budget, "patterns", unit)
    if limit is not None and not search.done:
        _improve(search, matched, weights.needed(limit), limit)


def _improve(
    search: Search[Diversity], matched: KindPatterns, pairs: BoolArray, limit: int
) -> None:
    """Minimise over the pairs below a limit and those of the best solution."""
    kinds, patterns, _ = matched
    assert search.solution is not None
    model = k_anonymity.pattern_model(kinds, search.instance.least_rows, patterns)
    known = model.encode(search.solution.groups)
    if known is not None:
        pairs = pairs | (known[: patterns.pairs] > 0)
    minimise_encoded(
        search,
        matched.only(pairs).model(search.instance),
        Highs(),
        "patterns",
        below=limit,
        start=search.solution,
    )


BOUNDS: Final[Stages[_Table]] = (
    Stage("weights", always, 0.25, _Table.weigh),
    Stage("near rows", lambda t: t.closable and t.alone, 0.15, _Table.move_near_rows),
    Stage("closing", lambda t: t.closable, None, _Table.close),
)
"""What knows the sensitive values; annealing gives models better solutions to beat."""

STAGES: Final[Stages[_Table]] = (
    Stage("relaxed", lambda t: t.free, None, _Table.relax),
    Stage("at once", always, None, _Table.bound_at_once),
    Stage("listing", lambda t: t.unlisted, _LISTING, _Table.list_patterns),
    Stage("cover", lambda t: t.complete, None, _Table.offer_cover),
    Stage("opt-lb", lambda t: t.complete, None, _Table.raise_opt_lb),
    Stage("annealing", lambda t: t.brief, None, _Table.anneal_briefly),
    Stage("bounds", lambda t: t.brief and t.alone, None, _Table.bound_and_close),
    SideBySide(
        lambda t: t.brief and not t.alone,
        (
            Stage("bounds", always, None, _Table.bound_and_close),
            Stage("annealing", always, None, _Table.anneal),
        ),
        until_first=True,
    ),
    Stage("rounds", lambda t: t.complete, None, run_rounds),
    Stage("relaxed", lambda t: not t.complete, 0.3, _Table.relax),
    Stage("repair", lambda t: not t.complete, 0.3, _Table.repair),
    Stage("near rows", lambda t: not t.complete, None, _Table.move_near_rows),
)
"""What is done on entries. Shares are not tuned."""
