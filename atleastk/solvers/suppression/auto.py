"""Suppression: the automatic choice of methods; `STAGES`, at the end, lists it.

Entries without limits, orders and intact columns are a table of k-anonymity and solved
by its stages (:data:`atleastk.solvers.tables.stages.STAGES`). k is maximised by
decisions, and deletions have methods of their own. For all else groups are formed by
*grouping rules* (:mod:`~atleastk.solvers.suppression.padding`) that seek the fewest
entries, and padded; the distances of rows, the deletion problem and k-anonymity bound
all quantities; and a model of patterns or cells closes what is small enough.

Where there is no such model, groups are formed by one rule for the whole time. That is
the plain rule, unless its first groups need much padding; where it would have ended is
not known then.
"""

from __future__ import annotations

from functools import partial
from math import isinf
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.suppression import solution_of_groups
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
)
from atleastk.solvers.suppression.fullest_column import FullestColumn, is_plain
from atleastk.solvers.suppression.largest_k import maximise_k
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.suppression.near_bound import minimise_near_bound
from atleastk.solvers.suppression.padded_moves import offer_rearranged
from atleastk.solvers.suppression.padding import grouping_rules, padded
from atleastk.solvers.suppression.pattern_search import highs_for, minimise_by_patterns
from atleastk.solvers.suppression.piecewise import (
    LITTLE,
    PiecewiseSearch,
    cheapest_rule,
)
from atleastk.solvers.suppression.steps import stepped
from atleastk.solvers.suppression.unordered import offer_unordered
from atleastk.solvers.suppression.weighted import minimise_weighted
from atleastk.solvers.tables.stages import solve_table
from atleastk.solvers.tables.steps import Table

_FEW_PAIRS: Final = 20_000
"""Pairs of tables that are minimised over patterns at once."""

_VERY_FEW_PAIRS: Final = 2_500
"""Pairs of which HiGHS proves the fullest column: 100 rows of Adult have 1,500 to 2,400
and take 3 to 15 s; random ones of 2,900 and more stay open."""

_MOST_PAIRS: Final = 400_000
_MOST_LEADER_CELLS: Final = 600_000
"""Pairs of a list; cells of pairs of rows for which the cell model is written in a
second."""

_TURN: Final = 0.5
"""The share of the time left for groups by the plain rule if they need padding: so
nothing needs more than twice as long as it would alone. The same of the rest is for
pairs near the bound."""

_PLAIN: Final = 0.25
"""The share of the time left for groups by the plain rule before that, if patterns are
listed but many: such tables gain little after a tenth of it (Adult, 2,000 rows)."""

_NEAR: Final = 0.9
"""The share of the time left for pairs near the bound if no other rule is left."""

_MUCH: Final = 0.5
"""The share of padding of the first groups from which other rules are tried at once, if
there is no model: on Adult, 20,000 rows, it is 0 to 0.16, or 1.5 and more."""

_TRYING: Final = 0.4
"""The share of the time left to compare grouping rules, and then for the first groups
by the cheapest. Both seldom take it; rules that do not fit are not tried."""

_UNPADDED: Final = 0.7
"""The share of the time left for the fewest entries before moves that count padding."""


def solve(search: Search[Suppression]) -> None:
    """Find a best suppression and prove it, as far as the budget goes."""
    instance = search.instance
    if not begun(search, begin):
        return
    if instance.is_weighted:
        minimise_weighted(search, solve)
    elif instance.minimise == "k":
        maximise_k(search, solve, "largest-k")
    elif instance.deletion:
        minimise_deletion(search, "deletion")
    elif _is_anonymity(instance) and not instance.intact:
        solve_table(_declared(search))
    else:
        run_stages(search, STAGES, _Wish(search))


def _padding_suffices(instance: Suppression) -> bool:
    """Whether any groups are feasible once they are padded.

    Then a model of many pairs finds nothing better within the time of a run.
    """
    return not instance.is_limited and instance.minimise == "entries"


def _is_anonymity(instance: Suppression) -> bool:
    """Whether it is k-anonymity, perhaps with intact columns."""
    ordered = instance.row_order or instance.column_order
    return _padding_suffices(instance) and not ordered


def _declared(search: Search[Suppression]) -> Table:
    """Return the table of a search for the fewest entries."""
    instance = search.instance
    return Table(
        search,
        instance.records,
        instance.k,
        solution_of=lambda found: solution_of_groups(instance, found.groups),
        leaders=partial(cell_model, instance),
        certified=is_checkable(instance.records),
    )


