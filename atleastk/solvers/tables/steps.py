"""Tables: what the stages of the automatic choice do; :mod:`.stages` lists them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.race import together
from atleastk.solvers.engine.stages import FIRST_ROUND, reseeded
from atleastk.solvers.tables import annealing
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import (
    closed_patterns,
    described,
    pairs_within,
)
from atleastk.solvers.tables.direct import direct
from atleastk.solvers.tables.dual_ascent import Ascent
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers, prove, relevant
from atleastk.solvers.tables.near_groups import near_groups
from atleastk.solvers.tables.reduced_cost_fixing import (
    CLOSING,
    MOST_BRANCHED,
    LimitedModel,
    close_by_pairs,
    close_gap,
)
from atleastk.solvers.tables.reduced_model import with_escape
from atleastk.solvers.tables.side_by_side import rearrange
from atleastk.solvers.tables.sub_tables import reoptimise
from atleastk.solvers.tables.table_search import Reporter, TableSearch
from atleastk.solvers.tables.truncated_patterns import truncated_patterns
from atleastk.solvers.tables.valuation import Valuation
from atleastk.solvers.tables.wide_tables import (
    is_asked_at_once,
    is_small,
    least_at_once,
    least_by_values,
    least_known,
)

NEAR_ROWS: Final = "near rows"
"""The source of groups that moves of near rows rearrange, in results."""

GREEDY_GROUPS: Final = "greedy groups"
"""The source of groups that are built of near rows."""

FEWEST_PAIRS: Final = 1000
"""Pairs over which HiGHS minimises as fast as all else does, in 0.03 to 1 s, and
without most of the compiled loops: measured on 30 tables."""

_FEW_PAIRS: Final = 600_000
"""Tables of no more pairs are closed before the first round, and at a gap at which
others are improved."""

_SMALL_GAP: Final = 30
_SMALL_SHARE: Final = 0.005
_SMALL_SHARE_OF_FEW: Final = 4 * _SMALL_SHARE
"""A gap is small if it has at most this many cells, or this share of the cost, for
tables of many and of few pairs."""

_BRIEF: Final = 1.5
_BRIEF_SHARE: Final = 0.1
_BRIEF_MOVES: Final = 2_000_000
"""Seconds of a first improvement, the share of a short limit that it takes at most, and
its moves without a time limit: not tuned."""

_MOVES_OF_PAIRS: Final = 5
_MOVES: Final = 100
"""Moves per row without a limit of time, for k = 2 and for others."""

_MOST_LOST: Final = 0.4
"""What a pattern of annealing may lose by its best group of k rows, in cells a row: few
good solutions have others, and these are most of a list. With 0.2 costs are as low."""

_TEMPTED: Final = 0.1
_SECONDS_PER_PAIR: Final = 5e-8
"""The share of an annealing that choosing its patterns takes at most, and what that
takes: 3.7 s for the 70,000,000 pairs of 16 columns of Letter."""

_SECONDS_PER_ROW: Final = 1e-4
"""Until rows are annealed for so long sub-tables gain less in the same time: what is
to be gained falls with the time of annealing like a power, and by sub-tables of all
rows to a third. Of all of Adult these are 10 s, and annealing gains more for 4."""

_MOST_COUNTS: Final = 50_000_000
"""Counts of values by pattern: 400 MB."""

LISTING: Final = 0.45
"""The share of the time left for a list of patterns."""

_MOST_REARRANGED: Final = 500_000
"""Rows; of larger tables sub-tables would cover next to nothing."""

_PAYS: Final = 0.9
_LEAST_PATIENCE: Final = 30.0
"""Closing ends when the gap has not fallen to this share for as long as the round, but
not before this many seconds if it is a small share of the cost. Of 500 rows of Adult
the bound once rose by a cell in ten seconds, to the limit."""


@dataclass(eq=False)
class Run(TableSearch):
    """A table on its way through the stages, and what one hands on to the next."""

    number: int = 0
    seconds: float = FIRST_ROUND
    """`number`, `seconds`: of the round it is in."""
    runs: int = 0
    """How often near rows were annealed."""
    _best: Assignment | None = None
    _least: IntArray | None = None
    _ascent: Ascent | None = None
    _proved: Multipliers | None = None
    _stuck: bool = False

    # What stages depend on.

    @property
    def one_worker(self) -> bool:
        """Whether one thread works."""
        return self.search.budget.workers == 1

    @property
    def endless(self) -> bool:
        """Whether there is no time limit."""
        return self.search.budget.endless

    @property
    def priced(self) -> bool:
        """Whether columns have different prices."""
        return len(np.unique(self.records.price)) > 1

    @property
    def fits_small_model(self) -> bool:
        """Whether the patterns may have next to no pairs."""
        return self.unlisted and self.records.distinct <= FEWEST_PAIRS

    @property
    def unlisted(self) -> bool:
        """Whether it is not known yet if all patterns can be listed."""
        return self.listable and self.patterns is None

    @property
    def is_led(self) -> bool:
        """Whether not all are, and the leader model takes over."""
        return not self.complete and self.leadable

    @property
    def no_model(self) -> bool:
        """Whether neither patterns nor leaders are a model."""
        return not self.complete and not self.leadable

    @property
    def has_few_pairs(self) -> bool:
        """Whether the patterns, all listed, have few pairs."""
        return self.complete and self.listed.patterns.pairs <= _FEW_PAIRS

    @property
    def ascending(self) -> bool:
        """Whether the ascent of the bound still pays."""
        return self._ascent is None or not self._ascent.over

    @property
    def promising(self) -> bool:
        """Whether the gap is so small that closing it may succeed."""
        if not self.complete or self.asked is not None:
            return False
        cost, pairs = self.cost, self.listed.patterns.pairs
        left = cost - self.bound
        if self.endless and pairs <= _FEW_PAIRS:
            return True
        share = _SMALL_SHARE_OF_FEW if pairs <= _FEW_PAIRS else _SMALL_SHARE
        small = max(_SMALL_GAP * self.records.cell, share * cost)
        return pairs <= MOST_BRANCHED or left <= small

    @property
    def rearrangeable(self) -> bool:
        """Whether sub-tables cover some of the table, and need keep no condition."""
        return self.asked is None and self.records.n <= _MOST_REARRANGED

    @property
    def short(self) -> float:
        """The share of its round that rows are annealed for before sub-tables gain."""
        rows = self.moved.n / max(1, self.search.budget.workers)
        most = _SECONDS_PER_ROW * rows / self.seconds if self.rearrangeable else 0.0
        return min(1.0, most)

    @property
    def _most_pairs(self) -> int:
        budget, few = self.search.budget, self.rearrangeable or self.asked is not None
        return pairs_within(budget, self.records.distinct, many=not few)

    @property
    def _countable(self) -> bool:
        """Whether the values that a condition asks for may be counted by pattern."""
        assert self.asked is not None
        counts = self.listed.patterns.count * self.asked.columns * self.asked.widest
        return counts <= _MOST_COUNTS

    @property
    def _current(self) -> Assignment:
        known = self._best
        if known is None or known.cost(self.moved) != self.cost:
            self._best = known = self.assignment
        return known

    # Bounds.

    def bound_at_once(self, part: Budget) -> None:
        """Raise the bound by what takes little time; of a small table it is kept."""
        least, small = self._least, is_small(self.records)
        if least is None or not small:
            if small or self.least is None:
                least = least_at_once(self.records, self.k, part)
            else:  # sets of levels are too many
                least = least_by_values(self.records, self.k)
        self._least = least
        self.raise_to_least(least, "distances")

    def raise_opt_lb(self, _: Budget) -> None:
        """Raise the bound to OPT-LB; least costs, as multipliers, are a certificate."""
        records, listed = self.records, self.listed
        least = listed.least_stars * records.worth
        bound = int(least @ records.copies)
        self.raise_bound(bound, "opt-lb", prove(listed, least, 1))

    def bound_without_list(self, part: Budget) -> None:
        """Raise the bound by distances of rows, then by as many patterns as fit."""
        records = self.records
        least = self.least_known(part)
        self.raise_bound(int(least @ records.copies), "distances")
        if not self.listable or self.search.done:
            return
        most = self._most_pairs
        patterns = truncated_patterns(records, self.k, part.share(LISTING), most)
        self.patterns = patterns = self._diverse(patterns)
        self.search.say(described(patterns) + ", not all" * (not self.complete))
        least = np.maximum(least, self.listed.least_stars * records.worth)
        self.raise_bound(int(least @ records.copies), "opt-lb")
        if not self.search.done and not self.leadable:
            self.ascend(part)

    def least_known(self, part: Budget) -> IntArray:
        """Return what a row of each record pays at least, without patterns."""
        least, records = self._least, self.records
        asked = self.least is None and is_asked_at_once(records)
        if least is None or not (asked or is_small(records)):
            more = least_known(records, self.k, part)
            least = more if least is None else np.maximum(least, more)
        return least if self.least is None else np.maximum(least, self.least(part))

    def ascend(self, part: Budget) -> None:
        """Raise the bound by multipliers, and certify the last of them."""
        if self._ascent is None:
            self._ascent = Ascent(self.listed)
        before = self._ascent.total
        self._ascent.climb(
            part, lambda found: self.raise_bound(found.bound, "multipliers")
        )
        self._proved = best = self._ascent.best()
        if best.total > before:
            self.raise_bound(best.bound, "multipliers", best)

    def ascend_briefly(self, _: Budget) -> None:
        budget = self.search.budget
        seconds = min(FIRST_ROUND, 0.3 * budget.remaining)
        self.ascend(budget if self.endless else budget.slice(seconds))

    # Solutions.

    def build_groups(self, _: Budget) -> None:
        """Report groups of near rows, built within windows as wide as time allows.

        They are built at the prices of the columns, and at a price of 1 for each. They
        are not built again for a search that has some.
        """
        search, records = self.search, self.rounded
        if search.credits["cost", GREEDY_GROUPS]:
            return
        for own in (records, replace(records, prices=None))[: 1 + self.priced]:
            for labels in near_groups(own, self.k, search.budget):
                if search.budget.stop.is_set():  # nobody waits any more
                    return
                cost = Assignment.of_rows(self.moved, labels).cost(self.moved)
                if search.budget.stop.is_set():  # to offer a million rows takes 2 s
                    return
                if search.cost is None or cost < self.cost:
                    self.offer(labels, GREEDY_GROUPS)
                if search.done:
                    return

    def move_near_rows(self, part: Budget, *, growing: bool = True) -> None:
        """Anneal by moves of near rows, again and again; once without a time limit."""
        reporter, once, step = Reporter(self, NEAR_ROWS), part.endless, part.workers
        part = replace(reporter.sparing(part), seed=part.seed + self.runs)
        for own in reseeded(self.search, part, step=step, once=once, growing=growing):
            parts = self.rounded, self.k, self.labels, own, reporter.take_labels
            if not rearrange(*parts, self.asked):
                return
            reporter.finish()
            self.runs += part.workers
        if not part.endless:
            self.search.remark("what was left of the time was kept for a last report")

    def anneal_briefly(self, _: Budget) -> None:
        """Anneal for a short while; without a time limit, once, for some moves."""
        budget = self.search.budget
        effort = min(annealing.EFFORT, max(1, _BRIEF_MOVES // self.moved.n))
        seconds = min(_BRIEF, _BRIEF_SHARE * budget.remaining)
        part = budget if self.endless else budget.slice(seconds)
        for own in reseeded(self.search, part, once=self.endless):
            self._anneal(own, effort)

    def anneal(self, part: Budget) -> None:
        """Anneal the best solution until the budget is spent."""
        effort = annealing.EFFORT
        if part.endless:
            effort = _MOVES_OF_PAIRS if self.k == 2 else _MOVES
        self._anneal(replace(part, seed=part.seed + self.number), effort)

    def _anneal(self, part: Budget, effort: int) -> None:
        """Move near rows where columns are nested, else rows from pattern to pattern.

        On labels of Adult, 300 to 1,500 rows, near rows end 1 to 3 % lower; without
        hierarchies 1 to 3 % higher. Where prices differ both have their turns.
        """
        near = self.nested or (self.priced and self.number % 2)
        if near if self.asked is None else not self._countable:
            self.move_near_rows(part, growing=self.asked is not None)
            return
        if self._best is None and self.asked is None:
            self.offer_cover()
        table, before = self._tempting(part), self.cost
        reporter = Reporter(self, "annealing")
        self._best = annealing.improve(
            table,
            reporter.sparing(part),
            self._current,
            on_better=reporter.take,
            effort=effort,
        )
        reporter.finish()
        self._stuck = self.cost == before and table.patterns is not self.patterns

    def offer_cover(self) -> None:
        """Offer a greedy cover by patterns, that of APPROX-DR."""
        group_of = np.empty(self.moved.n, dtype=np.int64)
        group_of[self.moved.rows] = direct(self.moving)
        self.offer(group_of, "cover")

    def rearrange_sub_tables(self, part: Budget) -> None:
        """Rearrange sub-tables, unless to choose their pairs takes half of the time.

        It takes twice as long as to choose patterns.
        """
        if 4 * _SECONDS_PER_PAIR * self.listed.patterns.pairs > part.remaining:
            return
        reporter = Reporter(self, "sub-tables")
        self._best = reoptimise(
            self.moving,
            self._current,
            self.proved,
            reporter.sparing(replace(part, seed=part.seed + self.number)),
            on_better=reporter.take,
        )
        reporter.finish()

    def _tempting(self, part: Budget) -> ListedTable:
        """Return the patterns for annealing: weights say what their best groups lose.

        It is all after a run of these that gained nothing, or if that would take long.
        """
        table, patterns, known = self.moving, self.listed.patterns, self._proved
        long = _SECONDS_PER_PAIR * patterns.pairs > _TEMPTED * part.remaining
        if known is None or self._stuck or long:
            return table
        valuation = Valuation(self.listed, known.scale)
        valuation(known.weights, 0, 0)
        most = _MOST_LOST * self.k * self.records.cell * known.scale
        chosen = -valuation.values <= most
        chosen |= patterns.support == patterns.support.max()  # what all rows match
        return replace(table, patterns=patterns.where(chosen))

    # Models.

    def list_patterns(self, part: Budget) -> None:
        most = self._most_pairs
        found = closed_patterns(self.records, self.k, most, part)
        self.patterns = found if found is None else self._diverse(found)
        too_many = f"patterns match more than {most} records in all, or take too long"
        self.search.say(too_many if found is None else described(found))

    def _diverse(self, patterns: Patterns) -> Patterns:
        """Return the patterns that may have groups that keep the condition."""
        return patterns if self.asked is None else self.asked.diverse(patterns)

    def model(self, patterns: Patterns) -> Encoding:
        """Return the model that assigns patterns, at the costs of the records."""
        inner = pattern_model(self.records, self.k, patterns)
        return inner.turned(self.solution_of)

    def minimise_at_once(self, part: Budget) -> None:
        """Minimise over all patterns, if they have next to no pairs."""
        records, k = self.records, self.k
        patterns = closed_patterns(records, k, FEWEST_PAIRS, self.search.budget)
        if patterns is None:
            return
        self.patterns = patterns
        self.raise_opt_lb(part)
        if self.search.done:
            return
        model, backend = self.model(patterns), Highs({"mip_max_nodes": 300})
        with suppress(NotApplicableError):  # of copies beyond doubles
            minimise_encoded(
                *(self.search, model, backend, "patterns", part),
                cost_of=lambda cost: cost * self.unit,
            )

    def minimise_leaders(self, part: Budget) -> None:
        minimise_encoded(self.search, self.leaders(), CpSat(), "leaders", part)

    def close(self, _: Budget) -> None:
        """Close the gap; no longer than it moves, unless the table is small."""
        search, pairs = self.search, self.listed.patterns.pairs
        if pairs <= (_FEW_PAIRS if self.endless else MOST_BRANCHED):
            self._close(search.budget)
            return
        left, since = self.cost - self.bound, search.seconds
        small = left <= _SMALL_SHARE * self.cost
        patience = max(self.seconds, _LEAST_PATIENCE if small else 0.0)
        patience = inf if self.endless else patience

        def fruitless() -> bool:
            nonlocal left, since
            now = self.cost - self.bound
            if now <= _PAYS * left:
                left, since = now, search.seconds
            return search.seconds - since > patience

        together([self._close], search.budget, fruitless)

    def _close(self, budget: Budget) -> None:
        """Minimise over what solutions below the best cost may use."""
        if self.records.weighted or self.asked is not None:
            close_by_pairs(self, self._below, budget)
            return
        close_gap(self, self.proved, budget)

    @property
    def proved(self) -> Multipliers:
        """The best weights when the ascent was interrupted last."""
        assert self._proved is not None
        return self._proved

    def _below(self, limit: int) -> LimitedModel:
        """Return the model of the pairs that solutions below a limit may use."""
        encoding = self.model(self.needed(limit))
        model = with_escape(encoding.model, self.records.copies, limit)

        def offer(point: IntArray) -> None:
            self.search.offer(encoding.decode(point[:-1]), CLOSING)

        return LimitedModel(model, 0, offer)

    def needed(self, below: int) -> Patterns:
        """Return the patterns and pairs that solutions of less cost may use."""
        return self._diverse(relevant(self.listed, self.proved, below).patterns)
