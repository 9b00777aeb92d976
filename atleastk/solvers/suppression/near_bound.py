"""Entries minimised over few pairs of patterns and row kinds: those near the bound.

This is reduced cost fixing with a growing limit. Weights of the rows prove that no
table loses fewer than L cells, and by how much every pair raises that
(:mod:`atleastk.solvers.tables.multipliers`). A table that costs little more than L
uses no other pairs, so the model for an instance whose optimum is near L is small. More
and more pairs are offered, until the best table found costs no more than any table of
further pairs, or the time is over.

The pairs of the best table known are offered, too, and every model starts from it: a
solver without a start seldom finds any solution in time. Before, sub-tables of it are
rearranged (:mod:`atleastk.solvers.tables.sub_tables`): all patterns that are left
keep limits and intact columns.

The weights are those of the patterns that limits and intact columns leave, so L is a
bound for the instance. What an order of columns asks for besides is part of the models:
columns are padded at the price of other cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.admitted_patterns import FREE, admitted
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import SuppressionSolution, check
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.race import first_answer
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import offer_if_feasible, wishing
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.suppression.padding import padded
from atleastk.solvers.suppression.pattern_search import highs_for
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import reduced_costs
from atleastk.solvers.tables.reduced_cost_fixing import whole_cp_sat
from atleastk.solvers.tables.sub_tables import held_pairs, reoptimise

_SPARES: Final = (0.1, 0.2, 0.3, 1.0, 3.0, 10.0)
"""Reduced costs, in stars, up to which pairs are offered, in turn. On Adult, 500 and
2,000 rows, the first three gave solutions better than all found before."""

_ASCENT: Final = 0.1
"""The share of the time left for the weights: not tuned."""

_REARRANGING: Final = 0.7
"""The share of the time left for sub-tables: on Adult, 2,000 rows, they gain 2 % in two
seconds; models of all rows gain 0.6 % after that, and need four."""

_MOST_RACED: Final = 2_000
"""Variables of models that CP-SAT may minimise before HiGHS does."""


def minimise_near_bound(
    search: Search[Suppression],
    listing: Listing,
    start: Sequence[Sequence[int]],
    source: str,
    budget: Budget,
) -> None:
    """Minimise over more and more pairs, until all that may improve were offered.

    Importance orders make a model much harder. So that of rows is left out first, that
    of columns is kept by padding, and solutions are padded; both are added to the model
    if that costs more. It ends as soon as a model is not minimised in its time.

    Parameters
    ----------
    start
        Groups of rows to begin with; none, or any that break limits, do no harm.
    """
    instance, records = search.instance, listing.kinds.records
    order = None if instance.limits else instance.column_order
    unordered = wishing(instance, row_order=None, column_order=order)
    relaxed = Search(unordered, check, budget)

    def report(groups: Sequence[Sequence[int]]) -> SuppressionSolution:
        offer_if_feasible(search, padded(instance, groups), source)
        solution = padded(relaxed.instance, groups)
        offer_if_feasible(relaxed, solution, source)
        return solution

    patterns = admitted(relaxed.instance, listing.patterns, FREE)
    table = ListedTable(patterns, records, instance.k)
    proved = improve(table, budget.share(_ASCENT))
    relaxed.raise_bound(proved.bound, source)
    raises = reduced_costs(table, proved)
    known = search.solution
    for groups in (start, () if known is None else known.groups):
        if groups:
            report(groups)
    best = _known(relaxed, records)
    if best is not None:
        reoptimise(
            table,
            best,
            proved,
            budget.share(_REARRANGING),
            on_better=lambda found: report([g.tolist() for g in found.rows(records)]),
        )
    at_bound = (search.bound or 0) - proved.value
    for spare in sorted((*_SPARES, max(0.0, at_bound))):
        most = int(spare * proved.scale)
        offered = raises <= most
        best = _known(relaxed, records)
        if best is not None:
            offered |= held_pairs(table, best) > 0
        few = patterns.only(offered)
        below = (proved.total + most) // proved.scale + 1
        kept = Listing(relaxed.instance, listing.kinds, few)
        with budget.awaiting():
            _minimise_padded(relaxed, kept, report, source, below)
        if relaxed.bound is not None:
            search.raise_bound(relaxed.bound, source)
        if search.done or budget.ending:
            return
        if search.cost is not None and search.cost != relaxed.cost:
            model = Listing(search.instance, listing.kinds, few).encode()
            _minimise(search, model, source, budget, below, search.solution)
            if search.done or budget.ending:
                return


def _known(search: Search[Suppression], records: Records) -> Assignment | None:
    if search.solution is None:
        return None
    return Assignment.of_solution(records, search.solution)


def _minimise_padded(
    search: Search[Suppression],
    listing: Listing,
    report: Callable[[Sequence[Sequence[int]]], Solution],
    source: str,
    below: int,
) -> None:
    """Minimise with padded columns; solutions are padded and reported."""
    model = listing.encode(padding=True)

    def decode(values: IntArray) -> Solution:
        return report(model.decode(values).groups)

    known = None if search.solution is None else Solution(search.solution.groups)
    reporting = replace(model, decode=decode)
    _minimise(search, reporting, source, search.budget, below, known)


def _minimise(
    search: Search[Suppression],
    encoding: Encoding,
    source: str,
    budget: Budget,
    below: int,
    start: Solution | None,
) -> None:

    def by(backend: Backend, workers: int, part: Budget) -> None:
        part = replace(part, workers=workers)
        minimise_encoded(
            search, encoding, backend, source, part, below=below, start=start
        )

    runs = [partial(by, highs_for(search.instance), 1)]
    if budget.workers > 1 and encoding.model.columns <= _MOST_RACED:
        runs.append(partial(by, *whole_cp_sat(budget)))
    first_answer(runs, budget, lambda _: True)