class _Wish:
    """What is asked of one table, on its way through the stages.

    Attributes
    ----------
    plain, best
        The searches by the plain grouping rule, and by the best one tried.
    """

    def __init__(self, search: Search[Suppression]) -> None:
        self.search, self.instance = search, search.instance
        self.padding_suffices = _padding_suffices(self.instance)
        rule = grouping_rules(self.instance)[0]
        self.plain = self.best = PiecewiseSearch(search, rule)
        self._listing: Listing | None = None
        self._fullest: FullestColumn | None = None

    # What stages depend on.

    @property
    def endless(self) -> bool:
        """Whether there is no time limit."""
        return isinf(self.search.budget.remaining)

    @property
    def settled(self) -> bool:
        """Whether the groups of the plain rule need little padding."""
        return self.plain.padded_within(LITTLE)

    @property
    def few(self) -> bool:
        """Whether patterns are listed and have few pairs."""
        return self._listing is not None and self._listing.patterns.pairs <= _FEW_PAIRS

    @property
    def modelled(self) -> bool:
        """Whether there is an exact model, of patterns or of cells."""
        cells = self.instance.n**2 // 2 * max(1, self.instance.m)
        return self._listing is not None or cells <= _MOST_LEADER_CELLS

    @property
    def exact(self) -> bool:
        """Whether such a model may find something better."""
        return self.modelled and (self.few or not self.padding_suffices)

    @property
    def near(self) -> bool:
        """Whether pairs near the bound are a model, within a time limit."""
        listed = self._listing is not None and self.instance.minimise == "entries"
        return listed and not self.endless

    @property
    def helped(self) -> bool:
        """Whether a model helps within a time limit."""
        return not self.endless and (self.near or self.exact)

    @property
    def alone(self) -> bool:
        """Whether there is a time limit, and no model."""
        return not (self.endless or self.helped)

    @property
    def long(self) -> bool:
        """Whether no model of few pairs solves it soon, or k-anonymity does."""
        return not self.few or _is_anonymity(self.instance)

    @property
    def tries(self) -> bool:
        """Whether other rules may do better than the plain one, and no exact model."""
        return self.helped and not (self.exact or self.settled)

    @property
    def goes_on(self) -> bool:
        """Whether the best rule has the rest of the time."""
        return self.helped and (self.settled or not self.exact)

    @property
    def dear(self) -> bool:
        """Whether the first groups by the plain rule need much padding."""
        return not self.plain.padded_within(_MUCH)

    @property
    def late(self) -> bool:
        """Whether distances were left to the plain rule, and another one is better."""
        return self.padding_suffices and self.best is not self.plain

    @property
    def unsettled(self) -> bool:
        """Whether groups of near rows are not nearly all that is asked for."""
        return not (self.padding_suffices or self.settled)

    @property
    def fullest(self) -> bool:
        """Whether the fullest column counts and columns are ordered, within a limit."""
        asked = self.instance.minimise == "per_column" and self.instance.column_order
        return bool(asked) and not self.endless

    @property
    def balances(self) -> bool:
        """Whether only the fullest column counts, and no model proves it soon."""
        return self.even and not self.soon

    @property
    def even(self) -> bool:
        """Whether only the fullest column counts, within a time limit."""
        return is_plain(self.instance) and not self.endless

    @property
    def soon(self) -> bool:
        """Whether a model may prove the fullest column within seconds."""
        listing = self._listing
        if listing is None:
            return self.modelled
        return listing.patterns.pairs <= _VERY_FEW_PAIRS

    @property
    def soluble(self) -> bool:
        """Whether a model of more patterns may still lower it."""
        return self.balances and self.few

    @property
    def groups_alone(self) -> bool:
        """Whether the fewest entries are sought, and a model helps."""
        return self.helped and not self.balances

    @property
    def _many(self) -> bool:
        """Whether patterns are listed, but many."""
        return self.near and not self.few

    # Steps.

    def bound_at_once(self, _: Budget) -> None:
        """Bound by the deletion problem, which often solves it."""
        offer_one_group(self.search)
        if not self.search.done:
            bound_by_deletion(self.search)

    def begin_groups(self, part: Budget) -> None:
        if self.plain.feasible:
            self.plain.begin(part)
        else:
            self.search.close_infeasible("intact columns")

    def bound_by_distances(self, _: Budget) -> None:
        raise_to(self.search, least_measures(self.search), "distances")

    def delete_columns(self, _: Budget) -> None:
        offer_whole_columns(self.search)

    def offer_steps(self, part: Budget) -> None:
        """Offer groups of few stars for the first rows in order."""
        groups = stepped(self.instance, part)
        if groups is not None:
            offer_if_feasible(self.search, padded(self.instance, groups), "steps")

    def list_patterns(self, part: Budget) -> None:
        self._listing = found = Listing.of(self.instance, part, _MOST_PAIRS)
        if found is None:
            self.search.say("patterns are too many, or not for this instance")

    def try_rules(self, _: Budget) -> None:
        """Take the best grouping rule; of another one, offer the first groups."""
        search = self.search
        offer_whole_columns(search)
        rule = cheapest_rule(search, _TRYING)
        if rule != self.plain.rule:
            other = PiecewiseSearch(search, rule)
            other.begin(search.budget.share(_TRYING))
            if other.cost < self.plain.cost:
                self.best = other

    def take_turn(self, budget: Budget) -> None:
        """Seek the fewest entries by the plain rule, longer if it needs no padding."""
        turn = budget.share(_PLAIN if self._many else _TURN)
        self.plain.run(budget, turn, unless_padded=not self.near)

    def seek_plainly(self, budget: Budget) -> None:
        self.plain.run(budget)

    def seek_entries(self, budget: Budget) -> None:
        self.best.run(budget)

    def seek_alone(self, budget: Budget) -> None:
        """Seek the fewest entries by the best rule for the whole time.

        In an order of columns moves that count padding follow, if that is needed.
        """
        search, best = self.search, self.best
        columns = self.instance.column_order and not self.instance.row_order
        if not (columns and self.padding_suffices):
            best.run(budget)
            return
        single = len(best.inner) == 1
        if single or not best.padded_within(LITTLE):
            best.run(budget, budget.share(_UNPADDED), unless_padded=single)
        else:
            best.run(budget)
        if best.groups and not search.done:
            offer_rearranged(search, best.groups, "padded moves")

    def minimise_near_bound(self, budget: Budget) -> None:
        assert self._listing is not None
        best = self.best
        groups, agreed = best.groups, best.rule.agreed
        part = budget.share(_NEAR if self._many and best is self.plain else _TURN)
        minimise_near_bound(
            self.search, self._listing, groups, agreed, "near bound", part
        )

    def balance_columns(self, part: Budget) -> None:
        """Bound the fullest column, and lower it."""
        if self._fullest is None:
            self._fullest = FullestColumn(self.search, self._listing)
        self._fullest.take_turn(part)

    def forget_orders(self, part: Budget) -> None:
        offer_unordered(self.search, solve, part, "unordered")

    def minimise(self, part: Budget) -> None:
        """Minimise over patterns if they are listed, else over cells."""
        search, listing = self.search, self._listing
        if listing is not None:
            backend = highs_for(self.instance)
            minimise_by_patterns(search, listing, backend, "patterns", part)
        else:
            model = cell_model(self.instance)
            minimise_encoded(search, model, CpSat(), "cells", part)


