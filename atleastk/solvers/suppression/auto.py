"""Suppression: the automatic choice of methods.

What costs next to nothing comes first: the distances of rows bound all quantities, and
where rows or columns are named the deletion problem bounds their number, and often
solves the problem. Then

- entries without any limit or order are k-anonymity, and left to its methods; intact
  columns split the table into pieces, whose entries add up;
- tables of few pairs of patterns and row kinds are minimised over patterns;
- of larger ones the least entries are sought first, for a share of the time: where
  these solutions keep all limits they are a start, and their bound holds anyway; then
  they are minimised over few pairs near the bound
  (:mod:`~atleastk.solvers.suppression.near_bound`); rows in order begin with steps
  (:mod:`~atleastk.solvers.suppression.steps`);
- the stars of the fullest column are minimised without importance orders first, if
  time is limited (:mod:`~atleastk.solvers.suppression.unordered`);
- tables without a list of patterns are minimised over cells, if they are small; of
  others, groups are formed in one way for the whole time. That is the plain way, unless
  its first groups have to be padded much; where it would have ended is not known then.
  If an importance order of columns is padded, the rest of the time is for moves that
  count that (:mod:`~atleastk.solvers.suppression.padded_moves`).

Theorem
-------
The fewest rows (or columns) of a deletion problem bound those of every problem with the
same region. Proof: let C be the columns of the region of a solution, and R all rows
with a star outside C. Rows of one group have the same stars, so R is made of whole
groups and is empty or holds k rows. Suppress R and C as a whole: groups outside R stay
alike, and R is one group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.models import k_anonymity
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.results.result import Event
from atleastk.models.suppression import (
    SuppressionSolution,
    check,
    mask_of,
    solution_of_mask,
)
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.k_anonymity.auto import build_near
from atleastk.solvers.k_anonymity.auto import solve as anonymise
from atleastk.solvers.k_anonymity.first import begin as begin_anonymity
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.baselines import Way, padded, pieces, ways
from atleastk.solvers.suppression.deletion import minimise_deletion
from atleastk.solvers.suppression.first import (
    begin,
    from_entries,
    least_measures,
    offer_if_feasible,
    raise_to,
)
from atleastk.solvers.suppression.largest_k import maximise_k
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.suppression.near_bound import minimise_near_bound
from atleastk.solvers.suppression.padded_moves import offer_rearranged
from atleastk.solvers.suppression.pattern_search import highs_for, minimise_by_patterns
from atleastk.solvers.suppression.steps import stepped
from atleastk.solvers.suppression.unordered import offer_unordered

_FEW_PAIRS: Final = 20_000
"""Pairs of tables that are minimised over patterns at once."""

_MOST_PAIRS: Final = 400_000
_MOST_LED: Final = 600_000
"""Cells of pairs of rows for which the cell model is written in a second."""

_LISTING: Final = 0.2
"""The share of the time left for a list of patterns: not tuned."""

_STEPPING: Final = 0.25
"""The share of the time left for steps in an order of rows, which it seldom takes."""

_TURN: Final = 0.5
"""The share of the time left for groups in the plain way if they do not keep a wish: so
nothing needs more than twice as long as it would alone. The same of the rest is for
pairs near the bound."""

_PLAIN: Final = 0.25
"""The share of the time left for groups in the plain way before that, if patterns are
listed but many: such tables gain little after a tenth of it (Adult, 2,000 rows)."""

_NEAR: Final = 0.9
"""The share of the time left for pairs near the bound if only the plain way is left."""

_UNORDERED: Final = 0.5
"""The share of the time left for the same without orders of importance: not tuned."""

_LITTLE: Final = 0.01
"""The share of padding that still counts as keeping a wish: less than searches differ
by chance."""

_MUCH: Final = 0.5
"""The share of padding of the first groups from which other ways are tried at once, if
there is no model: on Adult, 20,000 rows, it is 0 to 0.16, or 1.5 and more."""

_SAMPLE: Final = 500
"""Rows by which it is decided how important columns count."""

_TRYING: Final = 0.4
"""The share of the time left for that decision, and then for the first groups in the
way that it names. Both seldom take it; ways that do not fit are not tried."""

_UNPADDED: Final = 0.7
"""The share of the time left for the fewest entries before moves that count padding."""

_DELETION_SHARE: Final = 0.1
"""The share of the time left that deletions get: not tuned."""

_PAUSES: Final = 60
"""Reports on pieces take a share of the time of one in so many."""


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
        _anonymise(search)
    else:
        _bound(search)
        if not search.done:
            _minimise(search)


def may_be_led(instance: Suppression) -> bool:
    """Tell whether a table is small enough for the cell model."""
    return instance.n * instance.n // 2 * max(1, instance.m) <= _MOST_LED


def _is_plain(instance: Suppression) -> bool:
    """Tell whether this is k-anonymity, piece by piece."""
    return _is_padded(instance) and not (instance.row_order or instance.column_order)


def _bound(search: Search[Suppression]) -> None:
    """Offer what is at hand, and bound the size of the region."""
    offer_if_feasible(search, _one_group(search.instance), "one group")
    if not search.done:
        _delete(search)


def _delete(search: Search[Suppression]) -> None:
    """Bound the size of the region by that of a deletion, and offer it."""
    instance = search.instance
    if not instance.region or instance.intact:
        return
    least = instance.minimise if instance.minimise in instance.region else None
    cost = least or instance.region[0]
    others = {q: instance.limits[q] for q in instance.region if q in instance.limits}
    others.pop(cost, None)
    deleting = Search(
        Suppression(
            instance.table, instance.k, minimise=cost, limits=others, deletion=True
        ),
        check,
        search.budget.share(_DELETION_SHARE),
    )
    minimise_deletion(deleting, "deletion")
    if deleting.infeasible:
        search.close_infeasible("deletion")
        return
    if deleting.solution is not None:
        offer_if_feasible(search, deleting.solution, "deletion")
    if deleting.bound is not None:
        raise_to(search, {cost: deleting.bound}, "deletion")


def _clear_columns(search: Search[Suppression]) -> None:
    """Offer few columns as a whole where it counts what rows or columns have.

    All rows have the same number of stars then, and no class of columns loses one that
    is more important than one that stays. Classes stay as long as the table allows; of
    the first that cannot, the fewest columns go, and all of the others behind it.
    """
    instance = search.instance
    ordered = instance.row_order or instance.column_order
    if not (ordered or "per_row" in {instance.minimise, *instance.limits}):
        return
    budget = search.budget.share(_DELETION_SHARE)
    kept = sorted(set(instance.intact))
    for members in instance.column_order or (range(instance.m),):
        places = [*kept, *(j for j in members if j not in kept)]
        part = Suppression(
            [[row[j] for j in places] for row in instance.table],
            instance.k,
            minimise="columns",
            deletion=True,
            intact=range(len(kept)),
        )
        deleting = Search(part, check, budget)
        minimise_deletion(deleting, "deletion")
        if deleting.infeasible:
            return
        if deleting.solution is None:
            break
        assert isinstance(deleting.solution, SuppressionSolution)
        hidden = mask_of(part, deleting.solution)
        kept = [j for place, j in enumerate(places) if not hidden[0, place]]
        if len(kept) < len(places):
            break
    hidden = np.ones((instance.n, instance.m), dtype=np.bool_)
    hidden[:, kept] = False
    offer_if_feasible(search, solution_of_mask(instance, hidden), "whole columns")


def _minimise(search: Search[Suppression]) -> None:
    """Minimise over patterns if they can be listed, else over cells."""
    instance, budget = search.instance, search.budget
    plain = _plain(search)
    _begin_by(plain, budget)
    if search.done:
        return
    if not (_is_padded(instance) or plain.keeps(_LITTLE)):
        raise_to(search, least_measures(search), "distances")
        if search.done:
            return
        _clear_columns(search)
    if instance.row_order:
        groups = stepped(instance, budget.share(_STEPPING))
        if groups is not None:
            offer_if_feasible(search, padded(instance, groups), "steps")
    listing = Listing.of(instance, budget.share(_LISTING), _MOST_PAIRS)
    has_model = listing is not None or may_be_led(instance)
    few = listing is not None and listing.patterns.pairs <= _FEW_PAIRS
    if budget.remaining < float("inf"):
        has_more = has_model and (few or not _is_padded(instance))
        _share_time(search, listing, plain, has_more)
        fullest = instance.minimise == "per_column" and instance.column_order
        if fullest and not search.done:
            offer_unordered(search, solve, budget.share(_UNORDERED), "unordered")
    else:
        if not plain.keeps(_LITTLE):
            _best(search, plain)
        if not few or _is_plain(instance):
            _anonymise_by(plain, budget)
    if search.done:
        return
    if listing is not None:
        minimise_by_patterns(search, listing, highs_for(instance), "patterns")
    elif has_model:
        minimise_encoded(search, cell_model(instance), CpSat(), "cells")


def _share_time(
    search: Search[Suppression], listing: Listing | None, plain: _Told, has_more: bool
) -> None:
    """Form groups in the plain way, then minimise near the bound; then try what else.

    What keeps the wish in the plain way has the rest of the time; without any model, it
    has the whole time unless its first groups are padded much.
    """
    instance, budget = search.instance, search.budget
    near = listing if instance.minimise == "entries" else None
    if near is None and not has_more:
        best = plain if plain.keeps(_MUCH) else _best(search, plain)
        if best is not plain and _is_padded(instance):  # others had it before
            raise_to(search, least_measures(search), "distances")
        if instance.column_order and not instance.row_order and _is_padded(instance):
            _anonymise_then_pad(search, best)
        else:
            _anonymise_by(best, budget)
        return
    few = near is None or near.patterns.pairs <= _FEW_PAIRS
    turn = budget.share(_TURN if few else _PLAIN)
    _anonymise_by(plain, budget, turn, keeping=near is None)
    best = plain
    if not (has_more or plain.keeps(_LITTLE) or search.done):
        best = _best(search, plain)
    if near is not None and not search.done:
        part = budget.share(_TURN if few or best is not plain else _NEAR)
        minimise_near_bound(
            search, near, best.groups, best.way.agreed, "near bound", part
        )
    if not search.done and (plain.keeps(_LITTLE) or not has_more):
        _anonymise_by(best, budget)


def _anonymise_then_pad(search: Search[Suppression], told: _Told) -> None:
    """Seek the fewest entries; if these are padded, go on by moves that count that."""
    budget = search.budget
    single = len(told.inner) == 1
    if single or not told.keeps(_LITTLE):
        _anonymise_by(told, budget, budget.share(_UNPADDED), keeping=single)
    else:
        _anonymise_by(told, budget)
    if told.groups and not search.done:
        offer_rearranged(search, told.groups, "padded moves")


def _best(search: Search[Suppression], plain: _Told) -> _Told:
    """Return the best way to form groups; of another one, padded ones are offered."""
    _clear_columns(search)
    way = _fairest(search)
    if way == plain.way:
        return plain
    best = _Told(search, way)
    _begin_by(best, search.budget.share(_TRYING))
    return best if best.reached < plain.reached else plain


def _is_padded(instance: Suppression) -> bool:
    """Tell whether any groups keep the wish once they are padded.

    Then a model of many pairs finds nothing better within the time of a run.
    """
    return not instance.limits and instance.minimise == "entries"


def _one_group(instance: Suppression) -> SuppressionSolution:
    """Return the solution without a cell, wherever that is allowed."""
    hidden = np.ones((instance.n, instance.m), dtype=np.bool_)
    hidden[:, list(instance.intact)] = False
    return solution_of_mask(instance, hidden)


def _plain(search: Search[Suppression]) -> _Told:
    """Return groups in the plain way; without them, nothing is feasible."""
    plain = _Told(search, ways(search.instance)[0])
    if not plain.fits:
        search.close_infeasible("intact columns")
    return plain


def _anonymise(search: Search[Suppression]) -> None:
    """Seek the fewest entries whatever the limits: k-anonymity, piece by piece."""
    plain = _plain(search)
    if not search.done:
        _anonymise_by(plain, search.budget)


def _anonymise_by(
    told: _Told, budget: Budget, turn: Budget | None = None, keeping: bool = False
) -> None:
    """Seek the fewest entries of groups formed in one way, piece by piece.

    Solutions are reported if they keep all limits; padded ones keep importance orders.
    The sum of the bounds, and the certificate of a single piece, hold in any case. It
    ends with its turn; if what keeps limits has more, only if they do not keep all
    limits almost as they are. Until then a single piece goes on as if it had the whole
    budget; several share their turn.
    """
    turn = turn or budget
    shared = turn if len(told.inner) > 1 and not keeping else budget
    told.budget = shared.slice(shared.remaining - told.telling).apart()

    def end() -> None:
        if budget.spent or not (keeping and told.keeps(_LITTLE)):
            told.budget.stop.set()

    with turn.calling(end):
        _solve_pieces(told)
    told.tell()


def _begin_by(told: _Told, budget: Budget) -> None:
    """Offer groups of near rows, padded: no wish is to cost more than they do."""
    if told.fits:
        told.budget = budget.apart()
        with budget.calling(told.budget.stop.set):
            told.build()
        told.tell()


def _fairest(search: Search[Suppression]) -> Way:
    """Return how to form groups: in the plain way, or with regard to importance.

    Of rows in equal distances groups of near ones are made in each way, and padded: the
    cheapest are the best.
    """
    instance = search.instance
    choices = ways(instance)
    place = {j: i for i, j in enumerate(choices[0].near)}
    rows = instance.table[:: -(-instance.n // _SAMPLE)]
    if len(choices) == 1 or len(rows) < instance.k:
        return choices[0]
    order = [[place[j] for j in c if j in place] for c in instance.column_order or ()]
    sample = Suppression(
        [[row[j] for j in place] for row in rows],
        instance.k,
        column_order=[columns for columns in order if columns],
    )
    costs: dict[Way, float] = {}
    part = search.budget.share(_TRYING)
    for way, like in zip(choices, ways(sample), strict=True):
        told = _Told(Search(sample, check, part), like)
        fits = min(map(len, pieces(instance, way.agreed))) >= instance.k
        if told.fits and fits and not part.spent:
            _begin_by(told, part)
            costs[way] = told.reached
    return min(costs, key=costs.__getitem__, default=choices[0])


class _Told:
    """Tells a search what its pieces have found, not more often than is worth it.

    Attributes
    ----------
    inner
        A search for the fewest entries of each piece.
    fits
        Whether no piece has too few rows.
    reached
        The cost of the last solution told; infinite if it breaks a limit.
    groups
        Those of that solution, before it was padded; none if there is none.
    telling
        The seconds that a report has taken; the last one needs as many.
    """

    def __init__(self, search: Search[Suppression], way: Way) -> None:
        self._search, self.way, self.budget = search, way, search.budget.apart()
        self._split = pieces(search.instance, way.agreed)
        self.fits = min(map(len, self._split)) >= search.instance.k
        self.inner = [
            _piece(search.instance, rows, way.near, search.budget, self.hear)
            for rows in self._split
        ]
        self.reached = float("inf")
        self.groups: Sequence[Sequence[int]] = ()
        self.telling = 0.0
        self._plain = way == ways(search.instance)[0]
        self._cost: int | None = None
        self._next = float("-inf")

    def keeps(self, padding: float) -> bool:
        """Tell whether the fewest entries told last keep all limits, so much padded."""
        if not self._plain or self._search.instance.minimise != "entries":
            return False
        return self.reached <= (1.0 + padding) * (self._cost or 0)

    def build(self) -> None:
        """Form groups of near rows in each piece that has none; tell of no others."""
        self._next = float("inf")
        for part in self.inner:
            part.budget = self.budget
            if part.cost is None and begin_anonymity(part, "neighbours"):
                build_near(part)
        self._next = float("-inf")

    def hear(self, _event: Event) -> None:
        """Tell what is new, unless the last time was a short while ago."""
        if CLOCK.now() >= self._next:
            self.tell()

    def tell(self) -> None:
        """Report the solutions of all pieces as one, and their bounds."""
        began, search = CLOCK.now(), self._search
        solved = [part.solution for part in self.inner if part.solution is not None]
        if len(solved) < len(self._split):
            return
        cost = sum(part.cost or 0 for part in self.inner)
        if self._cost is None or cost < self._cost:
            self.groups = [
                rows[list(group)].tolist()
                for rows, solution in zip(self._split, solved, strict=True)
                for group in solution.groups
            ]
            solution = padded(search.instance, self.groups)
            reached = offer_if_feasible(search, solution, "k-anonymity")
            self._cost, self.reached = cost, reached  # at once: `keeps` compares them
        if self._plain and not search.closed:
            _forward_bounds(search, self.inner)
        if search.closed:
            self.budget.stop.set()
        now = CLOCK.now()
        self.telling = now - began
        self._next = now + _PAUSES * (now - began)


def _piece(
    instance: Suppression,
    rows: IntArray,
    columns: Sequence[int],
    budget: Budget,
    tell: Callable[[Event], object],
) -> Search[KAnonymity]:
    """Return a search for the fewest entries of some rows in these columns."""
    if len(rows) == instance.n and columns == tuple(range(instance.m)):
        table, names = instance.table, instance.columns
    else:
        table = [[instance.table[i][j] for j in columns] for i in rows.tolist()]
        names = None
    plain = KAnonymity(table, instance.k, names)
    return Search(plain, k_anonymity.check, budget, on_event=tell)


def _solve_pieces(told: _Told) -> None:
    """Solve all pieces, small ones first; all get groups of near rows before."""
    inner, budget = told.inner, told.budget
    if len(inner) > 1:
        told.build()
    left = sum(part.instance.n for part in inner)
    for part in sorted(inner, key=lambda part: part.instance.n):
        share = part.instance.n / left
        left -= part.instance.n
        part.budget = budget.share(share)
        if not part.done:
            anonymise(part)


def _forward_bounds(
    search: Search[Suppression], inner: list[Search[KAnonymity]]
) -> None:
    """Report what the least entries say of the cost and the limits."""
    bound = sum(part.bound or 0 for part in inner)
    alone = inner[0] if len(inner) == 1 else None
    source = "k-anonymity" if alone is None else alone.proved_by or "k-anonymity"
    if search.instance.minimise == "entries":
        whole = alone is not None and not search.instance.intact
        proof = alone.certificate if alone is not None and whole else None
        search.raise_bound(bound, source, proof)
    if not search.infeasible:
        raise_to(search, from_entries(search.instance, bound), source)
