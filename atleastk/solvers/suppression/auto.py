"""Suppression: the automatic choice of methods; the lists of stages are at the end.

What is asked for chooses, the first that fits:

===================================  ===================================================
entries of different weights         :mod:`~atleastk.solvers.suppression.weighted`
the greatest k                       :mod:`~atleastk.solvers.suppression.largest_k`
deletion of columns                  :mod:`~atleastk.solvers.suppression.deletion`
entries without limits and orders    `atleastk.solvers.tables.stages.STAGES`
all else                             `BEGINNING`, and then one of three lists
===================================  ===================================================

Those lists form groups of the fewest entries
(:mod:`~atleastk.solvers.suppression.piecewise`) and pad them; the distances of rows,
the deletion problem and k-anonymity bound all quantities; near rows move at the cost of
padded columns; the fullest column is lowered first if none may be too full; and a model
of patterns or cells closes what is small enough. Workers share annealing, and models in
CP-SAT.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import check
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.stages import Stage, Stages, always, begun, run_stages
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.deletion import minimise_deletion
from atleastk.solvers.suppression.deletion_bounds import (
    bound_by_deletion,
    offer_one_group,
    offer_whole_columns,
)
from atleastk.solvers.suppression.first import (
    begin,
    least_measures,
    offer_if_feasible,
    raise_to,
    unlimited,
    wishing,
)
from atleastk.solvers.suppression.fullest_column import FullestColumn, is_plain
from atleastk.solvers.suppression.largest_k import EntriesWithin, maximise_k
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.suppression.near_bound import minimise_near_bound
from atleastk.solvers.suppression.padded_moves import (
    offer_by_importance,
    offer_rearranged,
)
from atleastk.solvers.suppression.padding import padded
from atleastk.solvers.suppression.pattern_search import highs_for, minimise_by_patterns
from atleastk.solvers.suppression.piecewise import LITTLE, PiecewiseSearch, run_of
from atleastk.solvers.suppression.steps import stepped
from atleastk.solvers.suppression.weighted import minimise_weighted
from atleastk.solvers.tables.closed_patterns import MODELLED_PAIRS
from atleastk.solvers.tables.leaders import refuses_leaders
from atleastk.solvers.tables.reporting import inner_search
from atleastk.solvers.tables.stages import solve_table

_FEW_PAIRS: Final = 20_000
"""Pairs of tables that are minimised over patterns at once."""

_MUCH: Final = 0.5
"""Padding, in shares of the fewest entries, from which seeking these has next to no
time: on Adult, 20,000 rows, it is 0 to 0.16, or 1.5 and more."""


def solve(search: Search[Suppression]) -> None:
    """Find a best suppression and prove it, as far as the budget goes."""
    instance = search.instance
    if not begun(search, begin):
        return
    if instance.is_weighted:
        minimise_weighted(search, solve)
    elif instance.minimise == "k":
        plain = EntriesWithin.fits(instance)
        run = EntriesWithin(instance) if plain else solve
        maximise_k(search, run, "largest-k")
    elif instance.deletion:
        minimise_deletion(search, "deletion")
    elif _is_anonymity(instance) and not instance.intact:
        solve_table(run_of(search))
    else:
        work = _Work(search)
        run_stages(search, BEGINNING, work)
        if not search.done:
            run_stages(search, _what_follows(work), work)


def _padding_suffices(instance: Suppression) -> bool:
    """Whether any groups are feasible once they are padded."""
    return not instance.is_limited and instance.minimise == "entries"


def _is_anonymity(instance: Suppression) -> bool:
    """Whether it is k-anonymity, perhaps with intact columns."""
    ordered = instance.row_order or instance.column_order
    return _padding_suffices(instance) and not ordered


class _Work:
    """A search on its way through the stages, and what they hand on.

    Attributes
    ----------
    entries
        The search for the fewest entries, padded.
    listing
        The patterns, if they are few enough to be listed.
    """

    listing: Listing | None = None
    _fullest: FullestColumn | None = None

    def __init__(self, search: Search[Suppression]) -> None:
        self.search, self.instance = search, search.instance
        self.padding_suffices = _padding_suffices(self.instance)
        self.entries = PiecewiseSearch(search, "k-anonymity")

    # What stages depend on.

    @property
    def needs_no_padding(self) -> bool:
        """Whether entries are minimised, and groups need next to no padding."""
        return self.entries.padded_within(LITTLE)

    @property
    def asks_more(self) -> bool:
        """Whether groups of near rows are not nearly all that is asked for."""
        return not (self.padding_suffices or self.needs_no_padding)

    @property
    def has_few_pairs(self) -> bool:
        """Whether patterns are listed and have few pairs."""
        return self.listing is not None and self.listing.patterns.pairs <= _FEW_PAIRS

    @property
    def has_model(self) -> bool:
        """Whether there is an exact model, of patterns or of cells."""
        few = refuses_leaders(self.instance.n, self.instance.m) is None
        return self.listing is not None or few

    @property
    def model_helps(self) -> bool:
        """Whether that model may find something better within the time of a run.

        One of many pairs does not where padding suffices.
        """
        return self.has_model and (self.has_few_pairs or not self.padding_suffices)

    @property
    def has_near_pairs(self) -> bool:
        """Whether pairs near the bound are a model."""
        return self.listing is not None and self.instance.minimise == "entries"

    @property
    def pads_columns(self) -> bool:
        """Whether moves may count what padded columns cost."""
        columns = self.instance.column_order and not self.instance.row_order
        padded = self.entries.groups and not self.needs_no_padding
        return bool(columns and padded and self.padding_suffices)

    @property
    def fullest_is_ordered(self) -> bool:
        """Whether the fullest column counts and columns are ordered."""
        asked = self.instance.minimise == "per_column"
        return asked and bool(self.instance.column_order)

    @property
    def pads_much(self) -> bool:
        """Whether padding costs about as much as the entries themselves."""
        return self.pads_columns and not self.entries.padded_within(_MUCH)

    @property
    def lacks_columns(self) -> bool:
        """Whether nothing is known that keeps a limit on every column."""
        return self.search.solution is None and "per_column" in self.instance.limits

    # Steps.

    def bound_by_deletion(self, part: Budget) -> None:
        """Bound by the deletion problem, which often solves it."""
        offer_one_group(self.search)
        if not self.search.done:
            bound_by_deletion(self.search, part)

    def begin_groups(self, part: Budget) -> None:
        if self.entries.feasible:
            self.entries.begin(part)
        else:
            self.search.close_infeasible("intact columns")

    def offer_steps(self, part: Budget) -> None:
        """Offer groups of few stars for the first rows in order."""
        groups = stepped(self.instance, part)
        if groups is not None:
            offer_if_feasible(self.search, padded(self.instance, groups), "steps")

    def list_patterns(self, part: Budget) -> None:
        self.listing = Listing.of(self.instance, part, MODELLED_PAIRS)
        if self.listing is None:
            self.search.say("patterns are too many, or not for this instance")

    def seek_entries(self, turn: Budget) -> None:
        """Seek the fewest entries for a turn; longer if groups need no padding."""
        may_overrun = not self.has_near_pairs
        self.entries.run(self.search.budget, turn, may_overrun)

    def move_near_rows(self, part: Budget) -> None:
        known = self.search.solution
        groups = self.entries.groups if known is None else known.groups
        offer_rearranged(self.search, groups, "padded moves", part)

    def minimise_near_bound(self, part: Budget) -> None:
        assert self.listing is not None
        start = self.entries.groups
        minimise_near_bound(self.search, self.listing, start, "near bound", part)

    def balance_columns(self, part: Budget) -> None:
        """Bound the fullest column, and lower it."""
        if self._fullest is None:
            self._fullest = FullestColumn(self.search)
        self._fullest.take_turn(part)

    def minimise(self, part: Budget) -> None:
        """Minimise over patterns if they are listed, else over cells."""
        search, listing = self.search, self.listing
        if listing is not None:
            backend = highs_for(self.instance)
            minimise_by_patterns(search, listing, backend, "patterns", part)
        else:
            model = cell_model(self.instance)
            minimise_encoded(search, model, CpSat(), "cells", part)


def offer_unordered(search: Search[Suppression], budget: Budget, source: str) -> None:
    """Solve an instance without its orders, and offer its solutions, padded.

    An order makes the model of the fullest column much harder, and seldom costs more:
    columns are padded up to what a more important one has, so the fullest column gains
    less than the rows of one group. Where few columns may lose cells, the most
    important ones lose none: otherwise padding would affect more columns than may lose
    any.
    """
    instance = search.instance
    intact = _with_important(instance)
    unordered = wishing(instance, row_order=None, column_order=None, intact=intact)
    bound = _offer_padded(search, unordered, budget, source, lambda: search.done)
    if bound is not None and intact == instance.intact and not search.closed:
        search.raise_bound(bound, source)


def offer_within_columns(
    search: Search[Suppression], budget: Budget, source: str
) -> None:
    """Lower the fullest column until all limits hold; without them and without orders.

    Groups of the fewest entries have most of their stars in one column.
    """
    fullest = unlimited(search.instance, "per_column")
    _offer_padded(search, fullest, budget, source, lambda: search.solution is not None)


def _offer_padded(
    search: Search[Suppression],
    easier: Suppression,
    budget: Budget,
    source: str,
    enough: Callable[[], bool],
) -> int | None:
    """Offer solutions of an easier instance, padded, until enough; return its bound."""
    own = budget.apart()

    def offer(found: Solution) -> None:
        offer_if_feasible(search, padded(search.instance, found.groups), source)
        if enough():
            own.stop.set()

    inner = inner_search(easier, check, own, offer)
    with budget.calling(own.stop.set):
        solve(inner)
    return inner.bound


def _with_important(instance: Suppression) -> tuple[int, ...]:
    """Return the intact columns, and the most important ones of those that must be.

    In a class those of fewest values come first: rows that agree on them are many.
    """
    most = instance.limits.get("columns")
    if most is None or instance.region != ("columns",):
        return tuple(instance.intact)
    values = [len(set(column)) for column in zip(*instance.table, strict=True)]
    intact = list(dict.fromkeys(instance.intact))
    for columns in instance.column_order or ():
        fewest = sorted(set(columns).difference(intact), key=values.__getitem__)
        intact += fewest[: max(0, instance.m - most - len(intact))]
    return tuple(intact)


def _share_of_entries(work: _Work) -> float | None:
    """Return the share of the fewest entries, before what counts padding, or a model.

    Such tables gain little after a tenth of it (Adult, 2,000 rows).
    """
    if work.pads_much:
        return 0.1
    if work.has_near_pairs:
        return 0.5 if work.has_few_pairs else 0.25
    if work.pads_columns:
        return 0.7
    return 0.5 if work.model_helps else None


def _what_follows(work: _Work) -> Stages[_Work]:
    if work.search.budget.endless:
        return WITHOUT_LIMIT
    by_cells = work.listing is None and work.has_model
    plain = is_plain(work.instance) and not by_cells
    return FULLEST_COLUMN if plain else WITHIN_TIME


BEGINNING: Final[Stages[_Work]] = (
    Stage("deletion", always, 0.1, _Work.bound_by_deletion),
    Stage("greedy groups", always, None, _Work.begin_groups),
    Stage(
        "distances",
        lambda w: w.asks_more,
        None,
        lambda w, _: raise_to(w.search, least_measures(w.search), "distances"),
    ),
    Stage(
        "whole columns",
        lambda w: not w.needs_no_padding,
        0.1,
        lambda w, part: offer_whole_columns(w.search, part),
    ),
    Stage("steps", lambda w: bool(w.instance.row_order), 0.25, _Work.offer_steps),
    Stage("listing", always, 0.2, _Work.list_patterns),
)
"""What comes first. Shares are not tuned, here and below."""

_MOVES: Final = Stage(
    "padded moves",
    lambda w: w.pads_columns,
    lambda w: 0.3 if w.has_near_pairs else None,
    _Work.move_near_rows,
)
_MODEL: Final = Stage("model", lambda w: w.has_model, None, _Work.minimise)

WITHOUT_LIMIT: Final[Stages[_Work]] = (
    Stage(
        "entries",
        lambda w: not w.has_few_pairs or _is_anonymity(w.instance),
        None,
        _Work.seek_entries,
    ),
    _MOVES,
    _MODEL,
)
"""What follows without a time limit: k-anonymity, unless a model solves it soon."""

FULLEST_COLUMN: Final[Stages[_Work]] = (
    Stage("columns", always, 0.1, _Work.balance_columns),
    Stage("model", lambda w: w.has_few_pairs, 0.5, _Work.minimise),
    Stage("columns", always, None, _Work.balance_columns),
)
"""What follows if only the fullest column counts. HiGHS proves it of few pairs: 100
rows of Adult have 1,500 to 2,400 and take 3 to 15 s, random ones of 2,900 stay open."""

WITHIN_TIME: Final[Stages[_Work]] = (
    Stage(
        "important columns",
        lambda w: w.pads_much,
        0.3,
        lambda w, part: offer_by_importance(w.search, "important columns", part),
    ),
    Stage(
        "within columns",
        lambda w: w.lacks_columns,
        lambda w: 0.1 if w.has_few_pairs else 0.5,
        lambda w, part: offer_within_columns(w.search, part, "within columns"),
    ),
    Stage("entries", always, _share_of_entries, _Work.seek_entries),
    _MOVES,
    Stage(
        "near bound",
        lambda w: w.has_near_pairs,
        lambda w: 0.5 if w.has_few_pairs else 0.9,
        _Work.minimise_near_bound,
    ),
    Stage(
        "entries",
        lambda w: w.needs_no_padding or not w.model_helps,
        None,
        _Work.seek_entries,
    ),
    Stage(
        "unordered",
        lambda w: w.fullest_is_ordered,
        0.5,
        lambda w, part: offer_unordered(w.search, part, "unordered"),
    ),
    _MODEL,
    Stage("columns", lambda w: is_plain(w.instance), None, _Work.balance_columns),
)
"""What follows otherwise. Entries may go on past their share while little is padded,
and again once pairs near the bound had theirs, which is more where no model of all
patterns helps."""
