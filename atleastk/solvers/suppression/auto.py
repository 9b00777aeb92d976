"""Suppression: the automatic choice of methods.

What costs next to nothing comes first: the distances of rows bound all quantities, and
where rows or columns are named the deletion problem bounds their number, and often
solves the problem. Then

- entries without any limit or order are k-anonymity, and solved by its methods; intact
  columns split the table into pieces, whose entries add up;
- tables of few pairs of patterns and row kinds are minimised over patterns;
- of larger ones the fewest entries are sought first, for a share of the time: where
  these solutions keep all limits they are a start, and their bound holds anyway; then
  they are minimised over few pairs near the bound
  (:mod:`~atleastk.solvers.suppression.near_bound`); rows in order begin with steps
  (:mod:`~atleastk.solvers.suppression.steps`);
- the stars of the fullest column are minimised without importance orders first, if
  time is limited (:mod:`~atleastk.solvers.suppression.unordered`);
- tables without a list of patterns are minimised over cells, if they are small; of
  others, groups are formed by one rule for the whole time. That is the plain rule,
  unless its first groups need much padding; where it would have ended is not known
  then. If an importance order of columns is padded, the rest of the time is for moves
  that count padding (:mod:`~atleastk.solvers.suppression.padded_moves`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.engine.encoded import minimise_encoded
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

_FEW_PAIRS: Final = 20_000
"""Pairs of tables that are minimised over patterns at once."""

_MOST_PAIRS: Final = 400_000
_MOST_LEADER_CELLS: Final = 600_000
"""Pairs of a list; cells of pairs of rows for which the cell model is written in a
second."""

_LISTING: Final = 0.2
"""The share of the time left for a list of patterns: not tuned."""

_STEPPING: Final = 0.25
"""The share of the time left for steps in an order of rows, which it seldom takes."""

_TURN: Final = 0.5
"""The share of the time left for groups by the plain rule if they need padding: so
nothing needs more than twice as long as it would alone. The same of the rest is for
pairs near the bound."""

_PLAIN: Final = 0.25
"""The share of the time left for groups by the plain rule before that, if patterns are
listed but many: such tables gain little after a tenth of it (Adult, 2,000 rows)."""

_NEAR: Final = 0.9
"""The share of the time left for pairs near the bound if no other rule is left."""

_UNORDERED: Final = 0.5
"""The share of the time left for the same without orders of importance: not tuned."""

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
    if not begin(search, "beginning"):
        return
    if instance.minimise == "k":
        maximise_k(search, solve, "largest-k")
    elif instance.deletion:
        minimise_deletion(search, "deletion")
    elif _is_plain(instance) and not instance.intact:
        _plain_search(search).run(search.budget)
    else:
        offer_one_group(search)
        if not search.done:
            bound_by_deletion(search)
        if not search.done:
            _minimise(search)


@dataclass(frozen=True, slots=True)
class _Models:
    """The exact models that an instance is small enough for.

    The patterns are listed if they can be; `few` says whether they have few pairs, and
    `exist` whether there is a model at all, of patterns or of cells.
    """

    listing: Listing | None
    few: bool
    exist: bool

    @classmethod
    def of(cls, search: Search[Suppression]) -> _Models:
        """List the patterns, for a share of the time."""
        instance = search.instance
        listing = Listing.of(instance, search.budget.share(_LISTING), _MOST_PAIRS)
        few = listing is not None and listing.patterns.pairs <= _FEW_PAIRS
        return cls(listing, few, listing is not None or _fits_cell_model(instance))

    def minimise(self, search: Search[Suppression]) -> None:
        """Minimise over patterns if they are listed, else over cells."""
        if self.listing is not None:
            backend = highs_for(search.instance)
            minimise_by_patterns(search, self.listing, backend, "patterns")
        elif self.exist:
            minimise_encoded(search, cell_model(search.instance), CpSat(), "cells")


def _minimise(search: Search[Suppression]) -> None:
    """Improve solutions and bounds stage by stage, then minimise a model."""
    plain = _plain_search(search)
    plain.begin(search.budget)
    if not search.done and not (
        _padding_suffices(search.instance) or plain.padded_within(LITTLE)
    ):
        raise_to(search, least_measures(search), "distances")
        if not search.done:
            offer_whole_columns(search)
    if search.done:
        return
    _offer_steps(search)
    models = _Models.of(search)
    if isinf(search.budget.remaining):
        _improve_without_limit(search, plain, models)
    else:
        _improve_in_time(search, plain, models)
    if not search.done:
        models.minimise(search)


def _offer_steps(search: Search[Suppression]) -> None:
    """Offer groups of few stars for the first rows in order, if rows are ordered."""
    instance = search.instance
    if instance.row_order:
        groups = stepped(instance, search.budget.share(_STEPPING))
        if groups is not None:
            offer_if_feasible(search, padded(instance, groups), "steps")


def _improve_without_limit(
    search: Search[Suppression], plain: PiecewiseSearch, models: _Models
) -> None:
    """Try grouping rules, and seek the fewest entries if no model solves that soon."""
    if not plain.padded_within(LITTLE):
        _best_search(search, plain)
    if not models.few or _is_plain(search.instance):
        plain.run(search.budget)


def _improve_in_time(
    search: Search[Suppression], plain: PiecewiseSearch, models: _Models
) -> None:
    """Improve solutions before a model is minimised, or instead."""
    instance = search.instance
    near = models.listing if instance.minimise == "entries" else None
    exact = models.exist and (models.few or not _padding_suffices(instance))
    if near is not None or exact:
        _improve_near_bound(search, plain, near, exact)
    else:
        _improve_without_models(search, plain)
    if instance.minimise == "per_column" and instance.column_order and not search.done:
        offer_unordered(search, solve, search.budget.share(_UNORDERED), "unordered")


def _improve_without_models(
    search: Search[Suppression], plain: PiecewiseSearch
) -> None:
    """Form groups by one rule for the whole time.

    That is the plain rule unless its first groups need much padding.
    """
    instance, budget = search.instance, search.budget
    best = plain if plain.padded_within(_MUCH) else _best_search(search, plain)
    suffices = _padding_suffices(instance)
    if best is not plain and suffices:  # others had it before
        raise_to(search, least_measures(search), "distances")
    if instance.column_order and not instance.row_order and suffices:
        _anonymise_then_pad(search, best)
    else:
        best.run(budget)


def _anonymise_then_pad(search: Search[Suppression], best: PiecewiseSearch) -> None:
    """Seek the fewest entries; if these need padding, go on by moves that count it."""
    budget = search.budget
    single = len(best.inner) == 1
    if single or not best.padded_within(LITTLE):
        best.run(budget, budget.share(_UNPADDED), unless_padded=single)
    else:
        best.run(budget)
    if best.groups and not search.done:
        offer_rearranged(search, best.groups, "padded moves")


def _improve_near_bound(
    search: Search[Suppression],
    plain: PiecewiseSearch,
    near: Listing | None,
    exact: bool,
) -> None:
    """Form groups by the plain rule, then minimise over pairs near the bound.

    If no exact model follows, the best rule has the rest of the time; so has the plain
    one if its groups need little padding.
    """
    budget = search.budget
    few = near is None or near.patterns.pairs <= _FEW_PAIRS
    turn = budget.share(_TURN if few else _PLAIN)
    plain.run(budget, turn, unless_padded=near is None)
    best = plain
    if not (exact or plain.padded_within(LITTLE) or search.done):
        best = _best_search(search, plain)
    if near is not None and not search.done:
        part = budget.share(_TURN if few or best is not plain else _NEAR)
        minimise_near_bound(
            search, near, best.groups, best.rule.agreed, "near bound", part
        )
    if not search.done and (plain.padded_within(LITTLE) or not exact):
        best.run(budget)


def _plain_search(search: Search[Suppression]) -> PiecewiseSearch:
    """Return the search by the plain rule; if it is infeasible, so is the instance."""
    plain = PiecewiseSearch(search, grouping_rules(search.instance)[0])
    if not plain.feasible:
        search.close_infeasible("intact columns")
    return plain


def _best_search(
    search: Search[Suppression], plain: PiecewiseSearch
) -> PiecewiseSearch:
    """Return the search by the best rule; of another one, first groups are offered."""
    offer_whole_columns(search)
    rule = cheapest_rule(search, _TRYING)
    if rule == plain.rule:
        return plain
    best = PiecewiseSearch(search, rule)
    best.begin(search.budget.share(_TRYING))
    return best if best.cost < plain.cost else plain


def _is_plain(instance: Suppression) -> bool:
    ordered = instance.row_order or instance.column_order
    return _padding_suffices(instance) and not ordered


def _padding_suffices(instance: Suppression) -> bool:
    """Tell whether any groups are feasible once they are padded.

    Then a model of many pairs finds nothing better within the time of a run.
    """
    return not instance.limits and instance.minimise == "entries"


def _fits_cell_model(instance: Suppression) -> bool:
    cells = instance.n * instance.n // 2 * max(1, instance.m)
    return cells <= _MOST_LEADER_CELLS