STAGES: Final[Stages[_Wish]] = (
    Stage("at once", always, None, _Wish.bound_at_once),
    Stage("greedy groups", always, None, _Wish.begin_groups),
    Stage("distances", lambda w: w.unsettled, None, _Wish.bound_by_distances),
    Stage("whole columns", lambda w: w.unsettled, None, _Wish.delete_columns),
    Stage("steps", lambda w: bool(w.instance.row_order), 0.25, _Wish.offer_steps),
    Stage("listing", always, 0.2, _Wish.list_patterns),
    # Without a time limit:
    Stage("rules", lambda w: w.endless and not w.settled, None, _Wish.try_rules),
    Stage("entries", lambda w: w.endless and w.long, None, _Wish.seek_plainly),
    # Where the fullest column counts, and a time limit:
    Stage("columns", lambda w: w.balances, 0.1, _Wish.balance_columns),
    Stage("model", lambda w: w.soluble, 0.5, _Wish.minimise),
    Stage("columns", lambda w: w.balances, None, _Wish.balance_columns),
    # With a model:
    Stage("entries", lambda w: w.groups_alone, None, _Wish.take_turn),
    Stage("rules", lambda w: w.tries, None, _Wish.try_rules),
    Stage("near bound", lambda w: w.near, None, _Wish.minimise_near_bound),
    Stage("entries", lambda w: w.goes_on, None, _Wish.seek_entries),
    # Without a model:
    Stage("rules", lambda w: w.alone and w.dear, None, _Wish.try_rules),
    Stage("distances", lambda w: w.alone and w.late, None, _Wish.bound_by_distances),
    Stage("entries", lambda w: w.alone, None, _Wish.seek_alone),
    # An order makes the model of the fullest column much harder:
    Stage("unordered", lambda w: w.fullest, 0.5, _Wish.forget_orders),
    Stage("model", lambda w: w.modelled, None, _Wish.minimise),
    Stage("columns", lambda w: w.even, None, _Wish.balance_columns),
)
"""What is done where there are limits, orders or intact columns, or a cost other than
entries. Shares are not tuned."""
